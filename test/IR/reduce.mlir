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

// CHECK-LABEL: func.func @bits
func.func @bits(%t: !tile.tile<3x5xi1>) {
  // CHECK: tile.reduce and %{{.*}} axis 1 keep : !tile.tile<3x5xi1> to !tile.tile<3x1xi1>
  %0 = tile.reduce and %t axis 1 keep : !tile.tile<3x5xi1> to !tile.tile<3x1xi1>
  // CHECK: tile.reduce or %{{.*}} keep : !tile.tile<3x5xi1> to !tile.tile<1x1xi1>
  %1 = tile.reduce or %t keep : !tile.tile<3x5xi1> to !tile.tile<1x1xi1>
  // CHECK: tile.reduce xor
  %2 = tile.reduce xor %t : !tile.tile<3x5xi1> to !tile.tile<i1>
  return
}

// CHECK-LABEL: func.func @region
func.func @region(%t: !tile.tile<9x5xf32>, %u: !tile.tile<9x5xi32>) -> !tile.tile<5xi32> {
  // CHECK: %{{.*}}:2 = tile.reduce %{{.*}}, %{{.*}} identity [1.000000e+00 : f32, 0 : i32] axis 0 commutative : !tile.tile<9x5xf32>, !tile.tile<9x5xi32> to !tile.tile<5xf32>, !tile.tile<5xi32> {
  %p, %n = tile.reduce %t, %u identity [1.0 : f32, 0 : i32] axis 0 commutative : !tile.tile<9x5xf32>, !tile.tile<9x5xi32> to !tile.tile<5xf32>, !tile.tile<5xi32> {
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32):
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %c = arith.mulf %a, %b : f32
    %k = arith.addi %i, %j : i32
    tile.yield %c, %k : f32, i32
  }
  return %n : !tile.tile<5xi32>
}

// CHECK-LABEL: func.func @complex_identity
func.func @complex_identity(%t: !tile.tile<9xcomplex<f32>>) -> !tile.tile<complex<f32>> {
  // CHECK: identity {{\[}}[0.000000e+00 : f32, 0.000000e+00 : f32]] : !tile.tile<9xcomplex<f32>>
  %0 = tile.reduce %t identity [[0.0 : f32, 0.0 : f32]] : !tile.tile<9xcomplex<f32>> to !tile.tile<complex<f32>> {
  ^bb0(%a: complex<f32>, %b: complex<f32>):
    %c = complex.add %a, %b : complex<f32>
    tile.yield %c : complex<f32>
  }
  return %0 : !tile.tile<complex<f32>>
}
