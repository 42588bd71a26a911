# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quotients and remainders of the reference, with Python's rules for `//` and `%`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import element_types as types
from .element_types import Refused
from .values import Value, align, get_rounding, get_working, make_unknown, round_back


def floor_divide(a: Any, b: Any) -> Value:
    return round_back(_divide_whole(a, b)[0], a, b)


def remainder(a: Any, b: Any) -> Value:
    return round_back(_divide_whole(a, b)[1], a, b)


def _divide_whole(a: Any, b: Any) -> tuple[Value, Value]:
    """Returns two values, the quotient rounded down and the remainder."""
    element = get_working(a, b)
    if element.kind == "complex":
        raise Refused("a remainder of complex numbers")
    x, y = align(a, b, element=element)
    if element.kind == "float":
        return _divide_floats(x, y)
    unknown = np.maximum(x.bound, y.bound) + make_unknown(y.data == 0)
    if not element.is_unsigned:
        unknown = unknown + make_unknown((x.data == element.range[0]) & (y.data == -1))
    divisor = np.where(unknown > 0, 1, y.data).astype(element.dtype)
    return (Value(element, np.floor_divide(x.data, divisor), unknown),
            Value(element, np.remainder(x.data, divisor), unknown))


def _divide_floats(x: Value, y: Value) -> tuple[Value, Value]:
    element = x.element
    p, q = np.broadcast_arrays(x.data.astype(np.float64), y.data.astype(np.float64))
    bad = ~np.isfinite(p) | ~np.isfinite(q) | (q == 0)
    bad = bad | (np.broadcast_to(x.bound + y.bound, p.shape) > 0)
    whole, rest = np.zeros(p.shape), np.zeros(p.shape)
    for at in np.ndindex(p.shape):
        if not bad[at]:
            whole[at], rest[at] = _divide_exactly(p[at], q[at])
    with np.errstate(all="ignore"):
        found = types.round_to(whole, element)
        large = np.abs(whole) >= 2.0 ** (element.digits - 1)
        errors = np.where(large, 4 * get_rounding(element, found), 0)
        rests = types.round_to(rest, element)
    unknown = make_unknown(bad | ~np.isfinite(found))
    zeros = np.where(whole == 0, element.tiny, 0), np.where(rest == 0, element.tiny, 0)
    return (Value(element, found, errors + unknown + zeros[0]),
            Value(element, rests, unknown + zeros[1] + get_rounding(element, rests)))


def _divide_exactly(a: float, b: float) -> tuple[float, float]:
    """Returns the exact quotient, rounded down, and the remainder, by a division of
    Python ints: both operands are multiples of one power of two."""
    (m, n), (p, q) = float(a).as_integer_ratio(), float(b).as_integer_ratio()
    scale = max(n, q)
    whole, rest = divmod(m * (scale // n), p * (scale // q))
    try:
        return float(whole), rest / scale
    except OverflowError:
        return math.inf, 0.0
