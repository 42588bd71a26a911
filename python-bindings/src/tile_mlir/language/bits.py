# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on the bits of integers, and on bools: `&`, `|`, `^`, `~`, `<<`, `>>`."""

from __future__ import annotations

from typing import Optional

from .. import elements
from ..elements import Element
from ..tracing.trace import describe, fail
from ..tracing.values import Computed, Operand, Scalar, Tile, methods
from .arithmetic import choose_operation, multiply
from .conversions import align
from .elementwise import apply
from .extremes import clamp
from .operands import Result, to_binary, to_unary
from .promotion import get_common_element


def _bits(what: str, a: Operand, b: Operand, name: str,
          unsigned: Optional[str] = None) -> Result:
    values, type = align((a, b), _get_bits_element(what, a, b))
    return apply(choose_operation(type, "", name, unsigned), values, type)


def _get_bits_element(what: str, a: Operand, b: Operand) -> Element:
    element = get_common_element((a, b))
    if element.kind in ("float", "complex"):
        fail(f"expected integers or bools for {what}, got {element!r}")
    return element


@to_binary
def bitwise_and(a: Operand, b: Operand) -> Result:
    """a & b; the logical "and" of bools."""
    return _bits("&", a, b, "arith.andi")


@to_binary
def bitwise_or(a: Operand, b: Operand) -> Result:
    """a | b; the logical "or" of bools."""
    return _bits("|", a, b, "arith.ori")


@to_binary
def bitwise_xor(a: Operand, b: Operand) -> Result:
    """a ^ b."""
    return _bits("^", a, b, "arith.xori")


@to_binary
def left_shift(a: Operand, b: Operand) -> Result:
    """a << b, zero if b is at least the width of a in bits. With an index b a tile
    keeps its type."""
    return _shift("<<", a, b, "arith.shli")


@to_binary
def right_shift(a: Operand, b: Operand) -> Result:
    """a >> b; for signed integers it shifts in copies of the sign bit. With an index b
    a tile keeps its type."""
    return _shift(">>", a, b, "arith.shrsi", "arith.shrui")


def _shift(what: str, a: Operand, b: Operand, name: str,
           unsigned: Optional[str] = None) -> Result:
    element = _get_bits_element(what, a, b)
    if isinstance(a, Tile) and isinstance(b, Scalar) and b.dtype == elements.index:
        b = clamp(b, a.dtype)
    elif not isinstance(b, Computed):
        b = elements.get_integer(b)
        if b < 0:
            fail(f"expected a shift by zero bits or more, got {describe(b)}")
        if b >= element.bits and (what == "<<" or element.is_unsigned):
            return multiply(a, 0)
        b = min(b, element.bits - 1)
    return _bits(what, a, b, name, unsigned)


@to_unary
def invert(a: Operand) -> Result:
    """~a; the logical "not" of bools."""
    element = get_common_element((a,))
    every = -1
    if element.kind == "bool":
        every = True
    elif element.is_unsigned:
        every = elements.get_range(element)[1]
    return _bits("~", a, every, "arith.xori")


methods.bitwise_and = bitwise_and
methods.bitwise_or = bitwise_or
methods.bitwise_xor = bitwise_xor
methods.left_shift = left_shift
methods.right_shift = right_shift
methods.invert = invert
