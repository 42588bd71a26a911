# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bounds of the number of iterations of `while`, which gradients need."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn, Optional

from ..ir import Attribute
from ..tracing.trace import describe, fail
from ..tracing.values import Computed


class Bounded:
    """The condition of a `while` of the program, with a bound."""

    def __init__(self, condition: Computed[Any, Any], count: int):
        self.condition, self.count = condition, count

    def __bool__(self) -> NoReturn:
        fail("expected tile.max_trips as the whole condition of a 'while', got it "
             "elsewhere")


class Condition(NamedTuple):
    """The condition of a `while`, without its bound, and the attributes of the loop."""

    holds: Any
    attributes: Optional[dict[str, Attribute]]


def split(condition: Any) -> Condition:
    if not isinstance(condition, Bounded):
        return Condition(condition, None)
    return Condition(condition.condition,
                     {"tile.max_trips": Attribute(f"{condition.count} : i64")})


def max_trips(condition: Any, count: int) -> Any:
    """Bounds the number of iterations of a `while` of the program: the whole condition
    is `tile.max_trips(condition, count)`. Gradients need the bound, and fail by an
    assertion if the loop would run more than `count` iterations. The kernel itself does
    not check it."""
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        fail("expected an int that is not negative, and known while the kernel is "
             f"traced, as the most iterations of a loop, got {describe(count)}")
    return Bounded(condition, count) if isinstance(condition, Computed) else condition
