// Subtracts from each row its mean, and stores the rows as columns. A block of 128
// threads takes 32 rows of 128. Means and transposition go through shared memory.

#grid = #tile.grid<affine_map<() -> (4)> of []>

tile.kernel @center_rows(%a: memref<128x128xf32>, %out: memref<128x128xf32>)
    attributes {block = 128 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 32 : index
  %block = tile.program_id x
  %row = arith.muli %block, %rows : index
  %t = tile.load %a[%row, %c0] : memref<128x128xf32> -> !tile.tile<32x128xf32>
  %sums = tile.reduce add %t axis 1 : !tile.tile<32x128xf32> to !tile.tile<32xf32>
  %share = arith.constant dense<0.0078125> : !tile.tile<32xf32>
  %means = arith.mulf %sums, %share : !tile.tile<32xf32>
  %column = tile.reshape %means : !tile.tile<32xf32> to !tile.tile<32x1xf32>
  %wide = tile.broadcast %column : !tile.tile<32x1xf32> to !tile.tile<32x128xf32>
  %centered = arith.subf %t, %wide : !tile.tile<32x128xf32>
  %turned = tile.transpose %centered [1, 0] : !tile.tile<32x128xf32> to !tile.tile<128x32xf32>
  tile.store %turned, %out[%c0, %row] : !tile.tile<128x32xf32>, memref<128x128xf32>
  tile.return
}
