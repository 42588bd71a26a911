# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Locations in the user's code while a kernel is traced: those of the line that runs
and of its callers, up to the kernel's function, which `call_traced` (calls.py)
calls."""

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

# Prefixes of files whose lines are left out, since they are not the user's.
_NOT_OF_THE_USER = (PACKAGE, os.path.dirname(np.__file__) + os.sep,
                    "<__array_function__")
# Prefix of the names of generated functions, each of which has the body of a loop or
# branch (rewrite.py).
GENERATED = "__tile_"


# File, line and column.
Location = tuple[str, int, int]


def find_locations() -> list[Location]:
    """Returns the location of the user's line that runs, followed by the locations of
    its callers, up to the kernel; an empty list if no kernel is traced."""
    return _list_locations(sys._getframe(1), {})


def find_locations_of(error: BaseException, is_whole: bool = False) -> list[Location]:
    """Returns the location where an exception was raised, followed by the locations of
    the callers. A caller in the same line as its callee is left out, unless `is_whole`
    is set."""
    frame, instructions = sys._getframe(1), {}
    traceback = error.__traceback__
    while traceback is not None:
        frame = traceback.tb_frame
        instructions[frame] = traceback.tb_lasti
        traceback = traceback.tb_next
    return _list_locations(frame, instructions, is_whole)


def _list_locations(frame: Optional[FrameType], instructions: dict[FrameType, int],
                    is_whole: bool = False) -> list[Location]:
    """Lists the locations of a frame and its callers. `instructions` has, for frames
    that have ended, the instruction at which the exception left them."""
    locations: list[Location] = []
    while frame is not None and frame.f_code.co_name != "call_traced":
        code = frame.f_code
        if code.co_filename.startswith(_NOT_OF_THE_USER):
            frame = frame.f_back
            continue
        location = (code.co_filename, *_get_position(
            code, instructions.get(frame, frame.f_lasti)))
        # A caller in the same line as its callee, such as the expression around a
        # lambda, adds no information.
        if is_whole or not locations or locations[-1][:2] != location[:2]:
            locations.append(location)
        frame = _leave_function(frame)
    return locations if frame is not None else []


def list_variables() -> Iterator[Mapping[str, Any]]:
    """Yields the local variables of each of the user's functions on the call stack, up
    to the kernel."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "call_traced":
        if not frame.f_code.co_filename.startswith(_NOT_OF_THE_USER):
            yield frame.f_locals
        frame = frame.f_back


def get_location() -> Optional[str]:
    """Returns the current location in MLIR's syntax: a position, in a `callsite` for
    each caller."""
    text = None
    for file, line, column in reversed(find_locations()):
        location = f"{quote(file)}:{line}:{column}"
        text = location if text is None else f"callsite({location} at {text})"
    return text


def _leave_function(frame: FrameType) -> Optional[FrameType]:
    """Returns the frame of a function's caller. For a generated function, it is the
    caller of the user's function whose body the generated function has."""
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
    """Returns line and column of an instruction of a function, which count from 1."""
    for index, position in enumerate(code.co_positions()):
        if 2 * index == instruction:
            line, _, column, _ = position
            return line or code.co_firstlineno, (column or 0) + 1
    return code.co_firstlineno, 1
