// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @wait
func.func @wait(%a: memref<?xi32>, %i: index) {
  // CHECK: tile.atomic_load %{{.*}}[%{{.*}}] order acquire : memref<?xi32> -> !tile.tile<1xi32>
  %t = tile.atomic_load %a[%i] order acquire : memref<?xi32> -> !tile.tile<1xi32>
  return
}

// CHECK-LABEL: func.func @every_form
func.func @every_form(%a: memref<4x?xbf16, strided<[1, ?]>>, %i: index) {
  // CHECK: tile.atomic_load %{{.*}}[%{{.*}}, %{{.*}}] order acquire scope system in_bounds {note = "x"} : memref<4x?xbf16, strided<[1, ?]>> -> !tile.tile<3x5xbf16>
  %0 = tile.atomic_load %a[%i, %i] order acquire scope system in_bounds {note = "x"} : memref<4x?xbf16, strided<[1, ?]>> -> !tile.tile<3x5xbf16>
  // Default values are not printed.
  // CHECK: tile.atomic_load %{{.*}}[%{{.*}}, %{{.*}}] : memref<4x?xbf16, strided<[1, ?]>> -> !tile.tile<5xbf16>
  %1 = tile.atomic_load %a[%i, %i] order relaxed scope gpu : memref<4x?xbf16, strided<[1, ?]>> -> !tile.tile<5xbf16>
  // CHECK: tile.atomic_load %{{.*}}[%{{.*}}, %{{.*}}] scope block : memref<4x?xbf16, strided<[1, ?]>> -> !tile.tile<bf16>
  %2 = tile.atomic_load %a[%i, %i] scope block : memref<4x?xbf16, strided<[1, ?]>> -> !tile.tile<bf16>
  return
}
