// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @every_kind
func.func @every_kind(%t: !tile.tile<10x256xi32>) {
  // CHECK: tile.reduce add %{{.*}} axis 1 : !tile.tile<10x256xi32> to !tile.tile<10xi32>
  %0 = tile.reduce add %t axis 1 : !tile.tile<10x256xi32> to !tile.tile<10xi32>
  // CHECK: tile.reduce mul
  %1 = tile.reduce mul %t axis 1 : !tile.tile<10x256xi32> to !tile.tile<10xi32>
  // CHECK: tile.reduce min
  %2 = tile.reduce min %t axis 1 : !tile.tile<10x256xi32> to !tile.tile<10xi32>
  // CHECK: tile.reduce max
  %3 = tile.reduce max %t axis 1 : !tile.tile<10x256xi32> to !tile.tile<10xi32>
  // CHECK: tile.reduce umin
  %4 = tile.reduce umin %t axis 1 : !tile.tile<10x256xi32> to !tile.tile<10xi32>
  // CHECK: tile.reduce umax
  %5 = tile.reduce umax %t axis 1 : !tile.tile<10x256xi32> to !tile.tile<10xi32>
  return
}

// CHECK-LABEL: func.func @every_axis
func.func @every_axis(%t: !tile.tile<2x3x4x5xf32>, %s: !tile.tile<f32>, %c: !tile.tile<2xcomplex<f32>>) {
  // CHECK: tile.reduce add %{{.*}} axis 0 : !tile.tile<2x3x4x5xf32> to !tile.tile<3x4x5xf32>
  %0 = tile.reduce add %t axis 0 : !tile.tile<2x3x4x5xf32> to !tile.tile<3x4x5xf32>
  // CHECK: tile.reduce add %{{.*}} axis 2 : !tile.tile<2x3x4x5xf32> to !tile.tile<2x3x5xf32>
  %1 = tile.reduce add %t axis 2 : !tile.tile<2x3x4x5xf32> to !tile.tile<2x3x5xf32>
  // CHECK: tile.reduce min %{{.*}} : !tile.tile<2x3x4x5xf32> to !tile.tile<f32>
  %2 = tile.reduce min %t : !tile.tile<2x3x4x5xf32> to !tile.tile<f32>
  %3 = tile.reduce max %s : !tile.tile<f32> to !tile.tile<f32>
  %4 = tile.reduce mul %c : !tile.tile<2xcomplex<f32>> to !tile.tile<complex<f32>>
  return
}
