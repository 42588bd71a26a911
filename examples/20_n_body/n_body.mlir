// Computes the gravitational acceleration of each body: the sum of mass d / (d^2 +
// 0.01)^(3/2) over the other bodies, where d is the vector to the other body. Because
// of the softening 0.01, a body adds zero to its own acceleration. A block takes 64
// bodies and loops over all bodies, 64 at a time. The sums of the 64x64 pairs stay in
// registers until the end. After the last body masses are 0, and stores are dropped.
//
// The rows of `bodies` are x, y, z and mass, those of `acceleration` x, y and z.

#grid = #tile.grid<affine_map<(n) -> (n ceildiv 64)> of [[0, 1]]>

tile.kernel @n_body(%bodies: memref<4x?xf32>, %acceleration: memref<3x?xf32>)
    attributes {block = 256 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %size = arith.constant 64 : index
  %n = memref.dim %bodies, %c1 : memref<4x?xf32>
  %block = tile.program_id x
  %i = arith.muli %block, %size : index
  %x0 = tile.load %bodies[%c0, %i] : memref<4x?xf32> -> !tile.tile<64xf32>
  %y0 = tile.load %bodies[%c1, %i] : memref<4x?xf32> -> !tile.tile<64xf32>
  %z0 = tile.load %bodies[%c2, %i] : memref<4x?xf32> -> !tile.tile<64xf32>
  %x_column = tile.reshape %x0 : !tile.tile<64xf32> to !tile.tile<64x1xf32>
  %y_column = tile.reshape %y0 : !tile.tile<64xf32> to !tile.tile<64x1xf32>
  %z_column = tile.reshape %z0 : !tile.tile<64xf32> to !tile.tile<64x1xf32>
  %own_x = tile.broadcast %x_column
      : !tile.tile<64x1xf32> to !tile.tile<64x64xf32>
  %own_y = tile.broadcast %y_column
      : !tile.tile<64x1xf32> to !tile.tile<64x64xf32>
  %own_z = tile.broadcast %z_column
      : !tile.tile<64x1xf32> to !tile.tile<64x64xf32>

  %softening = arith.constant dense<0.01> : !tile.tile<64x64xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %sums:3 = scf.for %j = %c0 to %n step %size
      iter_args(%sum_x = %zero, %sum_y = %zero, %sum_z = %zero)
      -> (!tile.tile<64x64xf32>, !tile.tile<64x64xf32>,
          !tile.tile<64x64xf32>) {
    %x1 = tile.load %bodies[%c0, %j] : memref<4x?xf32> -> !tile.tile<64xf32>
    %y1 = tile.load %bodies[%c1, %j] : memref<4x?xf32> -> !tile.tile<64xf32>
    %z1 = tile.load %bodies[%c2, %j] : memref<4x?xf32> -> !tile.tile<64xf32>
    %mass = tile.load %bodies[%c3, %j] : memref<4x?xf32> -> !tile.tile<64xf32>
    %other_x = tile.broadcast %x1 : !tile.tile<64xf32> to !tile.tile<64x64xf32>
    %other_y = tile.broadcast %y1 : !tile.tile<64xf32> to !tile.tile<64x64xf32>
    %other_z = tile.broadcast %z1 : !tile.tile<64xf32> to !tile.tile<64x64xf32>
    %masses = tile.broadcast %mass : !tile.tile<64xf32> to !tile.tile<64x64xf32>
    %dx = arith.subf %other_x, %own_x : !tile.tile<64x64xf32>
    %dy = arith.subf %other_y, %own_y : !tile.tile<64x64xf32>
    %dz = arith.subf %other_z, %own_z : !tile.tile<64x64xf32>

    %xx = arith.mulf %dx, %dx : !tile.tile<64x64xf32>
    %yy = arith.mulf %dy, %dy : !tile.tile<64x64xf32>
    %zz = arith.mulf %dz, %dz : !tile.tile<64x64xf32>
    %xxs = arith.addf %xx, %softening : !tile.tile<64x64xf32>
    %yyzz = arith.addf %yy, %zz : !tile.tile<64x64xf32>
    %square = arith.addf %xxs, %yyzz : !tile.tile<64x64xf32>
    %inverse = math.rsqrt %square : !tile.tile<64x64xf32>
    %inverse2 = arith.mulf %inverse, %inverse : !tile.tile<64x64xf32>
    %pull = arith.mulf %masses, %inverse : !tile.tile<64x64xf32>
    %factor = arith.mulf %pull, %inverse2 : !tile.tile<64x64xf32>

    %ax = arith.mulf %dx, %factor : !tile.tile<64x64xf32>
    %ay = arith.mulf %dy, %factor : !tile.tile<64x64xf32>
    %az = arith.mulf %dz, %factor : !tile.tile<64x64xf32>
    %next_x = arith.addf %sum_x, %ax : !tile.tile<64x64xf32>
    %next_y = arith.addf %sum_y, %ay : !tile.tile<64x64xf32>
    %next_z = arith.addf %sum_z, %az : !tile.tile<64x64xf32>
    scf.yield %next_x, %next_y, %next_z
        : !tile.tile<64x64xf32>, !tile.tile<64x64xf32>, !tile.tile<64x64xf32>
  }

  %rx = tile.reduce add %sums#0 axis 1
      : !tile.tile<64x64xf32> to !tile.tile<64xf32>
  %ry = tile.reduce add %sums#1 axis 1
      : !tile.tile<64x64xf32> to !tile.tile<64xf32>
  %rz = tile.reduce add %sums#2 axis 1
      : !tile.tile<64x64xf32> to !tile.tile<64xf32>
  tile.store %rx, %acceleration[%c0, %i]
      : !tile.tile<64xf32>, memref<3x?xf32>
  tile.store %ry, %acceleration[%c1, %i]
      : !tile.tile<64xf32>, memref<3x?xf32>
  tile.store %rz, %acceleration[%c2, %i]
      : !tile.tile<64xf32>, memref<3x?xf32>
  tile.return
}
