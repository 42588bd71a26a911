// y += alpha x
#grid = #tile.grid<affine_map<(n) -> (n ceildiv 128)> of [[1, 0]]>
tile.kernel @axpy(%alpha: f32, %x: memref<?xf32>, %y: memref<?xf32>)
    attributes {grid = #grid} {
  %c128 = arith.constant 128 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c128 : index
  %a = tile.load %x[%i] : memref<?xf32> -> !tile.tile<128xf32>
  %b = tile.load %y[%i] : memref<?xf32> -> !tile.tile<128xf32>
  %s = tile.fill %alpha : !tile.tile<128xf32>
  %m = arith.mulf %a, %s : !tile.tile<128xf32>
  %r = arith.addf %b, %m : !tile.tile<128xf32>
  tile.store %r, %y[%i] : !tile.tile<128xf32>, memref<?xf32>
  tile.return
}
