# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles and scalars of the reference: NumPy arrays with an error bound for each
element.

An operation that IEEE 754 defines is computed in its own type, so that the package must
give the same bits. The result of an operation that may be computed in several ways has
an error bound. A comparison of values that are closer than their bounds, an integer
quotient by zero and the like make an element unknown: its bound is infinite, and it is
not compared. `Undecided` is raised if a branch, a loop or an address would depend on an
unknown element."""

from __future__ import annotations

import math
from typing import Any, Callable, Optional, Sequence

import numpy as np

from . import element_types as types
from .element_types import Element, Refused, Undecided
from .ways import decide


class Value:
    """A tile, or a scalar if it has no dimensions. `error` has an error bound for each
    element, or is None if all elements are exact."""

    __slots__ = ("element", "data", "error")
    __array_ufunc__ = None

    def __init__(self, element: Element, data: Any, error: Any = None):
        self.element = element
        self.data = np.asarray(data, element.dtype)
        check_size(self.data.shape)
        self.error = None if error is None or not np.any(error) else \
            np.broadcast_to(error, self.data.shape)

    @property
    def dtype(self) -> Element:
        return self.element

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @property
    def ndim(self) -> int:
        return self.data.ndim

    @property
    def size(self) -> int:
        return self.data.size

    @property
    def bound(self) -> Any:
        """Returns the error bounds as an array, with zeros for exact elements."""
        return np.zeros(self.shape) if self.error is None else self.error

    def map(self, change: Callable[[Any], Any]) -> "Value":
        """Returns the elements in another arrangement, with their bounds."""
        return Value(self.element, change(self.data),
                     None if self.error is None else change(self.error))

    def get_number(self) -> Any:
        """Returns the value of a scalar as a Python value."""
        if self.shape:
            raise Undecided("a tile as a number")
        if self.error is not None:
            raise Undecided("an inexact scalar decides")
        return self.data.item()

    def __bool__(self) -> bool:
        return decide(bool(convert(self, types.bool_).get_number()))

    def __index__(self) -> int:
        if not self.element.is_integer:
            raise Undecided("an index that is no integer")
        return int(self.get_number())

    __hash__ = None  # type: ignore[assignment]

    def astype(self, element: Element, saturate: bool = False) -> "Value":
        return convert(self, element)


# The maximum number of elements of a tile that the reference computes in a short time.
_MOST_ELEMENTS = 2 ** 24


def check_size(shape: Sequence[int]) -> None:
    """Raises `Undecided` for a large tile, before NumPy spends time on it."""
    if math.prod(shape) > _MOST_ELEMENTS:
        raise Undecided("a large tile")


def make_unknown(where: Any) -> Any:
    """Returns bounds that are infinite for unknown elements."""
    return np.where(where, np.inf, 0.0)


# ----------------------------------------------------------------------------
# Conversions
# ----------------------------------------------------------------------------


def make(number: Any, element: Element) -> Value:
    """Converts a Python value to a type; refuses a value that the type does not
    have."""
    kind = types.get_number_kind(number)
    number = number.item() if isinstance(number, np.generic) else number
    if element.is_integer:
        if kind == "complex" or kind == "float" and not math.isfinite(number):
            raise Refused("no number of an integer type")
        low, high = element.range
        number = int(number)
        if not low <= number <= high:
            raise Refused(f"{number} does not fit {element.name}")
        return Value(element, number)
    if element.kind == "bool":
        return Value(element, number != 0)
    if element.kind == "complex":
        return Value(element, number)
    if kind == "int" and abs(number) > 2 ** 53:
        raise Undecided("an integer that is rounded twice")
    found = round_number(number, element)
    if math.isfinite(number) and not math.isfinite(found):
        raise Undecided("a literal beyond a floating-point type")
    return Value(element, found)


def round_number(number: Any, element: Element) -> Any:
    return types.round_to(np.float64(number), element)


def convert(operand: Any, to: Element) -> Value:
    """Converts to another element type: to a floating-point type by rounding to
    nearest, ties to even, to an integer type by rounding towards zero. For an integer
    type, values out of range become the nearest integer, and NaN becomes zero."""
    if not isinstance(operand, Value):
        return make(operand, to)
    of = operand.element
    if of == to:
        return operand
    if to.kind == "bool":
        return _convert_to_bool(operand)
    if of.kind == "complex":
        if to.kind != "complex":
            raise Refused("a conversion that drops the imaginary part")
        return _round_again(operand, to, operand.data.astype(to.dtype))
    if to.kind == "complex":
        part = convert(operand, types.get_part(to))
        return Value(to, part.data, part.error)
    if of.kind == "float":
        if to.kind == "float":
            return _round_again(operand, to, types.round_to(operand.data, to))
        return _truncate(operand, to)
    if to.kind == "float":
        return _convert_integer(operand, to)
    return Value(to, operand.data.astype(to.dtype), operand.error)


def _convert_to_bool(operand: Value) -> Value:
    """Converts to bools that are true for elements other than zero."""
    size = np.abs(operand.data.astype(np.complex128))
    is_known = (operand.bound == 0) | (size > 2 * operand.bound)
    return Value(types.bool_, operand.data != 0, make_unknown(~is_known))


def _round_again(operand: Value, to: Element, data: Any) -> Value:
    if operand.error is None:
        return Value(to, data)
    return Value(to, data, operand.error + get_rounding(to, data))


def get_rounding(element: Element, data: Any) -> Any:
    """Returns an error bound of about one ulp of each element of `data`. A result that
    is not finite is unknown."""
    size = np.abs(np.asarray(data)).astype(np.float64)
    return np.where(np.isfinite(size), element.epsilon * size + element.tiny, np.inf)


def _truncate(operand: Value, to: Element) -> Value:
    low, high = to.range

    def truncate(x: float) -> int:
        if math.isnan(x):
            return 0
        return (low if x < 0 else high) if math.isinf(x) else \
            min(max(math.trunc(x), low), high)

    def apply(values: Any) -> Any:
        flat = [truncate(float(x)) for x in np.ravel(values)]
        return np.array(flat, dtype=to.dtype).reshape(np.shape(values))

    found = apply(operand.data)
    if operand.error is None:
        return Value(to, found)
    wide, bound = operand.data.astype(np.float64), operand.error
    with np.errstate(all="ignore"):
        is_known = np.isfinite(bound) & (apply(wide - bound) == apply(wide + bound))
    return Value(to, found, make_unknown(~is_known))


def _convert_integer(operand: Value, to: Element) -> Value:
    """Converts integers to a floating-point type. The package may round wide integers
    to a narrow type in two steps, so their results have an error bound."""
    if to.is_native and to.bits >= 32:
        return Value(to, operand.data.astype(to.dtype), operand.error)
    wide = operand.data.astype(np.float64)
    found = types.round_to(wide, to)
    is_large = np.abs(wide) > 2 ** 24
    error = np.where(is_large, get_rounding(to, found), 0) + operand.bound
    return Value(to, found, np.where(np.isnan(error), np.inf, error))


# ----------------------------------------------------------------------------
# Common types
# ----------------------------------------------------------------------------


def get_common(*operands: Any) -> Element:
    values = [x for x in operands if isinstance(x, Value)]
    if not values:
        return max((types.promote_number(types.bool_, x) for x in operands),
                   key=lambda element: types.KINDS.index(element.kind))
    found = values[0].element
    for other in values[1:]:
        found = types.promote(found, other.element)
    for number in operands:
        if not isinstance(number, Value):
            found = types.promote_number(found, number)
    if found is types.index and any(x.shape for x in values):
        return types.i64
    return found


def get_working(*operands: Any) -> Element:
    """Returns the type that arithmetic is done in: the common type, but f32 for a
    16-bit floating-point type with an integer scalar, and i32 for bools."""
    element = get_common(*operands)
    is_narrow = element.kind == "float" and element.bits == 16
    if is_narrow and any(isinstance(x, Value) and not x.shape and x.element.is_integer
                         for x in operands):
        return types.f32
    return types.i32 if element.kind == "bool" else element


def check_shapes(*operands: Any) -> None:
    try:
        found = np.broadcast_shapes(*(x.shape for x in operands
                                      if isinstance(x, Value)))
    except ValueError:
        raise Refused("shapes that cannot be broadcast together") from None
    check_size(found)


def align(*operands: Any, element: Optional[Element] = None) -> list[Value]:
    """Converts the operands to one type; NumPy broadcasts their shapes."""
    check_shapes(*operands)
    common = element or get_common(*operands)
    return [convert(x, common) for x in operands]


def round_back(found: Value, *operands: Any) -> Value:
    """Rounds a result that was computed in a wider type to the common type of the
    operands."""
    element = get_common(*operands)
    return convert(found, element) if element.kind == "float" else found
