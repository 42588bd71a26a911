// A chain: the second matmul has its lhs in registers.
#row = strided<[?, 1]>
module attributes {tile.target = "sm_90a"} {
tile.kernel @chain(%x: memref<64x64xf16, #row>, %y: memref<64x32xf16, #row>, %w: memref<32x32xf16, #row>, %z: memref<64x32xf32, #row>) attributes {block = 128} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x32xf32>
  %a = tile.load %x[%c0, %c0] : memref<64x64xf16, #row> -> !tile.tile<64x64xf16>
  %b = tile.load %y[%c0, %c0] : memref<64x32xf16, #row> -> !tile.tile<64x32xf16>
  %d = tile.load %w[%c0, %c0] : memref<32x32xf16, #row> -> !tile.tile<32x32xf16>
  %s = tile.matmul %a, %b, %zero : !tile.tile<64x64xf16>, !tile.tile<64x32xf16> -> !tile.tile<64x32xf32>
  %h = tile.cast %s : !tile.tile<64x32xf32> to !tile.tile<64x32xf16>
  %t = tile.matmul %h, %d, %zero : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  tile.store %t, %z[%c0, %c0] : !tile.tile<64x32xf32>, memref<64x32xf32, #row>
  tile.return
}
}
