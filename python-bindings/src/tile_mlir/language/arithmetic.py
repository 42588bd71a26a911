# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic on each element."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, TypeGuard, overload

from .. import elements
from ..elements import is_known_integer
from ..ir import ComputedType, Value
from ..tracing.deferred import Deferred
from ..tracing.trace import fail
from ..tracing.values import Computed, Operand, Scalar, Tile, methods
from .complex_numbers import combine_complex, imag, make_complex, real
from .conversions import align, convert, to_value
from .elementwise import apply, apply_complex
from .operands import Result, ScalarOperand, get_element, to_binary, to_unary, wrap
from .promotion import get_common_element, get_working_element


def choose_operation(type: ComputedType, floats: str, signed: str,
                     unsigned: Optional[str] = None) -> str:
    """Returns the operation for elements of `type`: `floats` for floating-point types,
    `unsigned`, if given, for unsigned types and bool, else `signed`."""
    element = get_element(type)
    if element.kind == "float":
        return floats
    if element.is_unsigned or element.kind == "bool":
        return unsigned or signed
    return signed


def is_complex(type: ComputedType) -> bool:
    return get_element(type).kind == "complex"


def compute(what: str, operands: Sequence[Operand], floats: str, signed: str,
            unsigned: Optional[str] = None,
            complex: Optional[str] = None) -> Result:
    """Computes an operation on operands in their common type; bools are converted to
    i32."""
    element = get_working_element(operands)
    if element.kind == "bool":
        element = elements.i32
    values, type = align(operands, element)
    if is_complex(type):
        return _compute_complex(what, complex, values, type)
    found = apply(choose_operation(type, floats, signed, unsigned), values, type)
    return round_to_common(found, operands)


def round_to_common(found: Result, operands: Sequence[Operand]) -> Result:
    """Converts a result that was computed in a wider type to the common type of the
    operands."""
    element = get_common_element(operands)
    return convert(found, element) if element.kind == "float" else found


def _compute_complex(what: str, kind: Optional[str], values: Sequence[Value],
                     type: ComputedType) -> Result:
    if kind is None:
        fail(f"expected real numbers for {what}, got {get_element(type)!r}")
    return combine_complex(kind, values, get_element(type))


def _is_complex_and_real(a: Operand, b: Operand) -> TypeGuard[Result]:
    return isinstance(a, Computed) and a.dtype.kind == "complex" and \
        get_common_element((b,)).kind != "complex"


def _scale(a: Result, b: Operand, combine: Callable[[Any, Any], Any]) -> Result:
    """Combines each part of the complex value `a` with the real value `b`."""
    whole: Result = make_complex(combine(real(a), b), combine(imag(a), b))
    return whole


# ----------------------------------------------------------------------------
# Operators
# ----------------------------------------------------------------------------


@to_binary
def add(a: Operand, b: Operand) -> Result:
    """a + b."""
    fused = _fuse_sum(a, b)
    if fused is not None:
        return fused
    return compute("+", (a, b), "arith.addf", "arith.addi", complex="add")


def _fuse_sum(a: Operand, b: Operand) -> Optional[Tile]:
    """Fuses the sum of a matmul and a tile into one matmul; None for any other sum."""
    for matmul, other in ((a, b), (b, a)):
        if isinstance(matmul, Deferred) and isinstance(other, Tile) and \
                matmul.can_add_to(other):
            return matmul.add_to(other)
    return None


@to_binary
def subtract(a: Operand, b: Operand) -> Result:
    """a - b."""
    if isinstance(a, Tile) and isinstance(b, Deferred) and b.can_subtract_from(a):
        return b.subtract_from(a)
    return compute("-", (a, b), "arith.subf", "arith.subi", complex="sub")


@to_binary
def multiply(a: Operand, b: Operand) -> Result:
    """a * b."""
    for whole, factor in ((a, b), (b, a)):
        if _is_complex_and_real(whole, factor):
            return _scale(whole, factor, multiply)
    return compute("*", (a, b), "arith.mulf", "arith.muli", complex="mul")


@to_binary
def divide(a: Operand, b: Operand) -> Result:
    """a / b; integers are converted to f32."""
    if _is_complex_and_real(a, b):
        return _scale(a, b, divide)
    element = get_working_element((a, b))
    if element.kind not in ("float", "complex"):
        element = elements.f32
    values, type = align((a, b), element)
    if is_complex(type):
        return _compute_complex("/", "div", values, type)
    return round_to_common(apply("arith.divf", values, type), (a, b))


@to_unary
def negative(a: Operand) -> Result:
    """-a."""
    values, type = align((a,))
    if is_complex(type):
        return _compute_complex("-", "neg", values, type)
    if get_element(type).kind == "float":
        return apply("arith.negf", values, type)
    return subtract(0, a)


@to_unary
def absolute(a: Operand) -> Result:
    """The absolute value of each element."""
    values, type = align((a,))
    if is_complex(type):
        return apply_complex("abs", values, get_element(type).part)
    if get_element(type).is_unsigned:
        return wrap(values[0])
    return apply(choose_operation(type, "math.absf", "math.absi"), values, type)


@overload
def fma(a: Tile, b: Operand, c: Operand) -> Tile: ...


@overload
def fma(a: Operand, b: Tile, c: Operand) -> Tile: ...


@overload
def fma(a: Operand, b: Operand, c: Tile) -> Tile: ...


@overload
def fma(a: ScalarOperand, b: ScalarOperand,
        c: ScalarOperand) -> Scalar: ...


def fma(a: Operand, b: Operand, c: Operand) -> Result:
    """a * b + c in floating point, rounded once."""
    values, type = align((a, b, c), get_working_element((a, b, c)))
    if get_element(type).kind != "float":
        fail(f"expected numbers of floating point for fma, got "
             f"{get_element(type)!r}")
    return round_to_common(apply("math.fma", values, type), (a, b, c))


# ----------------------------------------------------------------------------
# Powers
# ----------------------------------------------------------------------------


@to_binary
def power(a: Operand, b: Operand) -> Result:
    """a ** b. For a Python int b from -64 to 64 it multiplies in the type of a; for
    f16, bf16 and f8 it multiplies in f32 and rounds once. For any other b it computes
    in floating point. Integers are converted to f32, unless b is a Python int from 0 to
    64."""
    if is_known_integer(b) and not isinstance(b, bool) and abs(int(b)) <= 64:
        return _power_of_int(a, int(b))
    element = get_working_element((a, b))
    if element.kind != "float":
        element = elements.f32
    values, type = align((a, b), element)
    return round_to_common(apply("math.powf", values, type), (a, b))


def _power_of_int(a: Operand, exponent: int) -> Result:
    element = get_common_element((a,))
    is_narrow = element.kind == "float" and element.bits < 32
    if is_narrow or (exponent < 0 and element.kind not in ("float", "complex")):
        a = convert(a, elements.f32)
    found = _multiply_by_itself(a, abs(exponent))
    if exponent < 0:
        found = divide(1.0, found)
    return convert(found, element) if is_narrow else found


def _multiply_by_itself(a: Operand, count: int) -> Result:
    if count == 0:
        values, type = align((a, 1))
        return wrap(to_value(1, type))
    if count == 1:
        return wrap(align((a,))[0][0])
    half = _multiply_by_itself(a, count // 2)
    square = multiply(half, half)
    return multiply(square, a) if count % 2 else square


methods.add = add
methods.subtract = subtract
methods.multiply = multiply
methods.divide = divide
methods.negative = negative
methods.absolute = absolute
methods.power = power
