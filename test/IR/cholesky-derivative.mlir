// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @forms
tile.kernel @forms(%a: memref<2x18x18xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0, %c0] : memref<2x18x18xcomplex<f32>> -> !tile.tile<2x18x18xcomplex<f32>>
  // CHECK: tile.cholesky_derivative %{{.*}}, %{{.*}} : !tile.tile<2x18x18xcomplex<f32>>
  %0 = tile.cholesky_derivative %t, %t : !tile.tile<2x18x18xcomplex<f32>>
  // CHECK: tile.cholesky_derivative %{{.*}}, %{{.*}} transposed : !tile.tile<2x18x18xcomplex<f32>>
  %1 = tile.cholesky_derivative %t, %t transposed : !tile.tile<2x18x18xcomplex<f32>>
  tile.return
}
