// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @order
tile.kernel @order(%a: memref<2x6x4xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<2x6x4xcomplex<f32>> -> !tile.tile<2x6x4xcomplex<f32>, #tile.register>
  // CHECK: tile.order_fft %{{.*}} places 1 : !tile.tile<2x6x4xcomplex<f32>, #tile.register> to !tile.tile<2x4x6xcomplex<f32>, #tile.shared>
  %y = tile.order_fft %x places 1 : !tile.tile<2x6x4xcomplex<f32>, #tile.register> to !tile.tile<2x4x6xcomplex<f32>, #tile.shared>
  tile.return
}
