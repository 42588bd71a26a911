# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls a kernel's function to trace it, and turns the exceptions that it raises into
errors of the kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from ..errors import CompileError
from .locations import Location, find_locations_of
from .misuse import explain
from .trace import make_diagnostic_at


def call_traced(function: Callable[..., Any], /, *arguments: Any,
                **constants: Any) -> Any:
    """Calls the function and returns its result. The locations of operations list
    callers up to this function. A wrong use of the program's values becomes an error at
    the user's line, with the message of `explain`, and a recursion without an end
    becomes an error as well. The user's other exceptions stay as they are."""
    try:
        return function(*arguments, **constants)
    except RecursionError as error:
        raise CompileError([make_diagnostic_at(
            "error", "expected functions whose calls end while the kernel is traced, got "
            "a recursion without an end; a Python value may end one, a condition of the "
            "program does not", _list_round(find_locations_of(error, True)))]) from None
    except Exception as error:
        text = explain(error)
        if text is None:
            raise
        raise CompileError([make_diagnostic_at(
            "error", text, find_locations_of(error))]) from error


def _list_round(locations: list[Location]) -> list[Location]:
    """Returns the locations of the calls that a recursion repeats, followed by the
    locations of the calls that led to the recursion."""
    counts = Counter(locations)
    again = [location for location in counts if counts[location] > 1]
    rest = [location for location in counts if counts[location] == 1]
    return again + [location for location in rest
                    if again and locations.index(location) > locations.index(again[0])]
