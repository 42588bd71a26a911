// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @writes
func.func @writes(%b: memref<8x4xf32, #tile.shared<(8,4):(4,1)>>, %t: !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>) {
  // CHECK: tile_gpu.store_shared %{{.*}}, %{{.*}} : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>, memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  tile_gpu.store_shared %t, %b : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>, memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  // CHECK: tile_gpu.store_shared %{{.*}}, %{{.*}} zero_padding : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>, memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  tile_gpu.store_shared %t, %b zero_padding : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>, memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  return
}

// A reshape writes the elements in row-major order.
// CHECK-LABEL: func.func @writes_another_shape
func.func @writes_another_shape(%b: memref<32xf32, #tile.shared<(32):(1)>>, %t: !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>) {
  // CHECK: tile_gpu.store_shared %{{.*}}, %{{.*}} : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>, memref<32xf32, #tile.shared<(32):(1)>>
  tile_gpu.store_shared %t, %b : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>, memref<32xf32, #tile.shared<(32):(1)>>
  return
}
