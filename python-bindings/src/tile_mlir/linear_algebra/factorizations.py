# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Factorisations of matrices, on the last two dimensions of tiles; the dimensions before
them count matrices."""

from __future__ import annotations

from typing import Any, Literal, Optional, Union, overload

from .. import elements
from ..elements import Element
from ..ir import TileType
from ..language.complex_numbers import conj
from ..language.conversions import convert
from ..language.shapes import concatenate, swap_axes
from ..tracing.trace import builder, describe, fail
from ..tracing.values import Tile, check_tile

Factors = Union[Tile, tuple[Tile, ...]]


def _get_batch(matrices: object) -> tuple[int, ...]:
    if not isinstance(matrices, Tile) or matrices.ndim < 2:
        fail(f"expected a tile of matrices, got {describe(matrices)}")
    return matrices.shape[:-2]


def get_part_type(matrices: Tile, *extents: int,
                  element: Optional[Element] = None) -> TileType:
    return TileType(_get_batch(matrices) + extents, element or matrices.dtype)


def build_factors(name: str, matrices: Tile, types: list[TileType], status: bool,
                  **given: Any) -> Factors:
    """Builds an operation and returns its results, followed by the status if it is
    requested."""
    if status:
        types = types + [get_part_type(matrices, element=elements.i32)]
    values = builder().tile(name, results=types, **given)
    found = tuple(Tile(value) for value in values)
    return found if len(found) > 1 else found[0]


def build_one(name: str, type: TileType, **given: Any) -> Tile:
    """Builds an operation with one result, and returns it."""
    [value] = builder().tile(name, results=[type], **given)
    return Tile(value)


@overload
def cholesky(matrices: Tile, *, upper: bool = ..., status: Literal[False] = ...
             ) -> Tile: ...


@overload
def cholesky(matrices: Tile, *, upper: bool = ..., status: Literal[True]
             ) -> tuple[Tile, Tile]: ...


def cholesky(matrices: Tile, *, upper: bool = False, status: bool = False
             ) -> Factors:
    """Returns the Cholesky factors of symmetric or Hermitian positive definite
    matrices: L with A = L L', or, with `upper`, U with A = U' U. With `status` it also
    returns LAPACK's info of each matrix, as i32."""
    check_tile(matrices, 2)
    return build_factors("cholesky", matrices, [get_part_type(
        matrices, *matrices.shape[-2:])], status, source=matrices.value,
        upper=upper)


def cholesky_derivative(factor: Tile, change: Tile, *, transposed: bool = False) -> Tile:
    """Returns the change of L that a change of A = L L' makes or, with `transposed`, the
    gradient by A of a function with the gradient `change` by L. All of them are lower
    triangles; the other elements are not read, or zero."""
    check_tile(factor, 2)
    check_tile(change, 2)
    if (factor.shape, factor.dtype) != (change.shape, change.dtype):
        fail(f"expected a change with the shape and type of the factor, a "
             f"{describe(factor)}, got a {describe(change)}")
    return build_one("cholesky_derivative", factor.type, factor=factor.value,
                     change=change.value, transposed=transposed)


@overload
def ldlt(matrices: Tile, *, status: Literal[False] = ...) -> Tile: ...


@overload
def ldlt(matrices: Tile, *, status: Literal[True]) -> tuple[Tile, Tile]: ...


def ldlt(matrices: Tile, *, status: bool = False) -> Factors:
    """Returns L and D with A = L D L', without pivoting, in one tile: D is on the
    diagonal, and L, whose diagonal is ones, below it."""
    check_tile(matrices, 2)
    return build_factors("ldlt", matrices, [get_part_type(
        matrices, *matrices.shape[-2:])], status, source=matrices.value)


@overload
def lu(matrices: Tile, *, unordered: bool = ..., status: Literal[False] = ...
       ) -> tuple[Tile, Tile]: ...


@overload
def lu(matrices: Tile, *, unordered: bool = ..., status: Literal[True]
       ) -> tuple[Tile, Tile, Tile]: ...


def lu(matrices: Tile, *, unordered: bool = False, status: bool = False) -> Factors:
    """Returns L and U of the LU factorisation with pivoting in one tile, and the
    permutation: for each row of L and U the index of the corresponding row of A. With
    `unordered` the rows of L and U stay in the order of A."""
    check_tile(matrices, 2)
    n = matrices.shape[-1]
    return build_factors("lu", matrices, [
        get_part_type(matrices, n, n),
        get_part_type(matrices, n, element=elements.i32)], status,
        source=matrices.value, unordered=unordered)


def qr(matrices: Tile) -> tuple[Tile, Tile]:
    """Returns Q and R with A = Q R in the reduced form: with k the smaller extent of A,
    Q has k columns and R has k rows."""
    m, n = check_tile(matrices, 2).shape[-2:]
    if m < n:
        return _factor_wide(matrices)
    q, r = builder().tile("qr", source=matrices.value, results=[
        get_part_type(matrices, m, n), get_part_type(matrices, n, n)])
    return Tile(q), Tile(r)


def _factor_wide(matrices: Tile) -> tuple[Tile, Tile]:
    """Factors matrices with more columns than rows. Q and the left part of R are the
    factors of the square left part of A; the rest of R is Q' times the rest of A."""
    m = matrices.shape[-2]
    q, r = qr(matrices[..., :m])
    return q, concatenate([r, adjoint(q) @ matrices[..., m:]], -1)


