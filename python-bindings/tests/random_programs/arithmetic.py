# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums, multiplications, quotients and complex arithmetic of the reference, and
`maximum` and `minimum`, which compare true values."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import element_types as types
from .element_types import Element, Refused, Undecided
from .values import (Value, align, get_common, get_rounding, get_working,
                     round_back)


def _compute(element: Element, function: Any, a: Value, b: Value) -> Any:
    with np.errstate(all="ignore"):
        found = function(a.data, b.data)
    return found if element.is_native else types.round_to(found, element)


def _apply(function: Any, a: Value, b: Value, propagate: Any) -> Value:
    """Applies an operation that is exact for exact operands. `propagate` computes the
    error bound of the result from those of the operands."""
    element = a.element
    found = _compute(element, function, a, b)
    if a.error is None and b.error is None:
        return Value(element, found)
    if element.kind != "float":
        return Value(element, found, np.maximum(a.bound, b.bound))
    x, y = (np.abs(v.data.astype(np.float64)) for v in (a, b))
    with np.errstate(all="ignore"):
        error = propagate(x, y, a.bound, b.bound) + get_rounding(element, found)
    exact = (a.bound == 0) & (b.bound == 0)
    return Value(element, found,
                 np.where(exact, 0, np.where(np.isnan(error), np.inf, error)))


def add(a: Any, b: Any) -> Value:
    return _add(np.add, a, b)


def subtract(a: Any, b: Any) -> Value:
    return _add(np.subtract, a, b)


def _add(function: Any, a: Any, b: Any) -> Value:
    x, y = align(a, b, element=get_working(a, b))
    if x.element.kind == "complex":
        return _compute_complex(function, x, y, lambda p, q, e, f: e + f + 0 * p * q,
                                is_exact=True)
    return round_back(_apply(function, x, y, lambda p, q, e, f: e + f), a, b)


def multiply(a: Any, b: Any) -> Value:
    for whole, factor in ((a, b), (b, a)):
        if _is_complex_and_real(whole, factor):
            return _scale(whole, factor, multiply)
    x, y = align(a, b, element=get_working(a, b))
    if x.element.kind == "complex":
        return _compute_complex(np.multiply, x, y,
                                lambda p, q, e, f: p * f + q * e + e * f)
    return round_back(_apply(
        np.multiply, x, y, lambda p, q, e, f: p * f + q * e + e * f), a, b)


def divide(a: Any, b: Any) -> Value:
    """Divides; integers are divided as f32."""
    if _is_complex_and_real(a, b):
        return _scale(a, b, divide)
    element = get_working(a, b)
    if element.kind not in ("float", "complex"):
        element = types.f32
    x, y = align(a, b, element=element)
    if element.kind == "complex":
        return _compute_complex(np.divide, x, y, _divide_errors)
    return round_back(_apply(np.divide, x, y, _divide_errors), a, b)


def _divide_errors(x: Any, y: Any, e: Any, f: Any) -> Any:
    return np.where(f < y, (e + x / y * f) / (y - f), np.inf)


def _is_complex_and_real(a: Any, b: Any) -> bool:
    if not isinstance(a, Value) or a.element.kind != "complex":
        return False
    kind = b.element.kind if isinstance(b, Value) else types.get_number_kind(b)
    return kind != "complex"


def _scale(a: Value, b: Any, function: Callable[[Any, Any], Value]) -> Value:
    return make_complex(function(get_real(a), b), function(get_imag(a), b))


def check_complex(a: Value) -> None:
    if a.element.kind != "complex":
        raise Refused("parts of real numbers")


def get_real(a: Value) -> Value:
    check_complex(a)
    return Value(types.get_part(a.element), a.data.real, a.error)


def get_imag(a: Value) -> Value:
    check_complex(a)
    return Value(types.get_part(a.element), a.data.imag, a.error)


def make_complex(a: Any, b: Any) -> Value:
    element = types.f64 if get_common(a, b) == types.f64 else types.f32
    x, y = align(a, b, element=element)
    whole = types.complex128 if element == types.f64 else types.complex64
    shape = np.broadcast_shapes(x.shape, y.shape)
    data = np.empty(shape, whole.dtype)
    data.real, data.imag = x.data, y.data
    return Value(whole, data, np.maximum(x.bound, y.bound))


def _compute_complex(function: Any, a: Value, b: Value, propagate: Any,
                     is_exact: bool = False) -> Value:
    with np.errstate(all="ignore"):
        found = function(a.data, b.data)
        x, y = (np.abs(v.data.astype(np.complex128)) for v in (a, b))
        error = propagate(x, y, a.bound, b.bound)
        if not is_exact or np.any(a.bound) or np.any(b.bound):
            size = x * y if function is np.multiply else np.abs(found)
            error = error + 16 * get_rounding(a.element, size)
    is_bad = np.isnan(error) | ~np.isfinite(found)
    return Value(a.element, found, np.where(is_bad, np.inf, error))


def get_absolute(a: Value) -> Value:
    if a.element.kind == "complex":
        return _absolute_complex(a)
    if a.element.kind == "bool":
        raise Undecided("the size of a bool")
    with np.errstate(all="ignore"):
        return Value(a.element, np.abs(a.data), a.error)


def _absolute_complex(a: Value) -> Value:
    part = types.get_part(a.element)
    with np.errstate(all="ignore"):
        found = np.abs(a.data)
    return Value(part, found, 1.5 * a.bound + 4 * get_rounding(part, found))


# ----------------------------------------------------------------------------
# Extremes
# ----------------------------------------------------------------------------


def maximum(a: Any, b: Any) -> Value:
    return _choose_greater(np.maximum, np.greater_equal, a, b)


def minimum(a: Any, b: Any) -> Value:
    return _choose_greater(np.minimum, np.less_equal, a, b)


def _choose_greater(function: Any, compare: Any, a: Any, b: Any) -> Value:
    """Returns the greater or the smaller operand; integers are compared by their true
    values."""
    element = get_common(a, b)
    if element.kind == "complex":
        raise Refused("an order of complex numbers")
    if element.is_integer:
        return _choose_integer(function, compare, a, b)
    if element.kind != "bool":
        element = get_working(a, b)
    x, y = align(a, b, element=element)
    found = _apply(function, x, y, lambda p, q, e, f: np.maximum(e, f))
    if element.kind == "bool":
        return found
    return round_back(_doubt_zeros(found, (x.data == 0) & (y.data == 0)), a, b)


def _choose_integer(function: Any, compare: Any, a: Any, b: Any) -> Value:
    """Returns the greater or the smaller of two integers. A Python int beyond the type
    of a tile, which cannot be the result, leaves the tile unchanged. An index is
    clamped to the range of a tile's type."""
    for one, bound in ((a, b), (b, a)):
        if not isinstance(one, Value) or not one.element.is_integer:
            continue
        low, high = one.element.range
        if not isinstance(bound, Value):
            if type(bound) is int and compare(low if bound < low else high, bound) and \
                    not low <= bound <= high:
                return one
        elif one.shape and not bound.shape and bound.element is types.index:
            clamped = Value(one.element, np.clip(bound.data, low, high), bound.error) \
                if one.element != types.u64 else Value(
                    one.element, max(int(bound.data), 0), bound.error)
            return _choose_integer(function, compare, one, clamped)
    return _apply(function, *align(a, b), lambda p, q, e, f: np.maximum(e, f))


def _doubt_zeros(value: Value, where: Any) -> Value:
    """Adds an error bound to zeros whose sign is not defined."""
    if not np.any(where):
        return value
    return Value(value.element, value.data,
                 value.bound + np.where(where, value.element.tiny, 0))
