# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads and stores of boxes of arrays; boxes.py describes the boxes."""

from __future__ import annotations

from typing import Any, Literal, Optional, Sequence, Union, overload

from ..ir import TileType
from ..tracing.trace import builder, check_word, describe, fail
from ..tracing.values import Array, Operand, Tile
from .boxes import (get_element, make_dims, make_mask, make_offsets, make_pad,
                    make_tile, note_write)
from .conversions import widen_unsigned
from .coordinates import Coordinates
from .extents import Shape, broadcast_shapes, check_axis, check_shape
from .operands import get_shape, unpack_element
from .shapes import reshape
from .updates import UPDATES, get_update_kind


def load(array: Array, offsets: Coordinates, shape: Shape, *,
         pad: Optional[Operand] = None, mask: Optional[Operand] = None,
         dims: Optional[Sequence[int]] = None, in_bounds: bool = False,
         storage: Optional[str] = None) -> Any:
    """Loads a box of an array as a tile, or, with the shape (), one element as a
    scalar. Elements where `mask` is False are not read, and have the value `pad` in the
    tile. `storage` specifies the storage of the tile, "shared" or "register"; the
    compiler chooses it if none is given."""
    type = TileType(check_shape(shape), get_element(array))
    check_word("a storage", storage, ("shared", "register"))
    [value] = builder().tile(
        "load", source=array.value, offsets=make_offsets(array, offsets),
        pad=make_pad(array, pad), mask=make_mask(mask, type),
        dims=make_dims(array, type.shape, dims), in_bounds=in_bounds,
        results=[TileType(type.shape, type.element, storage)])
    if storage is not None:
        [value] = builder().tile("convert_layout", source=value, results=[type])
    return unpack_element(value)


def store(array: Array, offsets: Coordinates, value: Operand, *,
          mask: Optional[Operand] = None, dims: Optional[Sequence[int]] = None,
          in_bounds: bool = False) -> None:
    """Writes a tile, or a scalar, to a box of the array, after conversion to the
    array's element type. Elements where `mask` is False are not written. The box has
    the shape to which `value` and `mask` are broadcast together."""
    tile = make_tile(value, get_element(array), mask)
    note_write(array, value)
    builder().tile(
        "store", value=tile.value, dest=array.value,
        offsets=make_offsets(array, offsets), mask=make_mask(mask, tile.type),
        dims=make_dims(array, tile.shape, dims), in_bounds=in_bounds)


def gather(array: Array, offsets: Coordinates, indices: Union[Tile, Sequence[Tile]],
           shape: Shape, *, axis: Optional[int] = None,
           axes: Optional[Sequence[int]] = None, pad: Optional[Operand] = None,
           mask: Optional[Operand] = None, dims: Optional[Sequence[int]] = None,
           in_bounds: bool = False) -> Tile:
    """Loads a tile as `load` does, except that along dimension `axis` of the tile the
    element at i is read from the array at offset + indices[i]. With `axes`, a list of
    dimensions of the array, `indices` has one tile of indices for each of them. Indices
    have the tile's shape, or extent one along dimensions where they do not vary."""
    type = TileType(check_shape(shape), get_element(array))
    where = _make_indices(indices, axis, axes, type.shape)
    [value] = builder().tile(
        "gather", source=array.value, offsets=make_offsets(array, offsets),
        **where, pad=make_pad(array, pad), mask=make_mask(mask, type),
        dims=make_dims(array, type.shape, dims), in_bounds=in_bounds,
        results=[type])
    return Tile(value)


@overload
def scatter(array: Array, offsets: Coordinates, indices: Union[Tile, Sequence[Tile]],
            value: Operand, *, axis: Optional[int] = ...,
            axes: Optional[Sequence[int]] = ..., mask: Optional[Operand] = ...,
            dims: Optional[Sequence[int]] = ..., atomic: Optional[str] = ...,
            old: Literal[False] = ..., in_bounds: bool = ...) -> None: ...


@overload
def scatter(array: Array, offsets: Coordinates, indices: Union[Tile, Sequence[Tile]],
            value: Operand, *, axis: Optional[int] = ...,
            axes: Optional[Sequence[int]] = ..., mask: Optional[Operand] = ...,
            dims: Optional[Sequence[int]] = ..., atomic: str,
            old: Literal[True], in_bounds: bool = ...) -> Tile: ...


def scatter(array: Array, offsets: Coordinates, indices: Union[Tile, Sequence[Tile]],
            value: Operand, *, axis: Optional[int] = None,
            axes: Optional[Sequence[int]] = None, mask: Optional[Operand] = None,
            dims: Optional[Sequence[int]] = None, atomic: Optional[str] = None,
            old: bool = False, in_bounds: bool = False) -> Optional[Tile]:
    """Writes the elements of a tile, or one scalar at all indices, to the elements that
    `gather` would read. If several values are written to one element, it is unspecified
    which one remains. With `atomic` ("add", "max", ...) each value updates the element
    instead; `old=True` then returns the old values, zero where nothing is updated."""
    check_word("a kind", atomic, UPDATES)
    if old and atomic is None:
        fail("expected 'old' for an atomic scatter, got one that is not")
    tile = make_tile(value, get_element(array), mask,
                     () if isinstance(value, Tile) else
                     _get_indices_shape(indices))
    where = _make_indices(indices, axis, axes, tile.shape)
    note_write(array, value)
    found = builder().tile(
        "scatter", value=tile.value, dest=array.value,
        offsets=make_offsets(array, offsets), **where,
        mask=make_mask(mask, tile.type),
        dims=make_dims(array, tile.shape, dims),
        kind=get_update_kind(atomic, tile.dtype), in_bounds=in_bounds,
        results=[tile.type] if old else [])
    return Tile(found[0]) if old else None


def _get_indices_shape(indices: Union[Tile, Sequence[Tile]]) -> tuple[int, ...]:
    several = list(indices) if isinstance(indices, (tuple, list)) else [indices]
    return broadcast_shapes(*map(get_shape, several))


def _make_indices(indices: Union[Tile, Sequence[Tile]], axis: Optional[int],
                  axes: Optional[Sequence[int]], shape: tuple[int, ...]
                  ) -> dict[str, Any]:
    """Returns the operands and attributes of a gather or scatter for the indices. The
    indices along an `axis` may be a tile of one dimension."""
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
        extents = [1] * len(shape)
        extents[axis] = tile.shape[0]
        tile = reshape(tile, extents)
    return {"indices": tile.value, "axis": axis}
