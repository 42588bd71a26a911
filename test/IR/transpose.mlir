// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @permutations
func.func @permutations(%a: !tile.tile<8x4xf32>, %b: !tile.tile<2x3x4x5xi8>, %c: !tile.tile<f16>) {
  // CHECK: tile.transpose %{{.*}} [1, 0] : !tile.tile<8x4xf32> to !tile.tile<4x8xf32>
  %0 = tile.transpose %a [1, 0] : !tile.tile<8x4xf32> to !tile.tile<4x8xf32>
  // CHECK: tile.transpose %{{.*}} [3, 0, 2, 1] : !tile.tile<2x3x4x5xi8> to !tile.tile<5x2x4x3xi8>
  %1 = tile.transpose %b [3, 0, 2, 1] : !tile.tile<2x3x4x5xi8> to !tile.tile<5x2x4x3xi8>
  // CHECK: tile.transpose %{{.*}} [] : !tile.tile<f16> to !tile.tile<f16>
  %2 = tile.transpose %c [] : !tile.tile<f16> to !tile.tile<f16>
  return
}
