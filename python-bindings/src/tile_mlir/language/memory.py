# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading and writing arrays, a box at a time.

A box starts at `offsets`, an index for each dimension of the array, and has the shape
of the tile. A tile of fewer dimensions than the array has the array's last ones, or
those that `dims` specifies; in the others the box has one element. Elements outside the
array read as `pad`, zero if none is given, and are not written; `in_bounds=True` is the
assumption that there are none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import (Any, Literal, Optional, Sequence, TypeGuard, Union,
                    overload)

import numpy as np

from .. import elements
from ..elements import Element, is_known_integer
from ..ir import TileType, Value
from ..tracing.trace import builder, check_word, describe, fail, get_trace, warn
from ..tracing.values import Array, Axes, Operand, Place, Scalar, Tile
from .compute import broadcast_shapes, convert, get_shape, to_value, widen_unsigned

Places = Union[Place, Sequence[Place]]
Shape = Union[int, Sequence[int]]


def load(array: Array, offsets: Places, shape: Shape, *,
         pad: Optional[Operand] = None, mask: Optional[Operand] = None,
         dims: Optional[Sequence[int]] = None, in_bounds: bool = False,
         storage: Optional[str] = None) -> Any:
    """The box of an array as a tile; of shape () its element as a scalar. Elements
    where `mask` is False are not read, and are `pad`. `storage` specifies the storage
    of the tile, "shared" or "register"; the compiler chooses it if none is given."""
    type = TileType(check_shape(shape), get_element(array))
    check_word("a storage", storage, ("shared", "register"))
    [value] = builder().tile(
        "load", source=array.value, offsets=make_offsets(array, offsets),
        pad=_make_pad(array, pad), mask=_make_mask(mask, type),
        dims=_make_dims(array, type.shape, dims), in_bounds=in_bounds,
        results=[TileType(type.shape, type.element, storage)])
    if storage is not None:
        [value] = builder().tile("convert_layout", source=value, results=[type])
    return _unpack(value)


def store(array: Array, offsets: Places, value: Operand, *,
          mask: Optional[Operand] = None, dims: Optional[Sequence[int]] = None,
          in_bounds: bool = False) -> None:
    """Writes a tile, or a scalar, to the array, converted to its type. Elements
    where `mask` is False are not written. The box has the shape that value and
    mask are broadcast to together."""
    tile = _make_tile(value, get_element(array), mask)
    _note_write(array, value)
    builder().tile(
        "store", value=tile.value, dest=array.value,
        offsets=make_offsets(array, offsets), mask=_make_mask(mask, tile.type),
        dims=_make_dims(array, tile.shape, dims), in_bounds=in_bounds)


def gather(array: Array, offsets: Places, indices: Union[Tile, Sequence[Tile]],
           shape: Shape, *, axis: Optional[int] = None,
           axes: Optional[Sequence[int]] = None, pad: Optional[Operand] = None,
           mask: Optional[Operand] = None, dims: Optional[Sequence[int]] = None,
           in_bounds: bool = False) -> Tile:
    """Loads as `load`, but along dimension `axis` of the tile the element at i is the
    array's at offset + indices[i]; or along each of the array's dimensions `axes`, by a
    tile of indices each. Indices have the tile's shape, or extent one where they are
    the same."""
    type = TileType(check_shape(shape), get_element(array))
    where = _make_indices(indices, axis, axes, type.shape)
    [value] = builder().tile(
        "gather", source=array.value, offsets=make_offsets(array, offsets),
        **where, pad=_make_pad(array, pad), mask=_make_mask(mask, type),
        dims=_make_dims(array, type.shape, dims), in_bounds=in_bounds,
        results=[type])
    return Tile(value)


@overload
def scatter(array: Array, offsets: Places, indices: Union[Tile, Sequence[Tile]],
            value: Operand, *, axis: Optional[int] = ...,
            axes: Optional[Sequence[int]] = ..., mask: Optional[Operand] = ...,
            dims: Optional[Sequence[int]] = ..., atomic: Optional[str] = ...,
            old: Literal[False] = ..., in_bounds: bool = ...) -> None: ...


