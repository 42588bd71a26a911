// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @keys_and_values
func.func @keys_and_values(%keys: !tile.tile<4x100xf32>, %values: !tile.tile<4x100xi32>) -> !tile.tile<4x100xi32> {
  // CHECK: %{{.*}}:2 = tile.sort %{{.*}}, %{{.*}} axis 1 descending : !tile.tile<4x100xf32>, !tile.tile<4x100xi32>
  %k, %v = tile.sort %keys, %values axis 1 descending : !tile.tile<4x100xf32>, !tile.tile<4x100xi32>
  return %v : !tile.tile<4x100xi32>
}

// CHECK-LABEL: func.func @every_form
func.func @every_form(%t: !tile.tile<4096x3xi8>, %b: !tile.tile<5xbf16>, %c: !tile.tile<5xcomplex<f64>>) {
  // CHECK: tile.sort %{{.*}} axis 0 : !tile.tile<4096x3xi8>
  %0 = tile.sort %t axis 0 : !tile.tile<4096x3xi8>
  // CHECK: tile.sort %{{.*}} axis 0 unsigned : !tile.tile<4096x3xi8>
  %1 = tile.sort %t axis 0 unsigned : !tile.tile<4096x3xi8>
  // CHECK: tile.sort %{{.*}} axis 1 descending unsigned {note = "x"} : !tile.tile<4096x3xi8>
  %2 = tile.sort %t axis 1 descending unsigned {note = "x"} : !tile.tile<4096x3xi8>
  // Only keys need an order, values may have any type.
  // CHECK: %{{.*}}:3 = tile.sort %{{.*}}, %{{.*}}, %{{.*}} axis 0 : !tile.tile<5xbf16>, !tile.tile<5xcomplex<f64>>, !tile.tile<5xbf16>
  %3:3 = tile.sort %b, %c, %b axis 0 : !tile.tile<5xbf16>, !tile.tile<5xcomplex<f64>>, !tile.tile<5xbf16>
  return
}
