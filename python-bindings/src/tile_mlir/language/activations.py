# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activation functions of neural networks, applied to each element."""

from __future__ import annotations

import math
from typing import Any, Callable, overload

from .. import elements
from ..tracing.trace import fail
from ..tracing.values import Operand, Scalar, Tile
from .conditions import where
from .conversions import convert
from .extremes import maximum
from .functions import erf, exp, log1p, tanh
from .operands import Result, ScalarOperand, to_unary
from .promotion import get_common_element


@to_unary
def relu(a: Operand) -> Result:
    """The greater of each element and zero."""
    return maximum(a, 0)


@to_unary
def sigmoid(a: Operand) -> Result:
    """1 / (1 + exp(-a)). For f16, bf16 and f8 it is computed in f32 and rounded
    once."""
    return _in_f32("sigmoid", a, _compute_sigmoid)


def _compute_sigmoid(a: Any) -> Any:
    """The exponential has no positive argument: it would overflow far below zero, where
    the derivative would become zero times infinity."""
    is_positive = a >= 0
    power = exp(where(is_positive, -a, a))
    return where(is_positive, 1, power) / (1 + power)


def _in_f32(name: str, a: Operand, function: Callable[[Any], Result]) -> Result:
    """Applies a function to values of f16, bf16 and f8 in f32, and rounds the result
    once; integers are converted to f32."""
    element = get_common_element((a,))
    if element.kind == "complex":
        fail(f"expected real numbers for {name}, got {element!r}")
    if element.kind == "float" and element.bits >= 32:
        return function(a)
    found = function(convert(a, elements.f32))
    return convert(found, element) if element.kind == "float" else found


@to_unary
def silu(a: Operand) -> Result:
    """a * sigmoid(a). For f16, bf16 and f8 it is computed in f32 and rounded once."""
    return _in_f32("silu", a, _compute_silu)


def _compute_silu(a: Any) -> Any:
    return a * _compute_sigmoid(a)


@to_unary
def softplus(a: Operand) -> Result:
    """log(1 + exp(a)), without overflow. For f16, bf16 and f8 it is computed in f32 and
    rounded once."""
    return _in_f32("softplus", a, _compute_softplus)


def _compute_softplus(a: Any) -> Any:
    return maximum(a, 0) + log1p(exp(-abs(a)))


@overload
def gelu(a: Tile, *, approximate: bool = ...) -> Tile: ...


@overload
def gelu(a: ScalarOperand, *, approximate: bool = ...) -> Scalar: ...


def gelu(a: Operand, *, approximate: bool = False) -> Result:
    """a times the probability that a standard normal value is less than a, computed by
    `erf`, or with `approximate` by the usual formula with `tanh`. For f16, bf16 and f8
    it is computed in f32 and rounded once."""
    return _in_f32("gelu", a, _approximate_gelu if approximate else _compute_gelu)


def _compute_gelu(a: Any) -> Any:
    return 0.5 * a * (1 + erf(math.sqrt(0.5) * a))


def _approximate_gelu(a: Any) -> Any:
    inner = math.sqrt(2 / math.pi) * (a + 0.044715 * a * a * a)
    return 0.5 * a * (1 + tanh(inner))
