# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparisons of operands in a common type, and choices by a condition."""

from __future__ import annotations

from typing import Optional, overload

from .. import elements
from ..elements import Element
from ..ir import TileType
from ..tracing.trace import builder
from ..tracing.values import Operand, Scalar, Tile
from .conversions import align, convert, to_value
from .elementwise import apply, compare_values
from .operands import Result, ScalarOperand, get_common_type
from .promotion import get_common_element


def compare_aligned(name: str, a: Operand, b: Operand,
                    element: Optional[Element] = None) -> Result:
    """Compares values in their common type, or in `element` if given."""
    [x, y], _ = align((a, b), element)
    return compare_values(name, x, y)


@overload
def where(condition: Tile, a: Operand, b: Operand) -> Tile: ...


@overload
def where(condition: Operand, a: Tile, b: Operand) -> Tile: ...


@overload
def where(condition: Operand, a: Operand, b: Tile) -> Tile: ...


@overload
def where(condition: ScalarOperand, a: ScalarOperand,
          b: ScalarOperand) -> Scalar: ...


def where(condition: Operand, a: Operand, b: Operand) -> Result:
    """Returns a where the condition holds, and b elsewhere."""
    chosen = convert(condition, elements.bool_)
    operands = (condition, a, b)
    truth = get_common_type(operands, elements.bool_)
    type = get_common_type(operands, get_common_element((a, b)))
    values = [to_value(chosen, truth), to_value(a, type), to_value(b, type)]
    if not isinstance(type, TileType):
        return apply("arith.select", values, type)
    [value] = builder().tile("select", condition=values[0], true_value=values[1],
                             false_value=values[2], results=[type])
    return Tile(value)
