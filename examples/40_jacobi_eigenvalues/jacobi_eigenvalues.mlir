// Computes eigenvalues and eigenvectors of many symmetric matrices, A V = V diag(L), of
// up to 8 rows each, by Jacobi's rotations in parallel (Golub, Van Loan, "Matrix
// Computations", 8.5). A rotation of two rows and columns makes the element that they
// share zero. A sweep has seven rounds, each of which pairs the eight rows differently,
// so that each row is paired with every other row. The four rotations of a round are
// one orthogonal matrix J; A becomes J' A J, and V becomes V J. After six sweeps the
// elements off the diagonal are only rounding errors.
//
// A block takes eight matrices. Missing rows of smaller matrices are zero, not rotated
// and not stored. Eigenvalues are not sorted.

#grid = #tile.grid<affine_map<(matrices) -> (matrices ceildiv 8)> of [[0, 0]]>

tile.kernel @jacobi_eigenvalues(%A: memref<?x?x?xf32>, %L: memref<?x?xf32>,
                                %V: memref<?x?x?xf32>)
    attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %block = tile.program_id x
  %first = arith.muli %block, %c8 : index
  %start = tile.load %A[%first, %c0, %c0]
      : memref<?x?x?xf32> -> !tile.tile<8x8x8xf32>
  %none = arith.constant dense<0.0> : !tile.tile<8x8x8xf32>
  %one = arith.constant 1.0 : f32
  %identity = tile.add_diagonal %none, %one : !tile.tile<8x8x8xf32>, f32
  %row = tile.iota axis 0 : !tile.tile<8x1xi32>
  %column = tile.iota axis 1 : !tile.tile<1x8xi32>

  // Six sweeps of seven rounds.
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %rounds = arith.constant 42 : i32
  %a_end, %v_end = scf.for %number = %zero to %rounds step %step
      iter_args(%a = %start, %v = %identity)
      -> (!tile.tile<8x8x8xf32>, !tile.tile<8x8x8xf32>) : i32 {
    %round = arith.remui %number, %seven : i32

    // Rows i and j below 7 are a pair if i + j is the round's index modulo 7; row 7 is
    // paired with the row i that would be paired with itself.
    %pairs = tile.map %row, %column : !tile.tile<8x1xi32>, !tile.tile<1x8xi32> to !tile.tile<8x8xi1> {
    ^bb0(%i: i32, %j: i32):
      %last = arith.constant 7 : i32
      %sum = arith.addi %i, %j : i32
      %twice_i = arith.addi %i, %i : i32
      %twice_j = arith.addi %j, %j : i32
      %is_i_last = arith.cmpi eq, %i, %last : i32
      %is_j_last = arith.cmpi eq, %j, %last : i32
      %without_j = arith.select %is_j_last, %twice_i, %sum : i32
      %which = arith.select %is_i_last, %twice_j, %without_j : i32
      %rest = arith.remui %which, %last : i32
      %is_met = arith.cmpi eq, %rest, %round : i32
      %is_other = arith.cmpi ne, %i, %j : i32
      %is_pair = arith.andi %is_met, %is_other : i1
      tile.yield %is_pair : i1
    }

    // The tangents of the angles. The tangent of row j is minus that of row i, so the
    // mean of elements (i, j) and (j, i) of A is used, which may differ by rounding.
    %other = tile.transpose %a [0, 2, 1]
        : !tile.tile<8x8x8xf32> to !tile.tile<8x8x8xf32>
    %d = tile.diagonal %a : !tile.tile<8x8x8xf32> to !tile.tile<8x8xf32>
    %di = tile.reshape %d : !tile.tile<8x8xf32> to !tile.tile<8x8x1xf32>
    %dj = tile.reshape %d : !tile.tile<8x8xf32> to !tile.tile<8x1x8xf32>
    %candidates = tile.map %a, %other, %di, %dj, %pairs, %row, %column : !tile.tile<8x8x8xf32>, !tile.tile<8x8x8xf32>, !tile.tile<8x8x1xf32>, !tile.tile<8x1x8xf32>, !tile.tile<8x8xi1>, !tile.tile<8x1xi32>, !tile.tile<1x8xi32> to !tile.tile<8x8x8xf32> {
    ^bb0(%aij: f32, %aji: f32, %aii: f32, %ajj: f32, %is_pair: i1, %i: i32, %j: i32):
      // t = 2 aij / (delta + sign(delta) sqrt(delta^2 + 4 aij^2)).
      %nothing = arith.constant 0.0 : f32
      %delta = arith.subf %ajj, %aii : f32
      %twice = arith.addf %aij, %aji : f32
      %square = arith.mulf %twice, %twice : f32
      %squares = math.fma %delta, %delta, %square : f32
      %root = math.sqrt %squares : f32
      %is_above = arith.cmpf ogt, %delta, %nothing : f32
      %is_same = arith.cmpf oeq, %delta, %nothing : f32
      %is_before = arith.cmpi slt, %i, %j : i32
      %by_place = arith.andi %is_same, %is_before : i1
      %is_positive = arith.ori %is_above, %by_place : i1
      %minus_root = arith.negf %root : f32
      %signed = arith.select %is_positive, %root, %minus_root : f32
      %divisor = arith.addf %delta, %signed : f32
      %t = arith.divf %twice, %divisor : f32
      %is_done = arith.cmpf oeq, %twice, %nothing : f32
      %angle = arith.select %is_done, %nothing, %t : f32
      %own = arith.select %is_pair, %angle, %nothing : f32
      tile.yield %own : f32
    }
    %tangents = tile.reduce add %candidates axis 2 keep
        : !tile.tile<8x8x8xf32> to !tile.tile<8x8x1xf32>

    // J - I has cosines minus one on the diagonal and sines at the pairs. J - I is used
    // because the error of its elements is small if the angle is small.
    %turn = tile.map %tangents, %pairs, %row, %column : !tile.tile<8x8x1xf32>, !tile.tile<8x8xi1>, !tile.tile<8x1xi32>, !tile.tile<1x8xi32> to !tile.tile<8x8x8xf32> {
    ^bb0(%t: f32, %is_pair: i1, %i: i32, %j: i32):
      %nothing = arith.constant 0.0 : f32
      %square = math.fma %t, %t, %one : f32
      %root = math.sqrt %square : f32
      %cosine = arith.divf %one, %root : f32
      %sine = arith.mulf %t, %cosine : f32
      %sine_squared = arith.mulf %sine, %sine : f32
      %one_more = arith.addf %cosine, %one : f32
      %less = arith.divf %sine_squared, %one_more : f32
      %cosine_less_one = arith.negf %less : f32
      %is_diagonal = arith.cmpi eq, %i, %j : i32
      %off = arith.select %is_pair, %sine, %nothing : f32
      %element = arith.select %is_diagonal, %cosine_less_one, %off : f32
      tile.yield %element : f32
    }
    %transposed = tile.transpose %turn [0, 2, 1]
        : !tile.tile<8x8x8xf32> to !tile.tile<8x8x8xf32>
    %aj = tile.matmul %a, %turn, %a
        : !tile.tile<8x8x8xf32>, !tile.tile<8x8x8xf32> -> !tile.tile<8x8x8xf32>
    %a_next = tile.matmul %transposed, %aj, %aj
        : !tile.tile<8x8x8xf32>, !tile.tile<8x8x8xf32> -> !tile.tile<8x8x8xf32>
    %v_next = tile.matmul %v, %turn, %v
        : !tile.tile<8x8x8xf32>, !tile.tile<8x8x8xf32> -> !tile.tile<8x8x8xf32>
    scf.yield %a_next, %v_next
        : !tile.tile<8x8x8xf32>, !tile.tile<8x8x8xf32>
  }
  %l = tile.diagonal %a_end : !tile.tile<8x8x8xf32> to !tile.tile<8x8xf32>
  tile.store %l, %L[%first, %c0] : !tile.tile<8x8xf32>, memref<?x?xf32>
  tile.store %v_end, %V[%first, %c0, %c0]
      : !tile.tile<8x8x8xf32>, memref<?x?x?xf32>
  tile.return
}
