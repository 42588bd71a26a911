// Normalizes rows of 1000 f32 elements: x / sqrt(mean(x^2) + 1e-5), times a weight per
// column. A block takes one row, which it keeps in registers, so that the array is read
// once and written once.

#grid = #tile.grid<affine_map<(rows) -> (rows)> of [[0, 0]]>

tile.kernel @rms_norm(%x: memref<?x1000xf32>, %weight: memref<1000xf32>,
                      %y: memref<?x1000xf32>)
    attributes {block = 128 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %row = tile.program_id x
  %v = tile.load %x[%row, %c0] : memref<?x1000xf32> -> !tile.tile<1000xf32>
  %part = arith.constant dense<0.001> : !tile.tile<f32>
  %epsilon = arith.constant dense<1.0e-05> : !tile.tile<f32>

  %square = arith.mulf %v, %v : !tile.tile<1000xf32>
  %sum = tile.reduce add %square : !tile.tile<1000xf32> to !tile.tile<f32>
  %mean = arith.mulf %sum, %part : !tile.tile<f32>
  %more = arith.addf %mean, %epsilon : !tile.tile<f32>
  %factor = math.rsqrt %more : !tile.tile<f32>
  %factors = tile.broadcast %factor : !tile.tile<f32> to !tile.tile<1000xf32>
  %normal = arith.mulf %v, %factors : !tile.tile<1000xf32>

  %w = tile.load %weight[%c0] : memref<1000xf32> -> !tile.tile<1000xf32>
  %r = arith.mulf %normal, %w : !tile.tile<1000xf32>
  tile.store %r, %y[%row, %c0] : !tile.tile<1000xf32>, memref<?x1000xf32>
  tile.return
}
