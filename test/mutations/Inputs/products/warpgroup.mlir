// A warpgroup multiplies operands that are copied in advance, then operands that are
// not.
#row = strided<[?, 1]>
#column = strided<[1, ?]>
#one_block = #tile.grid<affine_map<() -> (1)> of []>
module attributes {tile.target = "sm_90a"} {
tile.kernel @pipelined(%x: memref<?x?xf16, #row>, %y: memref<?x?xf16, #column>, %z: memref<?x?xf32, #row>) attributes {block = 128, grid = #one_block} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c160 = arith.constant 160 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %sum = scf.for %k = %c0 to %c160 step %c32 iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<64x32xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xf16, #column> -> !tile.tile<32x64xf16>
    %d = tile.matmul %a, %b, %acc tiling <stages = 4> : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
    scf.yield %d : !tile.tile<64x64xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32, #row>
  tile.return
}

tile.kernel @once(%x: memref<?x?xbf16, #row>, %y: memref<?x?xbf16, #row>, %z: memref<?x?xf32, #row>) attributes {block = 128, grid = #one_block} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %a = tile.load %x[%c0, %c0] : memref<?x?xbf16, #row> -> !tile.tile<64x32xbf16>
  %b = tile.load %y[%c0, %c0] : memref<?x?xbf16, #row> -> !tile.tile<32x64xbf16>
  %d = tile.matmul %a, %b, %zero : !tile.tile<64x32xbf16>, !tile.tile<32x64xbf16> -> !tile.tile<64x64xf32>
  tile.store %d, %z[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32, #row>
  tile.return
}
}
