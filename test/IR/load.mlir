// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @every_form
tile.kernel @every_form(%a: memref<?x?xf16, strided<[?, 1]>>, %b: memref<8x?x4xi32>,
                        %i: index, %pad: f16) {
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<?x?xf16, strided<[?, 1]>> -> !tile.tile<128x64xf16>
  %0 = tile.load %a[%i, %i] : memref<?x?xf16, strided<[?, 1]>> -> !tile.tile<128x64xf16>
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] pad %{{.*}} : memref
  %1 = tile.load %a[%i, %i] pad %pad : memref<?x?xf16, strided<[?, 1]>> -> !tile.tile<3x5xf16>
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] in_bounds : memref
  %2 = tile.load %a[%i, %i] in_bounds : memref<?x?xf16, strided<[?, 1]>> -> !tile.tile<3x5xf16>
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] pad %{{.*}} in_bounds {note = "x"} : memref
  %3 = tile.load %a[%i, %i] pad %pad in_bounds {note = "x"} : memref<?x?xf16, strided<[?, 1]>> -> !tile.tile<3x5xf16>
  tile.return
}

// CHECK-LABEL: tile.kernel @masked
tile.kernel @masked(%a: memref<?x?xf16>, %i: index, %j: index, %x: i1, %p: f16) {
  %m = tile.fill %x : !tile.tile<9x5xi1>
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] mask %{{.*}} : !tile.tile<9x5xi1> pad %{{.*}} : memref<?x?xf16> -> !tile.tile<9x5xf16>
  %0 = tile.load %a[%i, %j] mask %m : !tile.tile<9x5xi1> pad %p : memref<?x?xf16> -> !tile.tile<9x5xf16>
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] mask %{{.*}} : !tile.tile<9x5xi1> : memref<?x?xf16>
  %1 = tile.load %a[%i, %j] mask %m : !tile.tile<9x5xi1> : memref<?x?xf16> -> !tile.tile<9x5xf16>
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] mask %{{.*}} : !tile.tile<9x5xi1> pad %{{.*}} in_bounds {note = "x"} : memref<?x?xf16>
  %2 = tile.load %a[%i, %j] mask %m : !tile.tile<9x5xi1> pad %p in_bounds {note = "x"} : memref<?x?xf16> -> !tile.tile<9x5xf16>
  tile.return
}

// The tile has the array's last dimensions; a single element has none.
// CHECK-LABEL: tile.kernel @lower_rank
tile.kernel @lower_rank(%a: memref<8x?x4xi32>, %i: index) {
  // CHECK: -> !tile.tile<3x4xi32>
  %0 = tile.load %a[%i, %i, %i] : memref<8x?x4xi32> -> !tile.tile<3x4xi32>
  // CHECK: -> !tile.tile<i32>
  %1 = tile.load %a[%i, %i, %i] : memref<8x?x4xi32> -> !tile.tile<i32>
  tile.return
}

// CHECK-LABEL: func.func @dims
func.func @dims(%a: memref<?x?x?xf16>, %b: memref<2x3x4x5x6x7xf32>, %m: !tile.tile<64x32xi1>, %p: f16) {
  %c0 = arith.constant 0 : index
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] dims [0, 2] : memref<?x?x?xf16> -> !tile.tile<64x64xf16>
  %0 = tile.load %a[%c0, %c0, %c0] dims [0, 2] : memref<?x?x?xf16> -> !tile.tile<64x64xf16>
  // CHECK: tile.load %{{.*}} dims [2, 1] mask %{{.*}} : !tile.tile<64x32xi1> pad %{{.*}} in_bounds : memref<?x?x?xf16>
  %1 = tile.load %a[%c0, %c0, %c0] dims [2, 1] mask %m : !tile.tile<64x32xi1> pad %p in_bounds : memref<?x?x?xf16> -> !tile.tile<64x32xf16>
  // CHECK: tile.load %{{.*}} dims [1, 5] : memref<2x3x4x5x6x7xf32> -> !tile.tile<3x7xf32>
  %2 = tile.load %b[%c0, %c0, %c0, %c0, %c0, %c0] dims [1, 5] : memref<2x3x4x5x6x7xf32> -> !tile.tile<3x7xf32>
  return
}
