// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @kinds
func.func @kinds(%t: !tile.tile<10x256xi32>, %s: !tile.tile<f32>) {
  // CHECK: tile.scan add %{{.*}} axis 1 : !tile.tile<10x256xi32>
  %0 = tile.scan add %t axis 1 : !tile.tile<10x256xi32>
  // CHECK: tile.scan xor %{{.*}} axis 0 exclusive : !tile.tile<10x256xi32>
  %1 = tile.scan xor %t axis 0 exclusive : !tile.tile<10x256xi32>
  // CHECK: tile.scan umax %{{.*}} reverse : !tile.tile<10x256xi32>
  %2 = tile.scan umax %t reverse : !tile.tile<10x256xi32>
  // CHECK: tile.scan mul %{{.*}} exclusive reverse : !tile.tile<f32>
  %3 = tile.scan mul %s exclusive reverse : !tile.tile<f32>
  return
}

// CHECK-LABEL: func.func @region
func.func @region(%t: !tile.tile<9xi32>, %u: !tile.tile<9xf64>) -> !tile.tile<9xi32> {
  // CHECK: %{{.*}}:2 = tile.scan %{{.*}}, %{{.*}} identity [0 : i32, 1.000000e+00] axis 0 : !tile.tile<9xi32>, !tile.tile<9xf64> {
  %0:2 = tile.scan %t, %u identity [0 : i32, 1.0 : f64] axis 0 : !tile.tile<9xi32>, !tile.tile<9xf64> {
  ^bb0(%a: i32, %x: f64, %b: i32, %y: f64):
    %c = arith.addi %a, %b : i32
    %z = arith.mulf %x, %y : f64
    tile.yield %c, %z : i32, f64
  }
  return %0#0 : !tile.tile<9xi32>
}
