// Linear algebra: factorisations of matrices, and operations that are based on them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_LINEARALGEBRAOPS
#define TILE_IR_LINEARALGEBRAOPS

include "tile/IR/TileOpBase.td"

def Tile_LinearAlgebraGroup : OpDocGroup {
  let summary = "Linear algebra";
  let description = [{
    Matrices are the last two dimensions of a tile, and the dimensions before them are a
    batch. The lanes of one warp, or of a part of a warp, factor a matrix in registers.
    If a warp cannot hold the matrix, several warps do, or the matrix is factored in
    blocks.
  }];
}

/// The traits of an operation on matrices that lanes of one or several warps hold.
def Tile_HeldByLanes : TraitList<[
    Tile_StorageOpInterface, Tile_Promises<Tile_LayoutOpInterface>,
    Tile_Promises<Tile_CostOpInterface>,
    Tile_Promises<Tile_CooperativeOpInterface>]>;

/// An operation on matrices that lanes hold in registers. -tile-bufferize may add a
/// buffer, through which the lanes of a matrix read the row of a pivot or the vector of
/// a reflection. Without a buffer the operation accesses no memory.
class Tile_ScratchOp<string mnemonic, list<Trait> traits>
    : Tile_Op<mnemonic, !listconcat(traits, [
        AlwaysSpeculatable, Tile_HeldByLanes,
        Tile_Promises<Tile_BufferizeOpInterface>])>;

let opDocGroup = Tile_LinearAlgebraGroup in {

def Tile_CholeskyOp : Tile_Op<"cholesky", [
    Pure, AllTypesMatch<["source", "result"]>, Tile_Composite,
    Tile_HeldByLanes]> {
  let summary = "Cholesky factor of symmetric positive definite matrices";
  let description = [{
    Computes, for each symmetric matrix A of `$source`, the lower triangular L with
    L L' = A, or with `upper` the upper triangular U with U' U = A. Only the
    corresponding triangle of A is read; the other triangle of the result is zero. If a
    pivot is not positive or is NaN, A is not positive definite, and the triangle of the
    result is NaN. Complex matrices are Hermitian, L' is the conjugate transpose, and
    imaginary parts of the diagonal are not read.

    `$status` has LAPACK's `info` for each matrix: zero, or the index, counted from one,
    of the first column whose pivot is not positive.

    The algorithm is right-looking and unblocked (LAPACK's `potf2` in another order): it
    multiplies a column by the reciprocal of the root of its pivot, and updates the
    other columns by fused multiply-adds. The operation is composite with `upper`, by
    the factors of the transpose, and for more than 64 rows (`complex<f64>`: 44), by a
    left-looking algorithm in blocks. norm1(A - L L') / (n norm1(A) u) is below 1.5
    (2.5 for n = 1), with u half the distance from 1 to the next value (LAPACK's test
    `pot01`, which allows 30).

    Cost: n^3 / 3 multiply-adds for each matrix, in n dependent steps. A matrix of up to
    8 rows takes one lane for each row, one of up to 16 rows takes 16 lanes, a larger
    one a warp, and one in blocks all warps.

    Constraints:
    - (C1) the source has at least two dimensions, and the last two have the same
      extent: at most 128 for elements of 4 bytes, 96 for 8 bytes, 64 for 16 bytes.
    - (C2) the element type is f32, f64, complex<f32> or complex<f64>.
    - (C3) `$status` has the shape of the source without its last two dimensions, and
      elements of i32.

    Example: `%l, %info = tile.cholesky %a : !tile.tile<4x16x16xf32> status !tile.tile<4xi32>`
  }];
  let arguments = (ins Tile_Tile:$source, UnitAttr:$upper);
  let results = (outs Tile_Tile:$result, Optional<Tile_Tile>:$status);
  let assemblyFormat = [{
    $source (`upper` $upper^)? attr-dict `:` qualified(type($source))
    (`status` qualified(type($status))^)?
  }];
  let hasVerifier = 1;
}

def Tile_CholeskyDerivativeOp : Tile_Op<"cholesky_derivative", [
    Pure, AllTypesMatch<["factor", "change", "result"]>, Tile_Composite,
    Tile_HeldByLanes]> {
  let summary = "derivative of a Cholesky factorisation";
  let description = [{
    Computes, for each lower triangular L of `$factor`, the change of L that a change of
    A = L L' makes: with the X of `$change`, the L low(L^-1 herm(X) L'^-1). Here herm(X) is
    the Hermitian matrix whose lower triangle is that of X, without the imaginary parts of
    the diagonal, and low takes the lower triangle with half of the diagonal. L' is the
    conjugate transpose.

    With `transposed`, `$change` is the gradient of a real function by L, and the result
    that by the lower triangle of A: the transpose of the linear function above, if
    complex elements count as pairs. The operation reads lower triangles only, and the
    upper triangle of the result is zero.

    The algorithm of the transposed function completes the columns of the result from the
    last to the first (Murray, "Differentiation of the Cholesky decomposition", 2016,
    section 4), each by a multiplication of a column of L by a Hermitian matrix, which has
    the columns after it. A diagonal element of L whose reciprocal is zero or not finite
    gives results that are not finite. The operation is
    composite, by two triangular systems and a matmul, without `transposed`. With
    `transposed` it is composite, in blocks, for more than 64 rows (elements of 8 bytes:
    44, of 16 bytes: 32).

    Cost: n^3 / 3 multiply-adds for each matrix with `transposed`, in n dependent steps;
    about 4 n^3 / 3 without.

    Constraints:
    - (C1) the tiles have at least two dimensions, and the last two have the same extent:
      at most 128 for elements of 4 bytes, 96 for 8 bytes, 64 for 16 bytes.
    - (C2) the element type is f32, f64, complex<f32> or complex<f64>.

    Example: `%g = tile.cholesky_derivative %l, %x transposed : !tile.tile<4x16x16xf32>`
  }];
  let arguments = (ins Tile_Tile:$factor, Tile_Tile:$change, UnitAttr:$transposed);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $factor `,` $change (`transposed` $transposed^)? attr-dict
    `:` qualified(type($factor))
  }];
  let hasVerifier = 1;
}

