// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @every_modifier
func.func @every_modifier(%a: !tile.tile<16x6xf32>, %b: !tile.tile<4xi32>) {
  // CHECK: tile.cast %{{.*}} : !tile.tile<16x6xf32> to !tile.tile<16x6xf16>
  %0 = tile.cast %a : !tile.tile<16x6xf32> to !tile.tile<16x6xf16>
  // CHECK: tile.cast %{{.*}} unsigned : !tile.tile<16x6xf32> to !tile.tile<16x6xi8>
  %1 = tile.cast %a unsigned : !tile.tile<16x6xf32> to !tile.tile<16x6xi8>
  // CHECK: tile.cast %{{.*}} saturate : !tile.tile<16x6xf32> to !tile.tile<16x6xi8>
  %2 = tile.cast %a saturate : !tile.tile<16x6xf32> to !tile.tile<16x6xi8>
  // CHECK: tile.cast %{{.*}} unsigned saturate : !tile.tile<16x6xf32> to !tile.tile<16x6xi8>
  %3 = tile.cast %a unsigned saturate : !tile.tile<16x6xf32> to !tile.tile<16x6xi8>
  // CHECK: tile.cast %{{.*}} bitcast : !tile.tile<4xi32> to !tile.tile<4xf32>
  %4 = tile.cast %b bitcast : !tile.tile<4xi32> to !tile.tile<4xf32>
  return
}

// There is one cast of each kind of conversion.
// CHECK-LABEL: func.func @every_kind
func.func @every_kind(%f: !tile.tile<4xf32>, %i: !tile.tile<4xi8>, %x: !tile.tile<4xindex>,
                      %b: !tile.tile<4xi1>, %e: !tile.tile<4xf8E4M3FN>, %c: !tile.tile<4xcomplex<f32>>) {
  %0 = tile.cast %f : !tile.tile<4xf32> to !tile.tile<4xf8E5M2>
  %1 = tile.cast %e : !tile.tile<4xf8E4M3FN> to !tile.tile<4xbf16>
  %2 = tile.cast %f : !tile.tile<4xf32> to !tile.tile<4xindex>
  %3 = tile.cast %x : !tile.tile<4xindex> to !tile.tile<4xi32>
  %4 = tile.cast %i : !tile.tile<4xi8> to !tile.tile<4xf64>
  %5 = tile.cast %b : !tile.tile<4xi1> to !tile.tile<4xi32>
  %6 = tile.cast %f : !tile.tile<4xf32> to !tile.tile<4xi1>
  // CHECK: tile.cast %{{.*}} : !tile.tile<4xcomplex<f32>> to !tile.tile<4xcomplex<f32>, #tile.register>
  %7 = tile.cast %c : !tile.tile<4xcomplex<f32>> to !tile.tile<4xcomplex<f32>, #tile.register>
  return
}
