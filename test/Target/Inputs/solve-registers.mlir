// Linear systems with one positive definite matrix: 64 rows with eight
// right-hand sides, and 16 rows with one.
tile.kernel @solve_many(%a: memref<64x64xf32>, %b: memref<64x8xf32>, %x: memref<64x8xf32>) {
  %c0 = arith.constant 0 : index
  %matrix = tile.load %a[%c0, %c0] : memref<64x64xf32> -> !tile.tile<64x64xf32>
  %l = tile.cholesky %matrix : !tile.tile<64x64xf32>
  %sides = tile.load %b[%c0, %c0] : memref<64x8xf32> -> !tile.tile<64x8xf32>
  %y = tile.triangular_solve %l, %sides : !tile.tile<64x64xf32>, !tile.tile<64x8xf32>
  %z = tile.triangular_solve %l, %y transposed : !tile.tile<64x64xf32>, !tile.tile<64x8xf32>
  tile.store %z, %x[%c0, %c0] : !tile.tile<64x8xf32>, memref<64x8xf32>
  tile.return
}

tile.kernel @solve_small(%a: memref<16x16xf32>, %b: memref<16x1xf32>, %x: memref<16x1xf32>) {
  %c0 = arith.constant 0 : index
  %matrix = tile.load %a[%c0, %c0] : memref<16x16xf32> -> !tile.tile<16x16xf32>
  %l = tile.cholesky %matrix : !tile.tile<16x16xf32>
  %sides = tile.load %b[%c0, %c0] : memref<16x1xf32> -> !tile.tile<16x1xf32>
  %y = tile.triangular_solve %l, %sides : !tile.tile<16x16xf32>, !tile.tile<16x1xf32>
  %z = tile.triangular_solve %l, %y transposed : !tile.tile<16x16xf32>, !tile.tile<16x1xf32>
  tile.store %z, %x[%c0, %c0] : !tile.tile<16x1xf32>, memref<16x1xf32>
  tile.return
}
