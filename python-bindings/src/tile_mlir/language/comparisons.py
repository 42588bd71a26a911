# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparisons of tiles, scalars and Python numbers. If the type of one operand does not
have the value of the other, the true values are compared: integers with values out of
their range and with fractions, and u64 with negative values. Other operands are
compared in their common type."""

from __future__ import annotations

from .. import elements
from ..elements import Element, Number
from ..tracing.values import Operand, Scalar, Tile, methods
from .bits import bitwise_and, bitwise_or, invert
from .conditions import compare_aligned, where
from .conversions import convert
from .extremes import clamp
from .functions import ceil, floor
from .operands import Binary, Result, is_number, make_constant, to_binary
from .promotion import MIRRORED, get_working_element, is_integer, restate


def compare(name: str, a: Operand, b: Operand) -> Result:
    """Compares `a` with `b` by the comparison `name`: "less", "equal", ..."""
    if isinstance(a, (Tile, Scalar)):
        if is_number(b):
            return _compare_with_number(name, a, b)
        assert isinstance(b, (Tile, Scalar))
        return _compare_values(name, a, b)
    if isinstance(b, (Tile, Scalar)):
        return compare(MIRRORED[name], b, a)
    return compare_aligned(name, a, b)


def _compare_values(name: str, a: Result, b: Result) -> Result:
    for as_named, x, y in ((name, a, b), (MIRRORED[name], b, a)):
        if _is_beyond(y, x):
            return _compare_integers(as_named, x, y)
        if _is_between(y, x):
            return _compare_with_float(as_named, x, y)
    return compare_aligned(name, a, b, get_working_element((a, b)))


def _make(name: str, description: str) -> Binary:
    def call(a: Operand, b: Operand) -> Result:
        return compare(name, a, b)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = description
    return to_binary(call)


equal = _make("equal", "a == b.")
not_equal = _make("not_equal", "a != b, which holds of NaN.")
less = _make("less", "a < b.")
less_equal = _make("less_equal", "a <= b.")
greater = _make("greater", "a > b.")
greater_equal = _make("greater_equal", "a >= b.")

# ----------------------------------------------------------------------------
# Comparisons with a bool, int, float or complex
# ----------------------------------------------------------------------------


def _compare_with_number(name: str, a: Result, number: Number) -> Result:
    kind = elements.get_kind(number)
    if a.dtype.kind == "bool" and kind in ("int", "float"):
        a = convert(a, elements.i32)
    if "complex" in (kind, a.dtype.kind):
        return compare_aligned(name, a, number)
    if not is_integer(a.dtype):
        return compare_aligned(name, a, number, _find_type(a, number))
    restated = restate(name, a.dtype, number)
    if isinstance(restated, bool):
        return make_constant(restated, a, elements.bool_)
    restated_name, integer = restated
    return compare_aligned(restated_name, a, integer)


def _find_type(a: Result, number: Number) -> Element:
    """Returns the common type, or a wider one in which `number` is not infinite."""
    common = get_working_element((a, number))
    if common.kind != "float":
        return common
    for element in (common, elements.f32, elements.f64):
        if element.bits >= common.bits and elements.has_number(element, number):
            return element
    return common


# ----------------------------------------------------------------------------
# Comparisons of integers with values that their type does not have
# ----------------------------------------------------------------------------


def _is_beyond(a: Result, b: Result) -> bool:
    """Whether an integer a may be out of the range of b's type and b is not converted
    to a wider type: a tile keeps its type when compared with a scalar, and u64 has no
    common type with signed integers."""
    if not (is_integer(a.dtype) and is_integer(b.dtype)):
        return False
    low, high = elements.get_range(b.dtype)
    if not any(elements.has_number(a.dtype, n) for n in (low - 1, high + 1)):
        return False
    if isinstance(b, Tile):
        return isinstance(a, Scalar) or elements.u64 in (a.dtype, b.dtype)
    return isinstance(a, Scalar) and elements.u64 in (a.dtype, b.dtype)


def _is_between(a: Result, b: Result) -> bool:
    """Whether a is a floating-point scalar and b has integers."""
    return isinstance(a, Scalar) and a.dtype.kind == "float" and is_integer(b.dtype)


def _compare_integers(name: str, a: Result, b: Result) -> Result:
    """Compares `a` with `b`, which may be out of the range of a's type."""
    low, high = elements.get_range(a.dtype)
    return _correct(name, compare_aligned(name, a, clamp(b, a.dtype)),
                    compare("less", b, low), compare("greater", b, high))


def _compare_with_float(name: str, a: Result, b: Result) -> Result:
    """Compares integers with a floating-point scalar: with the scalar rounded down or
    up to an integer, or, if it is NaN, with zero, after which the result is
    corrected."""
    low, high = elements.get_range(a.dtype)
    b = convert(b, elements.f64 if b.dtype == elements.f64 else elements.f32)
    edge = ceil(b) if name in ("less", "greater_equal") else floor(b)
    below, above = less(edge, float(low)), greater_equal(edge, float(high + 1))
    is_out = bitwise_or(bitwise_or(below, above), not_equal(edge, edge))
    within = convert(where(is_out, 0.0, edge), a.dtype)
    clamped = where(above, high, where(below, low, within))
    found = _correct(name, compare_aligned(name, a, clamped), below, above)
    if name == "not_equal":
        return bitwise_or(found, not_equal(edge, b))
    return bitwise_and(found, equal(edge, b if name == "equal" else edge))


def _correct(name: str, found: Result, below: Result, above: Result) -> Result:
    """Corrects the result of a comparison whose second operand was clamped to a range.
    `below` and `above` are whether the operand was below or above the range."""
    if name in ("less", "not_equal"):
        found = bitwise_or(found, above)
    if name in ("greater", "not_equal"):
        found = bitwise_or(found, below)
    if name in ("less_equal", "equal"):
        found = bitwise_and(found, invert(below))
    if name in ("greater_equal", "equal"):
        found = bitwise_and(found, invert(above))
    return found


methods.compare = compare
