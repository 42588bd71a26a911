// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// A fill is committed by its counter; other fills of the channel are not.
// CHECK-LABEL: func.func @a_fill
func.func @a_fill(%c: !tile_gpu.channel<4>, %n: !tile_gpu.counter<4>) {
  // CHECK: tile_gpu.commit %{{.*}}[%{{.*}}] : !tile_gpu.channel<4>
  tile_gpu.commit %c[%n] : !tile_gpu.channel<4>
  return
}

// CHECK-LABEL: func.func @one_stage
func.func @one_stage(%c: !tile_gpu.channel<1>, %n: !tile_gpu.counter<1>) {
  // CHECK: tile_gpu.commit %{{.*}}[%{{.*}}] : !tile_gpu.channel<1>
  tile_gpu.commit %c[%n] : !tile_gpu.channel<1>
  return
}
