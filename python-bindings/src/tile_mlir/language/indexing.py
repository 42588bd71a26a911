# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of tiles: `tile[...]`, boxes of elements, and elements at indices."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np

from .. import elements
from ..elements import is_known_integer
from ..ir import TileType
from ..tracing.trace import builder, check_word, describe, fail
from ..tracing.values import Axes, Index, Operand, Scalar, Tile, check_tile, methods
from .conversions import broadcast_to, convert, to_value, widen_unsigned
from .coordinates import Coordinates, is_integer, list_coordinates, make_index
from .creation import arange, full
from .extents import check_axis, check_shape, list_axes
from .shapes import reshape
from .updates import UPDATES, get_update_kind


def get_item(tile: Tile, items: Any) -> Union[Tile, Scalar]:
    """Returns `tile[items]`. The items are slices with bounds that are known while the
    kernel is traced, integers and scalars, `None` for a new dimension, and `...`."""
    items = list_items(items, tile.ndim)
    offsets: list[Index] = []
    begin: Index
    extents, steps, kept = [], [], []
    dims = iter(tile.shape)
    for item in items:
        if item is None:
            kept.append(1)
            continue
        extent = next(dims)
        if isinstance(item, slice):
            indices = resolve_slice(item, extent, "tile.view takes offsets that are "
                                    "not")
            begin, count, step = indices.start, len(indices), indices.step
            kept.append(count)
        else:
            begin = resolve_index(item, extent, "tile.take has")
            count = step = 1
        offsets.append(begin)
        extents.append(count)
        steps.append(step)
    if all(not isinstance(item, slice) and item is not None
           for item in items):
        return _extract(tile, offsets)
    part = tile
    has_steps = any(step != 1 for step in steps)
    if has_steps or tuple(extents) != tile.shape:
        part = view(tile, offsets, extents, steps if has_steps else None)
    return reshape(part, kept)


def _extract(tile: Tile, offsets: Sequence[Index]) -> Scalar:
    [value] = builder().tile("extract", source=tile.value,
                             indices=[make_index(x) for x in offsets],
                             results=[tile.dtype])
    return Scalar(value)


def list_items(items: Any, rank: int) -> list[Any]:
    """Lists the items in `[]`, so that each of `rank` dimensions has an index or a
    slice: whole slices replace `...`, or are appended for dimensions left out."""
    whole = list(items) if isinstance(items, tuple) else [items]
    if sum(item is Ellipsis for item in whole) > 1:
        fail("expected '...' once, got it more often")
    given = sum(item is not None and item is not Ellipsis for item in whole)
    if given > rank:
        fail(f"expected at most {rank} places, got {given}")
    rest = [slice(None)] * (rank - given)
    for at, item in enumerate(whole):
        if item is Ellipsis:
            return whole[:at] + rest + whole[at + 1:]
    return whole + rest


def resolve_slice(item: slice, extent: int, instead: str) -> range:
    """Returns the indices of a slice of a dimension; `instead` names, for the error
    message, the alternative for bounds that are not known."""
    check_bounds(item, instead)
    indices = range(*item.indices(extent))
    if not indices:
        fail(f"expected a slice of at least one element, got "
             f"{item.start}:{item.stop}:{item.step} of {extent}")
    return indices


def check_bounds(item: slice, instead: str) -> None:
    """Raises an error for a slice whose bounds are not Python integers."""
    for bound in (item.start, item.stop, item.step):
        if isinstance(bound, Scalar):
            fail(f"expected a slice with bounds that are known while the kernel "
                 f"is traced, got a {bound!r}; {instead}")
        if bound is not None and not is_known_integer(bound):
            fail(f"expected integers as bounds of a slice, got {describe(bound)}")
    if item.step == 0:
        fail("expected a slice with a step that is not zero, got 0")


def resolve_index(item: object, extent: int, by_tile: str) -> Index:
    """Returns an index along a dimension, counted from zero. `by_tile` names, for the
    error message, the alternative for a tile of indices."""
    if isinstance(item, Scalar):
        return item
    if not is_integer(item):
        fail(f"expected a slice, an integer, None or ..., got {describe(item)}; "
             f"{by_tile} the elements at a tile of places")
    if not -extent <= item < extent:
        fail(f"expected a place from {-extent} to {extent - 1}, got {item}")
    return item % extent


# ----------------------------------------------------------------------------
# Boxes
# ----------------------------------------------------------------------------


def view(tile: Tile, offsets: Coordinates, shape: Sequence[int],
         steps: Optional[Sequence[int]] = None) -> Tile:
    """Returns a box of a tile, with every element, or every `steps`-th element along
    each axis."""
    check_tile(tile)
    type = TileType(check_shape(shape), tile.dtype)
    [value] = builder().tile("view", source=tile.value,
                             offsets=list_coordinates(offsets),
                             steps=steps, results=[type])
    return Tile(value)


def insert(tile: Tile, offsets: Coordinates, part: Operand) -> Tile:
    """Returns the tile with the box that starts at `offsets` replaced by another tile,
    or by a scalar."""
    check_tile(tile)
    value = convert(part, tile.dtype).value
    [result] = builder().tile("insert", part=value, dest=tile.value,
                              offsets=list_coordinates(offsets),
                              results=[tile.type])
    return Tile(result)


