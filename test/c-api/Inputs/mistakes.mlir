// An argument that is not there: the parser says where its name is used first.
tile.kernel @k(%out: memref<64xi32>) {
  %zero = arith.constant 0 : index
  %tile = arith.constant dense<7> : !tile.tile<64xi32>
  %zero = arith.constant 1 : index
  tile.return
}