def Tile_LdltOp : Tile_Op<"ldlt", [
    Pure, AllTypesMatch<["source", "result"]>, Tile_Composite,
    Tile_HeldByLanes]> {
  let summary = "factors L D L' of symmetric matrices, without pivoting";
  let description = [{
    Computes, for each symmetric matrix A of `$source`, the L and D with L D L' = A: L
    is lower triangular with ones on its diagonal, and D is diagonal. The result has D
    on its diagonal, the elements of L below the diagonal, and zeros above it. Only the
    lower triangle of A is read. Complex matrices are Hermitian, L' is the conjugate
    transpose, and D is real.

    Rows are not exchanged. The operation is therefore for matrices of which every
    symmetric permutation has such factors: definite matrices, and quasi-definite ones
    such as [H, B'; B, -C] with H and C positive definite (Vanderbei, "Symmetric
    Quasidefinite Matrices", SIAM J. Optim. 5, 1995). For other matrices the factors may
    be wrong by any amount, or not finite. `$status` has for each matrix zero, or the
    index, counted from one, of the first pivot that is zero or NaN.

    The algorithm is right-looking and unblocked: it divides a column by its pivot, and
    updates the other columns by fused multiply-adds. It computes the reciprocal of the
    pivot times a power of two, which does not overflow. For more than 64 rows
    (`complex<f64>`: 44) the operation is composite, in blocks as `tile.cholesky` is.
    norm1(A - L D L') / (n norm1(A) u) is below 1.5 for positive definite matrices.

    Cost: n^3 / 3 multiply-adds for each matrix, in n dependent steps.

    Constraints:
    - (C1) to (C3) are those of `tile.cholesky`.

    Example: `%f, %i = tile.ldlt %a : !tile.tile<4x16x16xf32> status !tile.tile<4xi32>`
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result, Optional<Tile_Tile>:$status);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source))
    (`status` qualified(type($status))^)?
  }];
  let hasVerifier = 1;
}