@overload
def scatter(array: Array, offsets: Places, indices: Union[Tile, Sequence[Tile]],
            value: Operand, *, axis: Optional[int] = ...,
            axes: Optional[Sequence[int]] = ..., mask: Optional[Operand] = ...,
            dims: Optional[Sequence[int]] = ..., atomic: str,
            old: Literal[True], in_bounds: bool = ...) -> Tile: ...


def scatter(array: Array, offsets: Places, indices: Union[Tile, Sequence[Tile]],
            value: Operand, *, axis: Optional[int] = None,
            axes: Optional[Sequence[int]] = None, mask: Optional[Operand] = None,
            dims: Optional[Sequence[int]] = None, atomic: Optional[str] = None,
            old: bool = False, in_bounds: bool = False) -> Optional[Tile]:
    """Writes a tile, or a scalar for each of the indices, to where `gather` would read
    it. It is unspecified which of several elements of one index stays. With `atomic`
    ("add", "max", ...) each updates it, and `old=True` gives the old value, zero where
    nothing is updated."""
    check_word("a kind", atomic, UPDATES)
    if old and atomic is None:
        fail("expected 'old' for an atomic scatter, got one that is not")
    tile = _make_tile(value, get_element(array), mask,
                      () if isinstance(value, Tile) else
                      _get_indices_shape(indices))
    where = _make_indices(indices, axis, axes, tile.shape)
    _note_write(array, value)
    found = builder().tile(
        "scatter", value=tile.value, dest=array.value,
        offsets=make_offsets(array, offsets), **where,
        mask=_make_mask(mask, tile.type),
        dims=_make_dims(array, tile.shape, dims),
        kind=get_atomic_kind(atomic, tile.dtype), in_bounds=in_bounds,
        results=[tile.type] if old else [])
    return Tile(found[0]) if old else None


def atomic(kind: str, array: Array, offsets: Places, value: Operand, *,
           expected: Optional[Operand] = None, mask: Optional[Operand] = None,
           dims: Optional[Sequence[int]] = None, order: Optional[str] = None,
           scope: Optional[str] = None, ordered: bool = False,
           in_bounds: bool = False) -> Any:
    """Updates each element of the box, or the one that a scalar is for, atomically, and
    gives the old value. The box has the shape that `value`, `expected` and `mask` are
    broadcast to together.
    Kinds are "add", "min", "max", "and", "or", "xor", "exchange" and
    "compare_exchange" (by `value` where the element is `expected`); of an unsigned
    array "min" and "max" are unsigned. `order` is "relaxed", "acquire", "release"
    or "acq_rel", `scope` "block", "gpu" or "system"; with `ordered` blocks update
    one after the other."""
    if kind is None:
        fail("expected a kind of atomic operation, got none")
    check_word("a kind", kind, (*UPDATES, "compare_exchange"))
    _check_order(order, ("relaxed", "acquire", "release", "acq_rel"), scope)
    if (kind == "compare_exchange") != (expected is not None):
        given = "none" if expected is None else f"one for {kind!r}"
        fail(f"expected 'expected' for compare_exchange, and for it alone, got {given}")
    tile = _make_tile(value, get_element(array), mask,
                      () if expected is None else get_shape(expected))
    _note_write(array, value)
    [old] = builder().tile(
        "atomic_rmw", kind=get_atomic_kind(kind, tile.dtype), value=tile.value,
        dest=array.value, offsets=make_offsets(array, offsets),
        expected=None if expected is None else to_value(expected, tile.type),
        mask=_make_mask(mask, tile.type),
        dims=_make_dims(array, tile.shape, dims), order=order, scope=scope,
        ordered=ordered, in_bounds=in_bounds, results=[tile.type])
    return _unpack(old)


def atomic_load(array: Array, offsets: Places, shape: Shape, *,
                order: Optional[str] = None, scope: Optional[str] = None,
                in_bounds: bool = False) -> Any:
    """Loads as `load` elements that other blocks may be writing by atomic operations.
    `order` is "relaxed" if none is given, or "acquire", `scope` that of `atomic`."""
    type = TileType(check_shape(shape), get_element(array))
    _check_order(order, ("relaxed", "acquire"), scope)
    _make_dims(array, type.shape, None)
    [value] = builder().tile(
        "atomic_load", source=array.value, offsets=make_offsets(array, offsets),
        order=order, scope=scope, in_bounds=in_bounds, results=[type])
    return _unpack(value)


