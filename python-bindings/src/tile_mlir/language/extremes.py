# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The maximum and the minimum of two operands, and `clip`, which limits an operand to
bounds."""

from __future__ import annotations

from typing import Optional, overload

from .. import elements
from ..elements import Element
from ..tracing.trace import fail
from ..tracing.values import Operand, Scalar, Tile, check_operand
from .arithmetic import compute
from .conversions import align, convert
from .elementwise import apply
from .operands import Result, ScalarOperand, to_binary
from .promotion import find_missing, get_common_element, is_integer


@to_binary
def maximum(a: Operand, b: Operand) -> Result:
    """The greater of two elements, NaN if one is NaN."""
    return _choose_extreme("maximum", a, b, "arith.maxsi", "arith.maxui")


@to_binary
def minimum(a: Operand, b: Operand) -> Result:
    """The smaller of two elements, NaN if one is NaN."""
    return _choose_extreme("minimum", a, b, "arith.minsi", "arith.minui")


def _choose_extreme(name: str, a: Operand, b: Operand, signed: str, unsigned: str
                    ) -> Result:
    """Returns the greater or the smaller operand; integers are compared with the true
    value of a Python int, a Python float or an index."""
    for one, bound in ((a, b), (b, a)):
        check_operand(bound)
        if not isinstance(one, (Tile, Scalar)):
            continue
        if find_missing(one.dtype, bound) == name:
            return one
        if isinstance(one, Tile) and is_integer(one.dtype) and \
                isinstance(bound, Scalar) and bound.dtype == elements.index:
            return _choose_extreme(name, one, clamp(bound, one.dtype), signed, unsigned)
    if get_common_element((a, b)).kind == "bool":
        values, type = align((a, b))
        return apply(unsigned, values, type)
    return compute(name, (a, b), f"arith.{name}f", signed, unsigned)


@overload
def clamp(a: Tile, element: Element) -> Tile: ...


@overload
def clamp(a: Scalar, element: Element) -> Scalar: ...


def clamp(a: Result, element: Element) -> Result:
    """Converts integers to the nearest values of another integer type."""
    low, high = elements.get_range(element)
    return convert(minimum(maximum(a, low), high), element)


@overload
def clip(a: Tile, low: Optional[Operand] = ..., high: Optional[Operand] = ...
         ) -> Tile: ...


@overload
def clip(a: Operand, low: Tile, high: Optional[Operand] = ...) -> Tile: ...


@overload
def clip(a: Operand, low: Optional[Operand], high: Tile) -> Tile: ...


@overload
def clip(a: ScalarOperand, low: Optional[ScalarOperand] = ...,
         high: Optional[ScalarOperand] = ...) -> Scalar: ...


def clip(a: Operand, low: Optional[Operand] = None, high: Optional[Operand] = None
         ) -> Result:
    """a, limited to at least `low` and at most `high`; a bound may be None."""
    check_operand(a)
    if high is None:
        if low is None:
            fail("expected a bound for clip, got none")
        return maximum(a, low)
    return minimum(a if low is None else maximum(a, low), high)
