# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes of the shape of tiles, and concatenation of several tiles."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Optional, Sequence

from ..ir import TileType
from ..tracing.trace import builder, describe, fail
from ..tracing.values import Operand, Tile, check_tile, methods
from . import promotion
from .conversions import convert
from .creation import full
from .extents import Shape, check_axis, check_shape


def reshape(tile: Tile, shape: Shape) -> Tile:
    """Returns a tile with the same elements in row-major order, and another shape. One
    extent may be -1, and is then computed from the others."""
    check_tile(tile)
    given = tuple(shape) if isinstance(shape, Iterable) else (shape,)
    if not all(isinstance(extent, int) for extent in given):
        check_shape(given)  # refuses it
    extents = list(given)
    if extents.count(-1) == 1:
        rest = math.prod(n for n in extents if n != -1)
        extents[extents.index(-1)] = tile.size // rest if rest else 0
    if math.prod(extents) != tile.size:
        fail(f"expected a shape of {tile.size} elements, got {given}")
    if tuple(extents) == tile.shape:
        return tile
    type = TileType(check_shape(extents), tile.dtype)
    [value] = builder().tile("reshape", source=tile.value, results=[type])
    return Tile(value)


def transpose(tile: Tile, axes: Optional[Sequence[int]] = None) -> Tile:
    """Returns the tile with its dimensions in the order `axes`, by default reversed."""
    check_tile(tile)
    rank = tile.ndim
    if axes is not None and not isinstance(axes, Iterable):
        fail(f"expected a sequence of axes, got {describe(axes)}")
    order = [check_axis(axis, rank) for axis in
             (reversed(range(rank)) if axes is None else axes)]
    if sorted(order) != list(range(rank)):
        fail(f"expected each of the {rank} axes once, got {tuple(order)}")
    if order == list(range(rank)):
        return tile
    type = TileType(tuple(tile.shape[axis] for axis in order), tile.dtype)
    [value] = builder().tile("transpose", source=tile.value, permutation=order,
                             results=[type])
    return Tile(value)


def swap_axes(tile: Tile, first: int, second: int) -> Tile:
    """Returns the tile with two dimensions exchanged."""
    check_tile(tile)
    order = list(range(tile.ndim))
    a, b = check_axis(first, tile.ndim), check_axis(second, tile.ndim)
    order[a], order[b] = order[b], order[a]
    return transpose(tile, order)


def expand_dims(tile: Tile, axis: int) -> Tile:
    """Returns the tile with a new dimension of extent one at `axis`."""
    check_tile(tile)
    at = check_axis(axis, tile.ndim + 1)
    return reshape(tile, (*tile.shape[:at], 1, *tile.shape[at:]))


def squeeze(tile: Tile, axis: Optional[int] = None) -> Tile:
    """Returns the tile without the dimension `axis`, whose extent must be one, or, if
    `axis` is None, without all dimensions of extent one."""
    check_tile(tile)
    if axis is None:
        return reshape(tile, [n for n in tile.shape if n != 1])
    at = check_axis(axis, tile.ndim)
    if tile.shape[at] != 1:
        fail(f"expected an axis of extent one, got one of {tile.shape[at]}")
    return reshape(tile, tile.shape[:at] + tile.shape[at + 1:])


def concatenate(tiles: Sequence[Tile], axis: int = 0) -> Tile:
    """Concatenates tiles along an axis, converted to their common type."""
    _check_sequence(tiles)
    for tile in tiles:
        check_tile(tile, 1)
    element = promotion.get_common_element(tiles)
    parts = [convert(tile, element) for tile in tiles]
    at = check_axis(axis, parts[0].ndim)
    extents = list(parts[0].shape)
    extents[at] = sum(part.shape[at] for part in parts)
    for part in parts:
        if part.shape[:at] + part.shape[at + 1:] != \
                tuple(extents[:at] + extents[at + 1:]):
            fail(f"expected tiles that differ along axis {at} alone, got "
                 f"{parts[0].shape} and {part.shape}")
    [value] = builder().tile("join", parts=[part.value for part in parts],
                             axis=at,
                             results=[TileType(tuple(extents), element)])
    return Tile(value)


def stack(tiles: Sequence[Operand], axis: int = 0) -> Tile:
    """Stacks tiles along a new axis, or makes a tile of one dimension from scalars and
    Python values."""
    _check_sequence(tiles)
    if not any(isinstance(tile, Tile) for tile in tiles):
        check_axis(axis, 1)
        element = promotion.get_common_element(tiles)
        return concatenate([full((1,), scalar, element) for scalar in tiles])
    parts = [check_tile(tile) for tile in tiles]
    return concatenate([expand_dims(part, axis) for part in parts],
                       check_axis(axis, parts[0].ndim + 1))


def _check_sequence(tiles: object) -> None:
    if not isinstance(tiles, (tuple, list)):
        fail(f"expected a list of tiles, got {describe(tiles)}")
    if not tiles:
        fail("expected one tile or more, got none")


methods.reshape = reshape
methods.transpose = transpose
methods.swap_axes = swap_axes
