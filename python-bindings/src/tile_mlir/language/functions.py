# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mathematical functions of each element."""

from __future__ import annotations

import math
from typing import cast

from .. import elements
from ..ir import Attribute, TileType
from ..tracing.trace import describe, fail
from ..tracing.values import Computed, Operand, Scalar, Tile
from .arithmetic import absolute, round_to_common
from .bits import bitwise_and, bitwise_or
from .complex_numbers import imag, make_complex, real
from .conditions import compare_aligned, where
from .conversions import align, convert
from .elementwise import apply, apply_complex
from .operands import Function, Result, to_binary, to_unary
from .promotion import get_common_element, get_working_element


def _make(name: str, description: str) -> Function:
    """Defines a function that applies an operation of the math dialect; integers are
    converted to f32. `fast` allows an approximation by the hardware's instruction."""
    def call(a: Operand, *, fast: bool = False) -> Result:
        element = get_common_element((a,))
        if element.kind == "complex":
            return _call_complex(name, a)
        if element.kind != "float":
            element = elements.f32
        values, type = align((a,), element)
        flags = {"fastmath": Attribute("#arith.fastmath<afn>")}
        return apply(f"math.{name}", values, type, flags if fast else None)

    call.__name__ = call.__qualname__ = name.removesuffix("even")
    call.__doc__ = description
    return cast(Function, call)


def _call_complex(name: str, a: Operand) -> Result:
    if name != "exp":
        fail(f"expected real numbers for {name}, got {describe(a)}")
    [value], type = align((a,))
    if isinstance(type, TileType):
        return apply_complex("exp", [value], type.element)
    scalar = Scalar(value)
    return make_complex(cos(imag(scalar)), sin(imag(scalar))) * exp(real(scalar))


exp = _make("exp", "e to the power of each number.")
exp2 = _make("exp2", "Two to the power of each number.")
expm1 = _make("expm1", "exp(a) - 1, right where a is small.")
log = _make("log", "The natural logarithm.")
log2 = _make("log2", "The logarithm to base two.")
log10 = _make("log10", "The logarithm to base ten.")
log1p = _make("log1p", "log(1 + a), right where a is small.")
sin = _make("sin", "The sine of an angle in radians.")
cos = _make("cos", "The cosine of an angle in radians.")
tan = _make("tan", "The tangent of an angle in radians.")
asin = _make("asin", "The angle that has such a sine, in radians.")
acos = _make("acos", "The angle that has such a cosine, in radians.")
atan = _make("atan", "The angle that has such a tangent, in radians.")
sinh = _make("sinh", "The hyperbolic sine.")
cosh = _make("cosh", "The hyperbolic cosine.")
tanh = _make("tanh", "The hyperbolic tangent.")
erf = _make("erf", "The error function.")
sqrt = _make("sqrt", "The square root, correctly rounded.")
rsqrt = _make("rsqrt", "One by the square root.")
cbrt = _make("cbrt", "The cube root.")
floor = _make("floor", "The greatest integer that is at most a number.")
ceil = _make("ceil", "The least integer that is at least a number.")
trunc = _make("trunc", "The integer next to a number towards zero.")
round = _make("roundeven", "The nearest integer, the even one of two.")


@to_binary
def atan2(a: Operand, b: Operand) -> Result:
    """The angle of the point (b, a), in radians."""
    return _combine_floats("atan2", a, b)


@to_binary
def copysign(a: Operand, b: Operand) -> Result:
    """The absolute value of a with the sign of b."""
    return _combine_floats("copysign", a, b)


def _combine_floats(name: str, a: Operand, b: Operand) -> Result:
    """Applies an operation of the math dialect to two operands; integers are converted
    to f32."""
    element = get_working_element((a, b))
    if element.kind == "complex":
        fail(f"expected real numbers for {name}, got {element!r}")
    if element.kind != "float":
        element = elements.f32
    values, type = align((a, b), element)
    return round_to_common(apply(f"math.{name}", values, type), (a, b))


# ----------------------------------------------------------------------------
# Classes of values, and signs
# ----------------------------------------------------------------------------


@to_unary
def isnan(a: Operand) -> Result:
    """Whether each element is NaN."""
    return compare_aligned("not_equal", a, a)


@to_unary
def isinf(a: Operand) -> Result:
    """Whether each element is infinite; for a complex one whether a part is."""
    if isinstance(a, Computed) and a.dtype.kind == "complex":
        return bitwise_or(isinf(real(a)), isinf(imag(a)))
    return compare_aligned("equal", absolute(_make_float(a)), math.inf)


@to_unary
def isfinite(a: Operand) -> Result:
    """Whether each element is neither infinite nor NaN; for a complex one whether both
    parts are."""
    if isinstance(a, Computed) and a.dtype.kind == "complex":
        return bitwise_and(isfinite(real(a)), isfinite(imag(a)))
    return compare_aligned("less", absolute(_make_float(a)), math.inf)


def _make_float(a: Operand) -> Result:
    """Converts integers and f8 to f32, which has arithmetic and an infinity; other
    elements stay."""
    element = get_common_element((a,))
    has_all = element.kind == "float" and element.bits >= 16
    return convert(a, element if has_all else elements.f32)


@to_unary
def sign(a: Operand) -> Result:
    """-1, 0 or 1 for an element less than, equal to or greater than zero; NaN for
    NaN."""
    least = a if get_common_element((a,)).is_unsigned else \
        where(compare_aligned("less", a, 0), -1, a)
    return where(compare_aligned("greater", a, 0), 1, least)


def square_size(a: Tile) -> Tile:
    """The squares of the absolute values; they are real also for complex elements."""
    if a.dtype.kind == "complex":
        return square_size(real(a)) + square_size(imag(a))
    return a * a
