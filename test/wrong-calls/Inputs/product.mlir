// Each block multiplies matrices of 64x64 elements.
tile.kernel @product(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %d: memref<64x64xf32>)
    attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %y = tile.load %b[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %z = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %r = tile.matmul %x, %y, %z : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<64x64xf32>, memref<64x64xf32>
  tile.return
}
