# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans: each element combined with the elements before it along an axis."""

from __future__ import annotations

from ..tracing.trace import builder
from ..tracing.values import Tile, check_tile
from .conversions import convert, widen_f8
from .extents import check_axis
from .operands import is_f8
from .reductions import get_ordered_kind, widen_integers


def cumsum(tile: Tile, axis: int = -1, *, exclusive: bool = False,
           reverse: bool = False) -> Tile:
    """The sum of each element and all elements before it along the axis. With
    `exclusive` the element itself is left out; with `reverse` the elements after it are
    summed instead. Bools and integers of less than 32 bits are summed in i32, or, if
    they are unsigned, in u32."""
    return scan_by_kind("add", widen_integers(tile), axis, exclusive, reverse)


def cumprod(tile: Tile, axis: int = -1, *, exclusive: bool = False,
            reverse: bool = False) -> Tile:
    """The cumulative product of each element and all elements before it; options are as
    in `cumsum`."""
    return scan_by_kind("mul", widen_integers(tile), axis, exclusive, reverse)


def cummax(tile: Tile, axis: int = -1, *, exclusive: bool = False,
           reverse: bool = False) -> Tile:
    """The greatest of each element and all elements before it; options are as in
    `cumsum`."""
    return scan_by_kind(get_ordered_kind("max", tile), tile, axis, exclusive,
                        reverse)


def cummin(tile: Tile, axis: int = -1, *, exclusive: bool = False,
           reverse: bool = False) -> Tile:
    """The least of each element and all elements before it; options are as in
    `cumsum`."""
    return scan_by_kind(get_ordered_kind("min", tile), tile, axis, exclusive,
                        reverse)


def scan_by_kind(kind: str, tile: Tile, axis: int, exclusive: bool, reverse: bool
                 ) -> Tile:
    check_tile(tile, 1)
    if is_f8(tile.dtype) and kind in ("max", "min"):
        wide = scan_by_kind(kind, widen_f8(tile), axis, exclusive, reverse)
        return convert(wide, tile.dtype)
    [value] = builder().tile(
        "scan", kind=kind, sources=tile.value, axis=check_axis(axis, tile.ndim),
        exclusive=exclusive, reverse=reverse, results=[tile.type])
    return Tile(value)
