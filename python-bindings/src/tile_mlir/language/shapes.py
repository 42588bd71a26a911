# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles in other shapes, and parts of tiles."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Optional, Sequence, Union

import numpy as np

from .. import elements
from ..elements import DType, Element, is_known_integer
from ..ir import TileType, Value
from ..tracing.trace import builder, check_word, describe, fail, to_element
from ..tracing.values import (Axes, Operand, Place, Scalar, Tile, check_operand,
                              check_tile)
from . import compute, promotion
from .compute import broadcast_to, convert
from .memory import (UPDATES, Places, Shape, check_axis, check_shape,
                     get_atomic_kind, is_integer, list_axes, list_places,
                     make_place)

# The widths before and after a tile along an axis, or along each.
Widths = Union[int, Sequence[int], Sequence[Sequence[int]]]


def reshape(tile: Tile, shape: Shape) -> Tile:
    """The elements in row-major order, in another shape; one extent may be -1, which is
    the remaining one."""
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
    """The dimensions in another order, in reverse if none is given."""
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
    """Two dimensions exchanged."""
    check_tile(tile)
    order = list(range(tile.ndim))
    a, b = check_axis(first, tile.ndim), check_axis(second, tile.ndim)
    order[a], order[b] = order[b], order[a]
    return transpose(tile, order)


def expand_dims(tile: Tile, axis: int) -> Tile:
    """A new dimension of extent one at `axis`."""
    check_tile(tile)
    at = check_axis(axis, tile.ndim + 1)
    return reshape(tile, (*tile.shape[:at], 1, *tile.shape[at:]))


def squeeze(tile: Tile, axis: Optional[int] = None) -> Tile:
    """The tile without a dimension of extent one, or without any of them."""
    check_tile(tile)
    if axis is None:
        return reshape(tile, [n for n in tile.shape if n != 1])
    at = check_axis(axis, tile.ndim)
    if tile.shape[at] != 1:
        fail(f"expected an axis of extent one, got one of {tile.shape[at]}")
    return reshape(tile, tile.shape[:at] + tile.shape[at + 1:])


def concatenate(tiles: Sequence[Tile], axis: int = 0) -> Tile:
    """Tiles side by side along an axis, of their common type."""
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
    """Tiles along a new axis, or scalars and numbers as a tile of one dimension."""
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


# ----------------------------------------------------------------------------
# Parts
# ----------------------------------------------------------------------------


def view(tile: Tile, offsets: Places, shape: Sequence[int],
         steps: Optional[Sequence[int]] = None) -> Tile:
    """A box of a tile, of every element or of every `steps`-th."""
    check_tile(tile)
    type = TileType(check_shape(shape), tile.dtype)
    [value] = builder().tile("view", source=tile.value,
                             offsets=list_places(offsets),
                             steps=steps, results=[type])
    return Tile(value)


def flip(tile: Tile, axis: Optional[Axes] = None) -> Tile:
    """The elements in reverse order along an axis, along several, or along all."""
    check_tile(tile)
    axes = list_axes(axis, tile.ndim)
    places = [slice(None, None, -1 if at in axes else 1) for at in range(tile.ndim)]
    flipped: Tile = tile[tuple(places)]
    return flipped


def roll(tile: Tile, shift: Place, axis: int) -> Tile:
    """The element at i moved to i + shift along an axis, what would leave it to the
    other end."""
    check_tile(tile)
    if not is_integer(shift):
        fail(f"expected an integer as a shift, got {describe(shift)}")
    at = check_axis(axis, tile.ndim)
    extent = tile.shape[at]
    from_places = (arange(extent) + (extent - _get_rest(shift, extent))) % extent
    return take(tile, from_places, at)


def _get_rest(shift: Place, extent: int) -> Place:
    """By what of an extent a shift moves elements, as i32 if it is a scalar."""
    if not isinstance(shift, Scalar):
        return shift % extent
    wide = convert(shift, elements.index) if shift.dtype.bits < 32 else shift
    return convert(wide % extent, elements.i32)


def pad(tile: Tile, widths: Widths, value: Operand = 0) -> Tile:
    """The tile within a greater one that is `value` elsewhere. `widths` are the counts
    of elements that are put before and after it along each axis, as in ((1, 2), (0,
    0)), one pair for all, or one width for all sides."""
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


def tril(tile: Tile, k: int = 0) -> Tile:
    """The elements of matrices on diagonal `k` and below it, zero elsewhere. Diagonal 1
    starts at the second column, -1 at the second row."""
    return compute.where(_get_diagonals(tile) <= k, tile, 0)


def triu(tile: Tile, k: int = 0) -> Tile:
    """The elements of matrices on diagonal `k` and above it, zero elsewhere; as
    `tril`."""
    return compute.where(_get_diagonals(tile) >= k, tile, 0)


def _get_diagonals(tile: Tile) -> Tile:
    """Returns, for each element of a matrix, the diagonal that it lies on."""
    rows, columns = check_tile(tile, 2).shape[-2:]
    return arange(columns) - arange(rows)[:, None]


