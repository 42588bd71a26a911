// RUN: tile-opt %s -tile-decompose | FileCheck %s

// The upper factor is the lower one of the transposed matrix, transposed.
// CHECK-LABEL: @upper
tile.kernel @upper(%a: memref<3x5x5xf32>, %i: memref<3xi32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<3x5x5xf32> -> !tile.tile<3x5x5xf32>
  // CHECK: %[[T:.*]] = tile.transpose %{{.*}} [0, 2, 1]
  // CHECK: %[[L:.*]], %[[S:.*]] = tile.cholesky %[[T]] : !tile.tile<3x5x5xf32> status !tile.tile<3xi32>
  // CHECK: %[[U:.*]] = tile.transpose %[[L]] [0, 2, 1]
  // CHECK: tile.store %[[U]]
  // CHECK: tile.store %[[S]]
  %u, %s = tile.cholesky %x upper : !tile.tile<3x5x5xf32> status !tile.tile<3xi32>
  tile.store %u, %a[%c0, %c0, %c0] : !tile.tile<3x5x5xf32>, memref<3x5x5xf32>
  tile.store %s, %i[%c0] : !tile.tile<3xi32>, memref<3xi32>
  tile.return
}

// X T = B is solved as T' X' = B', and X T' = B as T X' = B'.
// CHECK-LABEL: @right
tile.kernel @right(%a: memref<5x5xf64>, %b: memref<2x5xf64>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<5x5xf64> -> !tile.tile<5x5xf64>
  %x = tile.load %b[%c0, %c0] : memref<2x5xf64> -> !tile.tile<2x5xf64>
  // CHECK: %[[B:.*]] = tile.transpose %{{.*}} [1, 0] : !tile.tile<2x5xf64> to !tile.tile<5x2xf64>
  // CHECK: %[[X:.*]] = tile.triangular_solve %{{.*}}, %[[B]] upper transposed unit : !tile.tile<5x5xf64>, !tile.tile<5x2xf64>
  // CHECK: tile.transpose %[[X]] [1, 0] : !tile.tile<5x2xf64> to !tile.tile<2x5xf64>
  %y = tile.triangular_solve %t, %x upper unit right : !tile.tile<5x5xf64>, !tile.tile<2x5xf64>
  // CHECK: tile.triangular_solve %{{.*}}, %{{.*}} : !tile.tile<5x5xf64>, !tile.tile<5x2xf64>
  %z = tile.triangular_solve %t, %y transposed right : !tile.tile<5x5xf64>, !tile.tile<2x5xf64>
  tile.store %z, %b[%c0, %c0] : !tile.tile<2x5xf64>, memref<2x5xf64>
  tile.return
}
