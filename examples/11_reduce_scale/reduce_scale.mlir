// Divides each row by its largest absolute value. A block takes four rows of 128
// elements, one per warp. A thread has four contiguous elements, accesses 16 bytes at a
// time, and combines maxima with other threads by shuffles. No shared memory is used.

#grid = #tile.grid<affine_map<(rows) -> (rows ceildiv 4)> of [[0, 0]]>

tile.kernel @reduce_scale(%x: memref<?x128xf32>, %y: memref<?x128xf32>)
    attributes {block = 128 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 4 : index
  %block = tile.program_id x
  %row = arith.muli %block, %rows : index
  %v = tile.load %x[%row, %c0] : memref<?x128xf32> -> !tile.tile<4x128xf32>
  %size = math.absf %v : !tile.tile<4x128xf32>
  %largest = tile.reduce max %size axis 1
      : !tile.tile<4x128xf32> to !tile.tile<4xf32>
  %column = tile.reshape %largest : !tile.tile<4xf32> to !tile.tile<4x1xf32>
  %scale = tile.broadcast %column
      : !tile.tile<4x1xf32> to !tile.tile<4x128xf32>
  %r = arith.divf %v, %scale : !tile.tile<4x128xf32>
  tile.store %r, %y[%row, %c0] : !tile.tile<4x128xf32>, memref<?x128xf32>
  tile.return
}
