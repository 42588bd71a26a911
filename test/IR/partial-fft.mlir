// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// A pass, as -tile-assign-layouts makes it.
// CHECK-LABEL: @pass
tile.kernel @pass(%a: memref<2x8x8xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<2x8x8xcomplex<f32>> -> !tile.tile<2x8x8xcomplex<f32>>
  // CHECK: tile.partial_fft %{{.*}} places 1 threads 8 : !tile.tile<2x8x8xcomplex<f32>>
  %y = tile.partial_fft %x places 1 threads 8 : !tile.tile<2x8x8xcomplex<f32>>
  // CHECK: tile.partial_fft %{{.*}} places 8 threads 4 inverse scale [1.250000e-01, 0.000000e+00] : !tile.tile<2x8x8xcomplex<f32>>
  %z = tile.partial_fft %y places 8 threads 4 inverse scale [0.125, 0.0] : !tile.tile<2x8x8xcomplex<f32>>
  tile.return
}
