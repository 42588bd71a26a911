# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Machines that run kernels on arrays of the host: the emulator of a GPU, which checks
the kernels' actions, or the processor of the host, which is faster.

    with tile.cpu():
        kernel(x, y)
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Optional

from .. import library
from ..errors import ArgumentError

# The default architecture of the emulator, for the compiler.
DEFAULT_ARCH = "sm_80"


@dataclass(frozen=True)
class Machine:
    """A machine that runs kernels on the host, with the options of a run."""

    kind: int = library.EMULATOR
    arch: Optional[str] = None
    threads: int = 0
    schedules: int = 1
    seed: int = 1
    tolerance: float = 0.0
    timeout: Optional[float] = None

    def __post_init__(self) -> None:
        library.encode("an architecture", self.arch)
        _check_integer("threads", self.threads, 0, 2 ** 31)
        _check_integer("schedules", self.schedules, 1, 2 ** 31)
        _check_integer("a seed", self.seed, 0, 2 ** 64)
        if not isinstance(self.tolerance, (int, float)) or \
                not 0 <= self.tolerance < math.inf:
            raise ArgumentError(f"expected a number from zero on as a tolerance, got "
                                f"{self.tolerance!r}")
        if self.timeout is not None and (
                not isinstance(self.timeout, (int, float)) or not self.timeout > 0):
            raise ArgumentError(f"expected a positive number of seconds as a timeout, or "
                                f"None, got {self.timeout!r}")

    @property
    def key(self) -> tuple[int, Optional[str]]:
        """The part of the machine that a compiled program depends on."""
        return self.kind, self.arch


def _check_integer(what: str, value: object, least: int, end: int) -> None:
    if not isinstance(value, int) or not least <= value < end:
        raise ArgumentError(f"expected an integer from {least} to {end - 1} as "
                            f"{what}, got {value!r}")


@dataclass
class _State(threading.local):
    machine: Machine = field(default_factory=Machine)


_state = _State()


def get_machine() -> Machine:
    """Returns the machine of this thread."""
    return _state.machine


def get_emulator_arch() -> str:
    """Returns the architecture of this thread's emulator, or the default one if the
    machine of this thread is the CPU."""
    return _state.machine.arch or DEFAULT_ARCH


@contextlib.contextmanager
def use(machine: Machine) -> Iterator[Machine]:
    """Runs the kernels within the `with` block on this machine."""
    if not isinstance(machine, Machine):
        raise ArgumentError(f"expected a machine, got {machine!r}")
    outer, _state.machine = _state.machine, machine
    try:
        yield machine
    finally:
        _state.machine = outer


def cpu(*, threads: int = 0, timeout: Optional[float] = None
        ) -> contextlib.AbstractContextManager[Machine]:
    """Runs the kernels within a `with` block on the processor of the host, on `threads`
    threads, by default as many as it has. A kernel that runs longer than `timeout`
    seconds is an error."""
    return use(Machine(library.CPU, threads=threads, timeout=timeout))


def emulator(arch: Optional[str] = None, *, schedules: int = 1, seed: int = 1,
             tolerance: float = 0.0, threads: int = 0,
             timeout: Optional[float] = None
             ) -> contextlib.AbstractContextManager[Machine]:
    """Runs the kernels within a `with` block on the emulator of a GPU of an
    architecture, such as "sm_90a", by default sm_80. A kernel runs `schedules` times,
    each time in another order of warps and blocks. It is an error if the results of two
    runs differ by more than `tolerance` times max(|a|, |b|, 1), if there is a race or
    an access outside of an array, or if all runs together take longer than `timeout`
    seconds."""
    return use(Machine(library.EMULATOR, arch, threads, schedules, seed,
                       tolerance, timeout))
