// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @histogram
func.func @histogram(%v: !tile.tile<100x9xi32>, %i: !tile.tile<100x1xi32>, %t: !tile.tile<64x9xi32>) {
  // CHECK: tile.put add %{{.*}} into %{{.*}} at %{{.*}} axis 0 : !tile.tile<100x9xi32>, !tile.tile<100x1xi32> into !tile.tile<64x9xi32>
  %r = tile.put add %v into %t at %i axis 0 : !tile.tile<100x9xi32>, !tile.tile<100x1xi32> into !tile.tile<64x9xi32>
  return
}

// Without a kind elements are replaced, of any type.
// CHECK-LABEL: func.func @replaces
func.func @replaces(%v: !tile.tile<3x5xcomplex<f32>>, %i: !tile.tile<3x5xi8>, %m: !tile.tile<3x5xi1>, %t: !tile.tile<3x7xcomplex<f32>>) {
  // CHECK: tile.put %{{.*}} into %{{.*}} at %{{.*}} axis 1 : !tile.tile<3x5xcomplex<f32>>
  %0 = tile.put %v into %t at %i axis 1 : !tile.tile<3x5xcomplex<f32>>, !tile.tile<3x5xi8> into !tile.tile<3x7xcomplex<f32>>
  // CHECK: tile.put %{{.*}} axis 1 mask %{{.*}} : !tile.tile<3x5xi1> {note = "x"} : !tile.tile<3x5xcomplex<f32>>
  %1 = tile.put %v into %t at %i axis 1 mask %m : !tile.tile<3x5xi1> {note = "x"} : !tile.tile<3x5xcomplex<f32>>, !tile.tile<3x5xi8> into !tile.tile<3x7xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @every_kind
func.func @every_kind(%v: !tile.tile<5xi64>, %i: !tile.tile<5xindex>, %m: !tile.tile<5xi1>, %t: !tile.tile<9xi64>) {
  // CHECK: tile.put min %
  %0 = tile.put min %v into %t at %i axis 0 : !tile.tile<5xi64>, !tile.tile<5xindex> into !tile.tile<9xi64>
  // CHECK: tile.put max %
  %1 = tile.put max %v into %t at %i axis 0 : !tile.tile<5xi64>, !tile.tile<5xindex> into !tile.tile<9xi64>
  // CHECK: tile.put umin %
  %2 = tile.put umin %v into %t at %i axis 0 : !tile.tile<5xi64>, !tile.tile<5xindex> into !tile.tile<9xi64>
  // CHECK: tile.put umax %
  %3 = tile.put umax %v into %t at %i axis 0 : !tile.tile<5xi64>, !tile.tile<5xindex> into !tile.tile<9xi64>
  // CHECK: tile.put and %
  %4 = tile.put and %v into %t at %i axis 0 : !tile.tile<5xi64>, !tile.tile<5xindex> into !tile.tile<9xi64>
  // CHECK: tile.put or %
  %5 = tile.put or %v into %t at %i axis 0 : !tile.tile<5xi64>, !tile.tile<5xindex> into !tile.tile<9xi64>
  // CHECK: tile.put xor %
  %6 = tile.put xor %v into %t at %i axis 0 : !tile.tile<5xi64>, !tile.tile<5xindex> into !tile.tile<9xi64>
  // CHECK: tile.put exchange %{{.*}} mask %{{.*}} : !tile.tile<5xi1> : !tile.tile<5xi64>
  %7 = tile.put exchange %v into %t at %i axis 0 mask %m : !tile.tile<5xi1> : !tile.tile<5xi64>, !tile.tile<5xindex> into !tile.tile<9xi64>
  return
}
