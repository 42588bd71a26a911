// RUN: tile-opt %s -tile-to-nvvm | FileCheck %s

// A view of an array with dynamic extents: its start is arithmetic on the
// array's address.
// CHECK-LABEL: llvm.func @view
// CHECK-NOT: memref
// CHECK-NOT: affine
// CHECK: llvm.return
tile.kernel @view(%a: memref<?xf32>, %n: index, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.subview %a[%n] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %t = tile.load %v[%c0] : memref<?xf32, strided<[1], offset: ?>> -> !tile.tile<32xf32>
  tile.store %t, %b[%c0] : !tile.tile<32xf32>, memref<?xf32>
  tile.return
}
