// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @real
tile.kernel @real(%a: memref<4x2x513xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %y = tile.load %a[%c0, %c0, %c0] : memref<4x2x513xcomplex<f32>> -> !tile.tile<4x2x513xcomplex<f32>>
  // CHECK: tile.irfft %{{.*}} : !tile.tile<4x2x513xcomplex<f32>> to !tile.tile<4x2x1024xf32>
  %z0 = tile.irfft %y : !tile.tile<4x2x513xcomplex<f32>> to !tile.tile<4x2x1024xf32>
  // The source has half of the result's 1025 elements, rounded down, and one more.
  // CHECK: tile.irfft %{{.*}} norm none : !tile.tile<4x2x513xcomplex<f32>> to !tile.tile<4x2x1025xf32>
  %z1 = tile.irfft %y norm none : !tile.tile<4x2x513xcomplex<f32>> to !tile.tile<4x2x1025xf32>
  tile.return
}
