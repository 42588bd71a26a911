// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @every_kind_of_element
func.func @every_kind_of_element(%a: f32, %b: i1, %c: index, %d: complex<f64>, %e: f8E5M2) {
  // CHECK: tile.fill %{{.*}} : !tile.tile<16x6xf32>
  %0 = tile.fill %a : !tile.tile<16x6xf32>
  // CHECK: tile.fill %{{.*}} : !tile.tile<i1>
  %1 = tile.fill %b : !tile.tile<i1>
  // CHECK: tile.fill %{{.*}} : !tile.tile<3x1x7x2xindex>
  %2 = tile.fill %c : !tile.tile<3x1x7x2xindex>
  // CHECK: tile.fill %{{.*}} : !tile.tile<5xcomplex<f64>>
  %3 = tile.fill %d : !tile.tile<5xcomplex<f64>>
  // CHECK: tile.fill %{{.*}} : !tile.tile<4xf8E5M2, #tile.shared>
  %4 = tile.fill %e : !tile.tile<4xf8E5M2, #tile.shared>
  return
}
