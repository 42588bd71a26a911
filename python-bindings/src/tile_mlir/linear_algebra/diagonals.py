# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagonals and triangles of matrices, on the last two dimensions of tiles."""

from __future__ import annotations

from .. import elements
from ..elements import DType
from ..ir import TileType
from ..language.conditions import where
from ..language.conversions import convert
from ..language.creation import arange, zeros
from ..tracing.values import Operand, Tile, check_tile
from .factorizations import build_one, get_part_type


def diagonal(matrices: Tile) -> Tile:
    """Returns the diagonals of matrices, as a tile with one dimension less."""
    check_tile(matrices, 2)
    n = min(matrices.shape[-2:])
    return build_one("diagonal", get_part_type(matrices, n),
                     source=matrices.value)


def add_diagonal(matrices: Tile, numbers: Operand) -> Tile:
    """Adds `numbers` to the diagonals of matrices: one value for all, or a tile with
    one value for each element of a diagonal."""
    check_tile(matrices, 2)
    given = convert(numbers, matrices.dtype)
    return build_one("add_diagonal", TileType(matrices.shape, matrices.dtype),
                     source=matrices.value, diagonal=given.value)


def eye(n: int, dtype: DType = elements.f32) -> Tile:
    """Returns the identity matrix with n rows."""
    return add_diagonal(zeros((n, n), dtype), 1)


def tril(tile: Tile, k: int = 0) -> Tile:
    """Returns the elements of matrices on diagonal `k` and below it, zero elsewhere.
    Diagonal 0 is the main one, 1 starts at the second column, -1 at the second row."""
    return where(_get_diagonals(tile) <= k, tile, 0)


def triu(tile: Tile, k: int = 0) -> Tile:
    """Returns the elements of matrices on diagonal `k` and above it, zero elsewhere.
    Diagonals are counted as in `tril`."""
    return where(_get_diagonals(tile) >= k, tile, 0)


def _get_diagonals(tile: Tile) -> Tile:
    """Returns, for each element of a matrix, the index of the diagonal that it is on:
    its column less its row."""
    rows, columns = check_tile(tile, 2).shape[-2:]
    return arange(columns) - arange(rows)[:, None]
