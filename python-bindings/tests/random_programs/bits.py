# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bits, shifts, comparisons and choices of the reference."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import element_types as types
from .element_types import Element, Refused, Undecided
from .values import (Value, align, check_shapes, convert, get_common, get_working, make,
                     make_unknown)


def combine_bits(function: Any, a: Any, b: Any) -> Value:
    x, y = align(a, b)
    if x.element.kind in ("float", "complex"):
        raise Refused("bits of floats")
    return Value(x.element, function(x.data, y.data), np.maximum(x.bound, y.bound))


def shift(function: Any, a: Any, b: Any) -> Value:
    """Shifts; a count of at least the width gives zeros, or copies of the sign."""
    element = get_common(a, b)
    if element.kind in ("float", "complex"):
        raise Refused("a shift of floats")
    if element.kind == "bool":
        raise Undecided("a shift of bools")
    x, y = convert(a, _get_shifted(a, b, element)), _make_count(b, element)
    bits = x.element.bits
    far = (y.data < 0) | (y.data >= bits)
    count = np.where(far, 0, y.data).astype(x.element.dtype)
    found = function(x.data, count)
    end = np.where(x.data < 0, -1, 0) if function is np.right_shift and \
        not x.element.is_unsigned else 0
    found = np.where(far, np.asarray(end).astype(x.element.dtype), found)
    return Value(x.element, found, np.maximum(x.bound, y.bound))


def _get_shifted(a: Any, b: Any, element: Element) -> Element:
    """Returns the type of the shifted value: with an index a tile keeps its type."""
    is_index = isinstance(a, Value) and a.shape and isinstance(b, Value) and \
        not b.shape and b.element is types.index
    return a.element if is_index else element


def _make_count(b: Any, element: Element) -> Value:
    if isinstance(b, Value):
        return b if b.element is types.index else convert(b, element)
    if b < 0:
        raise Refused("a shift by less than zero")
    return Value(types.i64, min(int(b), 1000))


def compare(function: Any, a: Any, b: Any) -> Value:
    """Compares values. Integers are compared with each other, and with a floating-point
    scalar, by their true values; other values are compared in their common type."""
    check_shapes(a, b)
    element = _get_compared(a, b)
    if element is not None and element.kind == "complex" and \
            function not in (np.equal, np.not_equal):
        raise Refused("an order of complex numbers")
    x, y = (_get_true(operand, element) for operand in (a, b))
    bounds = [v.bound if isinstance(v, Value) else 0 for v in (a, b)]
    with np.errstate(all="ignore"):
        found = np.asarray(function(x, y)).astype(bool)
        if not np.any(bounds[0]) and not np.any(bounds[1]):
            return Value(types.bool_, found)
        wide = [np.asarray(v).astype(np.complex128) for v in (x, y)]
        is_close = ~(np.abs(wide[0] - wide[1]) > 2 * (bounds[0] + bounds[1]))
    is_inexact = np.asarray(bounds[0] + bounds[1]) > 0
    return Value(types.bool_, found, make_unknown(is_close & is_inexact))


def _get_compared(a: Any, b: Any) -> Optional[Element]:
    """Returns the type to compare in, or None for a comparison of true values."""
    kinds = [x.element.kind if isinstance(x, Value) else types.get_number_kind(x)
             for x in (a, b)]
    if "complex" not in kinds and _is_true(*kinds, a, b):
        return None
    found = get_working(a, b)
    both_bools = all(kind == "bool" for kind in kinds)
    return types.bool_ if both_bools else found


def _is_true(first: str, second: str, a: Any, b: Any) -> bool:
    whole = ("int", "index", "bool")
    if first in whole and second in whole:
        return True
    floats = [x for x, kind in ((a, first), (b, second)) if kind == "float"]
    return len(floats) == 1 and not (isinstance(floats[0], Value) and floats[0].shape) and \
        (first in whole or second in whole) and not (
            isinstance(floats[0], Value) and "bool" in (first, second))


def _get_true(operand: Any, element: Optional[Element]) -> Any:
    """Returns the elements of an operand in type `element`, or, if that is None, as
    Python ints and floats for a comparison of true values."""
    if element is not None:
        return convert(operand, element).data
    if not isinstance(operand, Value):
        return np.array(operand, object)
    return operand.data.astype(object)


def where(condition: Any, a: Any, b: Any) -> Value:
    check_shapes(condition, a, b)
    chosen = convert(condition, types.bool_)
    values = [x for x in (a, b) if isinstance(x, Value)]
    if values:
        common = get_common(a, b)
        is_tile = common is types.index and chosen.shape
        x, y = align(a, b, element=types.i64 if is_tile else common)
    else:
        element = max((types.promote_number(types.bool_, n) for n in (a, b)),
                      key=lambda e: types.KINDS.index(e.kind))
        x, y = make(a, element), make(b, element)
    found = np.where(chosen.data, x.data, y.data)
    error = np.where(chosen.data, x.bound, y.bound) + chosen.bound
    return Value(x.element, found, error)
