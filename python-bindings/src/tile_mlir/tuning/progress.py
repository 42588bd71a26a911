# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A progress bar on a terminal: a bar of tqdm, if that is installed, else a line of
text."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Protocol


class Progress(Protocol):
    """The progress of a task of several steps."""

    def update(self, done: int, text: str) -> None: ...

    def close(self) -> None: ...


class _Silent:
    def update(self, done: int, text: str) -> None:
        pass

    def close(self) -> None:
        pass


class _Line:
    """One line of text, which each update overwrites."""

    def __init__(self, title: str, total: int):
        self._title, self._total, self._width = title, total, 0

    def update(self, done: int, text: str) -> None:
        line = f"{self._title}: {done} of {self._total}, {text}"
        self._write(line)
        self._width = len(line)

    def close(self) -> None:
        self._write("")
        sys.stderr.write("\r")
        sys.stderr.flush()

    def _write(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()


class _Bar:
    """A progress bar of tqdm."""

    def __init__(self, tqdm: Any, title: str, total: int):
        self._bar = tqdm.tqdm(total=total, desc=title, leave=False,
                              file=sys.stderr)

    def update(self, done: int, text: str) -> None:
        self._bar.set_postfix_str(text, refresh=False)
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


def show_progress(title: str, total: int) -> Progress:
    """Shows the progress on standard error, if that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        return _Silent()
    try:
        return _Bar(importlib.import_module("tqdm"), title, total)
    except ImportError:
        return _Line(title, total)
