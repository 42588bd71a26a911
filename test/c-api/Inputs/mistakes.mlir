// A value that is defined twice; a note is at the first definition.
tile.kernel @k(%out: memref<64xi32>) {
  %zero = arith.constant 0 : index
  %tile = arith.constant dense<7> : !tile.tile<64xi32>
  %zero = arith.constant 1 : index
  tile.return
}
