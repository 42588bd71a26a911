// Adds two arrays, c = a + b. Each block adds 1024 elements; loads after the end of the
// arrays return zero, and stores there are dropped.

#grid = #tile.grid<affine_map<(n) -> (n ceildiv 1024)> of [[0, 0]]>

tile.kernel @vector_add(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>)
    attributes {grid = #grid} {
  %size = arith.constant 1024 : index
  %block = tile.program_id x
  %start = arith.muli %block, %size : index
  %ta = tile.load %a[%start] : memref<?xf32> -> !tile.tile<1024xf32>
  %tb = tile.load %b[%start] : memref<?xf32> -> !tile.tile<1024xf32>
  %tc = arith.addf %ta, %tb : !tile.tile<1024xf32>
  tile.store %tc, %c[%start] : !tile.tile<1024xf32>, memref<?xf32>
  tile.return
}
