# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operands of operations on a box of an array.

A box starts at `offsets`, an index for each dimension of the array, and has the shape
of the tile. If the tile has fewer dimensions than the array, they are the array's last
dimensions, or those that `dims` lists; along the array's other dimensions the box has
one element. Elements outside the array read as `pad`, zero if none is given, and are
not written; with `in_bounds=True` it is assumed that no element is outside.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Optional, Sequence

import numpy as np

from .. import elements
from ..elements import Element
from ..ir import TileType, Value
from ..tracing.trace import describe, fail, get_trace, warn
from ..tracing.values import Array, Operand, Scalar, Tile
from .conversions import convert, to_value
from .coordinates import Coordinates, make_index
from .extents import broadcast_shapes, check_axis
from .operands import get_shape


def make_offsets(array: Array, offsets: Coordinates) -> list[Value]:
    several = offsets if isinstance(offsets, (tuple, list)) else (offsets,)
    if len(several) != array.ndim:
        fail(f"expected {array.ndim} offsets, one for each dimension of the "
             f"array, got {len(several)}")
    # In the program an array of rank 0 is an array of rank 1 with one element.
    return [make_index(offset) for offset in several or (0,)]


def get_element(array: object) -> Element:
    if not isinstance(array, Array):
        advice = "; pass it to the kernel" if isinstance(array, np.ndarray) else ""
        fail(f"expected an array, an argument of the kernel, got {describe(array)}"
             f"{advice}")
    return array.dtype


def note_write(array: Array, value: Operand) -> None:
    """Records that the kernel writes an array, and adds a warning if storing `value`
    drops a fraction."""
    get_trace().written.add(array.value.name)
    if isinstance(value, (Tile, Scalar)) and value.dtype.kind == "float" and \
            array.dtype.kind in ("int", "bool"):
        warn(f"a value of {value.dtype.spelling} is written to {array.value.name[1:]!r} "
             f"of {array.dtype.spelling}, which drops its fraction: convert it by "
             f".astype(tile.{array.dtype.spelling}) where that is meant")


def make_pad(array: Array, pad: Optional[Operand]) -> Optional[Value]:
    return None if pad is None else convert(pad, array.dtype).value


def make_mask(mask: Optional[Operand], type: TileType) -> Optional[Value]:
    if mask is None:
        return None
    return to_value(mask, TileType(type.shape, elements.bool_))


def make_dims(array: Array, shape: tuple[int, ...],
              dims: Optional[Sequence[int]]) -> Optional[list[int]]:
    if len(shape) > array.ndim:
        fail(f"expected at most {array.ndim} dimensions, those of the array, got "
             f"{len(shape)}")
    if dims is None:
        return None
    if not isinstance(dims, Iterable):
        fail(f"expected a sequence of dimensions, got {describe(dims)}")
    return [check_axis(dim, array.ndim) for dim in dims]


def make_tile(value: Operand, element: Element, mask: Optional[Operand],
              shape: tuple[int, ...] = ()) -> Tile:
    """Returns the tile to write to a box: the value, broadcast together with the mask
    and to `shape`, if given."""
    shapes = [shape, get_shape(value), () if mask is None else get_shape(mask)]
    whole = broadcast_shapes(*filter(None, shapes)) if any(shapes) else ()
    return Tile(to_value(value, TileType(whole, element)))
