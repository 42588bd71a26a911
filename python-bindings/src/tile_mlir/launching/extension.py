# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiled extension (launch/launch.c), which launches kernels without running
Python code, and a replacement for it that is used if it was not built."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any, Optional

from ..tracing import captured
from . import runtime


class _PythonLauncher:
    """The replacement of the extension's launcher; it runs Python code for each
    call."""

    def __init__(self, slow: Callable[..., Any]):
        self._slow = slow

    def __call__(self, *arguments: Any, **constants: Any) -> Any:
        return self._slow(*arguments, **constants)

    def add(self, plan: int, arguments: tuple[Any, ...],
            constants: dict[str, Any], guards: tuple[captured.Guard, ...],
            written: int) -> bool:
        return False

    def add_call(self, steps: tuple[Any, ...], arguments: tuple[Any, ...],
                 constants: dict[str, Any], arrays: Optional[str],
                 guards: tuple[captured.Guard, ...], written: int,
                 made: tuple[Any, ...], result: Any, within: Callable[..., Any]
                 ) -> bool:
        return False


try:
    from .. import _launch as _extension
    from .._launch import Launcher as Launcher
except ImportError:
    _extension, Launcher = None, _PythonLauncher  # type: ignore


@functools.lru_cache(maxsize=None)
def connect() -> Any:
    """Returns the extension that launches plans, connected to the runtime library's
    functions; None if the extension was not built."""
    if _extension is not None:
        library = runtime.get_library()
        _extension.set_runtime(*(
            ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
            for name in ("tile_plan_set_array", "tile_plan_launch",
                         "tile_plan_destroy")))
    return _extension


def set_stream(handle: Optional[int]) -> None:
    """Sets the stream for the launches of this thread by the extension."""
    if _extension is not None:
        _extension.set_stream(handle)
