// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @every_form
func.func @every_form(%t: !tile.tile<8x128xi32>, %m: !tile.tile<8x128xi1>, %b: !tile.tile<7xi8>) {
  // CHECK: tile.histogram %{{.*}} : !tile.tile<8x128xi32> to !tile.tile<100xi32>
  %h = tile.histogram %t : !tile.tile<8x128xi32> to !tile.tile<100xi32>
  // CHECK: tile.histogram %{{.*}} mask %{{.*}} : !tile.tile<8x128xi1> {note = "x"} : !tile.tile<8x128xi32> to !tile.tile<1xi64>
  %0 = tile.histogram %t mask %m : !tile.tile<8x128xi1> {note = "x"} : !tile.tile<8x128xi32> to !tile.tile<1xi64>
  // CHECK: tile.histogram %{{.*}} : !tile.tile<7xi8> to !tile.tile<256xi32>
  %1 = tile.histogram %b : !tile.tile<7xi8> to !tile.tile<256xi32>
  return
}
