# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decorator of functions that kernels call: `tile.function`."""

from __future__ import annotations

import functools
from typing import Any, Callable, Optional, ParamSpec, TypeVar

from ..tracing.trace import is_tracing
from .custom_call import Customs, call_custom
from .rewrite import check_function, rewrite

Takes = ParamSpec("Takes")
Gives = TypeVar("Gives")


def function(helper: Callable[Takes, Gives]) -> Callable[Takes, Gives]:
    """Makes a function that kernels call, in which `for`, `while` and `if` can use
    values of the program. Without the decorator Python evaluates its control flow while
    tracing."""
    check_function(helper)
    made: list[Callable[Takes, Gives]] = []
    customs: Customs = {}

    @functools.wraps(helper)
    def call(*arguments: Takes.args, **rest: Takes.kwargs) -> Gives:
        if not made:
            made.append(rewrite(helper))
        if customs and is_tracing():
            return call_custom(made[0], customs, arguments, rest)  # type: ignore
        return made[0](*arguments, **rest)

    setattr(call, _CUSTOMS, customs)
    return call


_CUSTOMS = "_tile_customs"


def get_customs(helper: Any) -> Optional[Customs]:
    """Returns the custom derivatives of a function with the decorator, to which more can
    be added; None for any other object."""
    return getattr(helper, _CUSTOMS, None)