def atomic_store(array: Array, offsets: Places, value: Operand, *,
                 order: Optional[str] = None, scope: Optional[str] = None,
                 in_bounds: bool = False) -> None:
    """Stores as `store`, for other blocks that may be reading by atomic operations.
    `order` is "relaxed" if none is given, or "release", `scope` that of `atomic`."""
    tile = _make_tile(value, get_element(array), None)
    _check_order(order, ("relaxed", "release"), scope)
    _make_dims(array, tile.shape, None)
    _note_write(array, value)
    builder().tile(
        "atomic_store", value=tile.value, dest=array.value,
        offsets=make_offsets(array, offsets), order=order, scope=scope,
        in_bounds=in_bounds)


def fence(order: Optional[str] = None, scope: Optional[str] = None) -> None:
    """Orders the block's writes before it ("release"), the reads after it ("acquire")
    or both ("acq_rel", if none is given), as seen by the threads of `scope`, "gpu" if
    none is given, "block" or "system"."""
    _check_order(order, ("acquire", "release", "acq_rel"), scope)
    builder().tile("fence", order=order, scope=scope)


def atomic_add(array: Array, offsets: Places, value: Operand, **rest: Any) -> Any:
    """`atomic("add", ...)`."""
    return atomic("add", array, offsets, value, **rest)


UPDATES = ("add", "min", "max", "umin", "umax", "and", "or", "xor", "exchange")


def _check_order(order: Optional[str], orders: Sequence[str],
                 scope: Optional[str]) -> None:
    check_word("an order", order, orders)
    check_word("a scope", scope, ("block", "gpu", "system"))


# ----------------------------------------------------------------------------
# Operands
# ----------------------------------------------------------------------------


def check_shape(shape: Shape) -> tuple[int, ...]:
    """The extents of a tile, which Python has while the kernel is traced."""
    given: Iterable[object] = (shape,)
    if not isinstance(shape, Scalar) and isinstance(shape, Iterable):
        given = shape
    extents = []
    for extent in given:
        if isinstance(extent, Scalar):
            fail(f"expected extents of a tile that are known while the kernel is "
                 f"traced, got a {extent!r}; pass it by keyword")
        extents.append(check_extent(extent))
    return tuple(extents)


def check_extent(extent: object) -> int:
    """Checks one extent of a tile."""
    if not is_known_integer(extent) or isinstance(extent, bool) or extent < 1:
        fail(f"expected positive extents of a tile, got {describe(extent)}")
    if extent >= 2 ** 31:
        fail(f"expected extents of a tile below 2^31, got {extent}")
    return int(extent)


def make_offsets(array: Array, offsets: Places) -> list[Value]:
    places = offsets if isinstance(offsets, (tuple, list)) else (offsets,)
    if len(places) != array.ndim:
        fail(f"expected {array.ndim} offsets, one for each dimension of the "
             f"array, got {len(places)}")
    # The program has an array of rank 0 as one element of rank 1.
    return [make_place(offset) for offset in places or (0,)]


def list_places(places: Places) -> list[Value]:
    """Returns one index, or several, as values of type index."""
    several = places if isinstance(places, (tuple, list)) else (places,)
    return [make_place(place) for place in several]


def is_integer(number: object) -> TypeGuard[Union[int, Scalar]]:
    """Whether it is an integer of the program, of Python or of NumPy."""
    if isinstance(number, Scalar):
        return number.dtype.kind in ("int", "index")
    return is_known_integer(number) and not isinstance(number, bool)


def make_place(place: object) -> Value:
    """An integer as an index."""
    if not is_integer(place):
        fail(f"expected an integer as a place, got {describe(place)}")
    return convert(place, elements.index).value


def get_element(array: object) -> Element:
    if not isinstance(array, Array):
        advice = "; pass it to the kernel" if isinstance(array, np.ndarray) else ""
        fail(f"expected an array, an argument of the kernel, got {describe(array)}"
             f"{advice}")
    return array.dtype


def _note_write(array: Array, value: Operand) -> None:
    """Notes the write of a value that may have to be converted."""
    get_trace().written.add(array.value.name)
    if isinstance(value, (Tile, Scalar)) and value.dtype.kind == "float" and \
            array.dtype.kind in ("int", "bool"):
        warn(f"a value of {value.dtype.spelling} is written to {array.value.name[1:]!r} "
             f"of {array.dtype.spelling}, which drops its fraction: convert it by "
             f".astype(tile.{array.dtype.spelling}) where that is meant")


