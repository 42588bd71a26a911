// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// Each of two warps holds half of the elements.
// CHECK-LABEL: func.func @two_warps
func.func @two_warps(%t: !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>>) {
  // CHECK: tile.partial_reduce add %{{.*}} axis 0 : !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>> to !tile.tile<2xf32, #tile.register<(32,2,1):(0,1,0), box = [2]>>
  %0 = tile.partial_reduce add %t axis 0 : !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>> to !tile.tile<2xf32, #tile.register<(32,2,1):(0,1,0), box = [2]>>
  // CHECK: tile.partial_reduce max
  %1 = tile.partial_reduce max %t axis 0 : !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>> to !tile.tile<2xf32, #tile.register<(32,2,1):(0,1,0), box = [2]>>
  return
}
