# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The trace of one kernel: the program that grows while its Python runs, and the
location of each operation in that Python. A kernel's function is called by
`call_traced`, at which locations end."""

from __future__ import annotations

import functools
import linecache
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType, FrameType
from typing import Any, NoReturn, Optional

import numpy as np

from ..elements import DType, Element, element, f64, is_known_number
from ..errors import PACKAGE, ArgumentError, CompileError, Diagnostic, TileError
from ..ir import Builder, TileType, Type, Value, quote
from . import misuse

# Files whose lines are not the user's.
_NOT_OF_THE_USER = (PACKAGE, os.path.dirname(np.__file__) + os.sep,
                    "<__array_function__")
# Functions that stand for the body of a loop or a branch (rewrite.py).
GENERATED = "__tile_"


# File, line and column.
Place = tuple[str, int, int]


class _Builder(Builder):
    """A builder whose errors are at the user's line. `first_f64` is a warning at the
    line that makes the first tile of f64."""

    first_f64: Optional[Diagnostic] = None

    def _refuse(self, text: str) -> NoReturn:
        fail(text)

    def _make_value(self, type: Type, name: str = "") -> Value:
        if self.first_f64 is None and isinstance(type, TileType) and \
                type.element.part == f64:
            self.first_f64 = make_diagnostic(
                "warning", f"the kernel computes in {type.element.spelling} here, "
                "though none of its arrays has f64: a number of NumPy keeps its type; "
                "use a number of Python, or convert by .astype(tile.f32)")
        return super()._make_value(type, name)


class Trace:
    """Active between `with` on the thread that traces. `place` is the location of
    operations that no line of the user's code makes, as MLIR writes it; `block` is the
    thread count of a block, if the kernel specifies it."""

    def __init__(self, place: str, block: Optional[int] = None) -> None:
        self.block = block
        self.builder = _Builder(lambda: get_location() or place)
        self.written: set[str] = set()  # the names of arrays
        self.positive: set[str] = set()  # of values that are one or more
        self._escaped: Optional[CompileError] = None
        self._checks: list[Callable[[], None]] = []
        self.warnings: list[Diagnostic] = []  # for tile.check
        self._outer: Optional[Trace] = None

    def __enter__(self) -> "Trace":
        self._outer = _state.trace
        _state.trace = self
        return self

    def __exit__(self, *_: object) -> None:
        _state.trace = self._outer

    def note_escape(self, error: BaseException) -> None:
        """Notes that an exception leaves a body of the program, which may run or not:
        the trace fails, also if the user's code catches it."""
        if self._escaped is None:
            text = ("expected no exception to leave a loop or a branch of the program and "
                    f"to be caught, got {type(error).__name__}: {error}")
            self._escaped = CompileError([_make_diagnostic(
                "error", text, _find_places_of(error))])

    def check_at_end(self, check: Callable[[], None]) -> None:
        """Calls a function when the kernel has been traced."""
        self._checks.append(check)

    def end(self) -> None:
        """Raises the errors that were noted."""
        if self._escaped is not None:
            raise self._escaped
        for check in self._checks:
            check()


class _State(threading.local):
    trace: Optional[Trace] = None


_state = _State()


def is_tracing() -> bool:
    """Whether this thread traces a kernel."""
    return _state.trace is not None


def get_trace() -> Trace:
    trace = _state.trace
    if trace is None:
        raise TileError("expected a call within a function with @tile.kernel, got one "
                        "outside: tiles are values of a program, and have no "
                        "numbers by themselves")
    return trace


def call_traced(function: Callable[..., Any], /, *arguments: Any,
                **constants: Any) -> Any:
    """Returns the function's result; the locations of operations end with it. A wrong
    use of the program's values becomes an error at the user's line with Python's
    message; the user's own exceptions stay as they are."""
    try:
        return function(*arguments, **constants)
    except RecursionError as error:
        raise CompileError([_make_diagnostic(
            "error", "expected functions whose calls end while the kernel is traced, got "
            "a recursion without an end; a Python value may end one, a condition of the "
            "program does not", _list_round(_find_places_of(error, True)))]) from None
    except Exception as error:
        text = misuse.explain(error, PACKAGE)
        if text is None:
            raise
        raise CompileError([_make_diagnostic(
            "error", text, _find_places_of(error))]) from error


