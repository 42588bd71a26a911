// Normalizes rows of 1000 f32 elements: (x - mean) / sqrt(variance + 1e-5), times a
// scale and plus a shift per column. A block takes one row, which it keeps in
// registers, so the variance can be computed from the differences x - mean.

#grid = #tile.grid<affine_map<(rows) -> (rows)> of [[0, 0]]>

tile.kernel @layer_norm(%x: memref<?x1000xf32>, %scale: memref<1000xf32>,
                        %shift: memref<1000xf32>, %y: memref<?x1000xf32>)
    attributes {block = 128 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %row = tile.program_id x
  %v = tile.load %x[%row, %c0] : memref<?x1000xf32> -> !tile.tile<1000xf32>
  %part = arith.constant dense<0.001> : !tile.tile<f32>
  %epsilon = arith.constant dense<1.0e-05> : !tile.tile<f32>

  %sum = tile.reduce add %v : !tile.tile<1000xf32> to !tile.tile<f32>
  %mean = arith.mulf %sum, %part : !tile.tile<f32>
  %means = tile.broadcast %mean : !tile.tile<f32> to !tile.tile<1000xf32>
  %d = arith.subf %v, %means : !tile.tile<1000xf32>

  %square = arith.mulf %d, %d : !tile.tile<1000xf32>
  %squares = tile.reduce add %square : !tile.tile<1000xf32> to !tile.tile<f32>
  %variance = arith.mulf %squares, %part : !tile.tile<f32>
  %more = arith.addf %variance, %epsilon : !tile.tile<f32>
  %factor = math.rsqrt %more : !tile.tile<f32>
  %factors = tile.broadcast %factor : !tile.tile<f32> to !tile.tile<1000xf32>
  %normal = arith.mulf %d, %factors : !tile.tile<1000xf32>

  %a = tile.load %scale[%c0] : memref<1000xf32> -> !tile.tile<1000xf32>
  %b = tile.load %shift[%c0] : memref<1000xf32> -> !tile.tile<1000xf32>
  %scaled = arith.mulf %normal, %a : !tile.tile<1000xf32>
  %r = arith.addf %scaled, %b : !tile.tile<1000xf32>
  tile.store %r, %y[%row, %c0] : !tile.tile<1000xf32>, memref<?x1000xf32>
  tile.return
}
