// A faster version of crba.mlir. Each warp computes one robot, and adds up J_b' M_b J_b
// over the bodies b, so that only H stays in registers. J and M are copied once to
// shared memory, where the matmuls read the six rows of each body in place; no thread
// waits for another warp. M has the matrices of the bodies one below the other.

#grid = #tile.grid<affine_map<(robots) -> (robots)> of [[0, 0]]>

tile.kernel @crba_loop(%J: memref<?x78x18xf32>, %M: memref<?x78x6xf32>,
                       %R: memref<?x18xf32>, %H: memref<?x18x18xf32>,
                       %L: memref<?x18x18xf32>)
    attributes {block = 32 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %rows = arith.constant 78 : index
  %robot = tile.program_id x
  %j = tile.load %J[%robot, %c0, %c0]
      : memref<?x78x18xf32> -> !tile.tile<78x18xf32>
  %m = tile.load %M[%robot, %c0, %c0]
      : memref<?x78x6xf32> -> !tile.tile<78x6xf32>
  %none = arith.constant dense<0.0> : !tile.tile<6x18xf32>
  %start = arith.constant dense<0.0> : !tile.tile<18x18xf32>
  %inertia = scf.for %row = %c0 to %rows step %c6 iter_args(%sum = %start)
      -> (!tile.tile<18x18xf32>) {
    %jb = tile.view %j[%row, %c0]
        : !tile.tile<78x18xf32> to !tile.tile<6x18xf32>
    %mb = tile.view %m[%row, %c0]
        : !tile.tile<78x6xf32> to !tile.tile<6x6xf32>
    %p = tile.matmul %mb, %jb, %none
        : !tile.tile<6x6xf32>, !tile.tile<6x18xf32> -> !tile.tile<6x18xf32>
    %jt = tile.transpose %jb [1, 0]
        : !tile.tile<6x18xf32> to !tile.tile<18x6xf32>
    %next = tile.matmul %jt, %p, %sum
        : !tile.tile<18x6xf32>, !tile.tile<6x18xf32> -> !tile.tile<18x18xf32>
    scf.yield %next : !tile.tile<18x18xf32>
  }
  %r = tile.load %R[%robot, %c0] : memref<?x18xf32> -> !tile.tile<18xf32>
  %h = tile.add_diagonal %inertia, %r
      : !tile.tile<18x18xf32>, !tile.tile<18xf32>
  tile.store %h, %H[%robot, %c0, %c0]
      : !tile.tile<18x18xf32>, memref<?x18x18xf32>

  %l = tile.cholesky %h : !tile.tile<18x18xf32>
  tile.store %l, %L[%robot, %c0, %c0]
      : !tile.tile<18x18xf32>, memref<?x18x18xf32>
  tile.return
}
