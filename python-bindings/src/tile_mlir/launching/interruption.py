# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The end of a run on the host before its kernel ends: by a signal, as Ctrl-C sends one,
or at a limit of time."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from typing import Any, Optional

from ..errors import EmulatorError
from ..library import MUST_STOP, RunOptions


class Interruption:
    """Tells the library, which queries it now and then on the thread that runs a
    kernel, whether the run is to end. `timeout` is in seconds, None for no limit."""

    def __init__(self, timeout: Optional[float]):
        self._timeout = timeout
        self._end = None if timeout is None else time.monotonic() + timeout
        self._is_late = False
        self._raised: Optional[BaseException] = None

    def watch(self, options: RunOptions) -> None:
        """Watches the run of these options. Signals come only to the main thread."""
        if self._end is None and \
                threading.current_thread() is not threading.main_thread():
            return
        answers = self._answer()
        next(answers)
        options.must_stop = MUST_STOP(answers.send)

    def _answer(self) -> Generator[int, Any, None]:
        """Answers one query after the other. Python runs handlers of signals when it
        goes on here, so that their exceptions are caught."""
        while True:
            try:
                yield int(self._must_stop())
            except GeneratorExit:
                raise
            except BaseException as error:
                self._raised = self._raised or error

    def _must_stop(self) -> bool:
        self._is_late = self._end is not None and time.monotonic() >= self._end
        return self._is_late or self._raised is not None

    def end(self, error: Optional[EmulatorError] = None) -> None:
        """Raises the exception of a signal; states the limit in the error of a run that
        reached it."""
        if self._raised is not None:
            raise self._raised from None
        if error is not None and self._is_late:
            error.message = (f"expected the kernel to end within {self._timeout:g} s, got "
                             f"it running\n{error.message}")