def Tile_TriangularSolveOp : Tile_ScratchOp<"triangular_solve", [
    AllTypesMatch<["rhs", "result"]>, Tile_Composite]> {
  let summary = "solve systems of linear equations with a triangular matrix";
  let description = [{
    Computes, for each matrix T of `$triangle` and matrix B of `$rhs`, the X with
    T X = B, or with `transposed` T' X = B, where T' is not conjugated. The columns of B
    are right-hand sides. With `right`, the equation is X T = B, or X T' = B with
    `transposed`, and the rows of B are right-hand sides. T is lower triangular, or
    upper triangular with `upper`; the other triangle of T is not read. With `unit` the
    diagonal is not read either, and counts as ones. A diagonal element of zero gives
    results that are not finite. If one element of a solution is not finite, any other
    element of this solution may not be finite.

    The solution is by substitution, with fused multiply-adds, and with the reciprocal
    of each diagonal element times a power of two, which does not overflow. The
    operation is composite with `right`, as the transposed system. It is composite, in
    blocks, for a T of more than 64 rows (elements of 8 bytes: 44, of 16 bytes: 32), and
    for a T of more than 32 rows if the registers of a warp cannot hold T and B.

    With at least 16 right-hand sides and 17 to 32 rows, or at least 32 right-hand sides
    and more rows, a lane holds whole right-hand sides, and reads T from `$scratch`, a
    buffer in shared memory that `-tile-bufferize` adds. Otherwise lanes exchange elements
    by shuffles.

    Cost: n^2 / 2 multiply-adds for each right-hand side, in n dependent steps.

    Constraints:
    - (C1) both tiles have the same rank, at least two, and the same extents before the
      last two. The last two extents of `$triangle` are the same: at most 128 for
      elements of 4 bytes, 96 for 8 bytes, 64 for 16 bytes. The second-to-last extent of
      `$rhs`, or with `right` its last one, is equal to these.
    - (C2) both tiles have the same element type: f32, f64, complex<f32> or
      complex<f64>.

    Example: `%x = tile.triangular_solve %l, %b transposed : !tile.tile<4x16x16xf32>, !tile.tile<4x16x3xf32>`
  }];
  let arguments = (ins Tile_Tile:$triangle, Tile_Tile:$rhs, UnitAttr:$upper,
                       UnitAttr:$transposed, UnitAttr:$unit, UnitAttr:$right,
                       Arg<Optional<Tile_SharedBuffer>, "",
                           [MemRead, MemWrite]>:$scratch);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $triangle `,` $rhs (`upper` $upper^)? (`transposed` $transposed^)?
    (`unit` $unit^)? (`right` $right^)?
    (`scratch` $scratch^ `of` qualified(type($scratch)))? attr-dict
    `:` qualified(type($triangle)) `,` qualified(type($rhs))
  }];
  let hasVerifier = 1;
}

