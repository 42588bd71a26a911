# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds out whether the types of variables of a wrong program depend on the path that
it takes. In the package a variable has one type after a branch or a loop: a scalar and
a tile become a tile. The reference takes one path, and has the type on this path."""

from __future__ import annotations

import dataclasses
import random
import sys
from collections import defaultdict
from collections.abc import Callable
from types import FrameType
from typing import Any

from . import ways
from .values import Value

# The types that each variable has at each line, by lines and names.
_Types = dict[tuple[int, str], set[Any]]
_DEPTH = 5  # the depth to which structures are described
_RUNS = 2  # the count of runs on random paths


def depends_on_ways(text: str, run: Callable[[], object]) -> bool:
    """Returns whether the types of a variable at a line change if the reference, whose
    text is given, takes other paths."""
    kept = [row for row, line in enumerate(text.split("\n"), 1)
            if line.strip().startswith("assert ")]
    runs = [_record(run)]
    ways_by_chance = map(_choose_by, range(_RUNS))
    for choose in (lambda: True, lambda: False, *ways_by_chance):
        with ways.take_others(choose, kept):
            runs.append(_record(run))
    return any(line in found and found[line] != types
               for one in runs for line, types in one.items() for found in runs)


def _choose_by(seed: int) -> Callable[[], bool]:
    rng = random.Random(seed)
    return lambda: rng.random() < 0.5


def _record(run: Callable[[], object]) -> _Types:
    """Records the types that variables have at each line, until the run ends or
    fails."""
    found: _Types = defaultdict(set)

    def note(frame: FrameType, *_: object) -> Any:
        if frame.f_code.co_filename != ways.REFERENCE:
            return None
        for name, value in frame.f_locals.items():
            found[frame.f_lineno, name].add(_describe(value))
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        run()
    except Exception:
        pass  # the types recorded before the exception count
    finally:
        sys.settrace(before)
    return found


def _describe(value: Any, depth: int = _DEPTH) -> Any:
    """Describes the type of a value; for a structure, also the types of its parts."""
    if isinstance(value, Value):
        return value.element.name, value.shape
    parts: list[Any] = []
    if isinstance(value, (list, tuple)):
        parts = list(value)
    elif isinstance(value, dict):
        parts = list(value.values())
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = list(vars(value).values())
    inner = (_describe(part, depth - 1) for part in parts) if depth else ()
    return type(value).__name__, *inner
