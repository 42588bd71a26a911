# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of tiles: `tile[...]`, boxes of elements, and elements at indices."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np

from .. import elements
from ..elements import is_known_integer
from ..ir import TileType
from ..tracing.trace import builder, check_word, describe, fail
from ..tracing.values import Axes, Operand, Place, Scalar, Tile, check_tile, methods
from .conversions import broadcast_to, convert, to_value, widen_unsigned
from .creation import arange, full
from .extents import check_axis, check_shape, list_axes
from .places import Places, is_integer, list_places, make_place
from .shapes import reshape
from .updates import UPDATES, get_update_kind


def get_item(tile: Tile, places: Any) -> Union[Tile, Scalar]:
    """Returns `tile[places]`. The items are slices with bounds that are known while the
    kernel is traced, integers and scalars, `None` for a new dimension, and `...`."""
    places = list_items(places, tile.ndim)
    offsets: list[Place] = []
    begin: Place
    extents, steps, kept = [], [], []
    dims = iter(tile.shape)
    for place in places:
        if place is None:
            kept.append(1)
            continue
        extent = next(dims)
        if isinstance(place, slice):
            numbers = resolve_slice(place, extent, "tile.view takes offsets that are "
                                    "not")
            begin, count, step = numbers.start, len(numbers), numbers.step
            kept.append(count)
        else:
            begin = resolve_place(place, extent, "tile.take has")
            count = step = 1
        offsets.append(begin)
        extents.append(count)
        steps.append(step)
    if all(not isinstance(place, slice) and place is not None
           for place in places):
        return _extract(tile, offsets)
    part = tile
    has_steps = any(step != 1 for step in steps)
    if has_steps or tuple(extents) != tile.shape:
        part = view(tile, offsets, extents, steps if has_steps else None)
    return reshape(part, kept)


def _extract(tile: Tile, offsets: Sequence[Place]) -> Scalar:
    [value] = builder().tile("extract", source=tile.value,
                             indices=[make_place(x) for x in offsets],
                             results=[tile.dtype])
    return Scalar(value)


def list_items(places: Any, rank: int) -> list[Any]:
    """Lists the items in `[]`, with an index or a slice for each of `rank` dimensions
    in place of `...` and of those that are left out."""
    whole = list(places) if isinstance(places, tuple) else [places]
    if sum(place is Ellipsis for place in whole) > 1:
        fail("expected '...' once, got it more often")
    given = sum(place is not None and place is not Ellipsis for place in whole)
    if given > rank:
        fail(f"expected at most {rank} places, got {given}")
    rest = [slice(None)] * (rank - given)
    for at, place in enumerate(whole):
        if place is Ellipsis:
            return whole[:at] + rest + whole[at + 1:]
    return whole + rest


def resolve_slice(place: slice, extent: int, instead: str) -> range:
    """Returns the indices of a slice of a dimension; `instead` names, for the error
    message, the alternative for bounds that are not known."""
    check_bounds(place, instead)
    numbers = range(*place.indices(extent))
    if not numbers:
        fail(f"expected a slice of at least one element, got "
             f"{place.start}:{place.stop}:{place.step} of {extent}")
    return numbers


def check_bounds(place: slice, instead: str) -> None:
    """Raises an error for a slice whose bounds are not Python integers."""
    for bound in (place.start, place.stop, place.step):
        if isinstance(bound, Scalar):
            fail(f"expected a slice with bounds that are known while the kernel "
                 f"is traced, got a {bound!r}; {instead}")
        if bound is not None and not is_known_integer(bound):
            fail(f"expected integers as bounds of a slice, got {describe(bound)}")
    if place.step == 0:
        fail("expected a slice with a step that is not zero, got 0")


def resolve_place(place: object, extent: int, by_tile: str) -> Place:
    """Returns an index along a dimension, counted from zero. `by_tile` names, for the
    error message, the alternative for a tile of indices."""
    if isinstance(place, Scalar):
        return place
    if not is_integer(place):
        fail(f"expected a slice, an integer, None or ..., got {describe(place)}; "
             f"{by_tile} the elements at a tile of places")
    if not -extent <= place < extent:
        fail(f"expected a place from {-extent} to {extent - 1}, got {place}")
    return place % extent


# ----------------------------------------------------------------------------
# Boxes
# ----------------------------------------------------------------------------


def view(tile: Tile, offsets: Places, shape: Sequence[int],
         steps: Optional[Sequence[int]] = None) -> Tile:
    """Returns a box of a tile, with every element, or every `steps`-th element along
    each axis."""
    check_tile(tile)
    type = TileType(check_shape(shape), tile.dtype)
    [value] = builder().tile("view", source=tile.value,
                             offsets=list_places(offsets),
                             steps=steps, results=[type])
    return Tile(value)


def insert(tile: Tile, offsets: Places, part: Operand) -> Tile:
    """Returns the tile with the box that starts at `offsets` replaced by another tile,
    or by a scalar."""
    check_tile(tile)
    value = convert(part, tile.dtype).value
    [result] = builder().tile("insert", part=value, dest=tile.value,
                              offsets=list_places(offsets),
                              results=[tile.type])
    return Tile(result)


# The widths before and after a tile: one pair for all axes, or one for each axis.
Widths = Union[int, Sequence[int], Sequence[Sequence[int]]]


def pad(tile: Tile, widths: Widths, value: Operand = 0) -> Tile:
    """Returns a greater tile that contains the tile and is `value` elsewhere. `widths`
    are the counts of elements that are added before and after it along each axis, as in
    ((1, 2), (0, 0)), one pair for all, or one width for all sides."""
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
    """Returns the elements in reverse order along one axis, several, or all axes."""
    check_tile(tile)
    axes = list_axes(axis, tile.ndim)
    places = [slice(None, None, -1 if at in axes else 1) for at in range(tile.ndim)]
    flipped: Tile = tile[tuple(places)]
    return flipped


def roll(tile: Tile, shift: Place, axis: int) -> Tile:
    """Returns the elements moved along an axis, from index i to i + shift; elements
    that leave the tile at one end enter it at the other end."""
    check_tile(tile)
    if not is_integer(shift):
        fail(f"expected an integer as a shift, got {describe(shift)}")
    at = check_axis(axis, tile.ndim)
    extent = tile.shape[at]
    from_places = (arange(extent) + (extent - _get_rest(shift, extent))) % extent
    return take(tile, from_places, at)


def _get_rest(shift: Place, extent: int) -> Place:
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
