// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @kinds
func.func @kinds(%t: !tile.tile<10x256xf32>, %u: !tile.tile<7xi8>) {
  // CHECK: tile.arg_reduce max %{{.*}} axis 1 : !tile.tile<10x256xf32> to !tile.tile<10xf32>, !tile.tile<10xi32>
  %0:2 = tile.arg_reduce max %t axis 1 : !tile.tile<10x256xf32> to !tile.tile<10xf32>, !tile.tile<10xi32>
  // CHECK: tile.arg_reduce min %{{.*}} keep : !tile.tile<10x256xf32> to !tile.tile<1x1xf32>, !tile.tile<1x1xindex>
  %1:2 = tile.arg_reduce min %t keep : !tile.tile<10x256xf32> to !tile.tile<1x1xf32>, !tile.tile<1x1xindex>
  // CHECK: tile.arg_reduce umax %{{.*}} axis 0 : !tile.tile<7xi8> to !tile.tile<i8>, !tile.tile<i64>
  %2:2 = tile.arg_reduce umax %u axis 0 : !tile.tile<7xi8> to !tile.tile<i8>, !tile.tile<i64>
  return
}
