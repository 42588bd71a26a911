# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The call of a kernel's function that is traced, and the errors that it ends with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from ..errors import CompileError
from .locations import Place, find_places_of
from .misuse import explain
from .trace import make_diagnostic_at


def call_traced(function: Callable[..., Any], /, *arguments: Any,
                **constants: Any) -> Any:
    """Returns the function's result; the locations of operations end with it. A wrong
    use of the program's values becomes an error at the user's line with Python's
    message; the user's own exceptions stay as they are."""
    try:
        return function(*arguments, **constants)
    except RecursionError as error:
        raise CompileError([make_diagnostic_at(
            "error", "expected functions whose calls end while the kernel is traced, got "
            "a recursion without an end; a Python value may end one, a condition of the "
            "program does not", _list_round(find_places_of(error, True)))]) from None
    except Exception as error:
        text = explain(error)
        if text is None:
            raise
        raise CompileError([make_diagnostic_at(
            "error", text, find_places_of(error))]) from error


def _list_round(places: list[Place]) -> list[Place]:
    """The calls of a recursion that come again, and those that led there."""
    counts = Counter(places)
    again = [place for place in counts if counts[place] > 1]
    rest = [place for place in counts if counts[place] == 1]
    return again + [place for place in rest
                    if again and places.index(place) > places.index(again[0])]