def Tile_LuOp : Tile_ScratchOp<"lu", [
    AllTypesMatch<["source", "result"]>]> {
  let summary = "LU factors of square matrices, with partial pivoting";
  let description = [{
    Computes, for each matrix A of `$source`, the L and U with P' A = L U: L is lower
    triangular with ones on its diagonal, and U is upper triangular. The result has U on
    the diagonal and above, and the elements of L below the diagonal (LAPACK's `getrf`).
    Row i of P' A is row `permutation[i]` of A. With `unordered` rows are not moved: row
    `permutation[i]` of the result has row i of the factors.

    The pivot of a column is the first element of largest magnitude in the rest of the
    column, with the rows in the order of LAPACK's exchanges. A NaN is larger than any
    other value, and the magnitude of a complex value is estimated as abs(re) + abs(im).
    If the pivot is zero, the column is not changed. `$status` has LAPACK's `info` for
    each matrix: zero, or the index, counted from one, of the first pivot that is zero.

    The algorithm is right-looking and unblocked (LAPACK's `getf2`): it divides a column
    by its pivot, and updates the other columns by fused multiply-adds.
    norm1(P' A - L U) / (n norm1(A) u) is below 1, with u half the distance from 1 to
    the next value (LAPACK's test `get01`, which allows 30). A matrix with elements that
    are not finite, or whose factors overflow, may have NaN where LAPACK does not; other
    matrices of the tile are not affected.

    Cost: n^3 / 2 multiply-adds for each matrix, in n dependent steps; n^3 / 3 of them
    are necessary, but lanes whose rows are finished compute, too. The lanes of a matrix
    read the pivot row of each step from `$scratch`, a buffer in shared memory that
    `-tile-bufferize` adds. At the end rows are moved to their order through this
    buffer.

    Constraints:
    - (C1) the source has at least two dimensions, and the last two have the same
      extent: at most 128 for elements of 4 bytes, 96 for 8 bytes, 64 for 16 bytes.
    - (C2) the element type is f32, f64, complex<f32> or complex<f64>.
    - (C3) `$permutation` has the shape of the source without its last dimension, and
      elements of i32.
    - (C4) `$status` has the shape of the source without its last two dimensions, and
      elements of i32.

    Example: `%f, %p, %i = tile.lu %a : !tile.tile<4x16x16xf32>, !tile.tile<4x16xi32> status !tile.tile<4xi32>`
  }];
  let arguments = (ins Tile_Tile:$source, UnitAttr:$unordered,
                       Arg<Optional<Tile_SharedBuffer>, "",
                           [MemRead, MemWrite]>:$scratch);
  let results = (outs Tile_Tile:$result, Tile_Tile:$permutation,
                      Optional<Tile_Tile>:$status);
  let assemblyFormat = [{
    $source (`unordered` $unordered^)?
    (`scratch` $scratch^ `of` qualified(type($scratch)))? attr-dict
    `:` qualified(type($source)) `,` qualified(type($permutation))
    (`status` qualified(type($status))^)?
  }];
  let hasVerifier = 1;
}

def Tile_HouseholderOp : Tile_ScratchOp<"householder", [
    AllTypesMatch<["source", "result"]>]> {
  let summary = "QR factors of matrices, Q as Householder reflections";
  let description = [{
    Computes, for each m x n matrix A of `$source`, with m at least n, the R and the
    reflections of A = Q R, where Q = H_1 ... H_n and H_k = I - s_k v_k v_k'. The result
    has R on the diagonal and above. Below the diagonal, column k has the elements of
    v_k after element k, which is one; the elements before it are zero. `$scales` has
    s_k, which is zero, so that H_k is the unit matrix, if a column is zero below the
    diagonal (LAPACK's `geqrf`). `tile.apply_householder` multiplies by Q or Q', and
    `tile.qr` computes Q.

    The algorithm goes column by column (LAPACK's `geqr2`). R_kk has the opposite sign
    of the element that it replaces. Each column is multiplied by a power of two for the
    computation, so that no square overflows, and no square that matters underflows.
    norm1(A - Q R) / (m norm1(A) u) is below 3 (6 for m < 8) and norm1(I - Q' Q) / (m u)
    below 5 (8 for m < 8), with u half the distance from 1 to the next value (LAPACK's
    test `qrt01`, which allows 30). A matrix with elements that are not finite has
    factors that are not finite; other matrices of the tile are not affected.

    Cost: m n^2 - n^3 / 3 multiply-adds for each matrix, half of them for sums, in n
    dependent steps. Lanes of one warp exchange elements by shuffles. Lanes of several
    warps read the vector of each step from `$scratch`, a buffer in shared memory that
    `-tile-bufferize` adds.

    Constraints:
    - (C1) the source has at least two dimensions, the last two of extents m and n, with
      n at most m. For elements of 4, 8 and 16 bytes, m is at most 128, 96 and 64, or a
      lane's share of a matrix is at most 128, 72 and 32 elements: for example, 256x16
      or 1024x1 of f32, 144x16 or 576x1 of f64.
    - (C2) the element type is f32, f64, complex<f32> or complex<f64>.
    - (C3) `$scales` has the shape of the source without its second-to-last dimension,
      and its element type.

    Example: `%f, %s = tile.householder %a : !tile.tile<4x24x16xf32>, !tile.tile<4x16xf32>`
  }];
  let arguments = (ins Tile_Tile:$source,
                       Arg<Optional<Tile_SharedBuffer>, "",
                           [MemRead, MemWrite]>:$scratch);
  let results = (outs Tile_Tile:$result, Tile_Tile:$scales);
  let assemblyFormat = [{
    $source (`scratch` $scratch^ `of` qualified(type($scratch)))? attr-dict
    `:` qualified(type($source)) `,` qualified(type($scales))
  }];
  let hasVerifier = 1;
}

def Tile_ApplyHouseholderOp : Tile_ScratchOp<"apply_householder", [
    AllTypesMatch<["rhs", "result"]>]> {
  let summary = "multiply by the Q of a QR factorisation";
  let description = [{
    Multiplies each matrix B of `$rhs` by the Q that `$reflections` and `$scales`, the
    results of `tile.householder`, represent: Q B, or with `transposed` Q' B (LAPACK's
    `ormqr`). The diagonal of `$reflections` and the elements above it are not read.
    With `triangular` the elements of B below the diagonal are not read, and count as
    zero, so that the reflections after H_j do not change column j. If B is the unit
    matrix, the result is Q itself.

    Cost: 2 m n - n^2 multiply-adds for each column of B, in n dependent steps; about
    half as many with `triangular`.

    Constraints:
    - (C1) `$reflections` and `$scales` have the types that `tile.householder` requires
      of its source and scales. `$rhs` has the extents of `$reflections`, except for the
      last one, which may be any.
    - (C2) all tiles have the same element type: f32, f64, complex<f32> or
      complex<f64>.
    - (C3) `transposed` and `triangular` exclude each other.

    Example: `%y = tile.apply_householder %f, %s, %b transposed : !tile.tile<24x16xf32>, !tile.tile<16xf32>, !tile.tile<24x3xf32>`
  }];
  let arguments = (ins Tile_Tile:$reflections, Tile_Tile:$scales,
                       Tile_Tile:$rhs, UnitAttr:$transposed,
                       UnitAttr:$triangular,
                       Arg<Optional<Tile_SharedBuffer>, "",
                           [MemRead, MemWrite]>:$scratch);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $reflections `,` $scales `,` $rhs (`transposed` $transposed^)?
    (`triangular` $triangular^)?
    (`scratch` $scratch^ `of` qualified(type($scratch)))? attr-dict
    `:` qualified(type($reflections)) `,` qualified(type($scales)) `,`
    qualified(type($rhs))
  }];
  let hasVerifier = 1;
}

def Tile_QrOp : Tile_Op<"qr", [Pure, Tile_Composite]> {
  let summary = "QR factors of matrices";
  let description = [{
    Computes, for each m x n matrix A of `$source`, with m at least n, the Q and R with
    Q R = A: Q has A's shape and orthonormal columns, and R is upper triangular
    (`numpy.linalg.qr`). Signs and accuracy are those of `tile.householder`. The
    operation is composite: `tile.householder` and `tile.apply_householder`. To solve a
    least-squares problem, use `tile.least_squares`, which does not compute Q.

    Cost: twice that of `tile.householder`.

    Constraints:
    - (C1), (C2) are those of `tile.householder`; `$q` has the source's type.
    - (C3) `$r` has the source's element type, and its extents with n in place of m.

    Example: `%q, %r = tile.qr %a : !tile.tile<4x24x16xf32> to !tile.tile<4x24x16xf32>, !tile.tile<4x16x16xf32>`
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$q, Tile_Tile:$r);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `to` qualified(type($q)) `,`
    qualified(type($r))
  }];
  let hasVerifier = 1;
}

def Tile_LeastSquaresOp : Tile_Op<"least_squares", [Pure, Tile_Composite]> {
  let summary = "solve overdetermined systems of linear equations";
  let description = [{
    Computes, for each m x n matrix A of `$matrix`, with m at least n, and each matrix B
    of `$rhs`, the X for which norm2(B - A X) is least for each column (LAPACK's
    `gels`). The operation is composite: `tile.householder` factors A = Q R,
    `tile.apply_householder` computes Q' B, and `tile.triangular_solve` solves R X = Y
    for the first n rows Y of Q' B. If the columns of A are linearly dependent, X is not
    finite, or wrong.

    Cost: that of `tile.householder`, and 2 m n multiply-adds for each column of B.

    Constraints:
    - (C1) `$matrix` has a type that `tile.householder` accepts. `$rhs` has the extents
      of `$matrix`, except for the last one, which may be any.
    - (C2) all tiles have the same element type: f32, f64, complex<f32> or
      complex<f64>.
    - (C3) the result has the extents of `$rhs`, with n in place of m.

    Example: `%x = tile.least_squares %a, %b : !tile.tile<24x16xf32>, !tile.tile<24x3xf32> to !tile.tile<16x3xf32>`
  }];
  let arguments = (ins Tile_Tile:$matrix, Tile_Tile:$rhs);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $matrix `,` $rhs attr-dict `:` qualified(type($matrix)) `,`
    qualified(type($rhs)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_OneSidedJacobiOp : Tile_Op<"one_sided_jacobi", [
    Pure, AllTypesMatch<["source", "result"]>,
    Tile_HeldByLanes]> {
  let summary = "rotate the columns of matrices until they are orthogonal";
  let description = [{
    Computes, for each n x n matrix A of `$source`, a matrix Q with orthonormal columns
    and values d with A V = Q diag(d) for some orthogonal (unitary) V. `$result` has Q,
    and `$norms` has d, the singular values of A, in no order. If a value of d is zero,
    or negligible compared with the largest, the column of Q is zero. V is not computed:
    it is A' Q diag(1 / d), with the conjugate transpose if A is complex. `tile.eigh`
    and `tile.svd` are decomposed into this operation, and sort the columns.

    The algorithm is one-sided Jacobi rotations (Hestenes, "Inversion of Matrices by
    Biorthogonalization and Related Results", J. SIAM 6, 1958). Each sweep makes every
    pair of columns x and y orthogonal by a rotation, if
    |x'y| > 2 sqrt(n) u norm(x) norm(y), where u is half the distance from 1 to the next
    value. For complex elements, y is first multiplied by a factor that makes x'y real.
    The sweeps end when one finds no pair to rotate. Each step of a sweep pairs adjacent
    columns and swaps them, so that all pairs occur in n steps. The matrix is scaled by
    a power of two for the computation, so that no square overflows, and no square that
    matters underflows. A matrix whose columns are all orthogonal is not changed while
    the lanes of its warp still rotate columns of others.

    `$status` has for each matrix one if 30 sweeps were not enough (order 64 takes 5 to
    12, order 8 takes 4 to 6) or if its norms are not finite, and zero otherwise.

    Cost: about 3 n^3 multiply-adds for each sweep and matrix. Each lane holds two
    columns.

    Constraints:
    - (C1) the source has at least two dimensions, and the last two have the same
      extent: at most 64 for elements of 4 bytes, 44 for 8 bytes, 32 for 16 bytes.
    - (C2) the element type is f32, f64, complex<f32> or complex<f64>.
    - (C3) `$norms` has the shape of the source without its second-to-last dimension,
      and its element type, or for complex elements the type of their real part.
    - (C4) `$status` has the shape of the source without its last two dimensions, and
      elements of i32.

    Example: `%q, %d = tile.one_sided_jacobi %a : !tile.tile<4x16x16xf32>, !tile.tile<4x16xf32>`
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result, Tile_Tile:$norms,
                      Optional<Tile_Tile>:$status);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `,` qualified(type($norms))
    (`status` qualified(type($status))^)?
  }];
  let hasVerifier = 1;
}

def Tile_EighOp : Tile_Op<"eigh", [Pure, Tile_Composite]> {
  let summary = "eigenvalues and eigenvectors of symmetric or Hermitian matrices";
  let description = [{
    Computes the eigenvalues w and eigenvectors V of each symmetric (Hermitian) matrix A
    of `$source`, with A V = V diag(w) (`numpy.linalg.eigh`, LAPACK's `syev`, `heev`).
    `$values` are real and in ascending order. Column k of `$vectors` is the eigenvector
    of value k; the columns are orthonormal. Only the lower triangle of A is read, and
    only the real parts of its diagonal. Vectors are determined up to their sign (for
    complex elements, a factor of magnitude one), and for equal values up to the choice
    of a basis of their space. If a matrix has elements that are not finite, its results
    are NaN; other matrices of the tile are not affected.

    The operation is composite. A + c I is positive definite for any c greater than the
    bound by Gershgorin's circles; c is this bound plus a sixteenth of norm1(A).
    `tile.one_sided_jacobi` makes the columns of A + c I orthogonal. Their norms minus c
    are the values, and the normalized columns are the vectors.

    norm1(A - V diag(w) V') / (n norm1(A) eps) is below 3, norm1(I - V V') / (n eps)
    below 5 (LAPACK's test `syt21`, which allows 50), and the error of each value is at
    most 3 n norm2(A) eps, where eps is the distance from 1 to the next value. The
    relative error of a small value may therefore be larger.

    `$status` has for each matrix one if it is not decomposed, because the rotations did
    not end or an element is not finite, and zero otherwise.

    Constraints:
    - (C1), (C2) are those of `tile.one_sided_jacobi`.
    - (C3) `$values` has the shape of the source without its last dimension, `$vectors`
      that of the source. Both have its element type, except that `$values` of a complex
      source have the type of its real part.
    - (C4) `$status` has the shape of the source without its last two dimensions, and
      elements of i32.

    Example: `%w, %v = tile.eigh %a : !tile.tile<4x16x16xf32> to !tile.tile<4x16xf32>, !tile.tile<4x16x16xf32>`
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$values, Tile_Tile:$vectors,
                      Optional<Tile_Tile>:$status);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `to`
    qualified(type($values)) `,` qualified(type($vectors))
    (`status` qualified(type($status))^)?
  }];
  let hasVerifier = 1;
}

def Tile_SvdOp : Tile_Op<"svd", [Pure, Tile_Composite]> {
  let summary = "singular values and vectors of matrices";
  let description = [{
    Computes the singular value decomposition A = U diag(s) V' of each m x n matrix A of
    `$source`, with m at least n (`numpy.linalg.svd` with `full_matrices=False`,
    LAPACK's `gesvd`). `$u` has U, m x n with orthonormal columns. `$values` has s, in
    descending order and not negative. `$vt` has V', n x n and orthogonal (unitary for
    complex elements). A column of U and the corresponding row of V' are determined up
    to a factor of magnitude one, and for equal values up to the choice of a basis of
    their space. U and V' are orthogonal even if values are zero. If a matrix has
    elements that are not finite, some of its results are not finite; other matrices of
    the tile are not affected. For a matrix with fewer rows than columns, decompose its
    transpose.

    The operation is composite. If m is greater than n, the R of A = Q R is decomposed
    instead of A, and its U is multiplied by Q. `tile.one_sided_jacobi` makes the
    columns of A orthogonal, and they are sorted by their norms, which are the values. U
    is the Q of the sorted columns (`tile.qr`), and V is the Q of A' U, whose R is
    diagonal except for rounding errors.

    norm1(A - U diag(s) V') / (m norm1(A) eps) is below 3, norm1(I - U' U) / (m eps) and
    norm1(I - V' V) / (n eps) are below 5 (LAPACK's tests `bdt01` and `ort01`, which
    allow 50), and the error of each value is at most 3 m norm2(A) eps, where eps is the
    distance from 1 to the next value.

    `$status` has for each matrix one if the rotations did not end or a value is not
    finite, and zero otherwise.

    Constraints:
    - (C1), (C2) are those of `tile.householder`. In addition, n is at most 64, 44 and
      32 for elements of 4, 8 and 16 bytes.
    - (C3) `$u` has the shape and element type of the source. `$values` has the shape of
      the source without its second-to-last dimension, and its element type, or the type
      of the real part of complex elements. `$vt` has the source's element type, and its
      extents with n in place of m.
    - (C4) `$status` has the shape of the source without its last two dimensions, and
      elements of i32.

    Example: `%u, %s, %vt = tile.svd %a : !tile.tile<4x24x16xf32> to !tile.tile<4x24x16xf32>, !tile.tile<4x16xf32>, !tile.tile<4x16x16xf32>`
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$u, Tile_Tile:$values, Tile_Tile:$vt,
                      Optional<Tile_Tile>:$status);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `to` qualified(type($u)) `,`
    qualified(type($values)) `,` qualified(type($vt))
    (`status` qualified(type($status))^)?
  }];
  let hasVerifier = 1;
}

def Tile_SolveOp : Tile_ScratchOp<"solve", [
    AllTypesMatch<["rhs", "result"]>, Tile_Composite]> {
  let summary = "solve systems of linear equations";
  let description = [{
    Computes, for each matrix A of `$matrix` and matrix B of `$rhs`, the X with A X = B
    (LAPACK's `gesv`). The columns of B are right-hand sides. With `spd` A is symmetric
    (Hermitian) and positive definite, and only its lower triangle is read (`posv`).

    B is eliminated together with A, as additional columns of `tile.lu`, and the system
    with the resulting upper triangle is then solved. If a lane does not have registers
    for both, the operation is composite: `tile.lu`, a permutation of the rows of B by
    `tile.take`, and two `tile.triangular_solve`. With `spd` it is always composite:
    `tile.cholesky` and two `tile.triangular_solve`. `$status` is that of `tile.lu` or
    `tile.cholesky`. X is not finite if A is singular, and NaN if A is not positive
    definite and `spd` is given. norm1(B - A X) / (norm1(A) norm1(X) u) is below 4, for
    more than 64 rows below 8 (LAPACK's test `get02`, which allows 30; its own `sgesv`
    reaches 3 and 6 on such matrices).

    Cost: that of the factors, and 2 n^2 multiply-adds for each right-hand side, in 2 n
    dependent steps. `$scratch` is a buffer like that of `tile.lu`.

    Constraints:
    - (C1) both tiles have the same rank, at least two, and the same extents before the
      last two. The last two extents of `$matrix` are the same: at most 128 for elements
      of 4 bytes, 96 for 8 bytes, 64 for 16 bytes. The second-to-last extent of `$rhs`
      is equal to these.
    - (C2) both tiles have the same element type: f32, f64, complex<f32> or
      complex<f64>.
    - (C3) `$status` has the shape of `$matrix` without its last two dimensions, and
      elements of i32.

    Example: `%x = tile.solve %a, %b spd : !tile.tile<4x16x16xf32>, !tile.tile<4x16x3xf32>`
  }];
  let arguments = (ins Tile_Tile:$matrix, Tile_Tile:$rhs, UnitAttr:$spd,
                       Arg<Optional<Tile_SharedBuffer>, "",
                           [MemRead, MemWrite]>:$scratch);
  let results = (outs Tile_Tile:$result, Optional<Tile_Tile>:$status);
  let assemblyFormat = [{
    $matrix `,` $rhs (`spd` $spd^)?
    (`scratch` $scratch^ `of` qualified(type($scratch)))? attr-dict
    `:` qualified(type($matrix)) `,` qualified(type($rhs))
    (`status` qualified(type($status))^)?
  }];
  let hasVerifier = 1;
}

def Tile_InverseOp : Tile_ScratchOp<"inverse", [
    AllTypesMatch<["source", "result"]>]> {
  let summary = "inverses of square matrices";
  let description = [{
    Computes, for each matrix A of `$source`, its inverse, the X with A X = I, by
    Gauss-Jordan elimination in place with the pivots of `tile.lu`. To solve a system,
    `tile.solve` is faster and more accurate. `$status` is that of `tile.lu`: it is not
    zero for a singular matrix, whose inverse is not finite.
    norm1(I - X A) / (n norm1(A) norm1(X) u) is below 2 (LAPACK's test `get03`, which
    allows 30); norm1(I - A X) is larger if A is nearly singular.

    Cost: n^3 multiply-adds for each matrix, in n dependent steps. `$scratch` is a
    buffer like that of `tile.lu`, through which rows and columns are also put in order.

    Constraints:
    - (C1) the source has at least two dimensions, and the last two have the same
      extent: at most 128 for elements of 4 bytes, 96 for 8 bytes, 64 for 16 bytes.
    - (C2) the element type is f32, f64, complex<f32> or complex<f64>.
    - (C3) `$status` has the shape of the source without its last two dimensions, and
      elements of i32.

    Example: `%x = tile.inverse %a : !tile.tile<4x16x16xf32>`
  }];
  let arguments = (ins Tile_Tile:$source,
                       Arg<Optional<Tile_SharedBuffer>, "",
                           [MemRead, MemWrite]>:$scratch);
  let results = (outs Tile_Tile:$result, Optional<Tile_Tile>:$status);
  let assemblyFormat = [{
    $source (`scratch` $scratch^ `of` qualified(type($scratch)))? attr-dict
    `:` qualified(type($source))
    (`status` qualified(type($status))^)?
  }];
  let hasVerifier = 1;
}

def Tile_DeterminantOp : Tile_Op<"determinant", [Pure, Tile_Composite]> {
  let summary = "determinants of square matrices";
  let description = [{
    Computes the determinant of each matrix of `$source`: the pivots of `tile.lu`,
    multiplied with each other and with the sign of its permutation. The multiplication
    is a `tile.reduce`, in which an intermediate result may overflow or underflow, which
    `tile.logdet` avoids. The operation is composite.

    Cost: that of `tile.lu` without moving rows, and two reductions.

    Constraints:
    - (C1), (C2) are those of `tile.lu`.
    - (C3) the result has the shape of the source without its last two dimensions, and
      its element type.

    Example: `%d = tile.determinant %a : !tile.tile<4x16x16xf32> to !tile.tile<4xf32>`
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_LogDetOp : Tile_Op<"logdet", [
    Pure,
    TypesMatchWith<"the logarithm is real and has the sign's extents", "sign",
                   "logarithm", "::llvm::cast<::tile::TileType>($_self).ofParts()">,
    Tile_Composite]> {
  let summary = "signs and logarithms of determinants";
  let description = [{
    Computes, for each matrix of `$source`, the sign of its determinant and the natural
    logarithm of the determinant's magnitude, as `numpy.linalg.slogdet` does: the
    determinant is `sign * exp(logarithm)`. The sign is 1, -1 or 0; for complex matrices
    it is a complex value of modulus one, or 0. The logarithm is the sum of the
    logarithms of the pivots of `tile.lu`, and does not overflow. For a singular matrix
    the sign is zero and the logarithm minus infinity; for a matrix with NaN both are
    NaN. The operation is composite.

    Cost: that of `tile.determinant`, and n logarithms for each matrix.

    Constraints:
    - (C1), (C2) are those of `tile.lu`.
    - (C3) the results have the shape of the source without its last two dimensions.
      `$sign` has the source's element type, and `$logarithm` this type, or the type of
      the real part of complex elements.

    Example: `%s, %l = tile.logdet %a : !tile.tile<4x16x16xf32> to !tile.tile<4xf32>`
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$sign, Tile_Tile:$logarithm);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `to` qualified(type($sign))
  }];
  let hasVerifier = 1;
}

def Tile_DiagonalOp : Tile_Op<"diagonal", [Pure, Tile_Composite]> {
  let summary = "the diagonals of matrices";
  let description = [{
    Element i of the result, for each matrix of `$source`, is element (i, i) of the
    matrix, for each i that is the index of both a row and a column. The operation is
    composite.

    Cost: a comparison and a select for each element of the source, and a reduction
    along rows or columns.

    Constraints:
    - (C1) the source has at least two dimensions.
    - (C2) the result has the source's element type, and its extents with the last two
      replaced by the smaller one of them.

    Example: `%d = tile.diagonal %a : !tile.tile<4x16x16xf32> to !tile.tile<4x16xf32>`
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_AddDiagonalOp : Tile_Op<"add_diagonal", [
    Pure, AllTypesMatch<["source", "result"]>, Tile_Composite]> {
  let summary = "matrices with values added to their diagonals";
  let description = [{
    Adds element i of `$diagonal`, or the scalar `$diagonal`, to element (i, i) of each
    matrix of `$source`. The operation is composite.

    Cost: an addition, a comparison and a select for each element.

    Constraints:
    - (C1) the source has at least two dimensions.
    - (C2) the element type is i8, i16, i32 or i64, floating-point, or complex.
    - (C3) `$diagonal` is a scalar of the source's element type, or a tile with this
      element type and the source's extents, with the last two replaced by the smaller
      one of them.

    Examples:

    ```mlir
    %h = tile.add_diagonal %m, %d : !tile.tile<4x16x16xf32>, !tile.tile<4x16xf32>
    %r = tile.add_diagonal %m, %lambda : !tile.tile<4x16x16xf32>, f32
    ```
  }];
  let arguments = (ins Tile_Tile:$source,
                       AnyTypeOf<[Tile_Scalar, Tile_Tile]>:$diagonal);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `,` $diagonal attr-dict
    `:` qualified(type($source)) `,` qualified(type($diagonal))
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // TILE_IR_LINEARALGEBRAOPS
