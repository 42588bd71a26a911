# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python's operators on values of the reference."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .arithmetic import add, divide, get_absolute, multiply, subtract
from .bits import combine_bits, compare, shift
from .element_types import Refused
from .functions import power
from .quotients import floor_divide, remainder
from .values import Value

_BINARY: dict[str, Callable[[Any, Any], Value]] = {
    "add": add, "sub": subtract, "mul": multiply, "truediv": divide,
    "floordiv": floor_divide, "mod": remainder, "pow": power,
    "and": lambda a, b: combine_bits(np.bitwise_and, a, b),
    "or": lambda a, b: combine_bits(np.bitwise_or, a, b),
    "xor": lambda a, b: combine_bits(np.bitwise_xor, a, b),
    "lshift": lambda a, b: shift(np.left_shift, a, b),
    "rshift": lambda a, b: shift(np.right_shift, a, b)}
_COMPARISONS = {"lt": np.less, "le": np.less_equal, "gt": np.greater,
                "ge": np.greater_equal, "eq": np.equal, "ne": np.not_equal}


def _negate(a: Value) -> Value:
    if a.element.kind in ("float", "complex"):
        return Value(a.element, -a.data, a.error)
    return subtract(0, a)


def _invert(a: Value) -> Value:
    if a.element.kind in ("float", "complex"):
        raise Refused("~ of floats")
    return Value(a.element, ~a.data, a.error)


def _take_numbers(operator: Callable[[Any, Any], Value], is_mirrored: bool = False
                  ) -> Callable[[Value, Any], Any]:
    """Makes an operator that also takes Python's and NumPy's scalars."""
    def apply(self: Value, other: Any) -> Any:
        if isinstance(other, np.ndarray) and not other.shape:
            other = other[()]
        if isinstance(other, (np.number, np.bool_)):
            other = other.item()
        if not isinstance(other, (Value, bool, int, float, complex)):
            return NotImplemented
        return operator(other, self) if is_mirrored else operator(self, other)

    return apply


def add_operators() -> None:
    """Adds the operators to the class `Value`."""
    for name, operator in _BINARY.items():
        setattr(Value, f"__{name}__", _take_numbers(operator))
        setattr(Value, f"__r{name}__", _take_numbers(operator, True))
    for name, function in _COMPARISONS.items():
        def comparison(a: Any, b: Any, function: Any = function) -> Value:
            return compare(function, a, b)

        setattr(Value, f"__{name}__", _take_numbers(comparison))
    for name, unary in (("neg", _negate), ("invert", _invert), ("abs", get_absolute),
                        ("pos", lambda a: a)):
        setattr(Value, f"__{name}__", unary)
