# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The trace of one kernel: the program that grows while the kernel's Python code runs,
and the location of each operation in that code (locations.py)."""

from __future__ import annotations

import linecache
import threading
from collections.abc import Callable, Sequence
from typing import NoReturn, Optional

import numpy as np

from ..elements import DType, Element, element, f64, is_known_number
from ..errors import ArgumentError, CompileError, Diagnostic, TileError
from ..ir import Builder, TileType, Type, Value
from .locations import Location, find_locations, find_locations_of, get_location


class _Builder(Builder):
    """A builder that raises its errors at the user's line. `first_f64` is a warning at
    the line that makes the first tile of f64."""

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
    """A trace, which is active within `with` on the thread that traces. `location`, in
    MLIR's syntax, is the location of operations that belong to no line of the user's
    code. `block` is the thread count of a block, if the kernel specifies it."""

    def __init__(self, location: str, block: Optional[int] = None) -> None:
        self.block = block
        self.builder = _Builder(lambda: get_location() or location)
        self.written: set[str] = set()  # the names of arrays
        self.positive: set[str] = set()  # names of values that are one or more
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
        """Records an exception that leaves the body of a loop or branch. The trace then
        fails, even if the user's code catches the exception, since the body may not run
        in the program."""
        if self._escaped is None:
            text = ("expected no exception to leave a loop or a branch of the program and "
                    f"to be caught, got {type(error).__name__}: {error}")
            self._escaped = CompileError([make_diagnostic_at(
                "error", text, find_locations_of(error))])

    def check_at_end(self, check: Callable[[], None]) -> None:
        """Registers a function to be called at the end of the trace."""
        self._checks.append(check)

    def end(self) -> None:
        """Raises the error that was recorded, and runs the registered checks."""
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


def builder() -> Builder:
    return get_trace().builder


def fail(text: str, *notes: Diagnostic) -> NoReturn:
    """Ends the trace with an error at the user's line."""
    get_trace()  # an error outside of a kernel
    raise CompileError([make_diagnostic("error", text, notes)])


def fail_at(position: Optional[tuple[int, int]], text: str) -> NoReturn:
    """Ends the trace with an error at the line and column `position` of the function
    that runs, if given, else at the current line."""
    raise make_error_at(position, text)


def make_error_at(position: Optional[tuple[int, int]], text: str) -> CompileError:
    locations = find_locations()
    if position and locations:
        locations[0] = locations[0][0], *position
    return CompileError([make_diagnostic_at("error", text, locations)])


def warn(text: str) -> None:
    """Adds a warning at the user's line, which `tile.check` shows."""
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
    """Converts `dtype` by `elements.element`, with an error at the user's line."""
    try:
        return element(dtype)
    except ArgumentError as error:
        fail(str(error))


def check_word(what: str, word: Optional[str], words: Sequence[str]) -> None:
    """Raises an error for a word that is neither None nor in `words`."""
    if word is not None and not (isinstance(word, str) and word in words):
        fail(f"expected {what} of {', '.join(words)}, got {describe(word)}")


def check_attribute(name: str, text: Optional[str]) -> None:
    """Raises an error for a text that is neither None nor a dialect attribute with this
    name."""
    if text is not None and not (isinstance(text, str) and
                                 text.startswith(f"#tile.{name}<")):
        fail(f"expected '#tile.{name}<...>', got {describe(text)}")


def make_diagnostic(severity: str, text: str,
                    notes: tuple[Diagnostic, ...] = ()) -> Diagnostic:
    """Makes a diagnostic at the user's line, with the calls that led there."""
    return make_diagnostic_at(severity, text, find_locations(), notes)


def make_diagnostic_at(severity: str, text: str, locations: list[Location],
                       notes: tuple[Diagnostic, ...] = ()) -> Diagnostic:
    if not locations:
        return Diagnostic(severity, text, notes=notes)
    file, line, column = locations[0]
    calls = tuple(Diagnostic("note", "called from", *location)
                  for location in locations[1:])
    return Diagnostic(severity, text, file, line, column, notes + calls)


def explain_source() -> str:
    """Returns an addition to messages: if the source of the user's function is missing,
    that loops and branches of the program are not possible without it; otherwise
    nothing."""
    locations = find_locations()
    if not locations or linecache.getline(*locations[0][:2]):
        return ""
    return (f"; the source in {locations[0][0]!r} cannot be read, so that conditions "
            "in it are Python's: put the function in a file or a notebook")
