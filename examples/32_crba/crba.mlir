// The composite rigid body algorithm, which forward dynamics of robots needs. For each
// robot it computes the inertia of the joints H = J' M J + diag(R) and its Cholesky
// factor, L L' = H. J has six rows for each of 13 bodies and a column for each of 18
// degrees of freedom, and M a 6x6 matrix for each body. A block computes one robot: J
// is read once, and the results of matmuls and the factor stay on the chip.

#grid = #tile.grid<affine_map<(robots) -> (robots)> of [[0, 0]]>

tile.kernel @crba(%J: memref<?x78x18xf32>, %M: memref<?x13x6x6xf32>,
                  %R: memref<?x18xf32>, %H: memref<?x18x18xf32>,
                  %L: memref<?x18x18xf32>)
    attributes {block = 64 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %robot = tile.program_id x
  %j = tile.load %J[%robot, %c0, %c0]
      : memref<?x78x18xf32> -> !tile.tile<78x18xf32>
  %m = tile.load %M[%robot, %c0, %c0, %c0]
      : memref<?x13x6x6xf32> -> !tile.tile<13x6x6xf32>
  %r = tile.load %R[%robot, %c0] : memref<?x18xf32> -> !tile.tile<18xf32>

  // P = M J, body by body.
  %bodies = tile.reshape %j : !tile.tile<78x18xf32> to !tile.tile<13x6x18xf32>
  %none = arith.constant dense<0.0> : !tile.tile<13x6x18xf32>
  %products = tile.matmul %m, %bodies, %none
      : !tile.tile<13x6x6xf32>, !tile.tile<13x6x18xf32>
      -> !tile.tile<13x6x18xf32>
  %p = tile.reshape %products
      : !tile.tile<13x6x18xf32> to !tile.tile<78x18xf32>

  // H = J' P, on top of R.
  %row = tile.iota axis 0 : !tile.tile<18x18xi32>
  %column = tile.iota axis 1 : !tile.tile<18x18xi32>
  %diagonal = arith.cmpi eq, %row, %column : !tile.tile<18x18xi32>
  %zero = arith.constant dense<0.0> : !tile.tile<18x18xf32>
  %rs = tile.broadcast %r : !tile.tile<18xf32> to !tile.tile<18x18xf32>
  %damping = tile.select %diagonal, %rs, %zero
      : !tile.tile<18x18xi1>, !tile.tile<18x18xf32>
  %jt = tile.transpose %j [1, 0]
      : !tile.tile<78x18xf32> to !tile.tile<18x78xf32>
  %h = tile.matmul %jt, %p, %damping
      : !tile.tile<18x78xf32>, !tile.tile<78x18xf32> -> !tile.tile<18x18xf32>
  tile.store %h, %H[%robot, %c0, %c0]
      : !tile.tile<18x18xf32>, memref<?x18x18xf32>

  %l = tile.cholesky %h : !tile.tile<18x18xf32>
  tile.store %l, %L[%robot, %c0, %c0]
      : !tile.tile<18x18xf32>, memref<?x18x18xf32>
  tile.return
}
