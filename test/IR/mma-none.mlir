// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @none
func.func @none() -> !tile.mma_token {
  // CHECK: %{{.*}} = tile_gpu.mma_none
  %token = tile_gpu.mma_none
  // CHECK: return %{{.*}} : !tile.mma_token
  return %token : !tile.mma_token
}
