// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @a_fill
func.func @a_fill(%c: !tile_gpu.channel<4>, %n: !tile_gpu.counter<4>) {
  // CHECK: tile_gpu.release %{{.*}}[%{{.*}}] : !tile_gpu.channel<4>
  tile_gpu.release %c[%n] : !tile_gpu.channel<4>
  return
}

// CHECK-LABEL: func.func @trailing
func.func @trailing(%c: !tile_gpu.channel<4>, %n: !tile_gpu.counter<4>) {
  // CHECK: tile_gpu.release %{{.*}}[%{{.*}}] behind 3 : !tile_gpu.channel<4>
  tile_gpu.release %c[%n] behind 3 : !tile_gpu.channel<4>
  return
}