def _list_round(places: list[Place]) -> list[Place]:
    """The calls of a recursion that come again, and those that led there."""
    counts = Counter(places)
    again = [place for place in counts if counts[place] > 1]
    rest = [place for place in counts if counts[place] == 1]
    return again + [place for place in rest
                    if again and places.index(place) > places.index(again[0])]


def builder() -> Builder:
    return get_trace().builder


def fail(text: str, *notes: Diagnostic) -> NoReturn:
    """Ends the trace with an error at the user's line."""
    get_trace()  # refuses a call outside of a kernel
    raise CompileError([make_diagnostic("error", text, notes)])


def fail_at(place: Optional[tuple[int, int]], text: str) -> NoReturn:
    """Ends the trace at another line and column of the function that runs, if given."""
    raise make_error_at(place, text)


def make_error_at(place: Optional[tuple[int, int]], text: str) -> CompileError:
    places = find_places()
    if place and places:
        places[0] = places[0][0], *place
    return CompileError([_make_diagnostic("error", text, places)])


def warn(text: str) -> None:
    """Keeps a warning at the user's line, which `tile.check` shows."""
    warning = make_diagnostic("warning", text)
    if warning not in get_trace().warnings:
        get_trace().warnings.append(warning)


def describe(value: object) -> str:
    """Describes a value for messages; by its type if it has no short text."""
    if isinstance(value, np.ndarray):
        return "an array of NumPy"
    name = getattr(value, "__name__", None)
    if isinstance(name, str):
        kind = "class" if isinstance(value, type) else type(value).__name__
        word = kind.removeprefix("builtin_").split("_")[0] or kind[1:].replace("_", " ")
        return f"the {word} {name!r}"
    if isinstance(value, np.inexact) and not is_known_number(value):
        return f"{value} of type {type(value).__name__!r}"
    text = repr(value)
    if len(text) <= 60 and "\n" not in text and " at 0x" not in text:
        return text
    if isinstance(value, (int, str, bytes, list, tuple, dict)):
        return f"{text[:57]}..."
    return f"an object of type {type(value).__name__!r}"


def to_element(dtype: DType) -> Element:
    """`elements.element`, with an error at the user's line."""
    try:
        return element(dtype)
    except ArgumentError as error:
        fail(str(error))


def check_word(what: str, word: Optional[str], words: Sequence[str]) -> None:
    """Refuses a word that is neither None nor one of some words."""
    if word is not None and not (isinstance(word, str) and word in words):
        fail(f"expected {what} of {', '.join(words)}, got {describe(word)}")


def check_attribute(name: str, text: Optional[str]) -> None:
    """Refuses a text that is neither None nor one of the dialect's attributes of a
    name."""
    if text is not None and not (isinstance(text, str) and
                                 text.startswith(f"#tile.{name}<")):
        fail(f"expected '#tile.{name}<...>', got {describe(text)}")


def make_diagnostic(severity: str, text: str,
                    notes: tuple[Diagnostic, ...] = ()) -> Diagnostic:
    """Makes a diagnostic at the user's line, with the calls that led there."""
    return _make_diagnostic(severity, text, find_places(), notes)


def _make_diagnostic(severity: str, text: str, places: list[Place],
                     notes: tuple[Diagnostic, ...] = ()) -> Diagnostic:
    if not places:
        return Diagnostic(severity, text, notes=notes)
    file, line, column = places[0]
    calls = tuple(Diagnostic("note", "called from", *place)
                  for place in places[1:])
    return Diagnostic(severity, text, file, line, column, notes + calls)


def explain_source() -> str:
    """Returns the text for loops and branches of the program that are not possible,
    because the source of the user's function is missing; nothing if there is one."""
    places = find_places()
    if not places or linecache.getline(*places[0][:2]):
        return ""
    return (f"; the source in {places[0][0]!r} cannot be read, so that conditions in it "
            "are Python's: put the function in a file or a notebook")


# ----------------------------------------------------------------------------
# Places
# ----------------------------------------------------------------------------


def find_places() -> list[Place]:
    """File, line and column of the user's code that runs, then of its callers,
    out to the kernel; none outside of a kernel."""
    return _list_places(sys._getframe(1), {})


def _find_places_of(error: BaseException, is_whole: bool = False) -> list[Place]:
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
