// RUN: tile-opt %s -tile-phases | FileCheck %s

// If the loop shifts unaligned rows, a matmul carries its last step only if registers
// leave room for one block on a multiprocessor. The variants with aligned rows carry it
// in both kernels.

#rows = strided<[?, 1]>
module attributes {tile.target = "sm_90"} {

// CHECK-LABEL: tile.kernel @two_blocks(
// CHECK: scf.for
// CHECK: tile_gpu.load_shared
// CHECK: scf.yield
// CHECK-LABEL: tile.kernel @two_blocks__general(
// CHECK: scf.for
// CHECK-NOT: tile_gpu.load_shared
// CHECK: tile_gpu.align_rows
// CHECK-NOT: tile_gpu.load_shared
// CHECK: scf.yield
// CHECK-NOT: = tile.matmul
// CHECK: tile.return
tile.kernel @two_blocks(%a: memref<?x?xf16, #rows>, %b: memref<?x?xf16, #rows>, %d: memref<?x?xf32, #rows>, %n: index) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %r = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> !tile.tile<128x128xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16, #rows> -> !tile.tile<128x64xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16, #rows> -> !tile.tile<64x128xf16>
    %s = tile.matmul %x, %y, %acc : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %s : !tile.tile<128x128xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32, #rows>
  tile.return
}

// CHECK-LABEL: tile.kernel @one_block__general(
// CHECK: scf.for
// CHECK: tile_gpu.load_shared
// CHECK: tile_gpu.align_rows
// CHECK: scf.yield
// CHECK: = tile.matmul
tile.kernel @one_block(%a: memref<?x?xf16, #rows>, %b: memref<?x?xf16, #rows>, %d: memref<?x?xf32, #rows>, %n: index) attributes {block = 256 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !tile.tile<256x128xf32>
  %r = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> !tile.tile<256x128xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16, #rows> -> !tile.tile<256x64xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16, #rows> -> !tile.tile<64x128xf16>
    %s = tile.matmul %x, %y, %acc tiling <warps = [4, 2]> : !tile.tile<256x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<256x128xf32>
    scf.yield %s : !tile.tile<256x128xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<256x128xf32>, memref<?x?xf32, #rows>
  tile.return
}

}
