// crba_loop.mlir for a humanoid: 24 bodies and 32 degrees of freedom.

#grid = #tile.grid<affine_map<(robots) -> (robots)> of [[0, 0]]>

tile.kernel @humanoid(%J: memref<?x144x32xf32>, %M: memref<?x144x6xf32>,
                      %R: memref<?x32xf32>, %H: memref<?x32x32xf32>,
                      %L: memref<?x32x32xf32>)
    attributes {block = 32 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %rows = arith.constant 144 : index
  %robot = tile.program_id x
  %j = tile.load %J[%robot, %c0, %c0]
      : memref<?x144x32xf32> -> !tile.tile<144x32xf32>
  %m = tile.load %M[%robot, %c0, %c0]
      : memref<?x144x6xf32> -> !tile.tile<144x6xf32>
  %none = arith.constant dense<0.0> : !tile.tile<6x32xf32>
  %start = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  %inertia = scf.for %row = %c0 to %rows step %c6 iter_args(%sum = %start)
      -> (!tile.tile<32x32xf32>) {
    %jb = tile.view %j[%row, %c0]
        : !tile.tile<144x32xf32> to !tile.tile<6x32xf32>
    %mb = tile.view %m[%row, %c0]
        : !tile.tile<144x6xf32> to !tile.tile<6x6xf32>
    %p = tile.matmul %mb, %jb, %none
        : !tile.tile<6x6xf32>, !tile.tile<6x32xf32> -> !tile.tile<6x32xf32>
    %jt = tile.transpose %jb [1, 0]
        : !tile.tile<6x32xf32> to !tile.tile<32x6xf32>
    %next = tile.matmul %jt, %p, %sum
        : !tile.tile<32x6xf32>, !tile.tile<6x32xf32> -> !tile.tile<32x32xf32>
    scf.yield %next : !tile.tile<32x32xf32>
  }
  %r = tile.load %R[%robot, %c0] : memref<?x32xf32> -> !tile.tile<32xf32>
  %h = tile.add_diagonal %inertia, %r
      : !tile.tile<32x32xf32>, !tile.tile<32xf32>
  tile.store %h, %H[%robot, %c0, %c0]
      : !tile.tile<32x32xf32>, memref<?x32x32xf32>

  %l = tile.cholesky %h : !tile.tile<32x32xf32>
  tile.store %l, %L[%robot, %c0, %c0]
      : !tile.tile<32x32xf32>, memref<?x32x32xf32>
  tile.return
}
