// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @greatest
func.func @greatest(%t: !tile.tile<4x100xf32>) {
  // CHECK: tile.top_k %{{.*}} axis 1 : !tile.tile<4x100xf32> to !tile.tile<4x8xf32>, !tile.tile<4x8xi32>
  %v, %i = tile.top_k %t axis 1 : !tile.tile<4x100xf32> to !tile.tile<4x8xf32>, !tile.tile<4x8xi32>
  return
}

// CHECK-LABEL: func.func @every_form
func.func @every_form(%t: !tile.tile<7x3xi16>) {
  // CHECK: tile.top_k %{{.*}} axis 0 least : !tile.tile<7x3xi16> to !tile.tile<1x3xi16>, !tile.tile<1x3xi64>
  %0:2 = tile.top_k %t axis 0 least : !tile.tile<7x3xi16> to !tile.tile<1x3xi16>, !tile.tile<1x3xi64>
  // CHECK: tile.top_k %{{.*}} axis 0 unsigned : !tile.tile<7x3xi16> to !tile.tile<7x3xi16>, !tile.tile<7x3xindex>
  %1:2 = tile.top_k %t axis 0 unsigned : !tile.tile<7x3xi16> to !tile.tile<7x3xi16>, !tile.tile<7x3xindex>
  // CHECK: tile.top_k %{{.*}} axis 0 least unsigned {note = "x"} : !tile.tile<7x3xi16> to !tile.tile<2x3xi16>, !tile.tile<2x3xi32>
  %2:2 = tile.top_k %t axis 0 least unsigned {note = "x"} : !tile.tile<7x3xi16> to !tile.tile<2x3xi16>, !tile.tile<2x3xi32>
  return
}
