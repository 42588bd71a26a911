// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @complex
func.func @complex(%t: !tile.tile<8xcomplex<f32>>) -> !tile.tile<8xcomplex<f32>> {
  %0 = tile.map %t : !tile.tile<8xcomplex<f32>> to !tile.tile<8xcomplex<f32>> {
  ^bb0(%x: complex<f32>):
    // CHECK: tile.yield %{{.*}} : complex<f32>
    tile.yield %x : complex<f32>
  }
  return %0 : !tile.tile<8xcomplex<f32>>
}

// CHECK-LABEL: func.func @of_a_thread
func.func @of_a_thread(%t: !tile.tile<64x3xf32>) {
  %0:2 = tile.per_thread %t : !tile.tile<64x3xf32> to !tile.tile<64x3xf32>, !tile.tile<64xindex> {
  ^bb0(%thread: index, %x: vector<3xf32>):
    // CHECK: tile.yield %{{.*}}, %{{.*}} : vector<3xf32>, index
    tile.yield %x, %thread : vector<3xf32>, index
  }
  tile.per_thread {
  ^bb0(%thread: index):
    // CHECK: tile.yield {note = "x"}
    tile.yield {note = "x"}
  }
  return
}

// CHECK-LABEL: func.func @example
func.func @example(%t: !tile.tile<8xf32>, %u: !tile.tile<8xi32>) {
  %0:2 = tile.map %t, %u : !tile.tile<8xf32>, !tile.tile<8xi32> to !tile.tile<8xf32>, !tile.tile<8xi32> {
  ^bb0(%x: f32, %i: i32):
    // CHECK: tile.yield %{{.*}}, %{{.*}} : f32, i32
    tile.yield %x, %i : f32, i32
  }
  return
}
