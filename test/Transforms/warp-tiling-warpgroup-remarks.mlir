// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling))' --remarks-filter=tile-warp-tiling -mlir-disable-threading 2>&1 | FileCheck %s
// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling))' -o /dev/null 2>&1 | count 0

// Remarks report why fast accumulation, which is requested, is not used.

#row = strided<[?, 1]>
#column = strided<[1, ?]>
module attributes {tile.target = "sm_90a"} {
  // CHECK: [[#@LINE+6]]:{{.*}}multiplied as with precision ieee: expected 'rhs' of an array in which K is contiguous, as its elements are not of 16 bits
  tile.kernel @across_k(%x: memref<?x?xf8E4M3FN, #row>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf8E4M3FN, #row> -> !tile.tile<64x64xf8E4M3FN>
    %b = tile.load %x[%c0, %c0] : memref<?x?xf8E4M3FN, #row> -> !tile.tile<64x64xf8E4M3FN>
    %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
    %d = tile.matmul %a, %b, %c precision fast_accumulation : !tile.tile<64x64xf8E4M3FN>, !tile.tile<64x64xf8E4M3FN> -> !tile.tile<64x64xf32>
    tile.return
  }

  // CHECK: [[#@LINE+6]]:{{.*}}multiplied as with precision ieee: the accumulators of a warpgroup do not fit the block's registers or the tiling
  tile.kernel @sums(%x: memref<?x?xf8E4M3FN, #row>, %y: memref<?x?xf8E4M3FN, #column>) attributes {block = 512} {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf8E4M3FN, #row> -> !tile.tile<256x64xf8E4M3FN>
    %b = tile.load %y[%c0, %c0] : memref<?x?xf8E4M3FN, #column> -> !tile.tile<64x256xf8E4M3FN>
    %c = arith.constant dense<0.0> : !tile.tile<256x256xf32>
    %d = tile.matmul %a, %b, %c precision fast_accumulation : !tile.tile<256x64xf8E4M3FN>, !tile.tile<64x256xf8E4M3FN> -> !tile.tile<256x256xf32>
    tile.return
  }

  // CHECK-NOT: multiplied
  tile.kernel @taken(%x: memref<?x?xf8E4M3FN, #row>, %y: memref<?x?xf8E4M3FN, #column>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf8E4M3FN, #row> -> !tile.tile<64x64xf8E4M3FN>
    %b = tile.load %y[%c0, %c0] : memref<?x?xf8E4M3FN, #column> -> !tile.tile<64x64xf8E4M3FN>
    %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
    // CHECK: precision fast_accumulation tiling <{{.*}}#tile.wgmma<64x?x32, f8E4M3FN, f32>>
    %d = tile.matmul %a, %b, %c precision fast_accumulation : !tile.tile<64x64xf8E4M3FN>, !tile.tile<64x64xf8E4M3FN> -> !tile.tile<64x64xf32>
    tile.return
  }
}
