// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @successor
func.func @successor(%n: !tile_gpu.counter<4>) -> !tile_gpu.counter<4> {
  // CHECK: tile_gpu.next %{{.*}} : !tile_gpu.counter<4>
  %next = tile_gpu.next %n : !tile_gpu.counter<4>
  return %next : !tile_gpu.counter<4>
}
