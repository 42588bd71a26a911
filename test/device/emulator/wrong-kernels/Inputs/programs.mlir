// Tile programs that are wrong with any schedule.

// All blocks write the same elements.
tile.kernel @blocks_in_one_place(%out: memref<64xi32>) attributes {block = 64 : i64} {
  %zero = arith.constant 0 : index
  %block = tile.program_id x
  %number = arith.index_cast %block : index to i32
  %value = tile.fill %number : !tile.tile<64xi32>
  tile.store %value, %out[%zero] : !tile.tile<64xi32>, memref<64xi32>
  tile.return
}

// Violates `in_bounds`.
tile.kernel @box_outside(%out: memref<64xi32>) attributes {block = 64 : i64} {
  %start = arith.constant 1 : index
  %block = tile.program_id x
  %first = arith.addi %block, %start : index
  %value = arith.constant dense<7> : !tile.tile<64xi32>
  tile.store %value, %out[%first] in_bounds : !tile.tile<64xi32>, memref<64xi32>
  tile.return
}
