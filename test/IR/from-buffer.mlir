// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @reads
func.func @reads(%b: memref<8x4xf32, #tile.shared<(8,4):(4,1)>>) {
  // CHECK: tile_gpu.from_buffer %{{.*}} : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> -> !tile.tile<8x4xf32, #tile.shared<(8,4):(4,1)>>
  %0 = tile_gpu.from_buffer %b : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> -> !tile.tile<8x4xf32, #tile.shared<(8,4):(4,1)>>
  // CHECK: tile_gpu.from_buffer %{{.*}} : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> -> !tile.tile<8x4xf32, #tile.shared>
  %1 = tile_gpu.from_buffer %b : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> -> !tile.tile<8x4xf32, #tile.shared>
  return
}
