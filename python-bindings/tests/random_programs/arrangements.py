# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the reference that make new tiles, or change the shape of tiles."""

from __future__ import annotations

import builtins
from typing import Any, Callable, Optional, Sequence

import numpy as np

from . import element_types as types
from .element_types import Refused, Undecided, bool_, f32, i32, i64, index
from .memory import get_shape
from .values import Value, check_size, convert, get_common


def full(shape: Any, value: Any, dtype: Any = None) -> Value:
    if dtype is None:
        element = value.element if isinstance(value, Value) else \
            types.promote_number(bool_, value)
        dtype = i64 if element is index else element
    return convert(value, dtype).map(lambda x: np.broadcast_to(x, get_shape(shape)))


def zeros(shape: Any, dtype: Any = f32) -> Value:
    return full(shape, 0, dtype)


def ones(shape: Any, dtype: Any = f32) -> Value:
    return full(shape, 1, dtype)


def zeros_like(a: Value, dtype: Any = None) -> Value:
    return full(a.shape, 0, dtype or a.element)


def ones_like(a: Value, dtype: Any = None) -> Value:
    return full(a.shape, 1, dtype or a.element)


def full_like(a: Value, value: Any, dtype: Any = None) -> Value:
    return full(a.shape, value, dtype or a.element)


def eye(n: int, dtype: Any = f32) -> Value:
    check_size((n, n))
    return Value(dtype, np.eye(n))


def arange(start: int, stop: Optional[int] = None, step: int = 1, *, dtype: Any = i32
           ) -> Value:
    bounds = (0, start, step) if stop is None else (start, stop, step)
    values = builtins.range(*bounds)
    check_size((len(values),))
    for value in (values[0], values[-1]):
        convert(value, dtype)
    return Value(dtype, np.array(values))


def iota(shape: Any, axis: int, dtype: Any = i32) -> Value:
    return Value(dtype, np.indices(get_shape(shape))[axis])


# ----------------------------------------------------------------------------
# Shapes
# ----------------------------------------------------------------------------


def _rearrange(method: Callable[[Any], Any], a: Value) -> Value:
    try:
        found = a.map(method)
    except (ValueError, IndexError) as error:
        raise Refused(str(error)) from None
    if 0 in found.shape:
        raise Refused("an empty tile")
    return found


def reshape(a: Value, *shape: Any) -> Value:
    return _rearrange(lambda x: x.reshape(*shape), a)


def transpose(a: Value, *axes: Any) -> Value:
    return _rearrange(lambda x: x.transpose(*axes), a)


def swap_axes(a: Value, first: int, second: int) -> Value:
    return _rearrange(lambda x: x.swapaxes(first, second), a)


def expand_dims(a: Value, axis: int) -> Value:
    return _rearrange(lambda x: np.expand_dims(x, axis), a)


def squeeze(a: Value, axis: Optional[int] = None) -> Value:
    return _rearrange(lambda x: np.squeeze(x, axis), a)


def broadcast_to(a: Value, shape: Any) -> Value:
    return _rearrange(lambda x: np.broadcast_to(x, shape), a)


def flip(a: Value, axis: Any = None) -> Value:
    return _rearrange(lambda x: np.flip(x, axis), a)


def roll(a: Value, shift: Any, axis: int) -> Value:
    return _rearrange(lambda x: np.roll(x, shift.__index__(), axis), a)


def pad(a: Value, widths: Any, value: Any = 0) -> Value:
    filled = convert(value, a.element)
    mask = np.pad(np.zeros(a.shape, bool), widths, constant_values=True)
    data, error = np.pad(a.data, widths), np.pad(a.bound, widths)
    return Value(a.element, np.where(mask, filled.data, data),
                 np.where(mask, filled.bound, error))


def tril(a: Value, k: int = 0) -> Value:
    return _rearrange(lambda x: np.tril(x, k), a)


def triu(a: Value, k: int = 0) -> Value:
    return _rearrange(lambda x: np.triu(x, k), a)


def _join(function: Any, parts: Sequence[Value], axis: int) -> Value:
    element = get_common(*parts)
    same = [convert(part, element) for part in parts]
    return Value(element, function([x.data for x in same], axis),
                 function([x.bound for x in same], axis))


def concatenate(parts: Sequence[Value], axis: int = 0) -> Value:
    return _join(np.concatenate, parts, axis)


def stack(parts: Sequence[Value], axis: int = 0) -> Value:
    return _join(np.stack, parts, axis)


def take(a: Value, indices: Value, axis: int) -> Value:
    if indices.error is not None:
        raise Undecided("indices that are not known")
    return _rearrange(lambda x: np.take(x, indices.data, axis), a)


def insert(a: Value, offsets: Sequence[Any], part: Any) -> Value:
    value = convert(part, a.element)
    shape = value.shape or (1,) * a.ndim
    box = tuple(slice(int(begin), int(begin) + n) for begin, n in zip(offsets, shape))
    data, error = a.data.copy(), a.bound.copy()
    data[box], error[box] = value.data, value.bound
    return Value(a.element, data, error)


def get_item(a: Value, items: Any) -> Value:
    whole = items if isinstance(items, tuple) else (items,)
    found = tuple(item.__index__() if isinstance(item, Value) else item
                  for item in whole)
    return _rearrange(lambda x: x[found], a)
