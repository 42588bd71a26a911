// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @signal
func.func @signal(%t: !tile.tile<1xi32>, %a: memref<?xi32>, %i: index) {
  // CHECK: tile.atomic_store %{{.*}}, %{{.*}}[%{{.*}}] order release : !tile.tile<1xi32>, memref<?xi32>
  tile.atomic_store %t, %a[%i] order release : !tile.tile<1xi32>, memref<?xi32>
  return
}

// CHECK-LABEL: func.func @every_form
func.func @every_form(%t: !tile.tile<3x5xf64>, %a: memref<2x4x?xf64>, %i: index) {
  // CHECK: tile.atomic_store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] order release scope system in_bounds {note = "x"} : !tile.tile<3x5xf64>, memref<2x4x?xf64>
  tile.atomic_store %t, %a[%i, %i, %i] order release scope system in_bounds {note = "x"} : !tile.tile<3x5xf64>, memref<2x4x?xf64>
  // Default values are not printed.
  // CHECK: tile.atomic_store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : !tile.tile<3x5xf64>, memref<2x4x?xf64>
  tile.atomic_store %t, %a[%i, %i, %i] order relaxed scope gpu : !tile.tile<3x5xf64>, memref<2x4x?xf64>
  // CHECK: tile.atomic_store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] scope block : !tile.tile<3x5xf64>, memref<2x4x?xf64>
  tile.atomic_store %t, %a[%i, %i, %i] scope block : !tile.tile<3x5xf64>, memref<2x4x?xf64>
  return
}
