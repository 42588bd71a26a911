// Computes one step of heat conduction on a grid of any size: each point moves towards
// the mean of its four neighbours, u + rate (north + south + west + east - 4 u), where
// points outside are 0. A block computes 16x64 points. It loads them five times, at
// offsets of -1, 0 and 1; four of the loads find their elements in the cache.

#grid = #tile.grid<affine_map<(m, n) -> (n ceildiv 64, m ceildiv 16)>
                   of [[0, 0], [0, 1]]>

tile.kernel @stencil(%u: memref<?x?xf32>, %rate: f32, %next: memref<?x?xf32>)
    attributes {block = 128 : i64, grid = #grid} {
  %c1 = arith.constant 1 : index
  %height = arith.constant 16 : index
  %width = arith.constant 64 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %n = arith.muli %x, %width : index
  %m = arith.muli %y, %height : index
  %above = arith.subi %m, %c1 : index
  %below = arith.addi %m, %c1 : index
  %left = arith.subi %n, %c1 : index
  %right = arith.addi %n, %c1 : index
  %t = tile.load %u[%m, %n] : memref<?x?xf32> -> !tile.tile<16x64xf32>
  %north = tile.load %u[%above, %n] : memref<?x?xf32> -> !tile.tile<16x64xf32>
  %south = tile.load %u[%below, %n] : memref<?x?xf32> -> !tile.tile<16x64xf32>
  %west = tile.load %u[%m, %left] : memref<?x?xf32> -> !tile.tile<16x64xf32>
  %east = tile.load %u[%m, %right] : memref<?x?xf32> -> !tile.tile<16x64xf32>

  %vertical = arith.addf %north, %south : !tile.tile<16x64xf32>
  %horizontal = arith.addf %west, %east : !tile.tile<16x64xf32>
  %sum = arith.addf %vertical, %horizontal : !tile.tile<16x64xf32>
  %four = arith.constant dense<4.0> : !tile.tile<16x64xf32>
  %own = arith.mulf %t, %four : !tile.tile<16x64xf32>
  %difference = arith.subf %sum, %own : !tile.tile<16x64xf32>
  %rates = tile.fill %rate : !tile.tile<16x64xf32>
  %change = arith.mulf %difference, %rates : !tile.tile<16x64xf32>
  %r = arith.addf %t, %change : !tile.tile<16x64xf32>
  tile.store %r, %next[%m, %n] : !tile.tile<16x64xf32>, memref<?x?xf32>
  tile.return
}
