// Finds the largest element of each row of 300 f32 and its index; of several largest
// elements, the first. A block takes four rows. Threads combine pairs of an element and
// its index by shuffles, and through shared memory if two warps have a row.

#grid = #tile.grid<affine_map<(rows) -> (rows ceildiv 4)> of [[0, 0]]>

tile.kernel @arg_max(%x: memref<?x300xf32>, %greatest: memref<?xf32>,
                     %places: memref<?xi32>)
    attributes {block = 128 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 4 : index
  %block = tile.program_id x
  %row = arith.muli %block, %rows : index
  %v = tile.load %x[%row, %c0] : memref<?x300xf32> -> !tile.tile<4x300xf32>
  %max, %place = tile.arg_reduce max %v axis 1
      : !tile.tile<4x300xf32> to !tile.tile<4xf32>, !tile.tile<4xi32>
  tile.store %max, %greatest[%row] : !tile.tile<4xf32>, memref<?xf32>
  tile.store %place, %places[%row] : !tile.tile<4xi32>, memref<?xi32>
  tile.return
}
