# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where kernels run on NumPy's arrays: the emulator of a GPU, which checks what
they do, or the processor of the host, which is faster.

    with tile.cpu():
        kernel(x, y)
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Optional

from . import library
from .errors import ArgumentError

# Of the emulator, by the compiler.
DEFAULT_ARCH = "sm_80"


@dataclass(frozen=True)
class Machine:
    """A machine of the host, and how kernels run on it."""

    kind: int = library.EMULATOR
    arch: Optional[str] = None
    threads: int = 0
    schedules: int = 1
    seed: int = 1
    tolerance: float = 0.0

    @property
    def key(self) -> tuple[int, Optional[str]]:
        """What a program is compiled for."""
        return self.kind, self.arch


@dataclass
class _State(threading.local):
    machine: Machine = field(default_factory=Machine)


_state = _State()


def get_machine() -> Machine:
    """The machine of this thread."""
    return _state.machine


@contextlib.contextmanager
def use(machine: Machine) -> Iterator[Machine]:
    """Within, kernels run on this machine."""
    outer, _state.machine = _state.machine, machine
    try:
        yield machine
    finally:
        _state.machine = outer


def cpu(*, threads: int = 0) -> contextlib.AbstractContextManager[Machine]:
    """The processor of the host, with as many threads as it has, if none are
    given."""
    return use(Machine(library.CPU, threads=threads))


def emulator(arch: Optional[str] = None, *, schedules: int = 1, seed: int = 1,
             tolerance: float = 0.0, threads: int = 0
             ) -> contextlib.AbstractContextManager[Machine]:
    """The emulator of a GPU of an architecture, "sm_90a", sm_80 if none is given.
    Each of `schedules` orders of warps and blocks is tried, and results that
    differ by more than `tolerance` are an error, as races and accesses outside of
    arrays are."""
    if schedules < 1:
        raise ArgumentError(f"expected at least one schedule, got {schedules}")
    return use(Machine(library.EMULATOR, arch, threads, schedules, seed,
                       tolerance))
