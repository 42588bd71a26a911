// RUN: tile-opt %s -tile-decompose | FileCheck %s

// A solve that fits in the registers of a lane stays whole.
// CHECK-LABEL: @solve
tile.kernel @solve(%a: memref<5x5xf64>, %b: memref<5x2xf64>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<5x5xf64> -> !tile.tile<5x5xf64>
  %y = tile.load %b[%c0, %c0] : memref<5x2xf64> -> !tile.tile<5x2xf64>
  // CHECK: tile.solve
  // CHECK: tile.inverse
  %r = tile.solve %x, %y : !tile.tile<5x5xf64>, !tile.tile<5x2xf64>
  %i = tile.inverse %x : !tile.tile<5x5xf64>
  tile.store %r, %b[%c0, %c0] : !tile.tile<5x2xf64>, memref<5x2xf64>
  tile.store %i, %a[%c0, %c0] : !tile.tile<5x5xf64>, memref<5x5xf64>
  tile.return
}

// CHECK-LABEL: @many_sides
tile.kernel @many_sides(%a: memref<33x33xf64>, %b: memref<33x40xf64>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<33x33xf64> -> !tile.tile<33x33xf64>
  %y = tile.load %b[%c0, %c0] : memref<33x40xf64> -> !tile.tile<33x40xf64>
  // CHECK: %[[F:.*]], %{{.*}} = tile.lu
  // CHECK: %[[B:.*]] = tile.take %{{.*}} at %{{.*}} axis 0 : !tile.tile<33x40xf64>, !tile.tile<33x1xi32> to !tile.tile<33x40xf64>
  // CHECK: %[[Y:.*]] = tile.triangular_solve %[[F]], %[[B]] unit :
  // CHECK: %[[X:.*]] = tile.triangular_solve %[[F]], %[[Y]] upper :
  // CHECK: tile.store %[[X]]
  %r = tile.solve %x, %y : !tile.tile<33x33xf64>, !tile.tile<33x40xf64>
  tile.store %r, %b[%c0, %c0] : !tile.tile<33x40xf64>, memref<33x40xf64>
  tile.return
}

// CHECK-LABEL: @positive_definite
tile.kernel @positive_definite(%a: memref<5x5xf64>, %b: memref<5x2xf64>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<5x5xf64> -> !tile.tile<5x5xf64>
  %y = tile.load %b[%c0, %c0] : memref<5x2xf64> -> !tile.tile<5x2xf64>
  // CHECK: %[[L:.*]], %{{.*}} = tile.cholesky %{{.*}} : !tile.tile<5x5xf64> status !tile.tile<i32>
  // CHECK: %[[Y:.*]] = tile.triangular_solve %[[L]], %{{.*}} : !tile.tile<5x5xf64>, !tile.tile<5x2xf64>
  // CHECK: tile.triangular_solve %[[L]], %[[Y]] transposed :
  %r, %s = tile.solve %x, %y spd : !tile.tile<5x5xf64>, !tile.tile<5x2xf64> status !tile.tile<i32>
  tile.store %r, %b[%c0, %c0] : !tile.tile<5x2xf64>, memref<5x2xf64>
  tile.return
}

// For L', the conjugate transpose, the conjugate is computed first.
// CHECK-LABEL: @hermitian
tile.kernel @hermitian(%a: memref<5x5xcomplex<f64>>, %b: memref<5x2xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<5x5xcomplex<f64>> -> !tile.tile<5x5xcomplex<f64>>
  %y = tile.load %b[%c0, %c0] : memref<5x2xcomplex<f64>> -> !tile.tile<5x2xcomplex<f64>>
  // CHECK: %[[L:.*]] = tile.cholesky
  // CHECK: %[[Y:.*]] = tile.triangular_solve %[[L]], %{{.*}} : !tile.tile<5x5xcomplex<f64>>, !tile.tile<5x2xcomplex<f64>>
  // CHECK: %[[C:.*]] = tile.map %[[L]]
  // CHECK: arith.negf
  // CHECK: tile.triangular_solve %[[C]], %[[Y]] transposed :
  %r = tile.solve %x, %y spd : !tile.tile<5x5xcomplex<f64>>, !tile.tile<5x2xcomplex<f64>>
  tile.store %r, %b[%c0, %c0] : !tile.tile<5x2xcomplex<f64>>, memref<5x2xcomplex<f64>>
  tile.return
}
