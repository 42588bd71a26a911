tile.kernel @square(%x: memref<?xf64>, %y: memref<?xf64>, %unused: memref<?xf64>)
    attributes {grid = #tile.grid<affine_map<(n) -> (n ceildiv 64)> of [[0, 0]]>} {
  %c64 = arith.constant 64 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c64 : index
  %v = tile.load %x[%i] : memref<?xf64> -> !tile.tile<64xf64>
  %w = arith.mulf %v, %v : !tile.tile<64xf64>
  tile.store %w, %y[%i] : !tile.tile<64xf64>, memref<?xf64>
  tile.return
}
tile.kernel @no_rule(%x: memref<64xf64>, %y: memref<64xf64>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf64> -> !tile.tile<64xf64>
  %few = tile.cast %v : !tile.tile<64xf64> to !tile.tile<64xf8E4M3FN>
  %wide = tile.cast %few : !tile.tile<64xf8E4M3FN> to !tile.tile<64xf64>
  tile.store %wide, %y[%c0] : !tile.tile<64xf64>, memref<64xf64>
  tile.return
}
