// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @rows
func.func @rows(%t: !tile.tile<64x9xf32>, %i: !tile.tile<100x1xi32>) {
  // CHECK: tile.take %{{.*}} at %{{.*}} axis 0 : !tile.tile<64x9xf32>, !tile.tile<100x1xi32> to !tile.tile<100x9xf32>
  %r = tile.take %t at %i axis 0 : !tile.tile<64x9xf32>, !tile.tile<100x1xi32> to !tile.tile<100x9xf32>
  return
}

// Each element has an index, of any width; elements have any type.
// CHECK-LABEL: func.func @elements
func.func @elements(%t: !tile.tile<3x5x7xcomplex<f64>>, %i: !tile.tile<3x2x7xi8>, %j: !tile.tile<3x5x1xindex>) {
  // CHECK: tile.take %{{.*}} at %{{.*}} axis 1 : !tile.tile<3x5x7xcomplex<f64>>, !tile.tile<3x2x7xi8> to !tile.tile<3x2x7xcomplex<f64>>
  %0 = tile.take %t at %i axis 1 : !tile.tile<3x5x7xcomplex<f64>>, !tile.tile<3x2x7xi8> to !tile.tile<3x2x7xcomplex<f64>>
  // CHECK: tile.take %{{.*}} at %{{.*}} axis 2 {note = "x"} : !tile.tile<3x5x7xcomplex<f64>>, !tile.tile<3x5x1xindex> to !tile.tile<3x5x1xcomplex<f64>>
  %1 = tile.take %t at %j axis 2 {note = "x"} : !tile.tile<3x5x7xcomplex<f64>>, !tile.tile<3x5x1xindex> to !tile.tile<3x5x1xcomplex<f64>>
  return
}

// A source of extent one is repeated along that dimension.
// CHECK-LABEL: func.func @repeated
func.func @repeated(%t: !tile.tile<2x1x9xf32>, %i: !tile.tile<1x4x5xi16>) {
  // CHECK: tile.take %{{.*}} at %{{.*}} axis 2 : !tile.tile<2x1x9xf32>, !tile.tile<1x4x5xi16> to !tile.tile<2x4x5xf32>
  %r = tile.take %t at %i axis 2 : !tile.tile<2x1x9xf32>, !tile.tile<1x4x5xi16> to !tile.tile<2x4x5xf32>
  return
}

// From phase 5 on the source is a buffer.
// CHECK-LABEL: func.func @buffer
func.func @buffer(%b: memref<8x4xf32, #tile.shared<(8,4):(4,1)>>, %i: !tile.tile<3x1xi16>) {
  // CHECK: tile.take %{{.*}} at %{{.*}} axis 0 : memref<8x4xf32, #tile.shared<(8,4):(4,1)>>, !tile.tile<3x1xi16> to !tile.tile<3x4xf32>
  %0 = tile.take %b at %i axis 0 : memref<8x4xf32, #tile.shared<(8,4):(4,1)>>, !tile.tile<3x1xi16> to !tile.tile<3x4xf32>
  return
}
