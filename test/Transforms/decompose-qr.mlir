// RUN: tile-opt %s -tile-decompose | FileCheck %s

// CHECK-LABEL: @qr
tile.kernel @qr(%a: memref<9x4xf32>, %b: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<9x4xf32> -> !tile.tile<9x4xf32>
  // CHECK: %[[F:.*]], %[[S:.*]] = tile.householder %{{.*}} : !tile.tile<9x4xf32>, !tile.tile<4xf32>
  // CHECK: %[[I:.*]] = tile.select
  // CHECK: %[[Q:.*]] = tile.apply_householder %[[F]], %[[S]], %[[I]] triangular
  // CHECK: %[[V:.*]] = tile.view %[[F]]{{.*}} to !tile.tile<4x4xf32>
  // CHECK: %[[R:.*]] = tile.select %{{.*}}, %[[V]], %{{.*}}
  // CHECK: tile.store %[[Q]]
  // CHECK: tile.store %[[R]]
  %q, %r = tile.qr %x : !tile.tile<9x4xf32> to !tile.tile<9x4xf32>, !tile.tile<4x4xf32>
  tile.store %q, %a[%c0, %c0] : !tile.tile<9x4xf32>, memref<9x4xf32>
  tile.store %r, %b[%c0, %c0] : !tile.tile<4x4xf32>, memref<4x4xf32>
  tile.return
}

// For a square matrix, no row is left out.
// CHECK-LABEL: @least_squares
tile.kernel @least_squares(%a: memref<4x4xf64>, %b: memref<4x2xf64>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<4x4xf64> -> !tile.tile<4x4xf64>
  %y = tile.load %b[%c0, %c0] : memref<4x2xf64> -> !tile.tile<4x2xf64>
  // CHECK: %[[F:.*]], %[[S:.*]] = tile.householder
  // CHECK-NOT: tile.view
  // CHECK: %[[Y:.*]] = tile.apply_householder %[[F]], %[[S]], %{{.*}} transposed
  // CHECK: tile.triangular_solve %[[F]], %[[Y]] upper :
  %r = tile.least_squares %x, %y : !tile.tile<4x4xf64>, !tile.tile<4x2xf64> to !tile.tile<4x2xf64>
  tile.store %r, %b[%c0, %c0] : !tile.tile<4x2xf64>, memref<4x2xf64>
  tile.return
}
