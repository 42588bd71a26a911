// Picks the next token by top-k sampling. A sort that also moves indices finds the 20
// largest of each row of 1000 logits. Their softmax divides the range from zero to one
// into shares, and the logit whose share contains a given random value is picked. A
// block takes four rows.

#grid = #tile.grid<affine_map<(rows) -> (rows ceildiv 4)> of [[0, 0]]>

tile.kernel @top_k_sampling(%logits: memref<?x1000xf32>, %numbers: memref<?xf32>,
                            %tokens: memref<?xi32>)
    attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %c19 = arith.constant 19 : index
  %rows = arith.constant 4 : index
  %block = tile.program_id x
  %row = arith.muli %block, %rows : index
  %all = tile.load %logits[%row, %c0] : memref<?x1000xf32> -> !tile.tile<4x1000xf32>
  %v, %place = tile.top_k %all axis 1
      : !tile.tile<4x1000xf32> to !tile.tile<4x20xf32>, !tile.tile<4x20xi32>

  // The first value is the greatest.
  %first = tile.view %v[%c0, %c0] : !tile.tile<4x20xf32> to !tile.tile<4x1xf32>
  %greatest = tile.broadcast %first : !tile.tile<4x1xf32> to !tile.tile<4x20xf32>
  %below = arith.subf %v, %greatest : !tile.tile<4x20xf32>
  %share = math.exp %below : !tile.tile<4x20xf32>
  %sums = tile.scan add %share axis 1 : !tile.tile<4x20xf32>
  %sum = tile.view %sums[%c0, %c19] : !tile.tile<4x20xf32> to !tile.tile<4x1xf32>

  // The index of the picked logit is the count of prefix sums up to the random value.
  %number = tile.load %numbers[%row] : memref<?xf32> -> !tile.tile<4xf32>
  %column = tile.reshape %number : !tile.tile<4xf32> to !tile.tile<4x1xf32>
  %part = arith.mulf %column, %sum : !tile.tile<4x1xf32>
  %limit = tile.broadcast %part : !tile.tile<4x1xf32> to !tile.tile<4x20xf32>
  %isBefore = arith.cmpf ole, %sums, %limit : !tile.tile<4x20xf32>
  %ones = tile.cast %isBefore : !tile.tile<4x20xi1> to !tile.tile<4x20xi32>
  %before = tile.reduce add %ones axis 1 keep
      : !tile.tile<4x20xi32> to !tile.tile<4x1xi32>
  %last = arith.constant dense<19> : !tile.tile<4x1xi32>
  %chosen = arith.minsi %before, %last : !tile.tile<4x1xi32>
  %token = tile.take %place at %chosen axis 1
      : !tile.tile<4x20xi32>, !tile.tile<4x1xi32> to !tile.tile<4x1xi32>
  %result = tile.reshape %token : !tile.tile<4x1xi32> to !tile.tile<4xi32>
  tile.store %result, %tokens[%row] : !tile.tile<4xi32>, memref<?xi32>
  tile.return
}
