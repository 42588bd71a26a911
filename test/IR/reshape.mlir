// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @ranks
func.func @ranks(%a: !tile.tile<32xf32>, %b: !tile.tile<6x4xi64>, %c: !tile.tile<f16>) {
  // CHECK: tile.reshape %{{.*}} : !tile.tile<32xf32> to !tile.tile<32x1xf32>
  %0 = tile.reshape %a : !tile.tile<32xf32> to !tile.tile<32x1xf32>
  // CHECK: tile.reshape %{{.*}} : !tile.tile<6x4xi64> to !tile.tile<2x3x2x2xi64>
  %1 = tile.reshape %b : !tile.tile<6x4xi64> to !tile.tile<2x3x2x2xi64>
  // CHECK: tile.reshape %{{.*}} : !tile.tile<f16> to !tile.tile<1x1xf16>
  %2 = tile.reshape %c : !tile.tile<f16> to !tile.tile<1x1xf16>
  return
}
