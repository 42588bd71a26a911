# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks, loops, arrays in memory and arguments of the reference."""

from __future__ import annotations

import builtins
import dataclasses
import itertools
import math
from typing import Any, Callable, Iterator, Optional, Sequence

import numpy as np

from . import element_types as types
from .element_types import (ELEMENTS, Refused, Undecided, bool_, complex64, f32,
                            index)
from .values import Value, check_size, convert
from .ways import decide


class Grid:
    """The position of the running block in the grid."""

    ids: tuple[int, ...] = (0,)
    extents: tuple[int, ...] = (1,)


def program_id(axis: int) -> Value:
    return Value(index, (*Grid.ids, 0, 0)[axis])


def num_programs(axis: int) -> Value:
    return Value(index, (*Grid.extents, 1, 1)[axis])


def kernel(function: Callable[..., None]) -> Callable[..., None]:
    return function


def function(helper: Callable[..., Any]) -> Callable[..., Any]:
    return helper


def run_blocks(function: Callable[..., None], grid: Sequence[int],
               arguments: Sequence[Any], constants: dict[str, Any]) -> None:
    """Runs a program for each block of a grid."""
    Grid.extents = tuple(grid)
    for ids in itertools.product(*builtins.map(builtins.range, grid)):
        Grid.ids = ids
        function(*arguments, **constants)


class Array:
    """An array in memory. If the program writes it, each element has an error bound."""

    def __init__(self, data: Any, is_written: bool = False):
        self.data = data
        self.element = types.find_element(data.dtype)
        self.error = np.zeros(data.shape) if is_written else None
        self.is_written = np.zeros(data.shape, bool) if is_written else None

    @property
    def dtype(self) -> types.Element:
        return self.element

    @property
    def ndim(self) -> int:
        return self.data.ndim

    @property
    def shape(self) -> tuple[Value, ...]:
        return tuple(Value(index, n) for n in self.data.shape)

    @property
    def size(self) -> Value:
        return Value(index, math.prod(self.data.shape))

    def __len__(self) -> int:
        return int(self.data.shape[0])

    def __getitem__(self, items: Any) -> Value:
        begins, shape, dims, kept = self._find_box(items)
        return load(self, begins, shape, dims=dims).map(lambda x: x.reshape(kept))

    def __setitem__(self, items: Any, value: Any) -> None:
        begins, shape, dims, kept = self._find_box(items)
        whole = convert(value, self.element)
        store(self, begins, whole.map(lambda x: np.broadcast_to(x, kept).reshape(shape)),
              dims=dims)

    def _find_box(self, items: Any) -> tuple[Any, Any, Any, Any]:
        """Returns, for a subscript, the offsets of a box, its shape, the dimensions of
        the array that it has, and the shape with new dimensions. Negative Python ints
        count from the end."""
        given = items if isinstance(items, tuple) else (items,)
        begins, shape, dims, kept = [], [], [], []
        for item in given:
            if item is None:
                kept.append(1)
                continue
            dim = len(begins)
            if isinstance(item, slice):
                begins.append(item.start or 0)
                shape.append(item.stop - (item.start or 0))
                dims.append(dim)
                kept.append(shape[-1])
            elif isinstance(item, int) and item < 0:
                begins.append(self.data.shape[dim] + item)
            else:
                begins.append(item)
        return begins, tuple(shape), dims, tuple(kept)


def make_argument(value: Any) -> Any:
    """Returns an argument of a call as the kernel's function gets it: a Python float as
    an f32, an int as an index."""
    if isinstance(value, (np.number, np.bool_)):
        return Value(types.find_element(value.dtype), value)
    for kind, element in ((bool, bool_), (int, index), (float, f32), (complex, complex64)):
        if isinstance(value, kind):
            return Value(element, value)
    return value


class range:
    """The range of a loop of the program, whose elements are indices."""

    def __init__(self, *bounds: Any):
        self._range = builtins.range(*bounds)

    def __iter__(self) -> Iterator[Value]:
        indices = self._range
        if decide(bool(indices)) != bool(indices):
            indices = builtins.range(0 if indices else 1)
        return (Value(index, n) for n in indices)

    def __reversed__(self) -> Iterator[Value]:
        return (Value(index, n) for n in reversed(self._range))


