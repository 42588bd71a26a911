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

// CHECK-LABEL: func.func @blocks
func.func @blocks(%a: memref<?x16x?xf16>, %n: !tile.tile<64x1xi32>, %d: !tile.tile<64x1xi64>) {
  %c0 = arith.constant 0 : index
  // CHECK: tile.gather %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] at %{{.*}}, %{{.*}} axes [0, 1] : memref<?x16x?xf16>, !tile.tile<64x1xi32>, !tile.tile<64x1xi64> -> !tile.tile<64x128xf16>
  %0 = tile.gather %a[%c0, %c0, %c0] at %n, %d axes [0, 1] : memref<?x16x?xf16>, !tile.tile<64x1xi32>, !tile.tile<64x1xi64> -> !tile.tile<64x128xf16>
  // CHECK: tile.gather %{{.*}} dims [0, 2] at %{{.*}} axis 0 : memref<?x16x?xf16>, !tile.tile<64x1xi32> -> !tile.tile<64x128xf16>
  %1 = tile.gather %a[%c0, %c0, %c0] dims [0, 2] at %n axis 0 : memref<?x16x?xf16>, !tile.tile<64x1xi32> -> !tile.tile<64x128xf16>
  return
}
