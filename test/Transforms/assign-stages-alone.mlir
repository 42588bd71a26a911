// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts -tile-assign-stages | FileCheck %s
// Stages in the part of shared memory that each block per multiprocessor has: a
// stage here is 24 KiB of the 227 KiB of sm_90a.

#row = strided<[?, 1]>
#column = strided<[1, ?]>
#grid = #tile.grid<affine_map<(m, n) -> (m ceildiv 64, n ceildiv 128)> of [[0, 0], [1, 1]]>
#whole = #tile.grid<affine_map<(m) -> (m)> of [[3]]>
module attributes {tile.target = "sm_90a"} {
// 16 x 8 blocks on 132 multiprocessors: each block has a multiprocessor to itself.
// CHECK-LABEL: @few_blocks
// CHECK: tile.num_stages = 8
tile.kernel @few_blocks(%x: memref<1024x1024xf16, #row>, %y: memref<1024x1024xf16, #column>, %z: memref<1024x1024xf32, #row>) attributes {block = 128, grid = #grid} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> !tile.tile<64x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<1024x1024xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %y[%k, %c0] : memref<1024x1024xf16, #column> -> !tile.tile<64x128xf16>
    %d = tile.matmul %a, %b, %acc : !tile.tile<64x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<64x128xf32>
    scf.yield %d : !tile.tile<64x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x128xf32>, memref<1024x1024xf32, #row>
  tile.return
}

// 17 x 8 blocks: some multiprocessors run two blocks.
// CHECK-LABEL: @more_blocks
// CHECK: tile.num_stages = 4
tile.kernel @more_blocks(%x: memref<1025x1024xf16, #row>, %y: memref<1024x1024xf16, #column>, %z: memref<1025x1024xf32, #row>) attributes {block = 128, grid = #grid} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> !tile.tile<64x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<1025x1024xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %y[%k, %c0] : memref<1024x1024xf16, #column> -> !tile.tile<64x128xf16>
    %d = tile.matmul %a, %b, %acc : !tile.tile<64x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<64x128xf32>
    scf.yield %d : !tile.tile<64x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x128xf32>, memref<1025x1024xf32, #row>
  tile.return
}

// The extent of a grid that depends on a scalar is unknown.
// CHECK-LABEL: @unknown_blocks
// CHECK: tile.num_stages = 4
tile.kernel @unknown_blocks(%x: memref<1024x1024xf16, #row>, %y: memref<1024x1024xf16, #column>, %z: memref<1024x1024xf32, #row>, %blocks: i32) attributes {block = 128, grid = #whole} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> !tile.tile<64x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<1024x1024xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %y[%k, %c0] : memref<1024x1024xf16, #column> -> !tile.tile<64x128xf16>
    %d = tile.matmul %a, %b, %acc : !tile.tile<64x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<64x128xf32>
    scf.yield %d : !tile.tile<64x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x128xf32>, memref<1024x1024xf32, #row>
  tile.return
}

// CHECK-LABEL: @asked
// CHECK: tile.num_stages = 8
tile.kernel @asked(%x: memref<?x?xf16, #row>, %y: memref<?x?xf16, #column>, %z: memref<?x?xf32, #row>) attributes {block = 128, grid = #grid, tile.blocks_per_processor = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> !tile.tile<64x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xf16, #column> -> !tile.tile<64x128xf16>
    %d = tile.matmul %a, %b, %acc : !tile.tile<64x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<64x128xf32>
    scf.yield %d : !tile.tile<64x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x128xf32>, memref<?x?xf32, #row>
  tile.return
}
}
