// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @every_kind
tile.kernel @every_kind(%a: memref<?xi32>, %i: index, %x: i32) {
  %v = tile.fill %x : !tile.tile<8xi32>
  // CHECK: tile.atomic_rmw add %{{.*}}, %{{.*}}[%{{.*}}] : !tile.tile<8xi32>, memref<?xi32>
  %0 = tile.atomic_rmw add %v, %a[%i] : !tile.tile<8xi32>, memref<?xi32>
  // CHECK: tile.atomic_rmw min %
  %1 = tile.atomic_rmw min %v, %a[%i] : !tile.tile<8xi32>, memref<?xi32>
  // CHECK: tile.atomic_rmw max %
  %2 = tile.atomic_rmw max %v, %a[%i] : !tile.tile<8xi32>, memref<?xi32>
  // CHECK: tile.atomic_rmw umin %
  %3 = tile.atomic_rmw umin %v, %a[%i] : !tile.tile<8xi32>, memref<?xi32>
  // CHECK: tile.atomic_rmw umax %
  %4 = tile.atomic_rmw umax %v, %a[%i] : !tile.tile<8xi32>, memref<?xi32>
  // CHECK: tile.atomic_rmw and %
  %5 = tile.atomic_rmw and %v, %a[%i] : !tile.tile<8xi32>, memref<?xi32>
  // CHECK: tile.atomic_rmw or %
  %6 = tile.atomic_rmw or %v, %a[%i] : !tile.tile<8xi32>, memref<?xi32>
  // CHECK: tile.atomic_rmw xor %
  %7 = tile.atomic_rmw xor %v, %a[%i] : !tile.tile<8xi32>, memref<?xi32>
  // CHECK: tile.atomic_rmw exchange %
  %8 = tile.atomic_rmw exchange %v, %a[%i] : !tile.tile<8xi32>, memref<?xi32>
  // CHECK: tile.atomic_rmw compare_exchange %{{.*}}, %{{.*}}[%{{.*}}] expected %{{.*}} : !tile.tile<8xi32>, memref<?xi32>
  %9 = tile.atomic_rmw compare_exchange %v, %a[%i] expected %8 : !tile.tile<8xi32>, memref<?xi32>
  tile.return
}

// CHECK-LABEL: tile.kernel @every_form
tile.kernel @every_form(%a: memref<4x?xbf16>, %i: index, %x: bf16) {
  %v = tile.fill %x : !tile.tile<8xbf16>
  // CHECK: tile.atomic_rmw add %{{.*}}] order acq_rel scope system in_bounds {test.tag} : !tile.tile<8xbf16>, memref<4x?xbf16>
  %0 = tile.atomic_rmw add %v, %a[%i, %i] order acq_rel scope system in_bounds {test.tag} : !tile.tile<8xbf16>, memref<4x?xbf16>
  // CHECK: tile.atomic_rmw add %{{.*}}] scope block ordered in_bounds : !tile.tile<8xbf16>, memref<4x?xbf16>
  %turns = tile.atomic_rmw add %v, %a[%i, %i] scope block ordered in_bounds : !tile.tile<8xbf16>, memref<4x?xbf16>
  // Default values are not printed.
  // CHECK: tile.atomic_rmw max %{{.*}}] : !tile.tile<8xbf16>
  %1 = tile.atomic_rmw max %v, %a[%i, %i] order relaxed scope gpu : !tile.tile<8xbf16>, memref<4x?xbf16>
  // CHECK: tile.atomic_rmw max %{{.*}}] scope block :
  %2 = tile.atomic_rmw max %v, %a[%i, %i] scope block : !tile.tile<8xbf16>, memref<4x?xbf16>
  // CHECK: tile.atomic_rmw exchange %{{.*}}] order release :
  %3 = tile.atomic_rmw exchange %v, %a[%i, %i] order release : !tile.tile<8xbf16>, memref<4x?xbf16>
  tile.return
}

// CHECK-LABEL: func.func @mask_and_dims
func.func @mask_and_dims(%t: !tile.tile<8x4xi32>, %m: !tile.tile<8x4xi1>, %a: memref<?x?x?xi32>) {
  %c0 = arith.constant 0 : index
  // CHECK: tile.atomic_rmw compare_exchange %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] dims [0, 2] expected %{{.*}} mask %{{.*}} : !tile.tile<8x4xi1> order acquire : !tile.tile<8x4xi32>, memref<?x?x?xi32>
  %0 = tile.atomic_rmw compare_exchange %t, %a[%c0, %c0, %c0] dims [0, 2] expected %t mask %m : !tile.tile<8x4xi1> order acquire : !tile.tile<8x4xi32>, memref<?x?x?xi32>
  return
}
