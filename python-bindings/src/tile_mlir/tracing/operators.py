# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python's operators on values. Each operator calls a method with the operation's
name."""

from __future__ import annotations

from typing import Generic, TypeVar

# Types of the operands and of the results.
With = TypeVar("With", contravariant=True)
Gives = TypeVar("Gives", covariant=True)
Same = TypeVar("Same")


class Operators(Generic[With, Gives]):
    """A class with Python's operators. The type of their other operand is `With`, and
    the type of their result `Gives`."""

    __slots__ = ()

    def _combine(self, name: str, a: object, b: object) -> Gives:
        """Computes the arithmetic operation `name` of a and b."""
        raise NotImplementedError

    def _compare(self, name: str, other: object) -> Gives:
        """Computes the comparison `name` of this value with another one."""
        raise NotImplementedError

    def _apply(self, name: str, *operands: object, **rest: object) -> Gives:
        """Computes the function `name` of this value."""
        raise NotImplementedError

    def __add__(self, other: With) -> Gives:
        return self._combine("add", self, other)

    def __radd__(self, other: With) -> Gives:
        return self._combine("add", other, self)

    def __sub__(self, other: With) -> Gives:
        return self._combine("subtract", self, other)

    def __rsub__(self, other: With) -> Gives:
        return self._combine("subtract", other, self)

    def __mul__(self, other: With) -> Gives:
        return self._combine("multiply", self, other)

    def __rmul__(self, other: With) -> Gives:
        return self._combine("multiply", other, self)

    def __truediv__(self, other: With) -> Gives:
        return self._combine("divide", self, other)

    def __rtruediv__(self, other: With) -> Gives:
        return self._combine("divide", other, self)

    def __floordiv__(self, other: With) -> Gives:
        return self._combine("floor_divide", self, other)

    def __rfloordiv__(self, other: With) -> Gives:
        return self._combine("floor_divide", other, self)

    def __mod__(self, other: With) -> Gives:
        return self._combine("remainder", self, other)

    def __rmod__(self, other: With) -> Gives:
        return self._combine("remainder", other, self)

    def __pow__(self, other: With) -> Gives:
        return self._combine("power", self, other)

    def __rpow__(self, other: With) -> Gives:
        return self._combine("power", other, self)

    def __and__(self, other: With) -> Gives:
        return self._combine("bitwise_and", self, other)

    def __rand__(self, other: With) -> Gives:
        return self._combine("bitwise_and", other, self)

    def __or__(self, other: With) -> Gives:
        return self._combine("bitwise_or", self, other)

    def __ror__(self, other: With) -> Gives:
        return self._combine("bitwise_or", other, self)

    def __xor__(self, other: With) -> Gives:
        return self._combine("bitwise_xor", self, other)

    def __rxor__(self, other: With) -> Gives:
        return self._combine("bitwise_xor", other, self)

    def __lshift__(self, other: With) -> Gives:
        return self._combine("left_shift", self, other)

    def __rlshift__(self, other: With) -> Gives:
        return self._combine("left_shift", other, self)

    def __rshift__(self, other: With) -> Gives:
        return self._combine("right_shift", self, other)

    def __rrshift__(self, other: With) -> Gives:
        return self._combine("right_shift", other, self)

    def __lt__(self, other: With) -> Gives:
        return self._compare("less", other)

    def __le__(self, other: With) -> Gives:
        return self._compare("less_equal", other)

    def __gt__(self, other: With) -> Gives:
        return self._compare("greater", other)

    def __ge__(self, other: With) -> Gives:
        return self._compare("greater_equal", other)

    def __eq__(self, other: With) -> Gives:  # type: ignore[override]
        return self._compare("equal", other)

    def __ne__(self, other: With) -> Gives:  # type: ignore[override]
        return self._compare("not_equal", other)

    def __neg__(self) -> Gives:
        return self._apply("negative", self)

    def __pos__(self: Same) -> Same:
        return self

    def __invert__(self) -> Gives:
        return self._apply("invert", self)

    def __abs__(self) -> Gives:
        return self._apply("absolute", self)
