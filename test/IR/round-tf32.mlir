// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @rounds
func.func @rounds(%t: !tile.tile<8x4xf32>) -> !tile.tile<8x4xf32> {
  // CHECK: tile.round_tf32 %{{.*}} : !tile.tile<8x4xf32>
  %0 = tile.round_tf32 %t : !tile.tile<8x4xf32>
  return %0 : !tile.tile<8x4xf32>
}
