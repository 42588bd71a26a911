// The assertion fails in the block with the index `%last`.
tile.kernel @check(%out: memref<?xi32>, %last: i32) {
  %block = tile.program_id x
  %number = arith.index_cast %block : index to i32
  %isBefore = arith.cmpi slt, %number, %last : i32
  tile.assert %isBefore, "the last block" : i1
  %tile = tile.fill %number : !tile.tile<1xi32>
  tile.store %tile, %out[%block] : !tile.tile<1xi32>, memref<?xi32>
  tile.return
}
