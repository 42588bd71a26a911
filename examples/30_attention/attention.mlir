// Computes attention, O = softmax(Q K^T / 8) V, with heads of 64 columns and sequences
// of any length. A block has 128 queries of one head and loops over the keys, 64 at a
// time. For each row it keeps the largest exponent so far and, relative to this
// exponent, the sum of the powers and the matmul of the powers with V. It rescales the
// sum and the matmul when the exponent grows (Milakov and Gimelshein, "Online
// normalizer calculation for softmax", 2018; Dao et al., "FlashAttention", 2022).
//
// The powers are accumulators of the first matmul and operands of the second. They stay
// in registers, because each warp has whole rows in both matmuls.

#grid = #tile.grid<affine_map<(heads, queries) -> (queries ceildiv 128, heads)>
                   of [[0, 0], [0, 1]]>
!array = memref<?x?x64xf16>
!rows = !tile.tile<128x64xf16>
!keys = !tile.tile<64x64xf16>
!scores = !tile.tile<128x64xf32>
!places = !tile.tile<128x64xi32>
!row = !tile.tile<128x1xf32>

// Only the first `left` scores of a row belong to keys; the others become -infinity.
func.func private @mask(%scores: !scores, %left: index) -> !scores {
  %column = tile.iota axis 1 : !places
  %count = arith.index_cast %left : index to i32
  %counts = tile.fill %count : !places
  %isKey = arith.cmpi slt, %column, %counts : !places
  %nothing = arith.constant dense<0xFF800000> : !scores
  %kept = tile.select %isKey, %scores, %nothing
      : !tile.tile<128x64xi1>, !scores
  return %kept : !scores
}

tile.kernel @attention(%Q: !array, %K: !array, %V: !array, %O: !array)
    attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 128 : index
  %step = arith.constant 64 : index
  %block = tile.program_id x
  %head = tile.program_id y
  %m = arith.muli %block, %rows : index
  %length = memref.dim %K, %c1 : !array
  %q = tile.load %Q[%head, %m, %c0] : !array -> !rows
  %least = arith.constant dense<-1.0e30> : !row
  %none = arith.constant dense<0.0> : !row
  %zero = arith.constant dense<0.0> : !scores
  // Powers have the base two: exp(x / 8) is 2^(x log2 e / 8).
  %scale = arith.constant dense<0.18033688> : !row
  %scales = arith.constant dense<0.18033688> : !scores

  %all:3 = scf.for %k = %c0 to %length step %step
      iter_args(%top = %least, %sum = %none, %out = %zero)
      -> (!row, !row, !scores) {
    %keys = tile.load %K[%head, %k, %c0] : !array -> !keys
    %kt = tile.transpose %keys [1, 0] : !keys to !keys
    %products = tile.matmul %q, %kt, %zero : !rows, !keys -> !scores

    // The last step may have fewer keys.
    %left = arith.subi %length, %k : index
    %isPart = arith.cmpi slt, %left, %step : index
    %scores = scf.if %isPart -> (!scores) {
      %kept = func.call @mask(%products, %left) : (!scores, index) -> !scores
      scf.yield %kept : !scores
    } else {
      scf.yield %products : !scores
    }

    %most = tile.reduce max %scores axis 1 keep : !scores to !row
    %scaled = arith.mulf %most, %scale : !row
    %newTop = arith.maximumf %top, %scaled : !row
    %negative = arith.negf %newTop : !row
    %below = tile.broadcast %negative : !row to !scores
    %exponents = math.fma %scores, %scales, %below : !scores
    %powers = math.exp2 %exponents fastmath<afn> : !scores
    %added = tile.reduce add %powers axis 1 keep : !scores to !row

    %fall = arith.subf %top, %newTop : !row
    %shrink = math.exp2 %fall fastmath<afn> : !row
    %old = arith.mulf %sum, %shrink : !row
    %newSum = arith.addf %old, %added : !row
    %shrinks = tile.broadcast %shrink : !row to !scores
    %shrunk = arith.mulf %out, %shrinks : !scores

    %p = tile.cast %powers : !scores to !rows
    %v = tile.load %V[%head, %k, %c0] : !array -> !keys
    %newOut = tile.matmul %p, %v, %shrunk : !rows, !keys -> !scores
    scf.yield %newTop, %newSum, %newOut : !row, !row, !scores
  }

  %one = arith.constant dense<1.0> : !row
  %inverse = arith.divf %one, %all#1 : !row
  %inverses = tile.broadcast %inverse : !row to !scores
  %result = arith.mulf %all#2, %inverses : !scores
  %narrow = tile.cast %result : !scores to !rows
  tile.store %narrow, %O[%head, %m, %c0] : !rows, !array
  tile.return
}
