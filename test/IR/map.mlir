// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// The region reads several tiles of several types, and a scalar of the program.
// CHECK-LABEL: func.func @several
func.func @several(%t: !tile.tile<6x18xf32>, %u: !tile.tile<6x18xi32>, %s: f32) -> (!tile.tile<6x18xf16>, !tile.tile<6x18xi1>) {
  // CHECK: %{{.*}}:2 = tile.map %{{.*}}, %{{.*}} : !tile.tile<6x18xf32>, !tile.tile<6x18xi32> to !tile.tile<6x18xf16>, !tile.tile<6x18xi1> {
  %0, %1 = tile.map %t, %u : !tile.tile<6x18xf32>, !tile.tile<6x18xi32> to !tile.tile<6x18xf16>, !tile.tile<6x18xi1> {
  // CHECK: ^bb0(%[[X:.*]]: f32, %[[N:.*]]: i32):
  ^bb0(%x: f32, %n: i32):
    %p = math.fpowi %x, %n : f32, i32
    %q = arith.mulf %p, %s : f32
    %r = arith.truncf %q : f32 to f16
    %c = arith.cmpf olt, %x, %s : f32
    // CHECK: tile.yield %{{.*}}, %{{.*}} : f16, i1
    tile.yield %r, %c : f16, i1
  }
  return %0, %1 : !tile.tile<6x18xf16>, !tile.tile<6x18xi1>
}

func.func private @twice(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}

// A call is inlined later.
// CHECK-LABEL: func.func @call
func.func @call(%t: !tile.tile<f32>) -> !tile.tile<f32> {
  // CHECK: tile.map
  %0 = tile.map %t : !tile.tile<f32> to !tile.tile<f32> {
  ^bb0(%x: f32):
    // CHECK: func.call @twice
    %y = func.call @twice(%x) : (f32) -> f32
    tile.yield %y : f32
  }
  return %0 : !tile.tile<f32>
}

// CHECK-LABEL: func.func @rows_and_columns
func.func @rows_and_columns(%t: !tile.tile<6x18xf32>, %r: !tile.tile<18xf32>, %c: !tile.tile<6x1xf32>, %p: !tile.tile<f32>) {
  // CHECK: tile.map %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : !tile.tile<6x18xf32>, !tile.tile<18xf32>, !tile.tile<6x1xf32>, !tile.tile<f32> to !tile.tile<6x18xf32>
  %0 = tile.map %t, %r, %c, %p : !tile.tile<6x18xf32>, !tile.tile<18xf32>, !tile.tile<6x1xf32>, !tile.tile<f32> to !tile.tile<6x18xf32> {
  ^bb0(%x: f32, %a: f32, %b: f32, %d: f32):
    %y = arith.addf %a, %b : f32
    tile.yield %y : f32
  }
  return
}
