// RUN: tile-opt %s -tile-phases -convert-tile-to-nvgpu -canonicalize -cse | FileCheck %s

// A layout has extents of powers of two: a 3x3 matrix of these tiles takes 16 elements
// of the layout, of which 9 are in the tile. All values of a lane are inside the tile,
// or all are outside. Lanes outside read another lane's elements, at an address that is
// chosen once, and one test guards all writes.
module attributes {tile.target = "sm_80"} {
// CHECK-LABEL: tile.kernel @copy
// CHECK-COUNT-2: arith.select
// CHECK-NOT: arith.select
// CHECK-NOT: scf.if
// CHECK-COUNT-8: memref.load
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK-COUNT-8: memref.store
// CHECK: tile.return
tile.kernel @copy(%x: memref<16x3x3xf32>, %y: memref<16x3x3xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0, %c0] : memref<16x3x3xf32> -> !tile.tile<16x3x3xf32>
  tile.store %t, %y[%c0, %c0, %c0] : !tile.tile<16x3x3xf32>, memref<16x3x3xf32>
  tile.return
}

// One test also guards all writes to a buffer, each of which tests its index, too.
// CHECK-LABEL: tile.kernel @put
// CHECK: nvvm.bar.warp.sync
// CHECK: scf.if
// CHECK-COUNT-8: arith.cmpi ult
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-8: memref.load {{.*}}workgroup
tile.kernel @put(%x: memref<16x3x3xf32>, %i: memref<16x1x1xi32>, %y: memref<16x3x3xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0, %c0] : memref<16x3x3xf32> -> !tile.tile<16x3x3xf32>
  %n = tile.load %i[%c0, %c0, %c0] : memref<16x1x1xi32> -> !tile.tile<16x1x1xi32>
  %zeros = arith.constant dense<0.0> : !tile.tile<16x3x3xf32>
  %u = tile.put %t into %zeros at %n axis 0 : !tile.tile<16x3x3xf32>, !tile.tile<16x1x1xi32> into !tile.tile<16x3x3xf32>
  tile.store %u, %y[%c0, %c0, %c0] : !tile.tile<16x3x3xf32>, memref<16x3x3xf32>
  tile.return
}

// The first of a lane's two values is inside the tile in all lanes. The second one is
// inside in one lane only, and is tested.
// CHECK-LABEL: tile.kernel @edges
// CHECK: memref.store
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.store
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
tile.kernel @edges(%x: memref<33xf32>, %y: memref<33xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<33xf32> -> !tile.tile<33xf32>
  tile.store %t, %y[%c0] : !tile.tile<33xf32>, memref<33xf32>
  tile.return
}

// A value that is outside the tile in all threads is not written.
// CHECK-LABEL: tile.kernel @outside
// CHECK-COUNT-1: memref.store
// CHECK-NOT: memref.store
// CHECK: tile.return
tile.kernel @outside(%x: memref<20xf32>, %y: memref<20xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<20xf32> -> !tile.tile<20xf32, #tile.register<(32,1,2):(1,0,32), box = [64]>>
  tile.store %t, %y[%c0] : !tile.tile<20xf32, #tile.register<(32,1,2):(1,0,32), box = [64]>>, memref<20xf32>
  tile.return
}
}