def static_range(*bounds: int) -> builtins.range:
    return builtins.range(*bounds)


def become(value: Any, name: Optional[str] = None, shape: Any = None) -> Any:
    """Converts a Python value, or the values of a structure, to scalars, as a loop or a
    branch of the program does: an int to an index, a float to an f32. With `name`, the
    name of an element type, makes a value of that type and of `shape`."""
    if isinstance(value, (list, tuple)):
        parts = [become(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, dict):
        return {key: become(part) for key, part in value.items()}
    if dataclasses.is_dataclass(value):
        return dataclasses.replace(value, **{
            field.name: become(getattr(value, field.name))
            for field in dataclasses.fields(value)})
    if name is not None:
        found = convert(value, ELEMENTS[name])
        return found.map(lambda x: np.broadcast_to(x, shape))
    return value if isinstance(value, Value) else make_argument(value)


# ----------------------------------------------------------------------------
# Memory
# ----------------------------------------------------------------------------


def _list_indices(array: Array, offsets: Any, shape: Sequence[int], dims: Any) -> Any:
    """Returns, for each dimension of the array, the indices of a box along it, as arrays
    that can be broadcast to the shape, and a mask of the indices that are inside."""
    begins = offsets if isinstance(offsets, (tuple, list)) else (offsets,)
    if len(begins) != array.ndim or len(shape) > array.ndim:
        raise Refused("offsets or a shape of another rank")
    along = list(dims) if dims is not None else \
        list(builtins.range(array.ndim - len(shape), array.ndim))
    indices, inside = [], np.ones(shape, bool)
    for dim, begin in enumerate(begins):
        at = np.array(int(begin) if not isinstance(begin, Value) else begin.__index__())
        if dim in along:
            axis = along.index(dim)
            steps = [1] * len(shape)
            steps[axis] = shape[axis]
            at = at + np.arange(shape[axis]).reshape(steps)
        inside = inside & (at >= 0) & (at < array.data.shape[dim])
        indices.append(np.clip(at, 0, builtins.max(array.data.shape[dim] - 1, 0)))
    return tuple(indices), inside


def get_shape(shape: Any) -> tuple[int, ...]:
    extents = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if builtins.any(isinstance(n, Value) or n < 1 for n in extents):
        raise Refused("an extent of a tile")
    check_size(extents)
    return extents


def load(array: Array, offsets: Any, shape: Any, *, pad: Any = None, mask: Any = None,
         dims: Any = None) -> Value:
    extents = get_shape(shape)
    indices, inside = _list_indices(array, offsets, extents, dims)
    padding = convert(0 if pad is None else pad, array.element)
    if 0 in array.data.shape:
        inside, found = inside & False, np.zeros(extents, array.element.dtype)
    else:
        found = np.broadcast_to(array.data[indices], extents)
    error = 0.0
    if mask is not None:
        chosen = convert(mask, bool_)
        inside, error = inside & chosen.data, chosen.bound
    return Value(array.element, np.where(inside, found, padding.data), error)


def store(array: Array, offsets: Any, value: Any, *, mask: Any = None, dims: Any = None
          ) -> None:
    given = convert(value, array.element)
    indices, inside = _list_indices(array, offsets, given.shape, dims)
    if array.is_written is None:
        raise Undecided("a store to an input, which other blocks may read")
    error = given.bound
    if mask is not None:
        chosen = convert(mask, bool_)
        if np.any(chosen.bound):
            raise Undecided("a store of elements that are not known")
        inside = inside & np.broadcast_to(chosen.data, inside.shape)
    whole = [np.broadcast_to(at, inside.shape)[inside] for at in indices]
    array.data[tuple(whole)] = np.broadcast_to(given.data, inside.shape)[inside]
    array.error[tuple(whole)] = np.broadcast_to(error, inside.shape)[inside]
    array.is_written[tuple(whole)] = True
