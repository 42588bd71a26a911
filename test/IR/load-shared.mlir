// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @reads
func.func @reads(%b: memref<8x4xf32, #tile.shared<(8,4):(4,1)>>) {
  // CHECK: tile_gpu.load_shared %{{.*}} : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> -> !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>
  %0 = tile_gpu.load_shared %b : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> -> !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>
  return
}
