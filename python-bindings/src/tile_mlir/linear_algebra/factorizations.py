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
    """Returns the result of an operation that has one."""
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
    """L of A = L L', or with `upper` U of A = U' U, of symmetric or Hermitian positive
    definite matrices; with `status` also LAPACK's info, as i32."""
    check_tile(matrices, 2)
    return build_factors("cholesky", matrices, [get_part_type(
        matrices, *matrices.shape[-2:])], status, source=matrices.value,
        upper=upper)


@overload
def ldlt(matrices: Tile, *, status: Literal[False] = ...) -> Tile: ...


@overload
def ldlt(matrices: Tile, *, status: Literal[True]) -> tuple[Tile, Tile]: ...


def ldlt(matrices: Tile, *, status: bool = False) -> Factors:
    """L and D of A = L D L', D on the diagonal, without pivoting."""
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
    """L and U in one tile, and the indices of the rows of A in the order of the rows of
    L and U. With `unordered` the rows of L and U stay in the order of A."""
    check_tile(matrices, 2)
    n = matrices.shape[-1]
    return build_factors("lu", matrices, [
        get_part_type(matrices, n, n),
        get_part_type(matrices, n, element=elements.i32)], status,
        source=matrices.value, unordered=unordered)


def qr(matrices: Tile) -> tuple[Tile, Tile]:
    """Q and R of A = Q R, in the reduced form: with k the smaller extent of A, Q has k
    columns and R has k rows."""
    m, n = check_tile(matrices, 2).shape[-2:]
    if m < n:
        return _factor_wide(matrices)
    q, r = builder().tile("qr", source=matrices.value, results=[
        get_part_type(matrices, m, n), get_part_type(matrices, n, n)])
    return Tile(q), Tile(r)


def _factor_wide(matrices: Tile) -> tuple[Tile, Tile]:
    """Q and R of the first columns, and Q' times the others."""
    m = matrices.shape[-2]
    q, r = qr(matrices[..., :m])
    return q, concatenate([r, adjoint(q) @ matrices[..., m:]], -1)


def adjoint(matrices: Tile) -> Tile:
    """The conjugate transposes."""
    return conjugate(swap_axes(matrices, -1, -2))


def conjugate(tile: Tile) -> Tile:
    """The conjugates of complex elements; real ones as they are."""
    return conj(tile) if tile.dtype.kind == "complex" else tile


def householder(matrices: Tile) -> tuple[Tile, Tile]:
    """QR factors of matrices of at least as many rows as columns, as LAPACK's geqrf
    has them: R on the diagonal and above, the vectors of reflections below, and
    the reflections' scales."""
    check_tile(matrices, 2)
    scales = _get_batch(matrices) + matrices.shape[-1:]
    values = builder().tile("householder", source=matrices.value, results=[
        matrices.type, TileType(scales, matrices.dtype)])
    return Tile(values[0]), Tile(values[1])


def apply_householder(reflections: Tile, scales: Tile, rhs: Tile, *,
                      transposed: bool = False, triangular: bool = False) -> Tile:
    """Q B, or Q' B with `transposed`, of the Q that `householder` gives, as LAPACK's
    ormqr; with `triangular`, which cannot be used with `transposed`, the elements of B
    below its diagonal count as zero."""
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
    """Orthonormal columns Q and their norms d, in no order, with A V = Q diag(d)
    for some orthogonal V, of square matrices; `svd` and `eigh` order them."""
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
    """The inverses of square matrices."""
    check_tile(matrices, 2)
    return build_factors("inverse", matrices, [get_part_type(
        matrices, *matrices.shape[-2:])], status, source=matrices.value)


def determinant(matrices: Tile) -> Tile:
    """The determinants of square matrices."""
    check_tile(matrices, 2)
    return build_one("determinant", get_part_type(matrices),
                     source=matrices.value)


def logdet(matrices: Tile) -> tuple[Tile, Tile]:
    """Signs and logarithms of determinants."""
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
    """Eigenvalues in ascending order, and vectors as columns, of symmetric or
    Hermitian matrices."""
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
    """U, singular values in descending order, and V' of A = U diag(s) V', in the
    reduced form."""
    m, n = check_tile(matrices, 2).shape[-2:]
    if m >= n:
        return _decompose_tall(matrices, status)
    v, values, u, *rest = _decompose_tall(adjoint(matrices), status)
    return (adjoint(u), values, adjoint(v), *rest)


def _decompose_tall(matrices: Tile, status: bool) -> Factors:
    """The factors of `svd` of matrices of at least as many rows as columns."""
    m, n = matrices.shape[-2:]
    return build_factors("svd", matrices, [
        get_part_type(matrices, m, n),
        get_part_type(matrices, n, element=matrices.dtype.part),
        get_part_type(matrices, n, n)], status, source=matrices.value)
