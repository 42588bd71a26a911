# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for combining a Python number, or a scalar, with values of another type.

A comparison uses the true value of the Python number or scalar, also if the type of the
other operand does not have it; `restate` turns the comparison into one with a value
that the type has. `maximum`, `minimum` and `clip` also compare with the true value, but
the result keeps the type of the tile, and an index is clamped to the range of that
type.

Arithmetic converts operands to their common type. A Python value that this type does
not have is an error; a tile of integers and an index give a tile of i64. An assignment
by `store`, `insert`, `pad=` and so on converts the value to the destination's type. A
Python value that this type does not have is an error; scalars and tiles are converted
as by `astype`.

Python values are rounded to floating-point types, as in NumPy.
"""

from __future__ import annotations

import math
from typing import Optional, Sequence, Union

from .. import elements
from ..elements import Element, Number
from ..errors import ArgumentError
from ..ir import format_number
from ..tracing.trace import describe, fail
from ..tracing.values import Computed, Operand, Scalar, check_operand

# ----------------------------------------------------------------------------
# Arithmetic and assignments
# ----------------------------------------------------------------------------


def get_common_element(operands: Sequence[Operand]) -> Element:
    """Returns the element type that all operands are converted to."""
    for operand in operands:
        check_operand(operand)
    traced = [x.dtype for x in operands if isinstance(x, Computed)]
    numbers = [x for x in operands if not isinstance(x, Computed)]
    if not traced:
        # The type that `full` gives a tile of the Python value.
        return max((elements.promote_number(elements.bool_, n) for n in numbers),
                   key=lambda e: elements.KINDS.index(e.kind))
    found = traced[0]
    for other in traced[1:]:
        found = elements.promote(found, other)
    for number in numbers:
        found = elements.promote_number(found, number)
    return found


def get_working_element(operands: Sequence[Operand]) -> Element:
    """Returns the type that arithmetic is done in: the common type, but f32 if one
    operand is a floating-point type of at most 16 bits and another one is an integer
    scalar, which may be out of range for that type."""
    element = get_common_element(operands)
    is_narrow = element.kind == "float" and element.bits <= 16
    has_integer = any(isinstance(x, Scalar) and is_integer(x.dtype) for x in operands)
    return elements.f32 if is_narrow and has_integer else element


def is_integer(element: Element) -> bool:
    return element.kind in ("int", "index")


def check_number(number: Number, element: Element) -> None:
    """Raises an error if the type does not have `number`, because of an imaginary part,
    an infinity, or a value out of range."""
    if not _can_hold(element, number):
        fail(f"expected a number that {element!r} has{_describe_range(number, element)},"
             f" got {describe(number)}{_advise(number, element)}")


def _can_hold(element: Element, number: Number) -> bool:
    try:
        format_number(number, element)
    except (ArgumentError, OverflowError):
        return False
    return element.kind == "complex" or elements.has_number(element, number)


def _describe_range(number: Number, element: Element) -> str:
    if elements.get_kind(number) == "complex":
        return ""
    if is_integer(element):
        return ", from {} to {}".format(*elements.get_range(element))
    return f", up to {elements.get_limit(element):.6g}"


# Two types of the same width of which the second one has the greater integers.
_LAST_WIDER = (elements.i64, elements.u64)


def _advise(number: Number, element: Element) -> str:
    wider = {"int": (elements.i16, elements.i32, elements.i64, elements.u64),
             "float": (elements.f32, elements.f64)}.get(element.kind, ())
    for other in wider:
        is_wider = other.bits > element.bits or (element, other) == _LAST_WIDER
        if is_wider and _can_hold(other, number):
            return f"; {other!r} has it"
    return ""


# ----------------------------------------------------------------------------
# Comparisons
# ----------------------------------------------------------------------------

# For each comparison of a and b, the equivalent comparison of b and a.
MIRRORED = {"equal": "equal", "not_equal": "not_equal", "less": "greater",
            "less_equal": "greater_equal", "greater": "less",
            "greater_equal": "less_equal"}

# The comparisons that hold if the second operand is greater than all values of the
# first one's type, and those that hold if it is less than all.
_HOLD_BELOW = ("less", "less_equal", "not_equal")
_HOLD_ABOVE = ("greater", "greater_equal", "not_equal")


def restate(name: str, element: Element, number: Number) -> Union[bool, tuple[str, int]]:
    """Restates the comparison `name` of integers of type `element` with a real
    `number`. Returns an equivalent comparison and the integer of the type to compare
    with, or the result, if it is the same for all values of the type."""
    real = elements.get_real(number)
    low, high = elements.get_range(element)
    if real != real:
        return name == "not_equal"
    if real > high:
        return name in _HOLD_BELOW
    if real < low:
        return name in _HOLD_ABOVE
    if real == int(real):
        return name, int(real)
    if name in ("equal", "not_equal"):
        return name == "not_equal"
    return ("less_equal", math.floor(real)) if name in _HOLD_BELOW else \
        ("greater_equal", math.ceil(real))


def find_missing(element: Element, bound: Operand) -> Optional[str]:
    """Returns "maximum" or "minimum" if this operation of an element with `bound`
    always returns the element, because `bound` is a Python value out of the range of
    the type `element`. Returns None otherwise."""
    if isinstance(bound, Computed) or elements.get_kind(bound) == "complex" or \
            elements.promote_number(element, bound) != element or \
            element.kind == "complex" or elements.has_number(element, bound):
        return None
    return "maximum" if elements.get_real(bound) < 0 else "minimum"
