// Transposes a matrix of any size. A block reads 64x64 elements along the rows of one
// matrix and writes them along the rows of the other; in between, threads exchange
// elements through shared memory.

#grid = #tile.grid<affine_map<(m, n) -> (m ceildiv 64, n ceildiv 64)>
                   of [[0, 0], [0, 1]]>

tile.kernel @transpose(%a: memref<?x?xf32, strided<[?, 1]>>,
                       %b: memref<?x?xf32, strided<[?, 1]>>)
    attributes {block = 256 : i64, grid = #grid} {
  %size = arith.constant 64 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %m = arith.muli %x, %size : index
  %n = arith.muli %y, %size : index
  %t = tile.load %a[%m, %n]
      : memref<?x?xf32, strided<[?, 1]>> -> !tile.tile<64x64xf32>
  %u = tile.transpose %t [1, 0]
      : !tile.tile<64x64xf32> to !tile.tile<64x64xf32>
  tile.store %u, %b[%n, %m]
      : !tile.tile<64x64xf32>, memref<?x?xf32, strided<[?, 1]>>
  tile.return
}
