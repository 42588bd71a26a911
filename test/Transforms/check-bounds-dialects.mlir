// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-check-bounds))' | FileCheck %s

// The program itself has no operation of the dialect that compares with extents.
// CHECK-LABEL: tile.kernel @promises(
// CHECK:         memref.dim
// CHECK:         tile.assert
tile.kernel @promises(%x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] in_bounds : memref<?x?xf32> -> !tile.tile<4x4xf32>
  tile.return
}
