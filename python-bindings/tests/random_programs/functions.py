# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Powers and floating-point functions of the reference, with error bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import element_types as types
from .element_types import Refused, Undecided
from .values import Value, align, convert, get_common, get_rounding


def power(a: Any, b: Any) -> Value:
    """Computes a power: for a Python int as exponent by multiplications, else in
    floating point."""
    if isinstance(b, int) and not isinstance(b, bool) and abs(b) <= 64:
        return _power_of_int(a, b)
    element = get_common(a, b)
    if element.kind == "complex":
        raise Undecided("a power of complex numbers")
    x, y = align(a, b, element=element if element.kind == "float" else types.f32)
    return _make_inexact(np.power, 16, x, y)


def _power_of_int(a: Value, exponent: int) -> Value:
    element = a.element
    if element.kind in ("bool", "complex"):
        raise Undecided("a power of bools or of complex numbers")
    if exponent < 0 and element.is_integer:
        element = types.f32
    base = convert(a, element)
    if element.is_integer:
        with np.errstate(all="ignore"):
            found = np.ones_like(base.data)
            for _ in range(exponent):
                found = found * base.data
        return Value(element, found, base.error)
    return base if exponent == 1 else _make_power(base, exponent)


def _make_power(base: Value, exponent: int) -> Value:
    """Computes a power with an int exponent. Results whose partial results overflow are
    unknown."""
    element = base.element
    x = base.data.astype(np.float64)
    with np.errstate(all="ignore"):
        found, inverse = x ** exponent, np.abs(x ** -exponent)
        slope = np.abs(exponent * found / x) * base.bound * 2
        rounded = types.round_to(found, element)
        error = slope + (abs(exponent) + 2) * get_rounding(element, rounded)
        is_bad = (np.abs(found) > 2.0 ** 120) | (inverse > 2.0 ** 120) | np.isnan(error) | \
            (base.bound * 4 > np.abs(x))
    return Value(element, rounded, np.where(is_bad, np.inf, error))


def _make_inexact(function: Any, units: float, *operands: Value) -> Value:
    """Applies a floating-point function whose error for exact operands is at most
    `units` ulp."""
    element = operands[0].element
    wide = [x.data.astype(np.float64) for x in operands]
    with np.errstate(all="ignore"):
        exact = function(*wide)
        found = types.round_to(exact, element)
        error = units * get_rounding(element, found)
        error = error + _get_slope_error(function, exact, wide, operands)
    return Value(element, found, np.where(np.isnan(error), np.inf, error))


def _get_slope_error(function: Any, exact: Any, wide: Any, operands: Any) -> Any:
    """Returns the error bound that follows from the error bounds of operands. The
    function is evaluated at both ends of the interval of each operand."""
    error: Any = 0.0
    for index, operand in enumerate(operands):
        if operand.error is None:
            continue
        for sign in (-1, 1):
            moved = list(wide)
            moved[index] = wide[index] + sign * operand.bound
            error = error + 2 * np.abs(function(*moved) - exact)
    return error


def apply_function(function: Any, a: Any, units: float = 4) -> Value:
    """Applies a floating-point function; integers are converted to f32."""
    element = get_common(a)
    if element.kind == "complex":
        raise Undecided("a function of complex numbers")
    if element.kind != "float":
        element = types.f32
    return _make_inexact(function, units, convert(a, element))


def apply_rounding(function: Any, a: Any) -> Value:
    """Applies a rounding function, which is constant except at steps."""
    element = get_common(a)
    if element.kind == "complex":
        raise Refused("a rounding of complex numbers")
    value = convert(a, element if element.kind == "float" else types.f32)
    with np.errstate(all="ignore"):
        found = function(value.data)
        if value.error is None:
            return Value(value.element, found)
        wide = value.data.astype(np.float64)
        same = function(wide - value.bound) == function(wide + value.bound)
    # The sign of a zero is that of the operand.
    error = np.where(found == 0, value.element.tiny, 0)
    return Value(value.element, found, np.where(same, error, np.inf))


def apply_root(a: Any) -> Value:
    """Computes the square root, which is correctly rounded."""
    element = get_common(a)
    if element.kind == "complex":
        raise Undecided("a function of complex numbers")
    value = convert(a, element if element.kind == "float" else types.f32)
    if value.error is not None:
        return _make_inexact(np.sqrt, 1, value)
    with np.errstate(all="ignore"):
        return Value(value.element, types.round_to(
            np.sqrt(value.data.astype(np.float64)), value.element))


def exp(a: Any) -> Value:
    return apply_function(np.exp, a)
