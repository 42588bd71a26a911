# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of kernels: on a GPU, with plans for the calls to come, or on the host's
machine of the thread."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional

from .. import library
from ..errors import EmulatorError
from ..inspection import profiling
from ..tracing import captured
from ..tracing.trace import fail, is_tracing
from . import fakes, runtime
from .arguments import pack_all
from .grids import Grid, get_blocks
from .interruption import Interruption
from .machines import get_emulator_arch, get_machine
from .programs import Call, Definition, Program


# ----------------------------------------------------------------------------
# Launchers
# ----------------------------------------------------------------------------

# The grids that a kernel keeps a launcher for, until all are made anew.
MOST_GRIDS = 256


class _PythonLauncher:
    """The replacement of the extension's launcher, if that was not built."""

    def __init__(self, slow: Callable[..., None]):
        self._slow = slow

    def __call__(self, *arguments: Any, **constants: Any) -> None:
        self._slow(*arguments, **constants)

    def add(self, plan: int, arguments: tuple[Any, ...],
            constants: dict[str, Any], guards: tuple[captured.Guard, ...],
            written: int) -> bool:
        return False


try:
    from .._launch import Launcher as Launcher
except ImportError:
    Launcher = _PythonLauncher  # type: ignore


# ----------------------------------------------------------------------------
# Work
# ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Work:
    """A call that was checked, ready to be run on a GPU, or the host if `device` is
    None. `kept` has the arguments of the C library, and the data that they point to."""

    call: Call
    program: Program
    blocks: tuple[int, ...]
    device: Optional[int]
    kept: list[tuple[library.Argument, Any]]

    @property
    def packed(self) -> list[library.Argument]:
        return [argument for argument, _ in self.kept]

    @property
    def is_empty(self) -> bool:
        """Whether no block runs."""
        return 0 in self.blocks

    def run(self, is_counted: bool = True, outputs: Sequence[str] = ()) -> None:
        """Runs the call on the host's machine of this thread; `tile.profile` may count
        it. The elements of `outputs`, arrays by the names of their parameters, must be
        written before they are read, which the emulator checks."""
        if self.is_empty:
            return
        machine = get_machine()
        options = library.RunOptions(
            grid=(ctypes.c_int64 * 3)(*self.blocks), threads=machine.threads)
        if machine.kind == library.EMULATOR:
            options.seed, options.schedules = machine.seed, machine.schedules
            options.tolerance = machine.tolerance
            options.profile = is_counted and profiling.is_active()
            passed = list(self.call.passed)
            indices = [passed.index(name) for name in outputs]
            options.outputs = (ctypes.c_int32 * len(indices))(*indices)
            options.num_outputs = len(indices)
        result = self.program.compile_for(machine)
        interruption = Interruption(machine.timeout)
        interruption.watch(options)
        try:
            counted = library.run(result, self.program.name, self.packed, options)
        except EmulatorError as error:
            interruption.end(error)
            error.findings = [
                replace(found, calls=library.find_calls(
                    self.program.text, (found.file, found.line, found.column)))
                for found in error.findings]
            raise
        interruption.end()
        if counted is not None:
            profiling.note(self.program.name, get_emulator_arch(), self.blocks,
                           counted)


def bind_work(definition: Definition, grid: Optional[Grid], given: Sequence[Any],
              constants: Mapping[str, Any]) -> Work:
    """Binds and checks a call of a kernel; its own grid is used if none is given."""
    check_not_tracing(definition)
    call = definition.bind(given, constants)
    grid = definition.get_grid(grid)
    call.check_values()
    device = call.find_device()
    blocks = get_blocks(grid, call.by_name)
    program = definition.get_program(call.key)
    definition.last = program, find_arch(device)
    call.check_written(program.written)
    kept = pack_all(call.described, call.key.types)
    return Work(call, program, blocks, device, kept)


def check_not_tracing(definition: Definition) -> None:
    """Refuses a call by a kernel."""
    if is_tracing():
        fail(f"expected a function with @tile.function to be called by a kernel, "
             f"got the kernel {definition.name!r}")


def find_arch(device: Optional[int]) -> str:
    """Returns the architecture of a GPU; on the host that of this thread's emulator."""
    if device is None:
        return get_emulator_arch()
    found: str = runtime.get_device(device).arch
    return found


# ----------------------------------------------------------------------------
# Launches
# ----------------------------------------------------------------------------


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
                  runtime.find_stream(work.call.first_array, work.device))
    # Words are compared as values, which arrays are not.
    if constants.keys() <= work.program.constants.keys():
        runtime.add_plan(launcher, kernel, work, given, constants, captured.capture(
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
    return runtime.prepare(kernel, work)


def _do_nothing() -> None:
    """A launch with fake tensors."""
