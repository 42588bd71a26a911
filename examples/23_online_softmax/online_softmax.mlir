// Computes the softmax of rows of 1000 f32 elements by one reduction instead of two. It
// reduces pairs: the largest exponent of some elements, and the sum of the powers, each
// divided by the power of that exponent. To combine two pairs, their sums are rescaled
// to the larger exponent. A block keeps two rows in registers.
//
// Powers have the base two: exp(x) is 2^(x log2 e). The identity's exponent is the
// lowest finite value. It is not -infinity, whose difference from itself is NaN; for
// the same reason the elements of the array must be finite.

#grid = #tile.grid<affine_map<(rows) -> (rows ceildiv 2)> of [[0, 0]]>

tile.kernel @online_softmax(%x: memref<?x1000xf32>, %y: memref<?x1000xf32>)
    attributes {block = 128 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 2 : index
  %block = tile.program_id x
  %row = arith.muli %block, %rows : index
  %v = tile.load %x[%row, %c0] : memref<?x1000xf32> -> !tile.tile<2x1000xf32>
  %log2e = arith.constant dense<1.442695041> : !tile.tile<2x1000xf32>
  %exponent = arith.mulf %v, %log2e : !tile.tile<2x1000xf32>
  %one = arith.constant dense<1.0> : !tile.tile<2x1000xf32>
  %max, %sum = tile.reduce %exponent, %one
      identity [-3.40282347e+38 : f32, 0.0 : f32] axis 1 keep commutative
      : !tile.tile<2x1000xf32>, !tile.tile<2x1000xf32>
      to !tile.tile<2x1xf32>, !tile.tile<2x1xf32> {
  ^bb0(%max0: f32, %sum0: f32, %max1: f32, %sum1: f32):
    %larger = arith.maximumf %max0, %max1 : f32
    %below0 = arith.subf %max0, %larger : f32
    %below1 = arith.subf %max1, %larger : f32
    %power0 = math.exp2 %below0 : f32
    %power1 = math.exp2 %below1 : f32
    %scaled0 = arith.mulf %sum0, %power0 : f32
    %scaled1 = arith.mulf %sum1, %power1 : f32
    %both = arith.addf %scaled0, %scaled1 : f32
    tile.yield %larger, %both : f32, f32
  }

  %top = tile.broadcast %max : !tile.tile<2x1xf32> to !tile.tile<2x1000xf32>
  %below = arith.subf %exponent, %top : !tile.tile<2x1000xf32>
  %e = math.exp2 %below : !tile.tile<2x1000xf32>
  %sums = tile.broadcast %sum : !tile.tile<2x1xf32> to !tile.tile<2x1000xf32>
  %r = arith.divf %e, %sums : !tile.tile<2x1000xf32>
  tile.store %r, %y[%row, %c0] : !tile.tile<2x1000xf32>, memref<?x1000xf32>
  tile.return
}
