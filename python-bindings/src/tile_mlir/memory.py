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
from .compute import (broadcast_shapes, convert, get_shape, to_value,
                      wrap)
from .elements import Element
from .ir import TileType, Value
from .trace import builder, fail, get_trace
from .values import Array, Operand, Scalar, Tile

Place = Union[int, Scalar]
Places = Union[Place, Sequence[Place]]
Shape = Union[int, Sequence[int]]


def load(array: Array, offsets: Places, shape: Shape, *,
         pad: Optional[Operand] = None, mask: Optional[Tile] = None,
         dims: Optional[Sequence[int]] = None, in_bounds: bool = False) -> Any:
    """The box of an array as a tile; of shape () its element as a scalar. Elements
    where `mask` is False are not read, and are `pad`."""
    type = TileType(check_shape(shape), _get_element(array))
    [value] = builder().tile(
        "load", source=array.value, offsets=make_offsets(array, offsets),
        pad=_make_pad(array, pad), mask=_make_mask(mask, type),
        dims=_make_dims(array, type.shape, dims), in_bounds=in_bounds,
        results=[type])
    return _unpack(value)


def store(array: Array, offsets: Places, value: Operand, *,
          mask: Optional[Tile] = None, dims: Optional[Sequence[int]] = None,
          in_bounds: bool = False) -> None:
    """Writes a tile, or a scalar, to the array, converted to its type. Elements
    where `mask` is False are not written."""
    tile = _make_tile(value, _get_element(array))
    _note_write(array)
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
    """Writes a tile, or a scalar for each of the indices, to where `gather` would
    read it. Which of several elements of one place stays is not said; with
    `atomic` ("add", "max", ...) each updates it."""
    shape = None if isinstance(value, Tile) else _get_common_shape(indices)
    tile = _make_tile(value, _get_element(array), shape or ())
    where = _make_indices(indices, axis, axes, tile.shape)
    _note_write(array)
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
           in_bounds: bool = False) -> Any:
    """Updates each element of the box, or the one that a scalar is for, at once,
    and gives what was there before.
    Kinds are "add", "min", "max", "and", "or", "xor", "exchange" and
    "compare_exchange" (by `value` where the element is `expected`); of an unsigned
    array "min" and "max" are unsigned. `order` is "relaxed", "acquire", "release"
    or "acq_rel", `scope` "block", "gpu" or "system"; with `ordered` blocks update
    one after the other."""
    tile = _make_tile(value, _get_element(array))
    if expected is not None:
        expected = Tile(to_value(expected, tile.type))
    _note_write(array)
    [old] = builder().tile(
        "atomic_rmw", kind=_get_atomic_kind(kind, tile.dtype), value=tile.value,
        dest=array.value, offsets=make_offsets(array, offsets),
        expected=expected and expected.value, mask=_make_mask(mask, tile.type),
        dims=_make_dims(array, tile.shape, dims), order=order, scope=scope,
        ordered=ordered, in_bounds=in_bounds, results=[tile.type])
    return _unpack(old)


def atomic_add(array: Array, offsets: Places, value: Operand, **rest: Any) -> Any:
    """`atomic("add", ...)`."""
    return atomic("add", array, offsets, value, **rest)


def atomic_load(array: Array, offsets: Places, shape: Shape, *,
                order: Optional[str] = None, scope: Optional[str] = None,
                in_bounds: bool = False) -> Any:
    """As `load`, each element at once: of those that other blocks write."""
    type = TileType(check_shape(shape), _get_element(array))
    [value] = builder().tile(
        "atomic_load", source=array.value, offsets=make_offsets(array, offsets),
        order=order, scope=scope, in_bounds=in_bounds, results=[type])
    return _unpack(value)


