// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @every_element_type
func.func @every_element_type() {
  // CHECK: tile.iota axis 1 : !tile.tile<4x9xi32>
  %0 = tile.iota axis 1 : !tile.tile<4x9xi32>
  // CHECK: tile.iota axis 0 : !tile.tile<5xi8>
  %1 = tile.iota axis 0 : !tile.tile<5xi8>
  // CHECK: tile.iota axis 3 : !tile.tile<1x2x3x4xindex>
  %2 = tile.iota axis 3 : !tile.tile<1x2x3x4xindex>
  // CHECK: tile.iota axis 0 : !tile.tile<7xbf16>
  %3 = tile.iota axis 0 : !tile.tile<7xbf16>
  %4 = tile.iota axis 0 : !tile.tile<7xi16>
  %5 = tile.iota axis 0 : !tile.tile<7xi64>
  %6 = tile.iota axis 0 : !tile.tile<7xf16>
  %7 = tile.iota axis 0 : !tile.tile<7xf32>
  %8 = tile.iota axis 0 : !tile.tile<7xf64>
  return
}

// CHECK-LABEL: func.func @progression
func.func @progression(%x: f32, %h: f32) {
  // CHECK: tile.iota axis 0 from %{{.*}} step %{{.*}} : !tile.tile<100xf32>
  %0 = tile.iota axis 0 from %x step %h : !tile.tile<100xf32>
  return
}
