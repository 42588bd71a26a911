// RUN: tile-opt %s -tile-phases -convert-tile-to-nvgpu -canonicalize -cse | FileCheck %s

// A layout of powers of two is larger than these tiles: of 16 elements of the
// layout for a row of 3x3, 9 are in the tile. All values of a lane are inside,
// or all are outside: lanes outside read another lane's elements, by one
// address, and all values are written under one test.
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

// So are the elements of a buffer in shared memory; each has a test of its index.
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

// The second of a lane's two values lies inside in one lane, and is tested for
// it; the first one does in all.
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

// Values that are outside in all threads are not written.
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
