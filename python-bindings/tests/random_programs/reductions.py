# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions, scans, sorts and matmuls of the reference."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from . import element_types as types
from .element_types import (Refused, Undecided, bool_, complex64, complex128, f32, f64,
                            i8, i32, u32)
from .functions import exp
from .values import Value, convert, get_common, get_rounding, make_unknown


def _widen_integers(a: Value) -> Value:
    if a.element.kind not in ("bool", "int") or a.element.bits >= 32:
        return a
    return convert(a, u32 if a.element.is_unsigned else i32)


def _count(a: Value, axis: Any) -> int:
    axes = builtins.range(a.ndim) if axis is None else \
        axis if isinstance(axis, tuple) else (axis,)
    return math.prod(a.shape[at] for at in axes)


def _check_axis(a: Value, axis: Any) -> None:
    axes = () if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if builtins.any(not -a.ndim <= at < a.ndim for at in axes):
        raise Refused("an axis that a tile has not")


def sum(a: Value, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Value:
    _check_axis(a, axis)
    a = _widen_integers(a) if dtype is None else convert(a, dtype)
    options: Any = {"axis": axis, "keepdims": bool(keepdims)}
    if a.element.kind in ("int", "index", "bool"):
        return Value(a.element, a.data.sum(dtype=a.data.dtype, **options),
                     a.bound.sum(**options))
    wide = a.data.astype(np.complex128 if a.element.kind == "complex" else np.float64)
    with np.errstate(all="ignore"):
        found = wide.sum(**options)
        steps = _count(a, axis) * _get_sum_element(a).epsilon * np.abs(wide).sum(**options)
    return _make_sum(a, found, steps + a.bound.sum(**options))


def _get_sum_element(a: Value) -> types.Element:
    part = types.get_part(a.element)
    return part if part.bits >= 32 else f32


def _make_sum(a: Value, wide: Any, error: Any) -> Value:
    """Returns the sum `wide`, rounded to the element type of `a`. Its error bound is
    `error` plus that of the rounding. A result that is not finite has an infinite bound:
    it is unknown (values.py)."""
    with np.errstate(all="ignore"):
        data = wide.astype(a.element.dtype) if a.element.kind == "complex" else \
            types.round_to(wide, a.element)
        error = error + get_rounding(a.element, data)
    return Value(a.element, data, np.where(np.isnan(error), np.inf, error))


def mean(a: Value, axis: Any = None, keepdims: bool = False) -> Value:
    _check_axis(a, axis)
    to = a.element
    wide = a if to in (f64, complex64, complex128) else convert(a, f32)
    found = sum(wide, axis, keepdims) / _count(a, axis)
    return convert(found, to) if to.kind in ("float", "complex") else found


def var(a: Value, axis: Any = None, keepdims: bool = False) -> Value:
    wide = a if a.element == f64 else convert(a, f32)
    rest = wide - mean(wide, axis, True)
    found = mean(rest * rest, axis, keepdims)
    return convert(found, a.element) if a.element.kind == "float" else found


def softmax(a: Value, axis: Any = -1) -> Value:
    wide = a if a.element == f64 else convert(a, f32)
    powers = exp(wide - max(wide, axis, True))
    found = powers / sum(powers, axis, True)
    return convert(found, a.element) if a.element.kind == "float" else found


def prod(a: Value, axis: Any = None, keepdims: bool = False) -> Value:
    _check_axis(a, axis)
    a = _widen_integers(a)
    options: Any = {"axis": axis, "keepdims": bool(keepdims)}
    if a.element.is_integer:
        return Value(a.element, a.data.prod(dtype=a.data.dtype, **options),
                     make_unknown(a.bound.sum(**options) > 0))
    if a.element.kind != "float" or a.error is not None:
        raise Undecided("a product of inexact numbers")
    wide = a.data.astype(np.float64)
    with np.errstate(all="ignore"):
        found = wide.prod(**options)
        most = np.maximum(np.abs(wide), 1).prod(**options)
        least = np.minimum(np.abs(wide), 1).prod(**options)
        relative = _count(a, axis) * _get_sum_element(a).epsilon * np.abs(found)
    is_bad = (most > 1e30) | ((least < 1e-30) & (found != 0))
    return _make_sum(a, found, np.where(is_bad, np.inf, relative))


def _order(function: Any, a: Value, axis: Any, keepdims: bool) -> Value:
    _check_axis(a, axis)
    if a.element.kind == "complex":
        raise Refused("an order of complex numbers")
    options: Any = {"axis": axis, "keepdims": bool(keepdims)}
    found = Value(a.element, function(a.data, **options), a.bound.max(**options))
    if a.element.kind == "float":
        found.error = found.bound + np.where(found.data == 0, a.element.tiny, 0)
    return found


def max(a: Value, axis: Any = None, keepdims: bool = False) -> Value:
    return _order(np.max, a, axis, keepdims)


def min(a: Value, axis: Any = None, keepdims: bool = False) -> Value:
    return _order(np.min, a, axis, keepdims)


def any(a: Value, axis: Any = None, keepdims: bool = False) -> Value:
    return _combine_bools(np.any, a, axis, keepdims)


def all(a: Value, axis: Any = None, keepdims: bool = False) -> Value:
    return _combine_bools(np.all, a, axis, keepdims)


def _combine_bools(function: Any, a: Value, axis: Any, keepdims: bool) -> Value:
    _check_axis(a, axis)
    flags = convert(a, bool_)
    options: Any = {"axis": axis, "keepdims": bool(keepdims)}
    return Value(bool_, function(flags.data, **options), flags.bound.max(**options))


def argmax(a: Value, axis: Any = None, keepdims: bool = False) -> Value:
    return _find(np.argmax, a, axis, keepdims)


def argmin(a: Value, axis: Any = None, keepdims: bool = False) -> Value:
    return _find(np.argmin, a, axis, keepdims)


def _find(function: Any, a: Value, axis: Any, keepdims: bool) -> Value:
    _check_axis(a, axis)
    if a.element.kind == "complex":
        raise Refused("an order of complex numbers")
    if a.error is not None:
        raise Undecided("an order of inexact numbers")
    found = function(a.data, axis=axis)
    if keepdims:
        found = np.expand_dims(found, axis) if axis is not None else \
            np.reshape(found, (1,) * a.ndim)
    return Value(i32, found)


# ----------------------------------------------------------------------------
# Scans and sorts
# ----------------------------------------------------------------------------


def cumsum(a: Value, axis: int = -1, *, exclusive: bool = False, reverse: bool = False
           ) -> Value:
    _check_axis(a, axis)
    a = _widen_integers(a)
    turn = (lambda x: np.flip(x, axis)) if reverse else (lambda x: x)
    a = a.map(turn)
    is_float = a.element.kind == "float"
    if a.element.kind == "complex":
        raise Undecided("a scan of complex numbers")
    wide = a.data.astype(np.float64) if is_float else a.data
    with np.errstate(all="ignore"):
        found = np.cumsum(wide, axis, dtype=wide.dtype)
        size = np.cumsum(np.abs(wide.astype(np.float64)), axis)
    # A partial sum may be rounded to the type at each step.
    error = np.cumsum(a.bound, axis)
    if is_float:
        error = error + a.shape[axis] * a.element.epsilon * size
    if exclusive:
        found, error = (_shift(x, axis) for x in (found, error))
    result = _make_sum(a, found, error) if is_float else Value(a.element, found, error)
    return result.map(turn)


def _shift(x: Any, axis: int) -> Any:
    """Shifts elements by one along an axis; the first element becomes zero."""
    moved = np.roll(x, 1, axis)
    first: list[Any] = [slice(None)] * x.ndim
    first[axis] = 0
    moved[tuple(first)] = 0
    return moved


def cummax(a: Value, axis: int = -1) -> Value:
    return _accumulate(np.maximum, a, axis)


def cummin(a: Value, axis: int = -1) -> Value:
    return _accumulate(np.minimum, a, axis)


def _accumulate(function: Any, a: Value, axis: int) -> Value:
    _check_axis(a, axis)
    if a.element.kind == "complex":
        raise Refused("an order of complex numbers")
    found = function.accumulate(a.data, axis)
    error = np.maximum.accumulate(a.bound, axis)
    if a.element.kind == "float":
        error = error + np.where(found == 0, a.element.tiny, 0)
    return Value(a.element, found, error)


def _check_order(a: Value, axis: int) -> None:
    _check_axis(a, axis)
    if a.element.kind == "complex":
        raise Refused("an order of complex numbers")
    if a.element.kind == "float" and not np.all(np.isfinite(a.data)):
        raise Undecided("an order with what is not finite")


def sort(a: Value, axis: int = -1, *, descending: bool = False) -> Value:
    _check_order(a, axis)
    found = np.sort(a.data, axis)
    found = np.flip(found, axis) if descending else found
    error = np.broadcast_to(a.bound.max(axis, keepdims=True), a.shape)
    if a.element.kind == "float":
        error = error + np.where(found == 0, a.element.tiny, 0)
    return Value(a.element, found, error)


def argsort(a: Value, axis: int = -1, *, descending: bool = False) -> Value:
    _check_order(a, axis)
    if a.error is not None:
        raise Undecided("an order of inexact numbers")
    keys = a.data.astype(np.float64) if a.element.kind == "float" else \
        a.data.astype(object)
    return Value(i32, np.argsort(-(keys * 1) if descending else keys, axis,
                                 kind="stable"))


# ----------------------------------------------------------------------------
# Matrices
# ----------------------------------------------------------------------------


def matmul(a: Value, b: Value) -> Value:
    """Multiplies matrices; accumulates f16 and bf16 in f32, i8 in i32."""
    element = get_common(a, b)
    if element.name not in ("f16", "bf16", "f32", "f64", "i8"):
        raise Undecided("a matmul of another type")
    x, y = (convert(v, element) for v in (a, b))
    to = i32 if element == i8 else f32 if element.bits < 32 else element
    try:
        if to == i32:
            return Value(to, x.data.astype(np.int32) @ y.data.astype(np.int32),
                         make_unknown((np.isinf(x.bound).astype(float) @ np.ones(y.shape)
                                       + np.ones(x.shape) @ np.isinf(y.bound)) > 0))
        with np.errstate(all="ignore"):
            p, q = x.data.astype(np.float64), y.data.astype(np.float64)
            found = p @ q
            size = np.abs(p) @ np.abs(q)
            error = x.shape[-1] * 2 * to.epsilon * size + np.abs(p) @ y.bound + \
                x.bound @ (np.abs(q) + y.bound)
    except ValueError:
        raise Refused("matrices that cannot be multiplied") from None
    return _make_sum(Value(to, np.zeros(())), found, error)
