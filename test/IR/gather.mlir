// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @rows
func.func @rows(%a: memref<?x?xf32>, %rows: !tile.tile<64x1xi32>, %m: !tile.tile<64x128xi1>, %p: f32) {
  %c0 = arith.constant 0 : index
  // CHECK: tile.gather %{{.*}}[%{{.*}}, %{{.*}}] at %{{.*}} axis 0 : memref<?x?xf32>, !tile.tile<64x1xi32> -> !tile.tile<64x128xf32>
  %0 = tile.gather %a[%c0, %c0] at %rows axis 0 : memref<?x?xf32>, !tile.tile<64x1xi32> -> !tile.tile<64x128xf32>
  // CHECK: tile.gather %{{.*}} axis 0 mask %{{.*}} : !tile.tile<64x128xi1> pad %{{.*}} in_bounds : memref<?x?xf32>
  %1 = tile.gather %a[%c0, %c0] at %rows axis 0 mask %m : !tile.tile<64x128xi1> pad %p in_bounds : memref<?x?xf32>, !tile.tile<64x1xi32> -> !tile.tile<64x128xf32>
  return
}
