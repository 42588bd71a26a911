// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

#row = #tile.shared<(32):(1)>
#rows = #tile.shared<(8,32):(32,1)>
!single = memref<32xf32, #row>
!a = memref<4x32xf32, #row>
!b = memref<4x8x32xf16, #rows>

// A channel with one stage has buffers without a dimension for stages.
// CHECK-LABEL: func.func @one_fill
func.func @one_fill(%x: !single) {
  // CHECK: tile_gpu.channel %{{.*}} : memref<32xf32, {{.*}}> -> !tile_gpu.channel<1>
  tile_gpu.channel %x : !single -> !tile_gpu.channel<1>
  return
}

// CHECK-LABEL: func.func @several_stages
func.func @several_stages(%x: !a, %y: !b) {
  // CHECK: tile_gpu.channel %{{.*}}, %{{.*}} : memref<4x32xf32, {{.*}}>, memref<4x8x32xf16, {{.*}}> -> !tile_gpu.channel<4>
  tile_gpu.channel %x, %y : !a, !b -> !tile_gpu.channel<4>
  return
}