def adjoint(matrices: Tile) -> Tile:
    """Returns the conjugate transposes of matrices."""
    return conjugate(swap_axes(matrices, -1, -2))


def conjugate(tile: Tile) -> Tile:
    """Returns the conjugates of complex elements; real elements stay."""
    return conj(tile) if tile.dtype.kind == "complex" else tile


def householder(matrices: Tile) -> tuple[Tile, Tile]:
    """Returns the QR factors of matrices with at least as many rows as columns, in the
    form of LAPACK's geqrf: a tile with R on and above the diagonal and the vectors of
    the reflections below it, and a tile with the scales of the reflections."""
    check_tile(matrices, 2)
    scales = _get_batch(matrices) + matrices.shape[-1:]
    values = builder().tile("householder", source=matrices.value, results=[
        matrices.type, TileType(scales, matrices.dtype)])
    return Tile(values[0]), Tile(values[1])


def apply_householder(reflections: Tile, scales: Tile, rhs: Tile, *,
                      transposed: bool = False, triangular: bool = False) -> Tile:
    """Returns Q B, or Q' B with `transposed`, for the Q whose reflections `householder`
    returned, as LAPACK's ormqr. With `triangular`, which excludes `transposed`, the
    elements of B below its diagonal are taken as zero."""
    for tile in (reflections, scales, rhs):
        check_tile(tile, 1)
    if transposed and triangular:
        fail("expected one of 'transposed' and 'triangular', got both")
    return build_one("apply_householder", TileType(rhs.shape, reflections.dtype),
                     reflections=reflections.value, scales=scales.value,
                     rhs=convert(rhs, reflections.dtype).value,
                     transposed=transposed, triangular=triangular)


@overload
def one_sided_jacobi(matrices: Tile, *, status: Literal[False] = ...
                     ) -> tuple[Tile, Tile]: ...


@overload
def one_sided_jacobi(matrices: Tile, *, status: Literal[True]
                     ) -> tuple[Tile, Tile, Tile]: ...


def one_sided_jacobi(matrices: Tile, *, status: bool = False) -> Factors:
    """Returns Q with orthonormal columns, and d, such that A V = Q diag(d) for some
    orthogonal V, by one-sided Jacobi rotations of square matrices A. The elements of d
    are in no particular order; `svd` and `eigh` sort them."""
    check_tile(matrices, 2)
    n = matrices.shape[-1]
    return build_factors("one_sided_jacobi", matrices, [
        matrices.type, get_part_type(matrices, n, element=matrices.dtype.part)],
        status, source=matrices.value)


@overload
def inverse(matrices: Tile, *, status: Literal[False] = ...) -> Tile: ...


@overload
def inverse(matrices: Tile, *, status: Literal[True]) -> tuple[Tile, Tile]: ...


def inverse(matrices: Tile, *, status: bool = False) -> Factors:
    """Returns the inverses of square matrices."""
    check_tile(matrices, 2)
    return build_factors("inverse", matrices, [get_part_type(
        matrices, *matrices.shape[-2:])], status, source=matrices.value)


def determinant(matrices: Tile) -> Tile:
    """Returns the determinants of square matrices."""
    check_tile(matrices, 2)
    return build_one("determinant", get_part_type(matrices),
                     source=matrices.value)


def logdet(matrices: Tile) -> tuple[Tile, Tile]:
    """Returns the signs of the determinants of square matrices, and the logarithms of
    the determinants' absolute values."""
    check_tile(matrices, 2)
    sign, logarithm = builder().tile("logdet", source=matrices.value, results=[
        get_part_type(matrices),
        get_part_type(matrices, element=matrices.dtype.part)])
    return Tile(sign), Tile(logarithm)


@overload
def eigh(matrices: Tile, *, status: Literal[False] = ...
         ) -> tuple[Tile, Tile]: ...


@overload
def eigh(matrices: Tile, *, status: Literal[True]
         ) -> tuple[Tile, Tile, Tile]: ...


def eigh(matrices: Tile, *, status: bool = False) -> Factors:
    """Returns the eigenvalues of symmetric or Hermitian matrices, in ascending order,
    and the eigenvectors as columns."""
    check_tile(matrices, 2)
    n = matrices.shape[-1]
    return build_factors("eigh", matrices, [
        get_part_type(matrices, n, element=matrices.dtype.part),
        get_part_type(matrices, n, n)], status, source=matrices.value)


@overload
def svd(matrices: Tile, *, status: Literal[False] = ...
        ) -> tuple[Tile, Tile, Tile]: ...


@overload
def svd(matrices: Tile, *, status: Literal[True]
        ) -> tuple[Tile, Tile, Tile, Tile]: ...


def svd(matrices: Tile, *, status: bool = False) -> Factors:
    """Returns U, s and V' with A = U diag(s) V' in the reduced form, with the singular
    values s in descending order."""
    m, n = check_tile(matrices, 2).shape[-2:]
    if m >= n:
        return _decompose_tall(matrices, status)
    v, values, u, *rest = _decompose_tall(adjoint(matrices), status)
    return (adjoint(u), values, adjoint(v), *rest)


def _decompose_tall(matrices: Tile, status: bool) -> Factors:
    """Returns the factors of `svd` for matrices with at least as many rows as
    columns."""
    m, n = matrices.shape[-2:]
    return build_factors("svd", matrices, [
        get_part_type(matrices, m, n),
        get_part_type(matrices, n, element=matrices.dtype.part),
        get_part_type(matrices, n, n)], status, source=matrices.value)
