# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors and diagnostics, as exceptions."""

from __future__ import annotations

import functools
import linecache
import os
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Optional, ParamSpec, TypeVar

Takes = ParamSpec("Takes")
Gives = TypeVar("Gives")
# The package's name, and its folder: lines of files in it are left out of tracebacks,
# since they are not the user's.
PACKAGE_NAME = __name__.partition(".")[0]
PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class TileError(Exception):
    """The base of every exception of this package."""


def hides_own_lines(function: Callable[Takes, Gives]) -> Callable[Takes, Gives]:
    """Wraps a function so that tracebacks of the `TileError`s that it raises show only
    the user's lines, not those of this package. `python -X dev` shows all lines."""

    @functools.wraps(function)
    def call(*arguments: Takes.args, **rest: Takes.kwargs) -> Gives:
        try:
            return function(*arguments, **rest)
        except TileError as error:
            if sys.flags.dev_mode:
                raise
            raise error.with_traceback(_leave_out_own(error.__traceback__))

    return call


def _leave_out_own(traceback: Optional[TracebackType]) -> Optional[TracebackType]:
    kept = []
    while traceback is not None:
        if not traceback.tb_frame.f_code.co_filename.startswith(PACKAGE):
            kept.append(traceback)
        traceback = traceback.tb_next
    result: Optional[TracebackType] = None
    for one in reversed(kept):
        result = TracebackType(result, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return result


@dataclass(frozen=True)
class Diagnostic:
    """A message of the compiler about a position in the source, with further positions
    that belong to it. `line` and `column` count from 1; 0 means that the position is
    unknown."""

    severity: str
    text: str
    file: str = ""
    line: int = 0
    column: int = 0
    notes: tuple["Diagnostic", ...] = ()

    def format(self) -> str:
        """Returns the message as readable text: the position, the text, and the line of
        source."""
        location = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        lines = [f"{location}{': ' if location else ''}{self.severity}: {self.text}",
                 *_show_line(self.file, self.line, self.column),
                 *(note.format() for note in self.notes)]
        return "\n".join(lines)


def _show_line(file: str, line: int, column: int) -> list[str]:
    """Returns a line of the source with a mark below its column, or nothing if the file
    cannot be read."""
    source = linecache.getline(file, line) if line else ""
    if not source.strip():
        return []
    # A tab before the column stays a tab.
    before = source[: max(column - 1, 0)]
    marker = "".join(c if c == "\t" else " " for c in before) + "^"
    return ["  " + source.rstrip(), "  " + marker]


@dataclass
class CompileError(TileError):
    """A kernel that does not compile: an error in its Python code, found while it is
    traced, or in the program that tracing makes."""

    diagnostics: list[Diagnostic] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join(d.format() for d in self.diagnostics)


class ArgumentError(TileError, TypeError):
    """An argument that a kernel or a function does not take."""


class UnknownPhaseError(TileError, KeyError):
    """A phase of the compiler that was requested and does not exist."""

    __str__ = Exception.__str__  # KeyError.__str__ quotes the text


class LaunchError(TileError):
    """A launch that cannot be made, since its grid, stream or device does not fit the
    kernel or its arguments."""


class DeviceError(TileError):
    """An error of the driver, or a missing driver or device."""


class GradientError(TileError):
    """A derivative that is not that of its kernel, which `tile.gradcheck` found."""


@dataclass
class TuningError(TileError):
    """A tuning in which no candidate could be measured, with the reason for each
    candidate, or a tuning file that cannot be parsed."""

    message: str
    failures: list[tuple[str, str]] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{candidate}: {reason}" for candidate, reason in self.failures]
        return "\n".join([self.message, *lines])


@dataclass(frozen=True)
class Finding:
    """An invalid action of a kernel that the emulator found."""

    kind: str  # "race", "out of bounds", "uninitialized", ...
    message: str
    text: str  # the whole report, in lines
    file: str = ""
    line: int = 0
    column: int = 0
    calls: tuple[Diagnostic, ...] = ()  # notes: the calls from the kernel to the line

    other: str = ""  # the location of the second access of a race

    def format(self) -> str:
        """Returns the report, with the line of source and the calls that led to it."""
        lines = self.text.split("\n")
        lines[1:1] = [*_show_line(self.file, self.line, self.column),
                      *(call.format() for call in self.calls)]
        return "\n".join(lines)


@dataclass
class EmulatorError(TileError):
    """A kernel that failed on the emulator: one of its assertions failed, or the
    emulator found invalid actions. `findings` are those of the first schedule that has
    any."""

    message: str
    findings: list[Finding] = field(default_factory=list)

    def __str__(self) -> str:
        """Returns the report, with lines of source. If several findings of one kind are
        for the same two lines of the kernel, it shows only the first."""
        text, shown = self.message + "\n", set()
        counts = Counter(map(_get_sort, self.findings))
        for finding in self.findings:
            sort, report = _get_sort(finding), ""
            if sort not in shown:
                report = finding.format() + "\n"
                if counts[sort] > 1:
                    report += f"  and {counts[sort] - 1} more between these lines\n"
            shown.add(sort)
            text = text.replace(finding.text + "\n", report, 1)
        return text[:-1]


def _get_sort(finding: Finding) -> tuple[object, ...]:
    return (finding.kind, finding.message, finding.file, finding.line, finding.column,
            finding.other)
