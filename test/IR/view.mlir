// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @constant_and_run_time_offsets
func.func @constant_and_run_time_offsets(%t: !tile.tile<64x48xf32>, %i: index) {
  // The last box that still lies inside.
  %c48 = arith.constant 48 : index
  %c16 = arith.constant 16 : index
  // CHECK: tile.view %{{.*}}[%{{.*}}, %{{.*}}] : !tile.tile<64x48xf32> to !tile.tile<16x32xf32>
  %0 = tile.view %t[%c48, %c16] : !tile.tile<64x48xf32> to !tile.tile<16x32xf32>
  // CHECK: tile.view %{{.*}}[%{{.*}}, %{{.*}}] : !tile.tile<64x48xf32> to !tile.tile<1x1xf32>
  %1 = tile.view %t[%i, %i] : !tile.tile<64x48xf32> to !tile.tile<1x1xf32>
  return
}

// CHECK-LABEL: func.func @rank_0
func.func @rank_0(%t: !tile.tile<f32>) -> !tile.tile<f32> {
  // CHECK: tile.view %{{.*}}[] : !tile.tile<f32> to !tile.tile<f32>
  %0 = tile.view %t[] : !tile.tile<f32> to !tile.tile<f32>
  return %0 : !tile.tile<f32>
}
