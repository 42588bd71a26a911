# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decorator of functions that kernels call: `tile.function`."""

from __future__ import annotations

import functools
from typing import Callable, ParamSpec, TypeVar

from .rewrite import check_function, rewrite

Takes = ParamSpec("Takes")
Gives = TypeVar("Gives")


def function(helper: Callable[Takes, Gives]) -> Callable[Takes, Gives]:
    """Makes a function that kernels call, in which `for`, `while` and `if` can use
    values of the program. Without the decorator Python evaluates its control flow while
    tracing."""
    check_function(helper)
    made: list[Callable[Takes, Gives]] = []

    @functools.wraps(helper)
    def call(*arguments: Takes.args, **rest: Takes.kwargs) -> Gives:
        if not made:
            made.append(rewrite(helper))
        return made[0](*arguments, **rest)

    return call
