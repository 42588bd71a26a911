# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading and writing arrays, a box at a time.

A box begins at `offsets`, a place for each dimension of the array, and has the
shape of the tile. A tile of less dimensions than the array has the array's last
ones, or those that `dims` says; in the others the box has one element. What lies
outside the array reads `pad`, zero if none is given, and is not written;
`in_bounds=True` promises that nothing does.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

from . import elements
from .compute import convert, to_value
from .elements import Element
from .ir import TileType, Value
from .trace import builder, fail
from .values import Array, Operand, Place, Scalar, Tile

Places = Union[Place, Sequence[Place]]
Shape = Union[int, Sequence[int]]


def load(array: Array, offsets: Places, shape: Shape, *,
         pad: Optional[Operand] = None, mask: Optional[Tile] = None,
         dims: Optional[Sequence[int]] = None, in_bounds: bool = False) -> Tile:
    """The box of an array as a tile. Elements where `mask` is False are not read,
    and are `pad`."""
    type = TileType(check_shape(shape), _get_element(array))
    [value] = builder().tile(
        "load", source=array.value, offsets=make_offsets(array, offsets),
        pad=_make_pad(array, pad), mask=_make_mask(mask, type),
        dims=_make_dims(array, type.shape, dims), in_bounds=in_bounds,
        results=[type])
    return Tile(value)


def store(array: Array, offsets: Places, value: Operand, *,
          mask: Optional[Tile] = None, dims: Optional[Sequence[int]] = None,
          in_bounds: bool = False) -> None:
    """Writes a tile, or a scalar, to the array, converted to its type. Elements
    where `mask` is False are not written."""
    tile = _make_tile(value, _get_element(array))
    builder().tile(
        "store", value=tile.value, dest=array.value,
        offsets=make_offsets(array, offsets), mask=_make_mask(mask, tile.type),
        dims=_make_dims(array, tile.shape, dims), in_bounds=in_bounds)


def gather(array: Array, offsets: Places, indices: Union[Tile, Sequence[Tile]],
           shape: Shape, *, axis: Optional[int] = None,
           axes: Optional[Sequence[int]] = None, pad: Optional[Operand] = None,
           mask: Optional[Tile] = None, dims: Optional[Sequence[int]] = None,
           in_bounds: bool = False) -> Tile:
    """As `load`, but along dimension `axis` of the tile the element at i is the
    array's at offset + indices[i]; or along each of the array's dimensions
    `axes`, by a tile of indices each. Indices have the tile's shape, or extent
    one where they are the same."""
    type = TileType(check_shape(shape), _get_element(array))
    where = _make_indices(indices, axis, axes, type.shape)
    [value] = builder().tile(
        "gather", source=array.value, offsets=make_offsets(array, offsets),
        **where, pad=_make_pad(array, pad), mask=_make_mask(mask, type),
        dims=_make_dims(array, type.shape, dims), in_bounds=in_bounds,
        results=[type])
    return Tile(value)


def scatter(array: Array, offsets: Places, indices: Union[Tile, Sequence[Tile]],
            value: Operand, *, axis: Optional[int] = None,
            axes: Optional[Sequence[int]] = None, mask: Optional[Tile] = None,
            dims: Optional[Sequence[int]] = None,
            atomic: Optional[str] = None, in_bounds: bool = False) -> None:
    """Writes a tile to where `gather` would read it. Which of several elements of
    one place stays is not said; with `atomic` ("add", "max", ...) each updates
    it."""
    tile = _make_tile(value, _get_element(array))
    where = _make_indices(indices, axis, axes, tile.shape)
    builder().tile(
        "scatter", value=tile.value, dest=array.value,
        offsets=make_offsets(array, offsets), **where,
        mask=_make_mask(mask, tile.type),
        dims=_make_dims(array, tile.shape, dims),
        kind=_get_atomic_kind(atomic, tile.dtype), in_bounds=in_bounds)


def atomic(kind: str, array: Array, offsets: Places, value: Operand, *,
           expected: Optional[Operand] = None, mask: Optional[Tile] = None,
           dims: Optional[Sequence[int]] = None, order: Optional[str] = None,
           scope: Optional[str] = None, ordered: bool = False,
           in_bounds: bool = False) -> Tile:
    """Updates each element of the box at once, and gives what was there before.
    Kinds are "add", "min", "max", "and", "or", "xor", "exchange" and
    "compare_exchange" (by `value` where the element is `expected`); of an unsigned
    array "min" and "max" are unsigned. `order` is "relaxed", "acquire", "release"
    or "acq_rel", `scope` "block", "gpu" or "system"; with `ordered` blocks update
    one after the other."""
    tile = _make_tile(value, _get_element(array))
    [old] = builder().tile(
        "atomic_rmw", kind=_get_atomic_kind(kind, tile.dtype), value=tile.value,
        dest=array.value, offsets=make_offsets(array, offsets),
        expected=None if expected is None else to_value(expected, tile.type),
        mask=_make_mask(mask, tile.type),
        dims=_make_dims(array, tile.shape, dims), order=order, scope=scope,
        ordered=ordered, in_bounds=in_bounds, results=[tile.type])
    return Tile(old)


