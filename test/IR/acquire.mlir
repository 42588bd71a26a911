// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @a_fill
func.func @a_fill(%c: !tile_gpu.channel<4>, %n: !tile_gpu.counter<4>) {
  // CHECK: tile_gpu.acquire %{{.*}}[%{{.*}}] : !tile_gpu.channel<4>
  tile_gpu.acquire %c[%n] : !tile_gpu.channel<4>
  return
}