def atomic_store(array: Array, offsets: Places, value: Operand, *,
                 order: Optional[str] = None, scope: Optional[str] = None,
                 in_bounds: bool = False) -> None:
    """As `store`, each element at once: of those that other blocks read."""
    builder().tile(
        "atomic_store", value=_make_tile(value, _get_element(array)).value,
        dest=array.value, offsets=make_offsets(array, offsets), order=order,
        scope=scope, in_bounds=in_bounds)


def fence(order: Optional[str] = None, scope: Optional[str] = None) -> None:
    """Orders the block's accesses before it and those behind it."""
    builder().tile("fence", order=order, scope=scope)


# ----------------------------------------------------------------------------
# Operands
# ----------------------------------------------------------------------------


def check_shape(shape: Shape) -> tuple[int, ...]:
    """The extents of a tile, which Python has while the kernel is traced."""
    if isinstance(shape, (int, Scalar)):
        shape = (shape,)  # type: ignore[assignment]
    for extent in shape:  # type: ignore[union-attr]
        if isinstance(extent, Scalar):
            fail(f"expected extents of a tile that are known while the kernel is "
                 f"traced, got a {extent!r}; pass it by keyword")
        if not isinstance(extent, int) or isinstance(extent, bool) or extent < 1:
            fail(f"expected positive extents of a tile, got {extent!r}")
    return tuple(shape)  # type: ignore[arg-type]


def make_offsets(array: Array, offsets: Places) -> list[Value]:
    if not isinstance(offsets, (tuple, list)):
        offsets = (offsets,)  # type: ignore[assignment]
    if len(offsets) != array.ndim:
        fail(f"expected {array.ndim} offsets, one for each dimension of the "
             f"array, got {len(offsets)}")
    return [make_place(offset) for offset in offsets]


def is_integer(number: Any) -> bool:
    """Whether it is an integer of the program or of Python."""
    if isinstance(number, Scalar):
        return number.dtype.kind in ("int", "index")
    return isinstance(number, int) and not isinstance(number, bool)


def make_place(place: Any) -> Value:
    """An integer as an index."""
    if not is_integer(place):
        fail(f"expected an integer as a place, got {place!r}")
    return convert(place, elements.index).value


def _get_element(array: Any) -> Element:
    if not isinstance(array, Array):
        fail(f"expected an array, an argument of the kernel, got {array!r}")
    return array.dtype


def _note_write(array: Array) -> None:
    get_trace().written.add(array.value.name)


def _make_pad(array: Array, pad: Optional[Operand]) -> Optional[Value]:
    return None if pad is None else convert(pad, array.dtype).value


def _make_mask(mask: Optional[Tile], type: Any) -> Optional[Value]:
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


def check_axis(axis: Any, rank: int) -> int:
    """An axis that may be counted from the last one, as -1."""
    if not isinstance(axis, int) or not -rank <= axis < rank:
        fail(f"expected an axis from {-rank} to {rank - 1}, got {axis!r}")
    return axis % rank


def _make_tile(value: Any, element: Element,
               shape: tuple[int, ...] = ()) -> Tile:
    """A tile, or one of a scalar."""
    if isinstance(value, Tile):
        return convert(value, element)
    return Tile(to_value(value, TileType(shape, element)))


def _unpack(value: Value) -> Any:
    """A tile of rank zero as its element."""
    tile = Tile(value)
    return tile if tile.shape else tile[()]


def _get_common_shape(tiles: Any) -> tuple[int, ...]:
    several = [tiles] if isinstance(tiles, Tile) else list(tiles)
    return broadcast_shapes(*map(get_shape, several))


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
    return wrap(value)


def num_programs(axis: int) -> Scalar:
    """The blocks of the grid along axis 0, 1 or 2."""
    [value] = builder().tile("num_programs", axis=_get_axis(axis),
                             results=[elements.index])
    return wrap(value)


def _get_axis(axis: int) -> str:
    if axis not in (0, 1, 2):
        fail(f"expected axis 0, 1 or 2 of the grid, got {axis!r}")
    return "xyz"[axis]