def atomic_add(array: Array, offsets: Places, value: Operand, **rest: Any) -> Tile:
    """`atomic("add", ...)`."""
    return atomic("add", array, offsets, value, **rest)


# ----------------------------------------------------------------------------
# Operands
# ----------------------------------------------------------------------------


def check_shape(shape: Shape) -> tuple[int, ...]:
    """The extents of a tile, which Python has while the kernel is traced."""
    extents = (shape,) if isinstance(shape, (int, Scalar)) else tuple(shape)
    for extent in extents:
        if isinstance(extent, Scalar):
            fail(f"expected extents of a tile that are known while the kernel is "
                 f"traced, got a {extent!r}; pass it by keyword")
        if not isinstance(extent, int) or isinstance(extent, bool) or extent < 1:
            fail(f"expected positive extents of a tile, got {extent!r}")
    return extents


def make_offsets(array: Array, offsets: Places) -> list[Value]:
    places = offsets if isinstance(offsets, (tuple, list)) else (offsets,)
    if len(places) != array.ndim:
        fail(f"expected {array.ndim} offsets, one for each dimension of the "
             f"array, got {len(places)}")
    return [make_place(offset) for offset in places]


def make_place(place: object) -> Value:
    """An integer as an index."""
    if isinstance(place, Scalar) and place.dtype.kind in ("int", "index"):
        return convert(place, elements.index).value
    if isinstance(place, int) and not isinstance(place, bool):
        return convert(place, elements.index).value
    fail(f"expected an integer as a place, got {place!r}")


def _get_element(array: object) -> Element:
    if not isinstance(array, Array):
        fail(f"expected an array, an argument of the kernel, got {array!r}")
    return array.dtype


def _make_pad(array: Array, pad: Optional[Operand]) -> Optional[Value]:
    return None if pad is None else convert(pad, array.dtype).value


def _make_mask(mask: Optional[Tile], type: TileType) -> Optional[Value]:
    if mask is None:
        return None
    return to_value(mask, TileType(type.shape, elements.bool_))


def _make_dims(array: Array, shape: tuple[int, ...],
               dims: Optional[Sequence[int]]) -> Optional[list[int]]:
    if len(shape) > array.ndim:
        fail(f"expected at most {array.ndim} dimensions, those of the array, got "
             f"{len(shape)}")
    if dims is None:
        return None
    return [check_axis(dim, array.ndim) for dim in dims]


def check_axis(axis: object, rank: int) -> int:
    """An axis that may be counted from the last one, as -1."""
    if not isinstance(axis, int) or not -rank <= axis < rank:
        fail(f"expected an axis from {-rank} to {rank - 1}, got {axis!r}")
    return axis % rank


def _make_tile(value: Operand, element: Element) -> Tile:
    if isinstance(value, Tile):
        return convert(value, element)
    return Tile(to_value(value, TileType((), element)))


def _make_indices(indices: Union[Tile, Sequence[Tile]], axis: Optional[int],
                  axes: Optional[Sequence[int]], shape: tuple[int, ...]
                  ) -> dict[str, Any]:
    """Operands and attributes. Indices along one axis may have one dimension."""
    several = [indices] if isinstance(indices, Tile) else list(indices)
    for tile in several:
        if not isinstance(tile, Tile) or tile.dtype.kind != "int":
            fail(f"expected tiles of integers as indices, got {tile!r}")
    if axes is not None:
        return {"indices": [tile.value for tile in several], "axes": axes}
    axis = check_axis(0 if axis is None else axis, len(shape))
    [tile] = several
    if len(tile.shape) == 1 and len(shape) > 1:
        from .shapes import reshape
        extents = [1] * len(shape)
        extents[axis] = tile.shape[0]
        tile = reshape(tile, extents)
    return {"indices": tile.value, "axis": axis}


def _get_atomic_kind(kind: Optional[str], element: Element) -> Optional[str]:
    if kind in ("min", "max") and element.is_unsigned:
        return f"u{kind}"
    return kind


def program_id(axis: int) -> Scalar:
    """The place of the block in the grid along axis 0, 1 or 2."""
    [value] = builder().tile("program_id", axis=_get_axis(axis),
                             results=[elements.index])
    return Scalar(value)


def num_programs(axis: int) -> Scalar:
    """The blocks of the grid along axis 0, 1 or 2."""
    [value] = builder().tile("num_programs", axis=_get_axis(axis),
                             results=[elements.index])
    return Scalar(value)


def _get_axis(axis: int) -> str:
    if axis not in (0, 1, 2):
        fail(f"expected axis 0, 1 or 2 of the grid, got {axis!r}")
    return "xyz"[axis]
