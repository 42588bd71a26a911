# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Interruption of a kernel that runs on the host, by a signal, such as that of Ctrl-C,
or at a time limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from typing import Any, Optional

from ..errors import EmulatorError
from ..library import MUST_STOP, RunOptions


class Interruption:
    """Tells the library whether a run must end; the library queries this now and then on
    the thread that runs the kernel. `timeout` is in seconds, None for no limit."""

    def __init__(self, timeout: Optional[float]):
        self._timeout = timeout
        self._end = None if timeout is None else time.monotonic() + timeout
        self._is_late = False
        self._raised: Optional[BaseException] = None

    def watch(self, options: RunOptions) -> None:
        """Makes a run with these options interruptible. Without a time limit this is
        needed only on the main thread, the only one that receives signals."""
        if self._end is None and \
                threading.current_thread() is not threading.main_thread():
            return
        answers = self._answer()
        next(answers)
        options.must_stop = MUST_STOP(answers.send)

    def _answer(self) -> Generator[int, Any, None]:
        """Yields the answer to each query of the library. Python runs signal handlers
        when this generator is resumed, so that their exceptions are caught here."""
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
        """Raises the exception that a signal handler raised during the run, if any. If
        the run reached the time limit, adds this to the message of `error`."""
        if self._raised is not None:
            raise self._raised from None
        if error is not None and self._is_late:
            error.message = (f"expected the kernel to end within {self._timeout:g} s, got "
                             f"it running\n{error.message}")
