// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @real
tile.kernel @real(%a: memref<4x2x1024xf32>, %b: memref<75xf64>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<4x2x1024xf32> -> !tile.tile<4x2x1024xf32>
  // CHECK: tile.rfft %{{.*}} : !tile.tile<4x2x1024xf32> to !tile.tile<4x2x513xcomplex<f32>>
  %y0 = tile.rfft %x : !tile.tile<4x2x1024xf32> to !tile.tile<4x2x513xcomplex<f32>>
  // CHECK: tile.rfft %{{.*}} norm ortho : !tile.tile<4x2x1024xf32> to !tile.tile<4x2x513xcomplex<f32>>
  %y1 = tile.rfft %x norm ortho : !tile.tile<4x2x1024xf32> to !tile.tile<4x2x513xcomplex<f32>>
  %r = tile.load %b[%c0] : memref<75xf64> -> !tile.tile<75xf64>
  // CHECK: tile.rfft %{{.*}} : !tile.tile<75xf64> to !tile.tile<38xcomplex<f64>>
  %s = tile.rfft %r : !tile.tile<75xf64> to !tile.tile<38xcomplex<f64>>
  tile.return
}

// The row has the maximum length.
// CHECK-LABEL: @longest
tile.kernel @longest(%a: memref<32768xf32>) {
  %c0 = arith.constant 0 : index
  %r = tile.load %a[%c0] : memref<32768xf32> -> !tile.tile<32768xf32>
  // CHECK: tile.rfft
  %r1 = tile.rfft %r : !tile.tile<32768xf32> to !tile.tile<16385xcomplex<f32>>
  tile.return
}
