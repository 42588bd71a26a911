# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Locations in the user's code: of the line that runs while a kernel is traced, and of
its callers, out to the kernel. A kernel's function is called by `call_traced`
(calls.py), at which locations end."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator, Mapping
from types import CodeType, FrameType
from typing import Any, Optional

import numpy as np

from ..errors import PACKAGE
from ..ir import quote

# Files whose lines are not the user's.
_NOT_OF_THE_USER = (PACKAGE, os.path.dirname(np.__file__) + os.sep,
                    "<__array_function__")
# Functions that stand for the body of a loop or a branch (rewrite.py).
GENERATED = "__tile_"


# File, line and column.
Place = tuple[str, int, int]


def find_places() -> list[Place]:
    """File, line and column of the user's code that runs, then of its callers,
    out to the kernel; none outside of a kernel."""
    return _list_places(sys._getframe(1), {})


def find_places_of(error: BaseException, is_whole: bool = False) -> list[Place]:
    """Returns the locations where an exception was raised; with `is_whole` also of
    calls of functions by lines of their own."""
    frame, instructions = sys._getframe(1), {}
    traceback = error.__traceback__
    while traceback is not None:
        frame = traceback.tb_frame
        instructions[frame] = traceback.tb_lasti
        traceback = traceback.tb_next
    return _list_places(frame, instructions, is_whole)


def _list_places(frame: Optional[FrameType], instructions: dict[FrameType, int],
                 is_whole: bool = False) -> list[Place]:
    """Lists the locations of a frame and its callers. A frame that has an entry in
    `instructions` has ended."""
    places: list[Place] = []
    while frame is not None and frame.f_code.co_name != "call_traced":
        code = frame.f_code
        if code.co_filename.startswith(_NOT_OF_THE_USER):
            frame = frame.f_back
            continue
        place = (code.co_filename, *_get_position(
            code, instructions.get(frame, frame.f_lasti)))
        # A lambda of an expression is in the line that calls it.
        if is_whole or not places or places[-1][:2] != place[:2]:
            places.append(place)
        frame = _leave_function(frame)
    return places if frame is not None else []


def list_variables() -> Iterator[Mapping[str, Any]]:
    """Lists the variables of the user's functions that run, out to the kernel."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "call_traced":
        if not frame.f_code.co_filename.startswith(_NOT_OF_THE_USER):
            yield frame.f_locals
        frame = frame.f_back


def get_location() -> Optional[str]:
    """Returns the location as MLIR writes it: a position, called from another one."""
    text = None
    for file, line, column in reversed(find_places()):
        place = f"{quote(file)}:{line}:{column}"
        text = place if text is None else f"callsite({place} at {text})"
    return text


def _leave_function(frame: FrameType) -> Optional[FrameType]:
    """The caller of a function; of a generated one that of the function which it
    is part of."""
    code = frame.f_code
    if code.co_name.startswith(GENERATED):
        whole = code.co_qualname.split(f".<locals>.{GENERATED}")[0]
        while frame.f_code.co_qualname != whole or \
                frame.f_code.co_filename != code.co_filename:
            if frame.f_back is None:
                return None
            frame = frame.f_back
    return frame.f_back


@functools.lru_cache(maxsize=4096)
def _get_position(code: CodeType, instruction: int) -> tuple[int, int]:
    """Line and column, from one on, of an instruction of a function."""
    for number, position in enumerate(code.co_positions()):
        if 2 * number == instruction:
            line, _, column, _ = position
            return line or code.co_firstlineno, (column or 0) + 1
    return code.co_firstlineno, 1
