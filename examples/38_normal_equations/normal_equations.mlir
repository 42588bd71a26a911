// Solves many small least-squares problems by their normal equations. For A with 50
// rows and 7 columns, and b, it computes the x with the least |A x - b|^2 + ridge
// |x|^2, which solves (A' A + ridge I) x = A' b. The matrix A' A + ridge I is symmetric
// and positive definite, so Cholesky factors can be used. A block takes eight problems:
// A is read once, and matrices and factors stay on the chip. Loads after the last
// problem return zero, and stores after it are dropped.

#grid = #tile.grid<affine_map<(problems) -> (problems ceildiv 8)> of [[0, 0]]>

tile.kernel @normal_equations(%A: memref<?x50x7xf32>, %b: memref<?x50xf32>,
                              %ridge: f32, %x: memref<?x7xf32>)
    attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %block = tile.program_id x
  %first = arith.muli %block, %c8 : index
  %a = tile.load %A[%first, %c0, %c0]
      : memref<?x50x7xf32> -> !tile.tile<8x50x7xf32>

  // N = A' A + ridge I.
  %at = tile.transpose %a [0, 2, 1]
      : !tile.tile<8x50x7xf32> to !tile.tile<8x7x50xf32>
  %none = arith.constant dense<0.0> : !tile.tile<8x7x7xf32>
  %products = tile.matmul %at, %a, %none
      : !tile.tile<8x7x50xf32>, !tile.tile<8x50x7xf32> -> !tile.tile<8x7x7xf32>
  %n = tile.add_diagonal %products, %ridge : !tile.tile<8x7x7xf32>, f32

  // A' b is the sum of the rows of A, each multiplied by its element of b.
  %target = tile.load %b[%first, %c0]
      : memref<?x50xf32> -> !tile.tile<8x50xf32>
  %weights = tile.broadcast %target dims [0, 1]
      : !tile.tile<8x50xf32> to !tile.tile<8x50x7xf32>
  %weighted = arith.mulf %a, %weights : !tile.tile<8x50x7xf32>
  %sums = tile.reduce add %weighted axis 1
      : !tile.tile<8x50x7xf32> to !tile.tile<8x7xf32>
  %rhs = tile.reshape %sums : !tile.tile<8x7xf32> to !tile.tile<8x7x1xf32>

  %solved = tile.solve %n, %rhs spd
      : !tile.tile<8x7x7xf32>, !tile.tile<8x7x1xf32>
  %result = tile.reshape %solved
      : !tile.tile<8x7x1xf32> to !tile.tile<8x7xf32>
  tile.store %result, %x[%first, %c0] : !tile.tile<8x7xf32>, memref<?x7xf32>
  tile.return
}
