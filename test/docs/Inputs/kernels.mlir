// The kernels of "Programs of several kernels" in docs/Embedding.md, without
// the function that launches them.
#rows = #tile.grid<affine_map<(n) -> (n ceildiv 16)> of [[0, 0]]>

tile.kernel @scale(%x: memref<?x64xf32>, %out: memref<?x64xf32>)
    attributes {grid = #rows} {
  %c0 = arith.constant 0 : index
  %height = arith.constant 16 : index
  %block = tile.program_id x
  %row = arith.muli %block, %height : index
  %two = arith.constant dense<2.0> : !tile.tile<16x64xf32>
  %tile = tile.load %x[%row, %c0] : memref<?x64xf32> -> !tile.tile<16x64xf32>
  %scaled = arith.mulf %tile, %two : !tile.tile<16x64xf32>
  tile.store %scaled, %out[%row, %c0] : !tile.tile<16x64xf32>, memref<?x64xf32>
  tile.return
}

tile.kernel @product(%x: memref<?x64xf32>, %weights: memref<64x32xf32>,
                     %out: memref<?x32xf32>) attributes {grid = #rows} {
  %c0 = arith.constant 0 : index
  %height = arith.constant 16 : index
  %block = tile.program_id x
  %row = arith.muli %block, %height : index
  %zero = arith.constant dense<0.0> : !tile.tile<16x32xf32>
  %a = tile.load %x[%row, %c0] : memref<?x64xf32> -> !tile.tile<16x64xf32>
  %b = tile.load %weights[%c0, %c0] : memref<64x32xf32> -> !tile.tile<64x32xf32>
  %c = tile.matmul %a, %b, %zero
      : !tile.tile<16x64xf32>, !tile.tile<64x32xf32> -> !tile.tile<16x32xf32>
  tile.store %c, %out[%row, %c0] : !tile.tile<16x32xf32>, memref<?x32xf32>
  tile.return
}

