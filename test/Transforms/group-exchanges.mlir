// RUN: tile-opt %s -split-input-file -tile-group-exchanges | FileCheck %s
// RUN: tile-opt %s -split-input-file -tile-group-exchanges -tile-allocate-shared -tile-insert-barriers | FileCheck %s --check-prefix=BARRIER
// RUN: tile-opt %s -split-input-file -tile-group-exchanges -tile-allocate-shared -tile-insert-barriers -tile-verify-synchronization -o /dev/null

#t = #tile.register<(32,2,1):(0,1,0), box = [2]>
#r = #tile.register<(32,2,2):(0,0,1), box = [2]>
#s = #tile.shared<(2):(1)>

// The second exchange needs only values from before the first: it moves, with the
// operations that compute them. The third needs the first, but not the second.
// CHECK-LABEL: tile.kernel @three(
// CHECK:       tile_gpu.store_shared %[[A:.*]], %[[B0:.*]] :
// CHECK:       %[[SQUARE:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK:       tile_gpu.store_shared %[[SQUARE]], %[[B1:.*]] :
// CHECK:       %[[R0:.*]] = tile_gpu.load_shared %[[B0]]
// CHECK:       %[[SUM:.*]] = tile.reduce add %[[R0]]
// CHECK:       tile_gpu.store_shared %{{.*}}, %[[B2:.*]] :
// CHECK-NEXT:  tile_gpu.load_shared %[[B1]]
// CHECK-NEXT:  tile_gpu.load_shared %[[B2]]

// BARRIER-LABEL: tile.kernel @three(
// BARRIER-COUNT-2: gpu.barrier
// BARRIER-NOT: gpu.barrier
// BARRIER-LABEL: tile.kernel @stays(
tile.kernel @three(%a: memref<?x2xf32>, %y: memref<?x2xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %v = tile.load %a[%c0, %c0] : memref<?x2xf32> -> !tile.tile<2xf32, #t>
  %b0 = memref.alloc() : memref<2xf32, #s>
  tile_gpu.store_shared %v, %b0 : !tile.tile<2xf32, #t>, memref<2xf32, #s>
  %r0 = tile_gpu.load_shared %b0 : memref<2xf32, #s> -> !tile.tile<2xf32, #r>
  %w = arith.mulf %v, %v : !tile.tile<2xf32, #t>
  %b1 = memref.alloc() : memref<2xf32, #s>
  tile_gpu.store_shared %w, %b1 : !tile.tile<2xf32, #t>, memref<2xf32, #s>
  %r1 = tile_gpu.load_shared %b1 : memref<2xf32, #s> -> !tile.tile<2xf32, #r>
  %s0 = tile.reduce add %r0 axis 0 : !tile.tile<2xf32, #r> to !tile.tile<f32, #tile.register<(32,2,1):(0,0,0), box = []>>
  %e = tile.extract %s0[] : !tile.tile<f32, #tile.register<(32,2,1):(0,0,0), box = []>>
  %f = tile.fill %e : !tile.tile<2xf32, #t>
  %u = arith.mulf %f, %v : !tile.tile<2xf32, #t>
  %b2 = memref.alloc() : memref<2xf32, #s>
  tile_gpu.store_shared %u, %b2 : !tile.tile<2xf32, #t>, memref<2xf32, #s>
  %r2 = tile_gpu.load_shared %b2 : memref<2xf32, #s> -> !tile.tile<2xf32, #r>
  %p = arith.addf %r1, %r2 : !tile.tile<2xf32, #r>
  tile.store %p, %y[%c0, %c0] : !tile.tile<2xf32, #r>, memref<?x2xf32>
  tile.return
}

// -----

#t = #tile.register<(32,2,1):(0,1,0), box = [2]>
#r = #tile.register<(32,2,2):(0,0,1), box = [2]>
#s = #tile.shared<(2):(1)>

// A load of an array, which a store before it may write, stays where it is.
// CHECK-LABEL: tile.kernel @stays(
// CHECK:       tile_gpu.load_shared
// CHECK:       tile.store %
// CHECK:       tile.load %
// CHECK:       tile_gpu.store_shared
// CHECK:       tile_gpu.load_shared
tile.kernel @stays(%a: memref<?x2xf32>, %y: memref<?x2xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.load %a[%c0, %c0] : memref<?x2xf32> -> !tile.tile<2xf32, #t>
  %b0 = memref.alloc() : memref<2xf32, #s>
  tile_gpu.store_shared %v, %b0 : !tile.tile<2xf32, #t>, memref<2xf32, #s>
  %r0 = tile_gpu.load_shared %b0 : memref<2xf32, #s> -> !tile.tile<2xf32, #r>
  tile.store %v, %y[%c0, %c0] : !tile.tile<2xf32, #t>, memref<?x2xf32>
  %w = tile.load %y[%c1, %c0] : memref<?x2xf32> -> !tile.tile<2xf32, #t>
  %b1 = memref.alloc() : memref<2xf32, #s>
  tile_gpu.store_shared %w, %b1 : !tile.tile<2xf32, #t>, memref<2xf32, #s>
  %r1 = tile_gpu.load_shared %b1 : memref<2xf32, #s> -> !tile.tile<2xf32, #r>
  %p = arith.addf %r0, %r1 : !tile.tile<2xf32, #r>
  tile.store %p, %y[%c1, %c0] : !tile.tile<2xf32, #r>, memref<?x2xf32>
  tile.return
}

// -----

#t = #tile.register<(32,2,1):(0,1,0), box = [2]>
#r = #tile.register<(32,2,2):(0,0,1), box = [2]>
#s = #tile.shared<(2):(1)>

// A value that the region of a moved operation uses moves, too.
// CHECK-LABEL: tile.kernel @region(
// CHECK:       tile_gpu.store_shared
// CHECK:       %[[SUM:.*]] = arith.addf
// CHECK:       %[[IF:.*]] = scf.if
// CHECK:         scf.yield %[[SUM]]
// CHECK:       tile_gpu.store_shared %[[IF]]
// CHECK:       tile_gpu.load_shared
// CHECK:       tile_gpu.load_shared
tile.kernel @region(%a: memref<?x2xf32>, %y: memref<?x2xf32>, %c: i1) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %v = tile.load %a[%c0, %c0] : memref<?x2xf32> -> !tile.tile<2xf32, #t>
  %b0 = memref.alloc() : memref<2xf32, #s>
  tile_gpu.store_shared %v, %b0 : !tile.tile<2xf32, #t>, memref<2xf32, #s>
  %r0 = tile_gpu.load_shared %b0 : memref<2xf32, #s> -> !tile.tile<2xf32, #r>
  %w = arith.addf %v, %v : !tile.tile<2xf32, #t>
  %x = scf.if %c -> !tile.tile<2xf32, #t> {
    scf.yield %w : !tile.tile<2xf32, #t>
  } else {
    %z = arith.mulf %v, %v : !tile.tile<2xf32, #t>
    scf.yield %z : !tile.tile<2xf32, #t>
  }
  %b1 = memref.alloc() : memref<2xf32, #s>
  tile_gpu.store_shared %x, %b1 : !tile.tile<2xf32, #t>, memref<2xf32, #s>
  %r1 = tile_gpu.load_shared %b1 : memref<2xf32, #s> -> !tile.tile<2xf32, #r>
  %p = arith.addf %r0, %r1 : !tile.tile<2xf32, #r>
  tile.store %p, %y[%c0, %c0] : !tile.tile<2xf32, #r>, memref<?x2xf32>
  tile.return
}
