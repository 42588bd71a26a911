// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @forms
tile.kernel @forms(%a: memref<18x18xf32>, %b: memref<4x2x7x7xf64>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<18x18xf32> -> !tile.tile<18x18xf32>
  %y = tile.load %b[%c0, %c0, %c0, %c0] : memref<4x2x7x7xf64> -> !tile.tile<4x2x7x7xf64>
  // CHECK: tile.determinant %{{.*}} : !tile.tile<18x18xf32> to !tile.tile<f32>
  %f = tile.determinant %x : !tile.tile<18x18xf32> to !tile.tile<f32>
  // CHECK: tile.determinant %{{.*}} : !tile.tile<4x2x7x7xf64> to !tile.tile<4x2xf64>
  %h = tile.determinant %y : !tile.tile<4x2x7x7xf64> to !tile.tile<4x2xf64>
  tile.return
}
