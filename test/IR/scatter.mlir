// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @rows
func.func @rows(%a: memref<?x?xf32>, %t: !tile.tile<64x128xf32>, %rows: !tile.tile<64x1xindex>, %m: !tile.tile<64x128xi1>) {
  %c0 = arith.constant 0 : index
  // CHECK: tile.scatter %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] at %{{.*}} axis 0 : !tile.tile<64x128xf32>, memref<?x?xf32>, !tile.tile<64x1xindex>
  tile.scatter %t, %a[%c0, %c0] at %rows axis 0 : !tile.tile<64x128xf32>, memref<?x?xf32>, !tile.tile<64x1xindex>
  // CHECK: axis 0 mask %{{.*}} : !tile.tile<64x128xi1> atomic add in_bounds : !tile.tile<64x128xf32>
  tile.scatter %t, %a[%c0, %c0] at %rows axis 0 mask %m : !tile.tile<64x128xi1> atomic add in_bounds : !tile.tile<64x128xf32>, memref<?x?xf32>, !tile.tile<64x1xindex>
  return
}

// CHECK-LABEL: func.func @old_values
func.func @old_values(%a: memref<?xi32>, %t: !tile.tile<64xi32>, %b: memref<?x?x?xi32>, %u: !tile.tile<8x4xi32>, %i: !tile.tile<8x1xi32>) {
  %c0 = arith.constant 0 : index
  // CHECK: %{{.*}} = tile.scatter %{{.*}} axis 0 atomic add : !tile.tile<64xi32>, memref<?xi32>, !tile.tile<64xi32> -> !tile.tile<64xi32>
  %0 = tile.scatter %t, %a[%c0] at %t axis 0 atomic add : !tile.tile<64xi32>, memref<?xi32>, !tile.tile<64xi32> -> !tile.tile<64xi32>
  // CHECK: tile.scatter %{{.*}} dims [2, 0] at %{{.*}}, %{{.*}} axes [1, 2] : !tile.tile<8x4xi32>, memref<?x?x?xi32>, !tile.tile<8x1xi32>, !tile.tile<8x1xi32>
  tile.scatter %u, %b[%c0, %c0, %c0] dims [2, 0] at %i, %i axes [1, 2] : !tile.tile<8x4xi32>, memref<?x?x?xi32>, !tile.tile<8x1xi32>, !tile.tile<8x1xi32>
  return
}