# The widths before and after a tile: one pair for all axes, or one for each axis.
Widths = Union[int, Sequence[int], Sequence[Sequence[int]]]


def pad(tile: Tile, widths: Widths, value: Operand = 0) -> Tile:
    """Returns a greater tile that contains the tile and is `value` elsewhere. `widths`
    are the counts of elements that are added before and after the tile: a pair for each
    axis, as in ((1, 2), (0, 0)), one pair for all axes, or one count for all sides."""
    check_tile(tile)
    pairs = _list_widths(widths, tile.ndim)
    shape = [before + n + behind for (before, behind), n in zip(pairs, tile.shape)]
    return insert(full(shape, value, tile.dtype), [before for before, _ in pairs], tile)


def _list_widths(widths: Widths, rank: int) -> list[tuple[int, int]]:
    try:
        pairs = np.broadcast_to(np.asarray(widths), (rank, 2))
    except ValueError:
        pairs = np.empty((0, 2))
    if pairs.dtype.kind != "i" or (pairs < 0).any():
        fail(f"expected a number from zero on, a pair of them, or {rank} pairs as "
             f"widths, got {describe(widths)}")
    return [(int(before), int(behind)) for before, behind in pairs]


# ----------------------------------------------------------------------------
# At indices
# ----------------------------------------------------------------------------


def flip(tile: Tile, axis: Optional[Axes] = None) -> Tile:
    """Returns the elements in reverse order along one axis, along several axes, or, if
    `axis` is None, along all axes."""
    check_tile(tile)
    axes = list_axes(axis, tile.ndim)
    items = [slice(None, None, -1 if at in axes else 1) for at in range(tile.ndim)]
    flipped: Tile = tile[tuple(items)]
    return flipped


def roll(tile: Tile, shift: Index, axis: int) -> Tile:
    """Returns the elements moved along an axis, from index i to i + shift; elements
    that leave the tile at one end enter it at the other end."""
    check_tile(tile)
    if not is_integer(shift):
        fail(f"expected an integer as a shift, got {describe(shift)}")
    at = check_axis(axis, tile.ndim)
    extent = tile.shape[at]
    from_indices = (arange(extent) + (extent - _get_rest(shift, extent))) % extent
    return take(tile, from_indices, at)


def _get_rest(shift: Index, extent: int) -> Index:
    """Returns `shift` modulo `extent`, as i32 if it is a scalar."""
    if not isinstance(shift, Scalar):
        return shift % extent
    wide = convert(shift, elements.index) if shift.dtype.bits < 32 else shift
    return convert(wide % extent, elements.i32)


def take(tile: Tile, indices: Tile, axis: int) -> Tile:
    """Returns the elements of a tile at indices along an axis. `indices` has the rank
    of the tile, or one dimension."""
    check_tile(tile)
    at = check_axis(axis, tile.ndim)
    indices = _spread_indices(indices, at, tile.ndim)
    shape = [max(extent, n) if dim != at else n for dim, (extent, n) in
             enumerate(zip(tile.shape, indices.shape))]
    [value] = builder().tile("take", source=tile.value, indices=indices.value,
                             axis=at,
                             results=[TileType(tuple(shape), tile.dtype)])
    return Tile(value)


def put(tile: Tile, indices: Tile, values: Operand, axis: int, *,
        mask: Optional[Tile] = None, kind: Optional[str] = None) -> Tile:
    """Returns the tile with the elements at indices along an axis replaced by `values`,
    or combined with them by `kind`, "add", "max", ..."""
    check_tile(tile)
    if kind is not None and tile.dtype.kind == "bool":
        # Bools are updated as i32, since an update accesses a whole element of memory;
        # "add" of bools is "or", as in NumPy.
        wide = put(convert(tile, elements.i32), indices, convert(values, elements.bool_),
                   axis, mask=mask, kind=kind)
        return convert(wide, elements.bool_)
    at = check_axis(axis, tile.ndim)
    indices = _spread_indices(indices, at, tile.ndim)
    extents = list(tile.shape)
    extents[at] = values.shape[at] if isinstance(values, Tile) and \
        values.ndim == tile.ndim else indices.shape[at]
    values = Tile(to_value(values, TileType(tuple(extents),
                                            tile.dtype)))
    if mask is not None:
        mask = broadcast_to(mask, values.shape)
    check_word("a kind", kind, UPDATES)
    [value] = builder().tile("put", values=values.value, dest=tile.value,
                             indices=indices.value, axis=at,
                             mask=None if mask is None else mask.value,
                             kind=get_update_kind(kind, tile.dtype),
                             results=[tile.type])
    return Tile(value)


def _spread_indices(indices: Tile, axis: int, rank: int) -> Tile:
    if not isinstance(indices, Tile) or indices.dtype.kind != "int":
        fail(f"expected a tile of integers as indices, got {describe(indices)}")
    indices = widen_unsigned(indices)
    if indices.ndim == 1 and rank > 1:
        shape = [1] * rank
        shape[axis] = indices.shape[0]
        return reshape(indices, shape)
    return indices


methods.get_item = get_item
