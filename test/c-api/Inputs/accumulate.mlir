// Adds to an initial sum that the caller provides.

tile.kernel @accumulate(%x: memref<4xf32>, %sum: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<4xf32> -> !tile.tile<4xf32>
  %b = tile.load %sum[%c0] : memref<4xf32> -> !tile.tile<4xf32>
  %c = arith.addf %a, %b : !tile.tile<4xf32>
  tile.store %c, %sum[%c0] : !tile.tile<4xf32>, memref<4xf32>
  tile.return
}
