# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of launches on a GPU: calls that are checked once, and then launched repeatedly
with little or no Python code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import TileError
from ..tracing.captured import Guard
from . import extension, runtime
from .runtime import Loaded
from .streams import find_stream
from .work import Work


def add_plan(launcher: Any, kernel: Loaded, work: Work,
             arguments: tuple[Any, ...], constants: dict[str, Any],
             guards: tuple[Guard, ...]) -> None:
    """Adds a plan to a launcher. With it, the extension launches later calls without
    running Python code if their arrays have the same types, shapes and strides, all
    other arguments are the same, and the program's guards and `guards` hold."""
    if extension.connect() is None:
        return
    try:
        plan = kernel.prepare(work.packed, work.blocks)
    except TileError:  # it needs workspaces
        return
    written = sum(1 << index for index in work.program.written)
    if not launcher.add(plan, arguments, constants, work.program.guards + guards,
                        written):
        runtime.get_library().tile_plan_destroy(plan)


def prepare(kernel: Loaded, work: Work) -> Callable[[], None]:
    """Returns a function that launches the call; it holds references to the
    arguments."""
    plan = kernel.prepare(work.packed, work.blocks)
    connected = extension.connect()
    if connected is not None:
        try:
            launch: Callable[[], None] = connected.Prepared(
                plan, tuple(work.call.values), runtime.check)
            return launch
        except TypeError:  # no DLPack exchange
            pass
    return _PreparedLaunch(plan, work)


class _PreparedLaunch:
    """A prepared launch for arrays that the extension's `Prepared` does not take."""

    def __init__(self, plan: int, work: Work):
        self._plan, self._work = plan, work

    def __call__(self) -> None:
        stream = find_stream(self._work.call.first_array, self._work.device or 0)
        runtime.check(runtime.get_library().tile_plan_launch(self._plan, stream or None))

    def __del__(self) -> None:
        try:
            runtime.get_library().tile_plan_destroy(self._plan)
        except Exception:  # the interpreter ends
            pass
