// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @every_form
tile.kernel @every_form(%a: memref<?x?xf16, strided<[1, ?]>>, %i: index, %t: f16) {
  %tile = tile.fill %t : !tile.tile<3x5xf16>
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : !tile.tile<3x5xf16>, memref<?x?xf16, strided<[1, ?]>>
  tile.store %tile, %a[%i, %i] : !tile.tile<3x5xf16>, memref<?x?xf16, strided<[1, ?]>>
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] in_bounds : !tile.tile
  tile.store %tile, %a[%i, %i] in_bounds : !tile.tile<3x5xf16>, memref<?x?xf16, strided<[1, ?]>>
  tile.return
}

// CHECK-LABEL: tile.kernel @masked
tile.kernel @masked(%c: memref<?x?xf32>, %i: index, %j: index, %x: i1, %y: f32) {
  %m = tile.fill %x : !tile.tile<9x5xi1>
  %u = tile.fill %y : !tile.tile<9x5xf32>
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] mask %{{.*}} : !tile.tile<9x5xi1> : !tile.tile<9x5xf32>, memref<?x?xf32>
  tile.store %u, %c[%i, %j] mask %m : !tile.tile<9x5xi1> : !tile.tile<9x5xf32>, memref<?x?xf32>
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] mask %{{.*}} : !tile.tile<9x5xi1> in_bounds {note = "x"} : !tile.tile<9x5xf32>, memref<?x?xf32>
  tile.store %u, %c[%i, %j] mask %m : !tile.tile<9x5xi1> in_bounds {note = "x"} : !tile.tile<9x5xf32>, memref<?x?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @lower_rank
tile.kernel @lower_rank(%a: memref<8x?x4xi32>, %i: index, %x: i32) {
  // CHECK: tile.store %{{.*}} : !tile.tile<i32>, memref<8x?x4xi32>
  %t = tile.fill %x : !tile.tile<i32>
  tile.store %t, %a[%i, %i, %i] : !tile.tile<i32>, memref<8x?x4xi32>
  tile.return
}

// CHECK-LABEL: func.func @dims
func.func @dims(%a: memref<?x?x?xf16>, %t: !tile.tile<64x32xf16>, %m: !tile.tile<64x32xi1>) {
  %c0 = arith.constant 0 : index
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] dims [2, 0] mask %{{.*}} : !tile.tile<64x32xi1> in_bounds : !tile.tile<64x32xf16>, memref<?x?x?xf16>
  tile.store %t, %a[%c0, %c0, %c0] dims [2, 0] mask %m : !tile.tile<64x32xi1> in_bounds : !tile.tile<64x32xf16>, memref<?x?x?xf16>
  return
}
