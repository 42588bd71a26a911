// Estimates pi: a random point in the unit square is less than 1 away from its corner
// with probability pi / 4, and the kernel counts such points. A block makes 4096 points
// and adds its count to the total of all blocks. The coordinates of a point depend only
// on the seeds and the point's index, not on the distribution of points over blocks and
// threads, so the count is always the same.

#grid = #tile.grid<affine_map<(points) -> (points ceildiv 4096)> of [[0]]>

tile.kernel @random_pi(%points: i64, %seed_x: i64, %seed_y: i64,
                       %count: memref<1xi32>)
    attributes {block = 256 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %size = arith.constant 4096 : index
  %one = arith.constant 1 : i64
  %block = tile.program_id x
  %start = arith.muli %block, %size : index
  %first = arith.index_cast %start : index to i64
  %x = tile.random uniform %seed_x, %first : !tile.tile<4096xf32>
  %y = tile.random uniform %seed_y, %first : !tile.tile<4096xf32>
  %xx = arith.mulf %x, %x : !tile.tile<4096xf32>
  %yy = arith.mulf %y, %y : !tile.tile<4096xf32>
  %square = arith.addf %xx, %yy : !tile.tile<4096xf32>
  %radius = arith.constant dense<1.0> : !tile.tile<4096xf32>
  %inside = arith.cmpf olt, %square, %radius : !tile.tile<4096xf32>

  // The last block may make more points than requested; these are not counted.
  %number = tile.iota axis 0 from %first step %one : !tile.tile<4096xi64>
  %end = tile.fill %points : !tile.tile<4096xi64>
  %valid = arith.cmpi slt, %number, %end : !tile.tile<4096xi64>
  %counted = arith.andi %inside, %valid : !tile.tile<4096xi1>
  %ones = tile.cast %counted : !tile.tile<4096xi1> to !tile.tile<4096xi32>
  %sum = tile.reduce add %ones : !tile.tile<4096xi32> to !tile.tile<i32>
  %before = tile.atomic_rmw add %sum, %count[%c0]
      : !tile.tile<i32>, memref<1xi32>
  tile.return
}
