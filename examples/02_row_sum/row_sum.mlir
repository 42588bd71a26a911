// Computes the sum of each row of a matrix, by one block of 64 threads.

#grid = #tile.grid<affine_map<() -> (1)> of []>

tile.kernel @row_sum(%a: memref<10x256xf32>, %sums: memref<10xf32>)
    attributes {block = 64 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<10x256xf32> -> !tile.tile<10x256xf32>
  %s = tile.reduce add %t axis 1 : !tile.tile<10x256xf32> to !tile.tile<10xf32>
  tile.store %s, %sums[%c0] : !tile.tile<10xf32>, memref<10xf32>
  tile.return
}
