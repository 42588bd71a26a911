// y = sin(exp(x))
tile.kernel @wave(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {grid = #tile.grid<affine_map<() -> (1)> of []>} {
  %zero = arith.constant 0 : index
  %tile = tile.load %x[%zero] : memref<64xf32> -> !tile.tile<64xf32>
  %powers = math.exp %tile : !tile.tile<64xf32>
  %wave = math.sin %powers : !tile.tile<64xf32>
  tile.store %wave, %y[%zero] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
