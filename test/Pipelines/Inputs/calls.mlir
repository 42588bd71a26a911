// Calls, a view at a run-time index, and reductions of all elements and by rows.
func.func private @square(%t: !tile.tile<24x40xf32>) -> !tile.tile<24x40xf32> {
  %s = arith.mulf %t, %t : !tile.tile<24x40xf32>
  return %s : !tile.tile<24x40xf32>
}

tile.kernel @norms(%x: memref<?x?xf32>, %i: index, %rows: memref<?xf32>, %all: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<24x40xf32>
  %s = func.call @square(%t) : (!tile.tile<24x40xf32>) -> !tile.tile<24x40xf32>
  %r = tile.reduce add %s axis 1 : !tile.tile<24x40xf32> to !tile.tile<24xf32>
  tile.store %r, %rows[%c0] : !tile.tile<24xf32>, memref<?xf32>
  %v = tile.view %s[%i, %c0] : !tile.tile<24x40xf32> to !tile.tile<5x7xf32>
  %a = tile.reduce max %v : !tile.tile<5x7xf32> to !tile.tile<f32>
  tile.store %a, %all[%c0] : !tile.tile<f32>, memref<?xf32>
  tile.return
}