def insert(tile: Tile, offsets: Places, part: Operand) -> Tile:
    """The tile with a box of it, which starts at `offsets`, replaced by another tile or
    by a scalar."""
    check_tile(tile)
    value = convert(part, tile.dtype).value
    [result] = builder().tile("insert", part=value, dest=tile.value,
                              offsets=list_places(offsets),
                              results=[tile.type])
    return Tile(result)


def get_item(tile: Tile, places: Any) -> Union[Tile, Scalar]:
    """`tile[places]`: slices with bounds that are known while the kernel is traced,
    integers and scalars, `None` for a new dimension, and `...`."""
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
    """Returns the indices of a slice of a dimension; `instead` states the alternative
    for bounds that are not known."""
    check_bounds(place, instead)
    numbers = range(*place.indices(extent))
    if not numbers:
        fail(f"expected a slice of at least one element, got "
             f"{place.start}:{place.stop}:{place.step} of {extent}")
    return numbers


def check_bounds(place: slice, instead: str) -> None:
    """Refuses a slice without integers of Python as bounds."""
    for bound in (place.start, place.stop, place.step):
        if isinstance(bound, Scalar):
            fail(f"expected a slice with bounds that are known while the kernel "
                 f"is traced, got a {bound!r}; {instead}")
        if bound is not None and not is_known_integer(bound):
            fail(f"expected integers as bounds of a slice, got {describe(bound)}")
    if place.step == 0:
        fail("expected a slice with a step that is not zero, got 0")


def resolve_place(place: object, extent: int, by_tile: str) -> Place:
    """Returns an index of a dimension, from zero on. `by_tile` states the alternative
    for a tile of indices."""
    if isinstance(place, Scalar):
        return place
    if not is_integer(place):
        fail(f"expected a slice, an integer, None or ..., got {describe(place)}; "
             f"{by_tile} the elements at a tile of places")
    if not -extent <= place < extent:
        fail(f"expected a place from {-extent} to {extent - 1}, got {place}")
    return place % extent


def _extract(tile: Tile, offsets: Sequence[Place]) -> Scalar:
    [value] = builder().tile("extract", source=tile.value,
                             indices=[make_place(x) for x in offsets],
                             results=[tile.dtype])
    return Scalar(value)


def take(tile: Tile, indices: Tile, axis: int) -> Tile:
    """The elements of a tile at indices along an axis. Indices have the rank of
    the tile, or one dimension."""
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
    """The tile with elements at indices along an axis replaced, or updated by `kind`,
    "add", "max", ..."""
    check_tile(tile)
    if kind is not None and tile.dtype.kind == "bool":
        # An update takes a whole element of memory: sums are of i32, as NumPy's of
        # bools are "or".
        wide = put(convert(tile, elements.i32), indices, convert(values, elements.bool_),
                   axis, mask=mask, kind=kind)
        return convert(wide, elements.bool_)
    at = check_axis(axis, tile.ndim)
    indices = _spread_indices(indices, at, tile.ndim)
    extents = list(tile.shape)
    extents[at] = values.shape[at] if isinstance(values, Tile) and \
        values.ndim == tile.ndim else indices.shape[at]
    values = Tile(compute.to_value(values, TileType(tuple(extents),
                                                    tile.dtype)))
    if mask is not None:
        mask = broadcast_to(mask, values.shape)
    check_word("a kind", kind, UPDATES)
    [value] = builder().tile("put", values=values.value, dest=tile.value,
                             indices=indices.value, axis=at,
                             mask=None if mask is None else mask.value, kind=get_atomic_kind(kind, tile.dtype),
                             results=[tile.type])
    return Tile(value)


def _spread_indices(indices: Tile, axis: int, rank: int) -> Tile:
    if not isinstance(indices, Tile) or indices.dtype.kind != "int":
        fail(f"expected a tile of integers as indices, got {describe(indices)}")
    indices = compute.widen_unsigned(indices)
    if indices.ndim == 1 and rank > 1:
        shape = [1] * rank
        shape[axis] = indices.shape[0]
        return reshape(indices, shape)
    return indices


# ----------------------------------------------------------------------------
# New tiles
# ----------------------------------------------------------------------------


def full(shape: Shape, value: Operand, dtype: Optional[DType] = None) -> Tile:
    """A tile of one value, of its type if none is given."""
    element = (promotion.get_common_element((value,)) if dtype is None
               else to_element(dtype))
    type = compute.make_tile_type(check_shape(shape), element)
    return Tile(compute.to_value(value, type))


def zeros(shape: Shape, dtype: DType = elements.f32) -> Tile:
    """A tile of zeros."""
    return full(shape, 0, dtype)


def ones(shape: Shape, dtype: DType = elements.f32) -> Tile:
    """A tile of ones."""
    return full(shape, 1, dtype)


def zeros_like(tile: Tile, dtype: Optional[DType] = None) -> Tile:
    """A tile of zeros of another's shape, and of its type if none is given."""
    return full_like(tile, 0, dtype)


