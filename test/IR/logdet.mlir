// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @forms
tile.kernel @forms(%a: memref<18x18xf32>, %b: memref<4x2x7x7xf64>, %c: memref<3x9x9xcomplex<f32>>, %d: memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<18x18xf32> -> !tile.tile<18x18xf32>
  %y = tile.load %b[%c0, %c0, %c0, %c0] : memref<4x2x7x7xf64> -> !tile.tile<4x2x7x7xf64>
  // CHECK: tile.logdet %{{.*}} : !tile.tile<18x18xf32> to !tile.tile<f32>
  %f, %g = tile.logdet %x : !tile.tile<18x18xf32> to !tile.tile<f32>
  // CHECK: tile.logdet %{{.*}} : !tile.tile<4x2x7x7xf64> to !tile.tile<4x2xf64>
  %h, %i = tile.logdet %y : !tile.tile<4x2x7x7xf64> to !tile.tile<4x2xf64>
  %z = tile.load %c[%c0, %c0, %c0] : memref<3x9x9xcomplex<f32>> -> !tile.tile<3x9x9xcomplex<f32>>
  // CHECK: tile.logdet %{{.*}} : !tile.tile<3x9x9xcomplex<f32>> to !tile.tile<3xcomplex<f32>>
  %j, %k = tile.logdet %z : !tile.tile<3x9x9xcomplex<f32>> to !tile.tile<3xcomplex<f32>>
  // CHECK: tile.store %{{.*}} : !tile.tile<3xf32>, memref<3xf32>
  tile.store %k, %d[%c0] : !tile.tile<3xf32>, memref<3xf32>
  tile.return
}