def _make_pad(array: Array, pad: Optional[Operand]) -> Optional[Value]:
    return None if pad is None else convert(pad, array.dtype).value


def _make_mask(mask: Optional[Operand], type: TileType) -> Optional[Value]:
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
    if not isinstance(dims, Iterable):
        fail(f"expected a sequence of dimensions, got {describe(dims)}")
    return [check_axis(dim, array.ndim) for dim in dims]


def check_axis(axis: object, rank: int) -> int:
    """An axis that may be counted from the last one, as -1."""
    if not is_known_integer(axis) or not -rank <= axis < rank:
        fail(f"expected an axis from {-rank} to {rank - 1}, got {describe(axis)}")
    return int(axis) % rank


def list_axes(axes: Optional[Axes], rank: int) -> list[int]:
    """The axes in ascending order; all if none is given."""
    if axes is None:
        return list(range(rank))
    given = axes if isinstance(axes, (tuple, list)) else (axes,)
    found = sorted(check_axis(axis, rank) for axis in given)
    if len(set(found)) != len(found):
        fail(f"expected different axes, got {describe(axes)}")
    return found


def _make_tile(value: Operand, element: Element, mask: Optional[Operand],
               shape: tuple[int, ...] = ()) -> Tile:
    """The elements of a box to write: the value broadcast together with the mask
    and to a shape."""
    shapes = [shape, get_shape(value), () if mask is None else get_shape(mask)]
    whole = broadcast_shapes(*filter(None, shapes)) if any(shapes) else ()
    return Tile(to_value(value, TileType(whole, element)))


def _unpack(value: Value) -> Any:
    """A tile of rank zero as its element."""
    tile = Tile(value)
    return tile if tile.shape else tile[()]


def _get_indices_shape(indices: Union[Tile, Sequence[Tile]]) -> tuple[int, ...]:
    several = list(indices) if isinstance(indices, (tuple, list)) else [indices]
    return broadcast_shapes(*map(get_shape, several))


def _make_indices(indices: Union[Tile, Sequence[Tile]], axis: Optional[int],
                  axes: Optional[Sequence[int]], shape: tuple[int, ...]
                  ) -> dict[str, Any]:
    """Operands and attributes. Indices along one axis may have one dimension."""
    several = list(indices) if isinstance(indices, (tuple, list)) else [indices]
    for tile in several:
        if not isinstance(tile, Tile) or tile.dtype.kind != "int":
            fail(f"expected tiles of integers as indices, got {describe(tile)}")
    several = [widen_unsigned(tile) for tile in several]
    if axes is not None:
        return {"indices": [tile.value for tile in several], "axes": axes}
    axis = check_axis(0 if axis is None else axis, len(shape))
    if len(several) != 1:
        fail(f"expected one tile of indices along an axis, got {len(several)}; "
             "'axes' takes several")
    [tile] = several
    if len(tile.shape) == 1 and len(shape) > 1:
        from .shapes import reshape
        extents = [1] * len(shape)
        extents[axis] = tile.shape[0]
        tile = reshape(tile, extents)
    return {"indices": tile.value, "axis": axis}


def get_atomic_kind(kind: Optional[str], element: Element) -> Optional[str]:
    if kind in ("min", "max") and element.is_unsigned:
        return f"u{kind}"
    return kind


def program_id(axis: int) -> Scalar:
    """The block's coordinate in the grid along axis 0, 1 or 2."""
    [value] = builder().tile("program_id", axis=_get_axis(axis),
                             results=[elements.index])
    return Scalar(value)


def num_programs(axis: int) -> Scalar:
    """The blocks of the grid along axis 0, 1 or 2."""
    [value] = builder().tile("num_programs", axis=_get_axis(axis),
                             results=[elements.index])
    get_trace().positive.add(value.name)
    return Scalar(value)


def is_positive(scalar: Scalar) -> bool:
    """Whether it is known to be one or more."""
    return scalar.value.name in get_trace().positive


def _get_axis(axis: int) -> str:
    if not is_known_integer(axis) or axis not in (0, 1, 2):
        fail(f"expected axis 0, 1 or 2 of the grid, got {describe(axis)}")
    return "xyz"[axis]
