// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @all_fills
func.func @all_fills(%c: !tile_gpu.channel<4>) {
  // CHECK: tile_gpu.drain %{{.*}} : !tile_gpu.channel<4>
  tile_gpu.drain %c : !tile_gpu.channel<4>
  return
}
