# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorting of the elements of a tile, and histograms of them."""

from __future__ import annotations

import builtins
from typing import Optional

from .. import elements
from ..ir import TileType
from ..tracing.trace import builder
from ..tracing.values import Tile, check_tile
from .conversions import convert, widen_unsigned
from .creation import iota
from .extents import check_axis, check_extent
from .reductions import is_unsigned


def sort(tile: Tile, axis: int = -1, *, descending: bool = False) -> Tile:
    """Returns the elements sorted along an axis; False is less than True, NaN is
    last."""
    check_tile(tile)
    [value] = builder().tile(
        "sort", sources=tile.value, axis=check_axis(axis, tile.ndim),
        descending=descending, unsigned_integer=is_unsigned(tile),
        results=[tile.type])
    return Tile(value)


def sort_by_key(keys: Tile, *values: Tile, axis: int = -1,
                descending: bool = False) -> tuple[Tile, ...]:
    """Returns the keys sorted along an axis, and the tiles `values`, of the same shape,
    with their elements moved as the keys are."""
    for tile in (keys, *values):
        check_tile(tile, 1)
    sources = (keys, *values)
    results = builder().tile(
        "sort", sources=[tile.value for tile in sources],
        axis=check_axis(axis, keys.ndim), descending=descending,
        unsigned_integer=is_unsigned(keys),
        results=[tile.type for tile in sources])
    return tuple(builtins.map(Tile, results))


def argsort(tile: Tile, axis: int = -1, *, descending: bool = False) -> Tile:
    """Returns the indices along an axis that sort the elements, as i32. Equal elements
    keep their order; NaN is last."""
    check_tile(tile, 1)
    indices = iota(tile.shape, axis)
    return sort_by_key(tile, indices, axis=axis, descending=descending)[1]


def top_k(tile: Tile, count: int, axis: int = -1, *, least: bool = False
          ) -> tuple[Tile, Tile]:
    """Returns the `count` greatest elements along an axis in descending order, or with
    `least` the least ones in ascending order, and their indices, as i32."""
    check_tile(tile)
    check_extent(count)
    shape = list(tile.shape)
    shape[check_axis(axis, tile.ndim)] = count
    values, indices = builder().tile(
        "top_k", source=tile.value, axis=check_axis(axis, tile.ndim), least=least,
        unsigned_integer=is_unsigned(tile),
        results=[TileType(tuple(shape), tile.dtype),
                 TileType(tuple(shape), elements.i32)])
    return Tile(values), Tile(indices)


def histogram(tile: Tile, bins: int, mask: Optional[Tile] = None) -> Tile:
    """Returns how often each integer from 0 to `bins` - 1 occurs, as i32."""
    check_tile(tile)
    check_extent(bins)
    if mask is not None:
        check_tile(mask)
    if tile.dtype.kind == "bool":
        tile = convert(tile, elements.i8)
    [value] = builder().tile("histogram", source=widen_unsigned(tile).value,
                             mask=None if mask is None else mask.value,
                             results=[TileType((bins,), elements.i32)])
    return Tile(value)
