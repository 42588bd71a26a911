// Computes the loss of a classifier, log(sum of exp(x)) - x[label], for each row of 500
// f32. The row's largest element is subtracted before exp. A block takes eight rows,
// which it keeps in registers, and loads the element at the label of each row once
// more. A label outside of the row reads zero.

#grid = #tile.grid<affine_map<(rows) -> (rows ceildiv 8)> of [[0, 0]]>

tile.kernel @cross_entropy(%x: memref<?x500xf32>, %labels: memref<?xi32>,
                           %loss: memref<?xf32>)
    attributes {block = 128 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 8 : index
  %block = tile.program_id x
  %row = arith.muli %block, %rows : index
  %v = tile.load %x[%row, %c0] : memref<?x500xf32> -> !tile.tile<8x500xf32>

  %max = tile.reduce max %v axis 1 keep
      : !tile.tile<8x500xf32> to !tile.tile<8x1xf32>
  %top = tile.broadcast %max : !tile.tile<8x1xf32> to !tile.tile<8x500xf32>
  %below = arith.subf %v, %top : !tile.tile<8x500xf32>
  %log2e = arith.constant dense<1.442695041> : !tile.tile<8x500xf32>
  %exponent = arith.mulf %below, %log2e : !tile.tile<8x500xf32>
  %e = math.exp2 %exponent : !tile.tile<8x500xf32>
  %sum = tile.reduce add %e axis 1 keep
      : !tile.tile<8x500xf32> to !tile.tile<8x1xf32>
  %log = math.log %sum : !tile.tile<8x1xf32>

  %label = tile.load %labels[%row] : memref<?xi32> -> !tile.tile<8xi32>
  %column = tile.reshape %label : !tile.tile<8xi32> to !tile.tile<8x1xi32>
  %picked = tile.gather %x[%row, %c0] at %column axis 1
      : memref<?x500xf32>, !tile.tile<8x1xi32> -> !tile.tile<8x1xf32>
  %distance = arith.subf %max, %picked : !tile.tile<8x1xf32>
  %r = arith.addf %log, %distance : !tile.tile<8x1xf32>
  %stored = tile.reshape %r : !tile.tile<8x1xf32> to !tile.tile<8xf32>
  tile.store %stored, %loss[%row] : !tile.tile<8xf32>, memref<?xf32>
  tile.return
}
