// RUN: tile-opt %s -tile-warp-tiling | FileCheck %s

// An operation of another dialect declares how many warps it needs, like operations of
// the tile dialect (test/lib/ExampleOps.cpp: a warp for each 32 elements).
// CHECK-LABEL: tile.kernel @of_another_dialect(
// CHECK-SAME:    block = 384 : i64
tile.kernel @of_another_dialect(%a: memref<6x64xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<6x64xf32> -> !tile.tile<6x64xf32>
  %y = example.butterfly %x mask 1 : !tile.tile<6x64xf32> to !tile.tile<6x64xf32>
  tile.store %y, %a[%c0, %c0] : !tile.tile<6x64xf32>, memref<6x64xf32>
  tile.return
}

// If no operation requests warps, a thread has eight elements of the largest tile. A
// scan does not request warps.
// CHECK-LABEL: tile.kernel @scan(
// CHECK-SAME:    block = 128 : i64
tile.kernel @scan(%a: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<1024xf32> -> !tile.tile<1024xf32>
  %y = tile.scan add %x axis 0 : !tile.tile<1024xf32>
  tile.store %y, %a[%c0] : !tile.tile<1024xf32>, memref<1024xf32>
  tile.return
}

// A batch of small matmuls: each warp computes two of them.
// CHECK-LABEL: tile.kernel @batch(
// CHECK-SAME:    block = 512 : i64
// CHECK:         tiling <warps = [16, 1, 1], sub = [2, 1, {{[12]}}]
tile.kernel @batch(%a: memref<32x16x16xf16>, %c: memref<32x16x16xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<32x16x16xf16> -> !tile.tile<32x16x16xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<32x16x16xf32>
  %y = tile.matmul %x, %x, %zero : !tile.tile<32x16x16xf16>, !tile.tile<32x16x16xf16> -> !tile.tile<32x16x16xf32>
  tile.store %y, %c[%c0, %c0, %c0] : !tile.tile<32x16x16xf32>, memref<32x16x16xf32>
  tile.return
}

// One warp is enough for the matmul. The sort next to it gets as many warps as it would
// have without the matmul.
// CHECK-LABEL: tile.kernel @product_and_sort(
// CHECK-SAME:    block = 256 : i64
tile.kernel @product_and_sort(%a: memref<3x3xi32>, %k: memref<1344xf16>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<3x3xi32> -> !tile.tile<3x3xi32>
  %y = tile.matmul %x, %x, %x : !tile.tile<3x3xi32>, !tile.tile<3x3xi32> -> !tile.tile<3x3xi32>
  tile.store %y, %a[%c0, %c0] : !tile.tile<3x3xi32>, memref<3x3xi32>
  %keys = tile.load %k[%c0] : memref<1344xf16> -> !tile.tile<1344xf16>
  %sorted = tile.sort %keys axis 0 : !tile.tile<1344xf16>
  tile.store %sorted, %k[%c0] : !tile.tile<1344xf16>, memref<1344xf16>
  tile.return
}
