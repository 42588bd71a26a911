// Computes the softmax of rows of 1000 f16 in f32: exp(x - max), divided by their sum.
// A block takes two rows, which it keeps in registers, so that the array is read once
// and written once. There is one division per row, and exp(x) is 2^(x log2 e).

#grid = #tile.grid<affine_map<(rows) -> (rows ceildiv 2)> of [[0, 0]]>

tile.kernel @softmax(%x: memref<?x1000xf16>, %y: memref<?x1000xf16>)
    attributes {block = 128 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 2 : index
  %block = tile.program_id x
  %row = arith.muli %block, %rows : index
  %loaded = tile.load %x[%row, %c0]
      : memref<?x1000xf16> -> !tile.tile<2x1000xf16>
  %v = tile.cast %loaded : !tile.tile<2x1000xf16> to !tile.tile<2x1000xf32>

  %max = tile.reduce max %v axis 1
      : !tile.tile<2x1000xf32> to !tile.tile<2xf32>
  %max_column = tile.reshape %max : !tile.tile<2xf32> to !tile.tile<2x1xf32>
  %top = tile.broadcast %max_column
      : !tile.tile<2x1xf32> to !tile.tile<2x1000xf32>
  %below = arith.subf %v, %top : !tile.tile<2x1000xf32>
  %log2e = arith.constant dense<1.442695041> : !tile.tile<2x1000xf32>
  %exponent = arith.mulf %below, %log2e : !tile.tile<2x1000xf32>
  %e = math.exp2 %exponent : !tile.tile<2x1000xf32>

  %sum = tile.reduce add %e axis 1
      : !tile.tile<2x1000xf32> to !tile.tile<2xf32>
  %one = arith.constant dense<1.0> : !tile.tile<2xf32>
  %share = arith.divf %one, %sum : !tile.tile<2xf32>
  %share_column = tile.reshape %share
      : !tile.tile<2xf32> to !tile.tile<2x1xf32>
  %shares = tile.broadcast %share_column
      : !tile.tile<2x1xf32> to !tile.tile<2x1000xf32>
  %r = arith.mulf %e, %shares : !tile.tile<2x1000xf32>
  %stored = tile.cast %r : !tile.tile<2x1000xf32> to !tile.tile<2x1000xf16>
  tile.store %stored, %y[%row, %c0]
      : !tile.tile<2x1000xf16>, memref<?x1000xf16>
  tile.return
}
