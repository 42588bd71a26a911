# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Divisions of each element that are rounded to integers, and their remainders."""

from __future__ import annotations

from typing import Any, Union, overload

from .. import elements
from ..elements import is_known_integer
from ..errors import ArgumentError
from ..tracing.trace import describe, fail
from ..tracing.values import Operand, Scalar, Tile, methods
from .arithmetic import add, compute, divide, multiply, subtract
from .bits import bitwise_and
from .conditions import compare_aligned, where
from .conversions import align, convert
from .elementwise import apply
from .functions import round
from .operands import Result, is_number, to_binary, wrap
from .promotion import get_common_element, get_working_element


@to_binary
def floor_divide(a: Operand, b: Operand) -> Result:
    """The greatest integer that is at most a / b, as Python's `//`."""
    element = get_common_element((a, b))
    if element.kind == "float":
        return convert(_divide_floats(a, b)[0], element)
    return compute("//", (a, b), "", "arith.floordivsi", "arith.divui")


@to_binary
def remainder(a: Operand, b: Operand) -> Result:
    """a - (a // b) * b, with the sign of b, as Python's `%`."""
    element = get_common_element((a, b))
    if element.kind == "complex":
        fail(f"expected real numbers for %, got {element!r}")
    if element.kind == "float":
        return convert(_divide_floats(a, b)[1], element)
    if element.is_unsigned:
        return compute("%", (a, b), "", "arith.remsi", "arith.remui")
    return subtract(a, multiply(floor_divide(a, b), b))


def _divide_floats(a: Operand, b: Operand) -> tuple[Result, Result]:
    """Returns two results: the quotient rounded down, and the remainder. For f16, bf16
    and f8 both are computed in f32, after a Python value is rounded to that type. The
    remainder is computed first, since it is exact, while a great quotient is
    rounded."""
    working = get_working_element((a, b))
    wide = working if working.bits >= 32 else elements.f32
    x, y = (convert(wrap(value), wide) for value in align((a, b), working)[0])
    rest = apply("arith.remf", [x.value, y.value], x.type)  # of the sign of a
    quotient = round(divide(subtract(x, rest), y))
    has_other_sign = compare_aligned("not_equal", compare_aligned("less", rest, 0),
                                     compare_aligned("less", y, 0))
    is_above = bitwise_and(compare_aligned("not_equal", rest, 0), has_other_sign)
    is_zero = compare_aligned("equal", y, 0)
    return (where(is_zero, divide(x, y), subtract(quotient, is_above)),
            where(is_above, add(rest, y), rest))


@overload
def cdiv(a: int, b: int) -> int: ...


@overload
def cdiv(a: Scalar, b: Union[int, Scalar]) -> Scalar: ...


@overload
def cdiv(a: int, b: Scalar) -> Scalar: ...


@overload
def cdiv(a: Tile, b: Operand) -> Tile: ...


@overload
def cdiv(a: Operand, b: Tile) -> Tile: ...


def cdiv(a: Any, b: Any) -> Any:
    """The least integer that is at least a / b."""
    if is_number(a) and is_number(b):
        if not is_known_integer(a) or not is_known_integer(b) or b == 0:
            raise ArgumentError(f"expected integers for cdiv, the second not zero, got "
                                f"{describe(a)} and {describe(b)}")
        return -(-a // b)
    element = get_common_element((a, b))
    if element.kind not in ("int", "index"):
        fail(f"expected integers for cdiv, got {element!r}")
    return compute("cdiv", (a, b), "", "arith.ceildivsi", "arith.ceildivui")


methods.floor_divide = floor_divide
methods.remainder = remainder
