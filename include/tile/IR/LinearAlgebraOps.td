// Linear algebra: factorisations of matrices, and the operations based on them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_LINEARALGEBRAOPS
#define TILE_IR_LINEARALGEBRAOPS

include "tile/IR/TileOpBase.td"

def Tile_LinearAlgebraGroup : OpDocGroup {
  let summary = "Linear algebra";
  let description = [{
    Matrices are the last two dimensions of a tile, and the dimensions before them
    are a batch. Each matrix is factored in registers by the lanes of one warp or
    fewer, or, if these cannot hold it, in blocks by the warps together.
  }];
}

/// An operation on matrices that the lanes of a warp, or of several, hold.
def Tile_HeldByLanes : TraitList<[
    Tile_StorageOpInterface, Tile_Promises<Tile_LayoutOpInterface>,
    Tile_Promises<Tile_CostOpInterface>,
    Tile_Promises<Tile_CooperativeOpInterface>]>;

/// An operation whose lanes have whole rows, or whole columns. From
/// -tile-bufferize on it may have a buffer through which the lanes of a matrix
/// read a pivot's row, or a reflection's vector; before it the operation touches
/// no memory.
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
    Computes, for each matrix A of `$source`, the lower triangular L with L L' = A,
    or with `upper` the upper triangular U with U' U = A. Only that triangle of A is
    read; the other one of the result is zero. Where A is not positive definite,
    as a pivot that is not positive or is NaN shows, the triangle is NaN.
    Complex matrices are Hermitian, L' is the conjugate transposed, and imaginary
    parts of the diagonal are not read.

    `$status` has LAPACK's `info` for each matrix: zero, or the position, from one
    on, of the first column whose pivot is not positive.

    Right-looking, unblocked (LAPACK's `potf2` in another order): a column is
    multiplied by the reciprocal of the root of its pivot; updates are fused
    multiply-adds. With more than 64 rows (`complex<f64>`: 44) it is composite, in
    blocks, left-looking. norm1(A - L L') / (n norm1(A) u) is below 1.5 (n = 1: 2.5),
    u half the distance from 1 to the next value (LAPACK's test `pot01`, which
    allows 30).

    Cost: n^3 / 3 multiply-adds a matrix, n dependent steps. Matrices of up to 8
    rows take a lane a row, of up to 16 rows 16 lanes, larger ones a warp; blocks
    take all warps.

    Constraints:
    - (C1) at least two dimensions, the last two of one extent, at most 128 (of 4
      bytes an element), 96 (8 bytes) or 64 (16).
    - (C2) elements of f32 or f64, or complex numbers of them.
    - (C2) elements of f32 or f64, or complex ones of these.
      of i32.

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

def Tile_LdltOp : Tile_Op<"ldlt", [
    Pure, AllTypesMatch<["source", "result"]>, Tile_Composite,
    Tile_HeldByLanes]> {
  let summary = "factors L D L' of symmetric matrices, without pivoting";
  let description = [{
    Computes, for each symmetric matrix A of `$source`, the L and D with L D L' = A:
    L is lower triangular with ones on its diagonal, D diagonal. The result has D on
    its diagonal, L without its ones below, and zeros above. Only the lower triangle
    of A is read. Complex matrices are Hermitian, L' is the conjugate transposed,
    and D real.

    Rows are not exchanged, so this is for matrices whose every symmetric
    permutation has such factors: definite ones, and quasi-definite ones, such as
    [H, B'; B, -C] with H and C positive definite (Vanderbei, "Symmetric
    Quasidefinite Matrices", SIAM J. Optim. 5, 1995). For other matrices the
    factors may be wrong by any amount, or not finite. `$status` has for each matrix
    zero, or the position, from one on, of the first pivot that is zero or NaN.

    Right-looking, unblocked: a column is divided by its pivot, whose reciprocal
    is computed from the pivot times a power of two, so that it does not overflow;
    updates are fused multiply-adds. In blocks as `tile.cholesky` is.
    norm1(A - L D L') / (n norm1(A) u) is below 1.5 for positive definite
    matrices.

    Cost: n^3 / 3 multiply-adds a matrix, n dependent steps.

    Constraints:
    - (C1) at least two dimensions, the last two of one extent, at most 128 (of 4
      bytes an element), 96 (8 bytes) or 64 (16).
    - (C2) elements of f32 or f64, or complex ones of these.
    - (C3) `$status` has the source's extents but for the last two, and elements
      of i32.

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

def Tile_TriangularSolveOp : Tile_Op<"triangular_solve", [
    Pure, AllTypesMatch<["rhs", "result"]>, Tile_Composite,
    Tile_HeldByLanes]> {
  let summary = "solve systems of a triangular matrix";
  let description = [{
    Computes, for each matrix T of `$triangle` and each matrix B of `$rhs`, whose
    columns are right-hand sides, the X with T X = B; with `transposed` T' X = B,
    not conjugated; with `right` X T = B, or X T' = B, where rows are. T is lower
    triangular, or upper with `upper`: the other triangle is not read, nor is with
    `unit` the diagonal, which counts as one. A pivot of zero gives results that are
    not finite; where one element of a solution is not, none of that right-hand side
    need be.

    By substitution, with a reciprocal of each pivot times a power of two, which
    does not overflow, and fused multiply-adds. With a triangle of more than 64 rows
    (f64: 44) it is composite, in blocks.

    Cost: n^2 multiply-adds for each right-hand side, n dependent steps.

    Constraints:
    - (C1) both tiles have at least two dimensions and the same ones before the
      last two; the triangle's last two are of one extent, at most 128 (of 4
      bytes an element), 96 (8 bytes) or 64 (16), which is that of `$rhs` before
      its last (with `right` the last).
    - (C2) both have elements of f32, both of f64, or both complex ones of one of
      these.

    Example: `%x = tile.triangular_solve %l, %b transposed : !tile.tile<4x16x16xf32>, !tile.tile<4x16x3xf32>`
  }];
  let arguments = (ins Tile_Tile:$triangle, Tile_Tile:$rhs, UnitAttr:$upper,
                       UnitAttr:$transposed, UnitAttr:$unit, UnitAttr:$right);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $triangle `,` $rhs (`upper` $upper^)? (`transposed` $transposed^)?
    (`unit` $unit^)? (`right` $right^)? attr-dict
    `:` qualified(type($triangle)) `,` qualified(type($rhs))
  }];
  let hasVerifier = 1;
}

def Tile_LuOp : Tile_ScratchOp<"lu", [
    AllTypesMatch<["source", "result"]>]> {
  let summary = "LU factors of square matrices, with partial pivoting";
  let description = [{
    Computes, for each matrix A of `$source`, the L and U with P' A = L U: L is
    lower triangular with ones on its diagonal, U upper triangular. The result has
    both, U on the diagonal and above, L without its ones below (LAPACK's
    `getrf`). Row i of P' A is row `permutation[i]` of A; with `unordered` the
    result's rows are not moved, row `permutation[i]` has row i of the factors.

    The pivot of a column is the element of largest size in the rest of the
    column, of equal ones the first, as the rows stand after LAPACK's exchanges; a
    NaN is larger than any other value, and the size of a complex value is
    abs(re) + abs(im). A pivot of zero leaves its column as it is. `$status`
    has LAPACK's `info` for each matrix: zero, or the position, from one on, of the
    first pivot that is zero.

    Right-looking, unblocked (LAPACK's `getf2`): a column is divided by its pivot;
    updates are fused multiply-adds. norm1(P' A - L U) / (n norm1(A) u) is below 1,
    u half the distance from 1 to the next value (LAPACK's test `get01`, which
    allows 30). A matrix with elements that are not finite, or whose factors
    overflow, may have NaN where LAPACK does not; other matrices are not touched by
    it.

    Cost: n^3 / 2 multiply-adds a matrix, of which n^3 / 3 count: rows that are
    done keep their lanes; n dependent steps. A step's pivot row goes to the other
    lanes through `$scratch`, in shared memory, which `-tile-bufferize` adds. In the
    end the rows are moved through it into their order.

    Constraints:
    - (C1) at least two dimensions, the last two of one extent, at most 128 (of 4
      bytes an element), 96 (8 bytes) or 64 (16).
    - (C2) elements of f32 or f64, or complex ones of these.
    - (C3) `$permutation` has the source's extents but for the last, and elements
      of i32.
    - (C4) `$status` has the source's extents but for the last two, and elements
      of i32.

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
    Computes, for each matrix A of `$source`, which has at least as many rows as
    columns, the R and the reflections of A = Q R: Q = H_1 ... H_n,
    H_k = I - s_k v_k v_k'.
    The result has R on the diagonal and above, and below it column k has v_k,
    whose elements before k are zero and whose element k is one. `$scales` has
    s_k; of a column that is zero below the diagonal it is zero, and H_k the unit
    matrix (LAPACK's `geqrf`). `tile.apply_householder` multiplies by Q or Q',
    `tile.qr` makes Q.

    Column by column (LAPACK's `geqr2`): R_kk has the sign other than that of the
    element it replaces. Each column is multiplied by a power of two for the
    computation, so that no square overflows, and none that counts becomes too small.
    norm1(A - Q R) / (m norm1(A) u) is below 3 and norm1(I - Q' Q) / (m u) below
    5, for m rows, u half the distance from 1 to the next value (LAPACK's test
    `qrt01`, which allows 30). A matrix with elements that are not finite has
    factors that are not; others are not touched by it.

    Cost: m n^2 - n^3 / 3 multiply-adds a matrix, half of them for sums, n
    dependent steps. Lanes of a warp exchange elements by shuffles; those of
    several warps read a step's vector in `$scratch`, in shared memory, which
    `-tile-bufferize` adds.

    Constraints:
    - (C1) at least two dimensions, the last two m and n with n at most m, and m
      at most 128 (f32) or 96 (f64), or a lane's share of a matrix at most 128
      elements of f32 or 72 of f64: 256x16 or 1024x1, 144x16 or 576x1.
    - (C2) elements of f32 or f64, or complex ones of these.
    - (C3) `$scales` has the source's extents but for the last but one, and its
      elements.

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
    Multiplies each matrix B of `$rhs` by the Q that `$reflections` and `$scales` of
    `tile.householder` represent: Q B, or with `transposed` Q' B (LAPACK's
    `ormqr`). The diagonal of `$reflections` and the elements above it are not read.
    With `triangular` the elements of B below the diagonal are not read, and count
    as zero: column j is then not changed by the reflections after j. If B is the
    unit matrix, the result is Q itself.

    Cost: 2 m n - n^2 multiply-adds for each column of B, n dependent steps; with
    `triangular` about half.

    Constraints:
    - (C1) `$reflections` and `$scales` are as `tile.householder` gives them; the
      matrices of `$rhs` have as many rows, and are as many.
    - (C2) all have elements of f32, all of f64, or all complex ones of these.
    - (C3) not both `transposed` and `triangular`.

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
    Computes, for each matrix A of `$source`, which has at least as many rows as
    columns, the Q and R with Q R = A: Q has A's shape and orthonormal columns, R is
    upper triangular (`numpy.linalg.qr`). Signs, accuracy and limits are those of
    `tile.householder`, of which and of `tile.apply_householder` this is
    composed: to solve a least-squares problem Q is not needed
    (`tile.least_squares`).

    Cost: twice that of the factors.

    Constraints:
    - (C1) at least two dimensions, the last two m and n with n at most m, and m
      at most 128 (f32) or 96 (f64), or a lane's share of a matrix at most 128
      elements of f32 or 72 of f64: 256x16 or 1024x1, 144x16 or 576x1.
    - (C2) elements of f32 or f64, or complex ones of these.
    - (C3) R has the source's extents but for the last two, then twice n, and its
      elements.

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
    Computes, for each matrix A of `$matrix`, which has at least as many rows as
    columns, and each matrix B of `$rhs`, the X for which norm2(B - A X) is least,
    column by column (LAPACK's `gels`): Q' B by the reflections of
    `tile.householder`, then R X = (Q' B)'s first rows. Where the columns of A
    depend on each other X is not finite, or wrong.

    Cost: that of the factors, and 2 m n multiply-adds for each column of B.

    Constraints:
    - (C1) the matrix as `tile.householder` takes it; `$rhs` has as many
      dimensions, those of the matrix but for the last.
    - (C2) both have elements of f32, both of f64, or both complex ones of these.
    - (C3) the result has the extents of `$rhs`, with n for m, and its elements.

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
    Computes, for each square matrix A of `$source`, orthonormal columns Q and
    their norms d with A V = Q diag(d) for some orthogonal (unitary) V: `$result`
    has Q and `$norms` d, the singular values of A, in no order. If the norm of a
    column is zero, or negligible compared with the largest, the column of Q is
    zero. V is not kept: it is A' Q diag(1 / d), with the conjugate transpose if A is
    complex. `tile.eigh` and `tile.svd` are composed of this, and order the columns.

    One-sided Jacobi rotations (Hestenes, "Inversion of Matrices by
    Biorthogonalization and Related Results", J. SIAM 6, 1958): each sweep
    rotates each two columns x and y with |x'y| > 2 sqrt(n) u norm(x) norm(y), where
    u is half the distance from 1 to the next value, so that they become orthogonal;
    for complex elements, y is first multiplied by a factor that makes x'y real. The
    last sweep finds no columns to rotate. Each step of a sweep pairs adjacent
    columns and swaps them, so that all pairs meet in n steps. The matrix is scaled
    by a power of two for the computation, so that no square overflows, and none
    that matters underflows. A matrix whose columns are all orthogonal is not
    changed while others of its warp still are.

    `$status` has for each matrix zero, or one if 30 sweeps were not enough (order
    64 takes 5 to 12, order 8 takes 4 to 6), or if its norms are not finite.

    Cost: about 3 n^3 multiply-adds a sweep and matrix. A lane has two columns.

    Constraints:
    - (C1) at least two dimensions, the last two of one extent, at most 64 (of 4
      bytes an element), 44 (8 bytes) or 32 (16).
    - (C2) elements of f32 or f64, or complex ones of one of these.
    - (C3) `$norms` has the source's extents but for the last but one, and its
      elements, of complex ones the type of their parts.
    - (C4) `$status` has the source's extents but for the last two, and elements
      of i32.

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
  let summary = "eigenvalues and vectors of symmetric or Hermitian matrices";
  let description = [{
    Computes the eigenvalues w and eigenvectors V of each symmetric (Hermitian)
    matrix A, with A V = V diag(w) (`numpy.linalg.eigh`, LAPACK's `syev`, `heev`).
    `$values` are real and in ascending order, and column k of `$vectors` belongs
    to value k; the columns are orthonormal. Only the lower triangle of A is read,
    and of its diagonal the real parts. Vectors are determined up to their sign (a
    factor of magnitude one), and for equal values up to the choice of a basis of
    their space. If a matrix has elements that are not finite, its results are NaN;
    those of other matrices are not affected.

    A + c I is positive definite if c is as large as Gershgorin's circles require;
    it is a sixteenth of norm1(A) larger. `tile.one_sided_jacobi` makes the columns
    of A + c I orthogonal: their norms minus c are the values, and the normalized
    columns are the vectors.

    norm1(A - V diag(w) V') / (n norm1(A) eps) is below 3, norm1(I - V V') /
    (n eps) below 5 (LAPACK's test `syt21`, which allows 50), and the error of each
    value is at most 3 n norm2(A) eps, where eps is the distance from 1 to the next
    value. So the relative error of a small value is larger.

    `$status` has for each matrix zero, or one where it is not decomposed: the
    rotations did not end, or an element is not finite.

    Constraints:
    - (C1) at least two dimensions, the last two of one extent, at most 64 (of 4
      bytes an element), 44 (8 bytes) or 32 (16).
    - (C2) elements of f32 or f64, or complex ones of one of these.
    - (C3) `$values` has the source's extents but for the last, `$vectors` all;
      both have its elements, `$values` of complex ones the type of their parts.
    - (C4) `$status` has the source's extents but for the last two, and elements
      of i32.

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
    Computes the singular value decomposition A = U diag(s) V' of each m x n matrix
    A of `$source`, with m at least n (`numpy.linalg.svd` with
    `full_matrices=False`, LAPACK's `gesvd`). `$u` is m x n with orthonormal
    columns, `$values` are in descending order and not negative, and `$vt` is n x n
    and orthogonal (unitary for complex elements). A column of U and its row of V'
    are determined up to a factor of magnitude one, and for equal values up to the
    choice of a basis of their space. U and V' are orthogonal also where values are
    zero. If a matrix has elements that are not finite, some of its results are not
    finite; those of other matrices are not affected. For a matrix with fewer rows
    than columns, decompose its transpose.

    If m is greater than n, A is first replaced by the R of its QR factors, and the
    U of R is then multiplied by the Q. `tile.one_sided_jacobi` makes the columns
    of A orthogonal; they are sorted by their norms, which are the values. U is the
    Q of the QR factors of the sorted columns (`tile.qr`), and V the Q of those of
    A' U, whose R is diagonal except for rounding errors.

    norm1(A - U diag(s) V') / (m norm1(A) eps) is below 3, norm1(I - U' U) / (m
    eps) and norm1(I - V' V) / (n eps) below 5 (LAPACK's tests `bdt01` and
    `ort01`, which allow 50), and the error of each value is at most
    3 m norm2(A) eps, where eps is the distance from 1 to the next value.

    `$status` has for each matrix zero, or one where the rotations did not end or
    a value is not finite.

    Constraints:
    - (C1) at least two dimensions, the last two of extents m and n, with n at
      most m. For elements of 4, 8 and 16 bytes, n is at most 64, 44 and 32. m is
      at most 128, 96 and 64, or more if a lane's share of a matrix is at most
      128, 72 and 32 elements: 256x16 or 1024x1 of f32, 144x16 or 576x1 of f64.
    - (C2) elements of f32 or f64, or complex ones of one of these.
    - (C3) `$u` has the source's type. `$values` has real elements and the source's
      extents without the last but one, m. `$vt` has the source's element type, and
      its extents with n in place of m.
    - (C4) `$status` has the source's extents but for the last two, and elements
      of i32.

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
    Computes, for each matrix A of `$matrix` and each matrix B of `$rhs`, whose
    columns are right-hand sides, the X with A X = B (LAPACK's `gesv`). With `spd` A
    is symmetric (Hermitian) and positive definite, and only its lower triangle is
    read (`posv`).

    B is eliminated along with A, as further columns of `tile.lu`, and A's upper
    triangle then solved for. Where a lane does not have registers for both, this
    becomes `tile.lu`, the rows of B in the order of its permutation, and two
    `tile.triangular_solve`; with `spd` always `tile.cholesky` and these.
    `$status` is that of the factors. X is not finite where A is singular, and NaN
    where it is not positive definite but `spd`. norm1(B - A X) / (norm1(A) norm1(X) u)
    is below 4, for more than 64 rows below 8 (LAPACK's test `get02`, which allows
    30; its own `sgesv` reaches 3 and 6 on such matrices).

    Cost: that of the factors, and 2 n^2 multiply-adds for each right-hand side;
    2 n dependent steps. `$scratch` is as that of `tile.lu`.

    Constraints:
    - (C1) both tiles have at least two dimensions and the same ones before the
      last two; the matrix's last two are of one extent, at most 128 (of 4
      bytes an element), 96 (8 bytes) or 64 (16), which is that of `$rhs` before
      its last.
    - (C2) both have elements of f32, both of f64, or both complex ones of one of
      these.
    - (C3) `$status` has the matrix's extents but for the last two, and elements
      of i32.

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
    Computes, for each matrix A of `$source`, the inverse: the X with A X = I, by
    Gauss-Jordan elimination in place, with the pivots of `tile.lu`. A system is
    solved faster, and more accurately, by `tile.solve`. The inverse of a singular
    matrix is not finite, and its `$status`, that of `tile.lu`, not zero.
    norm1(I - X A) / (n norm1(A) norm1(X) u) is below 2 (LAPACK's test `get03`,
    which allows 30); norm1(I - A X) is larger where A is nearly singular.

    Cost: n^3 multiply-adds a matrix; n dependent steps. `$scratch` is as that of
    `tile.lu`; through it rows and columns are put in order, too.

    Constraints:
    - (C1) at least two dimensions, the last two of one extent, at most 128 (of 4
      bytes an element), 96 (8 bytes) or 64 (16).
    - (C2) elements of f32 or f64, or complex ones of these.
    - (C3) `$status` has the source's extents but for the last two, and elements
      of i32.

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
    Computes the determinant of each matrix of `$source`: the product of the pivots
    of `tile.lu` and of the sign of its permutation. If it overflows, or becomes too
    small, in the order of `tile.reduce`, use `tile.logdet`, which does not.

    Cost: that of `tile.lu` without moving rows, and two reductions.

    Constraints:
    - (C1) at least two dimensions, the last two of one extent, at most 128 (of 4
      bytes an element), 96 (8 bytes) or 64 (16).
    - (C2) elements of f32 or f64, or complex ones of these.
    - (C3) the result has the source's extents but for the last two, and its
      elements.

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
    Computes the sign and the natural logarithm of the size of the determinant of
    each matrix of `$source`, as `numpy.linalg.slogdet`: the determinant is
    `sign * exp(logarithm)`. The sign is 1, -1 or 0, for complex matrices a complex
    value of modulus one, or 0. The logarithm is the sum of those of the pivots of
    `tile.lu`, and does not overflow. For a singular matrix the sign is zero and
    the logarithm minus infinity; for one with NaN both are NaN.

    Cost: that of `tile.determinant`, and n logarithms.

    Constraints:
    - (C1) at least two dimensions, the last two of one extent, at most 128 (of 4
      bytes an element), 96 (8 bytes) or 64 (16).
    - (C2) elements of f32 or f64, or complex ones of these.
    - (C3) the results have the source's extents but for the last two; `$sign` has
      its elements, `$logarithm` their parts, the real ones that they are or have.

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
    Element i of the result is element (i, i) of the matrix of `$source`, as long
    as there are both a row and a column i.

    Cost: a comparison and a selection an element of the source, and a reduction
    along rows or columns.

    Constraints:
    - (C1) the source has at least two dimensions.
    - (C2) the result has the source's extents but for the last two, then the
      smaller one of these, and its elements.

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
    `$source`, with element i of `$diagonal`, or the scalar `$diagonal`, added to
    element (i, i) of each matrix.

    Cost: elementwise, an addition, a comparison and a selection an element.

    Constraints:
    - (C1) the source has at least two dimensions.
    - (C2) its elements are integers of 8 to 64 bits, floating-point, or complex.
    - (C3) `$diagonal` is a scalar of the source's element type, or a tile of
      such elements, with the source's extents except the last two, then the smaller
      one of these.
      of these.

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
