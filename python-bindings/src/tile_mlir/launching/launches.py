# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of kernels: on a GPU, where a launch also makes a plan for later equal
calls, or on the machine of the host that this thread uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional

from ..tracing import captured
from . import arrays, fakes, plans
from .extension import Launcher
from .grids import Grid
from .programs import Definition
from .runtime import NOWHERE, Loaded, LoadedFunction
from .streams import call_on_stream, find_stream
from .work import Work, bind_work

# Maximum number of grids for which a kernel keeps launchers; beyond it all launchers
# are dropped.
MOST_GRIDS = 256


def launch(definition: Definition, launcher: Any, grid: Optional[Grid],
           given: tuple[Any, ...], constants: dict[str, Any],
           chosen: Mapping[str, Any] = {}, deciding: Sequence[Any] = ()
           ) -> None:
    """Runs a call. `chosen` are constants that the call does not give, and `deciding`
    are the functions that chose them. On a GPU the call also adds a plan to `launcher`,
    unless that is None.
    The plan is valid as long as the Python variables that `deciding` and the grid's
    function read have the same values."""
    if fakes.skips(definition, grid, given, {**constants, **chosen}):
        return
    work = bind_work(definition, grid, given, {**constants, **chosen})
    kernel = run(work)
    if kernel is None or launcher is None:
        return
    # Plans compare keyword arguments by value, which is not possible for arrays.
    if not constants.keys() <= work.program.constants.keys():
        return
    guards = captured.capture(definition.get_grid(grid), *deciding)
    if work.call.is_own:
        plans.add_plan(launcher, kernel, work, given, constants, guards)
    else:
        plans.add_plan_of_parts(launcher, kernel, work, given, constants, guards)


class Runner(Launcher):
    """A kernel's definition on a grid, None for the definition's own, as a function that
    launches it."""

    def __init__(self, definition: Definition, grid: Optional[Grid]):
        super().__init__(self._call)
        self._definition, self._grid = definition, grid

    def _call(self, *arguments: Any, **constants: Any) -> None:
        """Runs a call that no plan matches."""
        launch(self._definition, self, self._grid, arguments, constants)


def run(work: Work) -> Optional[Loaded]:
    """Runs a call that was checked: on a GPU, where it returns the launched kernel or
    function, or on the machine of the host."""
    if work.device is None or work.is_empty:
        work.run()
        return None
    kernel = work.program.load(work.device)
    stream = find_stream(work.call.first_array, work.device)
    if isinstance(kernel, LoadedFunction):
        _launch_function(kernel, work, stream)
    else:
        kernel.launch(work.packed, work.blocks, stream)
    return kernel


def _launch_function(function: LoadedFunction, work: Work, stream: int) -> None:
    """Launches a function in memory of the arrays' library, which gives it to other work
    of the same stream when it is released here; if there is none, in memory of the
    function."""
    bytes = function.count_memory(work.packed)
    if bytes == 0:
        function.launch_in(NOWHERE, work.packed, stream)
        return
    array = work.call.first_array
    make = arrays.prepare_memory(array, bytes)
    if make is None:
        function.launch(work.packed, work.blocks, stream)
        return
    memory = call_on_stream(make, array)
    function.launch_in(arrays.describe("memory", memory).data, work.packed, stream)


def prepare(definition: Definition, grid: Optional[Grid], given: tuple[Any, ...],
            constants: Mapping[str, Any]) -> Callable[[], None]:
    """Returns a function that runs a call, any number of times."""
    if fakes.skips(definition, grid, given, constants):
        return _do_nothing
    work = bind_work(definition, grid, given, constants)
    if work.device is None or work.is_empty:
        return work.run
    kernel = work.program.load(work.device)
    return plans.prepare(kernel, work)


def _do_nothing() -> None:
    """Does nothing, as the launch of a call with fake tensors."""
