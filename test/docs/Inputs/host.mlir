// A kernel and the host function that launches it, which MLIR compiles: docs/Embedding.md.
tile.kernel @add_one(%x: memref<?xf32>)
    attributes {grid = #tile.grid<affine_map<(n) -> (n ceildiv 256)> of [[0, 0]]>} {
  %size = arith.constant 256 : index
  %block = tile.program_id x
  %start = arith.muli %block, %size : index
  %one = arith.constant dense<1.0> : !tile.tile<256xf32>
  %tile = tile.load %x[%start] : memref<?xf32> -> !tile.tile<256xf32>
  %sum = arith.addf %tile, %one : !tile.tile<256xf32>
  tile.store %sum, %x[%start] : !tile.tile<256xf32>, memref<?xf32>
  tile.return
}

func.func @main(%x: memref<?xf32>) {
  tile.launch @add_one(%x) : memref<?xf32>
  return
}
