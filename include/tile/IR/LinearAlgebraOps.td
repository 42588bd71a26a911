// Linear algebra: factorisations of matrices, and what is solved with them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_LINEARALGEBRAOPS
#define TILE_IR_LINEARALGEBRAOPS

include "tile/IR/TileOpBase.td"

def Tile_LinearAlgebraGroup : OpDocGroup {
  let summary = "Linear algebra";
  let description = [{
    Matrices are the last two dimensions of a tile, and a batch of them the ones
    before. Each is factored by the lanes of one warp or fewer, in registers.
  }];
}

let opDocGroup = Tile_LinearAlgebraGroup in {

def Tile_CholeskyOp : Tile_Op<"cholesky", [
    Pure, AllTypesMatch<["source", "result"]>, Tile_CompositeInSomeForms,
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, ["getRequiredLayout"]>,
    DeclareOpInterfaceMethods<Tile_CostOpInterface, ["getInstructions"]>]> {
  let summary = "Cholesky factor of symmetric positive definite matrices";
  let description = [{
    The lower triangular L with L L' = A, of each matrix A of `$source`, or with
    `upper` the upper triangular U with U' U = A. Only that triangle of A is
    read; the other one of the result is zero. Where A is not positive definite,
    as a pivot that is not positive or is NaN shows, the triangle is NaN.

    `$status` has for each matrix what LAPACK calls `info`: zero, or the number,
    from one on, of the first column whose pivot is not positive.

    Right-looking, unblocked (LAPACK's `potf2` in another order): a column is
    multiplied by the reciprocal of the root of its pivot; updates are fused
    multiply-adds. norm1(A - L L') / (n norm1(A) u) is below 1.5, u half the
    distance from 1 to the next number (LAPACK's test `pot01`, which allows 30).

    Cost: n^3 / 3 multiply-adds a matrix, n dependent steps. Matrices of up to 8
    rows take a lane a row, of up to 16 rows 16 lanes, larger ones a warp.

    Constraints:
    - (C1) at least two dimensions, the last two of one extent, at most 64 (f32)
      or 44 (f64).
    - (C2) elements of f32 or f64.
    - (C3) `$status` has the source's extents but for the last two, and elements
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
    Pure, AllTypesMatch<["source", "result"]>,
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, ["getRequiredLayout"]>,
    DeclareOpInterfaceMethods<Tile_CostOpInterface, ["getInstructions"]>]> {
  let summary = "factors L D L' of symmetric matrices, without pivoting";
  let description = [{
    The L and D with L D L' = A, of each symmetric matrix A of `$source`: L is
    lower triangular with ones on its diagonal, D diagonal. The result has D on
    its diagonal, L without its ones below, and zeros above. Only the lower
    triangle of A is read.

    Rows are not exchanged, so this is for matrices whose every symmetric
    permutation has such factors: definite ones, and quasi-definite ones, such as
    [H, B'; B, -C] with H and C positive definite (Vanderbei, "Symmetric
    Quasidefinite Matrices", SIAM J. Optim. 5, 1995). Of others the factors may
    be wrong by any amount, or not finite. `$status` has for each matrix zero, or
    the number, from one on, of the first pivot that is zero or NaN.

    Right-looking, unblocked: a column is multiplied by the reciprocal of its
    pivot; updates are fused multiply-adds. norm1(A - L D L') / (n norm1(A) u) is
    below 1.5 for positive definite matrices.

    Cost: n^3 / 3 multiply-adds a matrix, n dependent steps.

    Constraints:
    - (C1) at least two dimensions, the last two of one extent, at most 64 (f32)
      or 44 (f64).
    - (C2) elements of f32 or f64.
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
    Pure, AllTypesMatch<["rhs", "result"]>, Tile_CompositeInSomeForms,
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, ["getRequiredLayout"]>,
    DeclareOpInterfaceMethods<Tile_CostOpInterface, ["getInstructions"]>]> {
  let summary = "solve systems of a triangular matrix";
  let description = [{
    The X with T X = B of each matrix T of `$triangle` and each matrix B of
    `$rhs`, whose columns are right-hand sides; with `transposed` T' X = B; with
    `right` X T = B, or X T' = B, where rows are. T is lower triangular, or
    upper with `upper`: the other triangle is not read, nor is with `unit` the
    diagonal, which counts as one. A pivot of zero gives results that are not
    finite.

    By substitution, with a reciprocal of each pivot and fused multiply-adds.

    Cost: n^2 multiply-adds for each right-hand side, n dependent steps.

    Constraints:
    - (C1) both tiles have at least two dimensions and the same ones before the
      last two; the triangle's last two are of one extent, at most 64 (f32) or 44
      (f64), which is that of `$rhs` before its last (with `right` the last).
    - (C2) both have elements of f32, or both of f64.

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

} // opDocGroup

#endif // TILE_IR_LINEARALGEBRAOPS
