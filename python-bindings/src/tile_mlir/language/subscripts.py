# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Subscripts of arrays: `x[...]` loads the elements that it selects, and `x[...] =
value` stores to them.

Along a fixed extent the bounds of a slice are as in NumPy, and may be counted from the
end. Along any other extent bounds count from zero, and a slice may reach beyond the
array: elements outside read as zero and are not written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional, Union

from ..ir import TileType
from ..tracing.trace import fail
from ..tracing.values import Array, Index, Operand, Scalar, Tile, methods
from .conversions import to_value
from .coordinates import is_integer
from .creation import full
from .extents import broadcast_shapes
from .indexing import check_bounds, list_items, resolve_index, resolve_slice
from .memory import load, store
from .operands import get_shape
from .shapes import reshape


@dataclass
class _Box:
    """The box that a subscript selects: an offset for each dimension of the array;
    `kept`, the dimensions of the array that the box has, too; `ranges`, the selected
    indices of each of these, with their step; and the shape of the result, which also
    has new dimensions."""

    offsets: list[Index] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    ranges: list[range] = field(default_factory=list)
    shape: list[int] = field(default_factory=list)

    @property
    def dims(self) -> Optional[list[int]]:
        """Returns the kept dimensions; None if they are the last ones."""
        rank = len(self.offsets)
        are_last = self.kept == list(range(rank - len(self.kept), rank))
        return None if are_last else self.kept

    @property
    def extents(self) -> list[int]:
        """Returns, for each kept dimension, how many elements the range from its first
        to its last selected index has."""
        return [abs(indices[-1] - indices[0]) + 1 for indices in self.ranges]

    @property
    def has_steps(self) -> bool:
        return any(indices.step != 1 and len(indices) > 1 for indices in self.ranges)


def load_items(array: Array, items: Any) -> Union[Tile, Scalar]:
    """Evaluates `array[items]`."""
    box = _find_box(array, items)
    found = load(array, box.offsets, box.extents, dims=box.dims)
    if isinstance(found, Scalar):
        return full(box.shape, found) if box.shape else found
    if box.has_steps:
        found = found[tuple(slice(None, None, indices.step) for indices in box.ranges)]
    return reshape(found, box.shape)


def store_items(array: Array, items: Any, value: Operand) -> None:
    """Executes `array[items] = value`."""
    box = _find_box(array, items)
    if box.has_steps:
        fail("expected a slice of step one to write, got one of "
             f"{next(n.step for n in box.ranges if n.step != 1)}; tile.scatter writes "
             "elements at a tile of places")
    given = get_shape(value)
    if broadcast_shapes(given, tuple(box.shape)) != tuple(box.shape):
        fail(f"expected a value of the shape {tuple(box.shape)}, or one that can be "
             f"broadcast to it, got one of {given}")
    whole = Tile(to_value(value, TileType(tuple(box.shape), array.dtype)))
    store(array, box.offsets, reshape(whole, box.extents), dims=box.dims)


def _find_box(array: Array, items: Any) -> _Box:
    box = _Box()
    for item in list_items(items, array.ndim):
        if item is None:
            box.shape.append(1)
            continue
        dim = len(box.offsets)
        if not isinstance(item, slice):
            box.offsets.append(_resolve_index(array, dim, item))
            continue
        indices = _resolve_slice(array, dim, item)
        box.offsets.append(min(indices[0], indices[-1]))
        box.kept.append(dim)
        box.ranges.append(indices)
        box.shape.append(len(indices))
    return box


def _resolve_index(array: Array, dim: int, item: Any) -> Index:
    """Returns an index that is counted from zero. Only along a fixed extent it is
    checked to be within the array."""
    extent = array.array_type.shape[dim]
    if extent is not None or not is_integer(item):
        return resolve_index(item, extent or 1, "tile.gather has")
    if isinstance(item, Scalar) or item >= 0:
        return item
    return array.shape[dim] + item


def _resolve_slice(array: Array, dim: int, item: slice) -> range:
    instead = "tile.load and tile.store take offsets that are not"
    extent = array.array_type.shape[dim]
    if extent is not None:
        return resolve_slice(item, extent, instead)
    check_bounds(item, instead)
    first, end, step = item.start, item.stop, item.step or 1
    if step > 0:
        first = first or 0
    elif end is None:
        end = -1
    elif end < 0:
        end = None
    if first is None or end is None or first < 0 or end < 0 < step:
        fail(f"expected a slice whose bounds count from the start, since extent {dim} "
             f"of {_spell_name(array)} is not known while the kernel is traced, got "
             f"[{_spell(item)}]; @tile.kernel(fixed=...) makes it known, and tile.load "
             "takes the extents of the tile")
    indices = range(first, end, step)
    if not indices:
        fail(f"expected a slice of at least one element, got [{_spell(item)}]")
    return indices


def _spell(item: slice) -> str:
    """Returns the slice as it is written."""
    bounds = [item.start, item.stop, *([] if item.step is None else [item.step])]
    return ":".join("" if bound is None else str(bound) for bound in bounds)


def _spell_name(array: Array) -> str:
    """Returns the name of the kernel's parameter that is the array, quoted, or "the
    array" if the program has no such name."""
    name = array.value.name.removeprefix("%")
    return repr(name) if name.isidentifier() else "the array"


methods.load_items = load_items
methods.store_items = store_items
