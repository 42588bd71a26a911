# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of kernels: on a GPU, with plans for the calls to come, or on the host's
machine of the thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional

from ..tracing import captured
from . import fakes, plans
from .grids import Grid
from .programs import Definition
from .streams import find_stream
from .work import bind_work

# The grids that a kernel keeps a launcher for, until all are made anew.
MOST_GRIDS = 256


def launch(definition: Definition, launcher: Any, grid: Optional[Grid],
           given: tuple[Any, ...], constants: dict[str, Any],
           chosen: Mapping[str, Any] = {}, deciding: Sequence[Any] = ()
           ) -> None:
    """Runs a call. `chosen` are constants that the call does not give, and `deciding`
    functions that chose them: plans, which the launcher is given, hold while these
    read the same."""
    if fakes.skips(definition, given, {**constants, **chosen}):
        return
    work = bind_work(definition, grid, given, {**constants, **chosen})
    if work.device is None or work.is_empty:
        work.run()
        return
    kernel = work.program.load(work.device)
    kernel.launch(work.packed, work.blocks,
                  find_stream(work.call.first_array, work.device))
    # Words are compared as values, which arrays are not.
    if constants.keys() <= work.program.constants.keys():
        plans.add_plan(launcher, kernel, work, given, constants, captured.capture(
            definition.get_grid(grid), *deciding))


def prepare(definition: Definition, grid: Optional[Grid], given: tuple[Any, ...],
            constants: Mapping[str, Any]) -> Callable[[], None]:
    """A call to be run again and again."""
    if fakes.skips(definition, given, constants):
        return _do_nothing
    work = bind_work(definition, grid, given, constants)
    if work.device is None or work.is_empty:
        return work.run
    kernel = work.program.load(work.device)
    return plans.prepare(kernel, work)


def _do_nothing() -> None:
    """A launch with fake tensors."""
