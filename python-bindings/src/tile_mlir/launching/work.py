# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of kernels whose arguments were bound and checked, and their runs on the
host."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional

from .. import library
from ..errors import EmulatorError
from ..inspection import profiling
from ..tracing.trace import fail, is_tracing
from .arguments import pack_all
from .grids import Grid, get_blocks
from .interruption import Interruption
from .machines import get_emulator_arch, get_machine
from .programs import Call, Definition, Program, find_arch


@dataclass(frozen=True)
class Work:
    """A call that was checked, ready to be run on the GPU `device`, or, if it is None,
    on the host. `kept` has the arguments for the C library, each with the data that it
    points to."""

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
        """Runs the call on the host, on the machine of this thread. With `is_counted`,
        an active `tile.profile` counts it. `outputs` names arrays whose elements must
        be written before they are read, which the emulator checks."""
        if self.is_empty:
            return
        machine = get_machine()
        options = library.RunOptions(threads=machine.threads)
        if not self.program.is_function:  # a function takes the grid as arguments
            options.grid = (ctypes.c_int64 * 3)(*self.blocks)
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
    """Binds the arguments of a call of a kernel, and checks them. The kernel's own grid
    is used if `grid` is None."""
    check_not_tracing(definition)
    work = bind_unchecked(definition, grid, given, constants)
    definition.last = work.program, find_arch(work.device), work.call.choice
    work.call.check_written(work.program.written)
    return work


def bind_unchecked(definition: Definition, grid: Optional[Grid], given: Sequence[Any],
                   constants: Mapping[str, Any], arch: Optional[str] = None) -> Work:
    """Binds the arguments of a call that will not run: the arrays that it would write may
    be read-only or overlap. `arch` is as for `Definition.bind`."""
    definition.check_grid(grid, constants)
    call = definition.bind(given, constants, arch)
    grid = definition.get_grid(grid)
    call.check_values()
    device = call.find_device()
    blocks = get_blocks(grid, call.by_name)
    program = definition.get_program(call.key)
    kept = pack_all(call.described, call.key.types)
    return Work(call, program, blocks, device, kept)


def check_not_tracing(definition: Definition) -> None:
    """Raises an error if a kernel is called while another one is traced."""
    if is_tracing():
        fail(f"expected a function with @tile.function to be called by a kernel, "
             f"got the kernel {definition.name!r}")