def ones_like(tile: Tile, dtype: Optional[DType] = None) -> Tile:
    """A tile of ones of another's shape, and of its type if none is given."""
    return full_like(tile, 1, dtype)


def full_like(tile: Tile, value: Operand, dtype: Optional[DType] = None) -> Tile:
    """A tile of one value of another's shape, and of its type if none is given."""
    return full(check_tile(tile).shape, value, tile.dtype if dtype is None else dtype)


def eye(n: int, dtype: DType = elements.f32) -> Tile:
    """The identity matrix of n rows."""
    from ..linear_algebra.factorizations import add_diagonal
    return add_diagonal(zeros((n, n), dtype), 1)


def arange(start: int, stop: Optional[int] = None, step: int = 1, *,
           dtype: DType = elements.i32) -> Tile:
    """The integers of Python's range: from `start` on, by `step`, to before `stop`;
    with one argument from zero to before that."""
    first, end = (0, start) if stop is None else (start, stop)
    for bound in (first, end, step):
        if not is_known_integer(bound):
            fail(f"expected integers that are known while the kernel is traced as "
                 f"bounds of arange, got {describe(bound)}; a scalar can be added "
                 "to it")
    if step == 0:
        fail("expected a step of arange that is not zero, got 0")
    bounds = range(first, end, step)
    type = TileType(check_shape(len(bounds)), to_element(dtype))
    for number in (bounds[0], bounds[-1]):
        promotion.check_number(number, type.element)
    numbers = _count(type, 0)
    if abs(step) != 1:
        numbers = numbers * abs(step)
    if step < 0:
        return first - numbers
    return numbers if first == 0 else numbers + first


def iota(shape: Shape, axis: int, dtype: Optional[DType] = None, *,
         start: Optional[Operand] = None, step: Optional[Operand] = None) -> Tile:
    """A tile of its own indices along an axis, or of `start` + index * `step`; if only
    one of the two is given, `start` is zero or `step` is one. It is of i32, if no type
    is given, or of the type of the two, if that is wider, or has a point."""
    extents = check_shape(shape)
    at = check_axis(axis, len(extents))
    first, by = 0 if start is None else start, 1 if step is None else step
    element = _get_iota_element(first, by) if dtype is None else to_element(dtype)
    type = compute.make_tile_type(extents, element)
    _check_last(type, at, first, by)
    if start is None and step is None:
        return _count(type, at)
    return _count(type, at, *(compute.to_value(x, type.element) for x in (first, by)))


def _get_iota_element(first: Operand, by: Operand) -> Element:
    element = promotion.get_common_element((first, by))
    is_narrow = element.kind in ("bool", "int") and element.bits < 32
    return elements.i32 if is_narrow else element


def _check_last(type: TileType, axis: int, first: Operand, by: Operand) -> None:
    """Refuses a last value that the type does not have, if it is known."""
    if compute.is_number(first) and compute.is_number(by):
        promotion.check_number(first + (type.shape[axis] - 1) * by, type.element)


def _count(type: TileType, axis: int, start: Optional[Value] = None,
           step: Optional[Value] = None) -> Tile:
    [value] = builder().tile("iota", axis=axis, start=start, step=step, results=[type])
    return Tile(value)


def unpack(tile: Tile, bits: int, axis: int = -1, *, unsigned: bool = False
           ) -> Tile:
    """Integers of 1, 2 or 4 bits, signed unless `unsigned`, of the words of integers
    that they are packed in along an axis, the lowest bits first: as i8 or u8, as
    many as they are."""
    if not isinstance(tile, Tile) or tile.dtype.kind != "int":
        fail(f"expected a tile of integers, got {describe(tile)}")
    if bits not in (1, 2, 4):
        fail(f"expected numbers of 1, 2 or 4 bits, got {describe(bits)}")
    at = check_axis(axis, tile.ndim)
    shape = list(tile.shape)
    shape[at] *= tile.dtype.bits // bits
    [value] = builder().tile(
        "unpack", source=tile.value, axis=at, bits=bits,
        unsigned_integer=unsigned, results=[
            TileType(tuple(shape), elements.u8 if unsigned else elements.i8)])
    return Tile(value)


def random(distribution: str, seed: Operand, counter: Operand, shape: Shape,
           dtype: DType = elements.f32) -> Tile:
    """Random numbers, "bits", "uniform" (from 0 to below 1) or "normal", by
    Philox4x32-10: element n in row-major order depends only on the seed and on counter
    + n."""
    check_word("a distribution", distribution, ("bits", "uniform", "normal"))
    type = TileType(check_shape(shape), to_element(dtype))
    [value] = builder().tile(
        "random", distribution=distribution,
        seed=_make_word(seed), counter=_make_word(counter), results=[type])
    return Tile(value)


def _make_word(number: Operand) -> Value:
    """64 bits of an integer, with a sign or without."""
    check_operand(number)
    if compute.is_number(number) and not elements.has_number(elements.i64, number):
        number = convert(number, elements.u64)
    return convert(number, elements.i64).value
