// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @constants
func.func @constants() -> (!tile_gpu.counter<4>, !tile_gpu.counter<1>) {
  // Fill 7 is in stage 3.
  // CHECK: tile_gpu.counter 7 : !tile_gpu.counter<4>
  %n = tile_gpu.counter 7 : !tile_gpu.counter<4>
  // CHECK: tile_gpu.counter 0 : !tile_gpu.counter<1>
  %m = tile_gpu.counter 0 : !tile_gpu.counter<1>
  return %n, %m : !tile_gpu.counter<4>, !tile_gpu.counter<1>
}
