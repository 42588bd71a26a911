# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Systems of linear equations, on the last two dimensions of tiles; the dimensions
before them count systems. The right-hand sides of a system are the columns of a matrix,
or one vector, if their tile has one dimension less. Results have the form of the
right-hand sides."""

from __future__ import annotations

from typing import Any, Literal, Union, overload

from ..ir import TileType
from ..language.conversions import convert
from ..language.indexing import pad
from ..language.shapes import expand_dims, squeeze
from ..tracing.trace import fail
from ..tracing.values import Tile, check_tile
from .factorizations import (adjoint, apply_householder, build_factors, build_one,
                             conjugate, householder)


@overload
def solve(matrices: Tile, rhs: Tile, *, spd: bool = ...,
          status: Literal[False] = ...) -> Tile: ...


@overload
def solve(matrices: Tile, rhs: Tile, *, spd: bool = ..., status: Literal[True]
          ) -> tuple[Tile, Tile]: ...


def solve(matrices: Tile, rhs: Tile, *, spd: bool = False, status: bool = False
          ) -> Union[Tile, tuple[Tile, ...]]:
    """Returns X with A X = B. With `spd` the matrices are assumed to be symmetric
    positive definite. With `status` it also returns, as i32, the index of the first
    pivot that is zero, counted from one, or zero if there is none."""
    columns = _make_columns(matrices, rhs)
    found: Any = build_factors("solve", matrices, [columns.type], status,
                               matrix=matrices.value, rhs=columns.value, spd=spd)
    if status:
        return _make_like(found[0], rhs), found[1]
    return _make_like(found, rhs)


def triangular_solve(triangle: Tile, rhs: Tile, *, upper: bool = False,
                     transposed: bool = False, unit: bool = False,
                     right: bool = False) -> Tile:
    """Returns X with T X = B; with `transposed`, T' X = B; with `right`, X T = B, where
    right-hand sides are rows. With `unit` the diagonal is assumed to be ones."""
    axis = -2 if right else -1
    sides = _make_columns(triangle, rhs, axis)
    return _make_like(build_one(
        "triangular_solve", sides.type, triangle=triangle.value, rhs=sides.value,
        upper=upper, transposed=transposed, unit=unit, right=right), rhs, axis)


def cholesky_solve(factor: Tile, rhs: Tile, *, upper: bool = False) -> Tile:
    """Returns X with A X = B, from the factor of A that `cholesky` returns: L with A =
    L L', or, with `upper`, U with A = U' U."""
    check_tile(factor, 2)
    other = conjugate(factor)
    first, second = (other, factor) if upper else (factor, other)
    return triangular_solve(
        second, triangular_solve(first, rhs, upper=upper, transposed=upper),
        upper=upper, transposed=not upper)


def least_squares(matrices: Tile, rhs: Tile) -> Tile:
    """Returns X that minimizes the norm of each column of A X - B. If A has fewer rows
    than columns, several X do so, and the one of least norm is returned."""
    columns = _make_columns(matrices, rhs)
    m, n = matrices.shape[-2:]
    if m < n:
        return _make_like(_find_least_norm(matrices, columns), rhs)
    type = TileType((*columns.shape[:-2], n, columns.shape[-1]), matrices.dtype)
    return _make_like(build_one("least_squares", type, matrix=matrices.value,
                                rhs=columns.value), rhs)


def _find_least_norm(matrices: Tile, columns: Tile) -> Tile:
    """Solves a system with fewer rows than columns by A' = Q R: X = Q Y, where Y solves
    R' Y = B and is extended by zeros."""
    m, n = matrices.shape[-2:]
    reflections, scales = householder(adjoint(matrices))
    triangle = conjugate(reflections[..., :m, :])
    found = triangular_solve(triangle, columns, upper=True, transposed=True)
    below = [(0, 0)] * (found.ndim - 2) + [(0, n - m), (0, 0)]
    return apply_householder(reflections, scales, pad(found, below))


# ----------------------------------------------------------------------------
# Right-hand sides
# ----------------------------------------------------------------------------


def _make_columns(matrices: Tile, rhs: Tile, axis: int = -1) -> Tile:
    """Returns right-hand sides as matrices: a vector becomes one column, or one row if
    `axis` is -2."""
    rank = check_tile(matrices, 2).ndim
    if check_tile(rhs, 1).ndim not in (rank - 1, rank):
        fail(f"expected right-hand sides of {rank} dimensions, or vectors of {rank - 1}, "
             f"for a {matrices!r}, got a {rhs!r}")
    vectors = (*matrices.shape[:-2], matrices.shape[-2])
    if rhs.ndim < rank and rhs.shape != vectors:
        fail(f"expected vectors of the shape {vectors} as right-hand sides of a "
             f"{matrices!r}, got a {rhs!r}")
    return convert(rhs if rhs.ndim == rank else expand_dims(rhs, axis), matrices.dtype)


def _make_like(found: Tile, rhs: Tile, axis: int = -1) -> Tile:
    """Returns `found` as vectors if the right-hand sides `rhs` are vectors, else as it
    is."""
    return found if found.ndim == rhs.ndim else squeeze(found, axis)
