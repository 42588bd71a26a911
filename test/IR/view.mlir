// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @constant_and_run_time_offsets
func.func @constant_and_run_time_offsets(%t: !tile.tile<64x48xf32>, %i: index) {
  // This is the last box that is inside the source.
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

// The view has every second element of the last columns, from right to left,
// and is the last box that is inside the source.
// CHECK-LABEL: func.func @steps
func.func @steps(%t: !tile.tile<64x48xf32>, %i: index) {
  %c63 = arith.constant 63 : index
  %c1 = arith.constant 1 : index
  // CHECK: tile.view %{{.*}}[%{{.*}}, %{{.*}}] steps [1, -2] : !tile.tile<64x48xf32> to !tile.tile<16x24xf32>
  %0 = tile.view %t[%i, %i] steps [1, -2] : !tile.tile<64x48xf32> to !tile.tile<16x24xf32>
  // CHECK: tile.view %{{.*}}[%{{.*}}, %{{.*}}] steps [-63, 47] {note = "x"} : !tile.tile<64x48xf32> to !tile.tile<2x1xf32>
  %1 = tile.view %t[%c63, %c1] steps [-63, 47] {note = "x"} : !tile.tile<64x48xf32> to !tile.tile<2x1xf32>
  // CHECK: tile.view %{{.*}}[%{{.*}}, %{{.*}}] steps [1, 1] : !tile.tile<64x48xf32> to !tile.tile<64x48xf32>
  %2 = tile.view %t[%i, %i] steps [1, 1] : !tile.tile<64x48xf32> to !tile.tile<64x48xf32>
  return
}

// The result has the source's last dimensions; a single element has none.
// CHECK-LABEL: func.func @lower_rank
func.func @lower_rank(%t: !tile.tile<3x64x64xf32>, %i: index, %last: index) {
  // CHECK: tile.view %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : !tile.tile<3x64x64xf32> to !tile.tile<16x32xf32>
  %0 = tile.view %t[%i, %i, %i] : !tile.tile<3x64x64xf32> to !tile.tile<16x32xf32>
  // CHECK: tile.view %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] steps [7, 1, -2] : !tile.tile<3x64x64xf32> to !tile.tile<32xf32>
  %1 = tile.view %t[%i, %i, %last] steps [7, 1, -2] : !tile.tile<3x64x64xf32> to !tile.tile<32xf32>
  // CHECK: tile.view %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : !tile.tile<3x64x64xf32> to !tile.tile<f32>
  %2 = tile.view %t[%i, %i, %i] : !tile.tile<3x64x64xf32> to !tile.tile<f32>
  return
}

// CHECK-LABEL: func.func @examples
func.func @examples(%t: !tile.tile<64x64xf32>, %i: index, %j: index, %last: index) {
  // CHECK: tile.view %{{.*}}[%{{.*}}, %{{.*}}] : !tile.tile<64x64xf32> to !tile.tile<16x32xf32>
  %v = tile.view %t[%i, %j] : !tile.tile<64x64xf32> to !tile.tile<16x32xf32>
  // CHECK: tile.view %{{.*}}[%{{.*}}, %{{.*}}] steps [1, -2] : !tile.tile<64x64xf32> to !tile.tile<32xf32>
  %r = tile.view %t[%i, %last] steps [1, -2] : !tile.tile<64x64xf32> to !tile.tile<32xf32>
  return
}
