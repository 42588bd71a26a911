// RUN: tile-opt -convert-tile-to-cpu %s | FileCheck %s

// The index of an element in the result is the count of elements before it: at lower
// indices those that need not follow it, at higher indices those that are less.
// CHECK-LABEL: func.func @_tile_program_integers(
// CHECK: scf.for %[[FROM:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[OWN:.*]] = tensor.extract %[[KEYS:.*]][%[[FROM]]]
// CHECK: %[[TO:.*]] = scf.for %[[AT:.*]] = {{.*}} iter_args(%[[COUNT:.*]] =
// CHECK: %[[OTHER:.*]] = tensor.extract %[[KEYS]][%[[AT]]]
// CHECK: %[[IS_LOWER:.*]] = arith.cmpi ult, %[[AT]], %[[FROM]]
// CHECK: %[[IS_BEHIND:.*]] = arith.cmpi slt, %[[OWN]], %[[OTHER]]
// CHECK: %[[IS_NOT:.*]] = arith.xori %[[IS_BEHIND]]
// CHECK: %[[IS_LESS:.*]] = arith.cmpi slt, %[[OTHER]], %[[OWN]]
// CHECK: arith.select %[[IS_LOWER]], %[[IS_NOT]], %[[IS_LESS]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[TO]]]
tile.kernel @integers(%a: memref<9xi32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<9xi32> -> !tile.tile<9xi32>
  %s = tile.sort %t axis 0 : !tile.tile<9xi32>
  tile.store %s, %a[%c0] : !tile.tile<9xi32>, memref<9xi32>
  tile.return
}

// CHECK-LABEL: func.func @_tile_program_descending_unsigned(
// CHECK: %[[OWN:.*]] = tensor.extract %[[KEYS:.*]][
// CHECK: %[[OTHER:.*]] = tensor.extract %[[KEYS]][
// CHECK: arith.cmpi ult, %[[OTHER]], %[[OWN]] : i8
// CHECK: arith.cmpi ult, %[[OWN]], %[[OTHER]] : i8
tile.kernel @descending_unsigned(%a: memref<3x9xi8>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<3x9xi8> -> !tile.tile<3x9xi8>
  %s = tile.sort %t axis 1 descending unsigned : !tile.tile<3x9xi8>
  tile.store %s, %a[%c0, %c0] : !tile.tile<3x9xi8>, memref<3x9xi8>
  tile.return
}

// Every value but NaN is less than a NaN; no NaN is less than anything. Values follow keys.
// CHECK-LABEL: func.func @_tile_program_numbers(
// CHECK: %[[IS_LESS:.*]] = arith.cmpf ult, %[[A:.*]], %{{.*}} : f32
// CHECK: %[[IS_NUMBER:.*]] = arith.cmpf ord, %[[A]], %[[A]] : f32
// CHECK: arith.andi %[[IS_LESS]], %[[IS_NUMBER]]
// CHECK: memref.store %{{.*}}, %{{.*}} : memref<9xf16>
// CHECK: memref.store %{{.*}}, %{{.*}} : memref<9xi64>
tile.kernel @numbers(%a: memref<9xf16>, %b: memref<9xi64>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<9xf16> -> !tile.tile<9xf16>
  %u = tile.load %b[%c0] : memref<9xi64> -> !tile.tile<9xi64>
  %s:2 = tile.sort %t, %u axis 0 : !tile.tile<9xf16>, !tile.tile<9xi64>
  tile.store %s#0, %a[%c0] : !tile.tile<9xf16>, memref<9xf16>
  tile.store %s#1, %b[%c0] : !tile.tile<9xi64>, memref<9xi64>
  tile.return
}
