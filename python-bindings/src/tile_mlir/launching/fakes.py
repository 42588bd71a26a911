# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of kernels with PyTorch's fake tensors. They run nothing; they are recorded for
the check of an operator (torch_ops.py)."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Optional

from . import arrays
from .grids import Grid
from .programs import Call, Definition


@dataclass(frozen=True)
class Launch:
    """A recorded call of a kernel with fake tensors. The grid is None if it is that of
    the kernel."""

    kernel: Definition
    grid: Optional[Grid]
    given: Sequence[Any]
    constants: Mapping[str, Any]

    def bind(self) -> Call:
        return self.kernel.bind(self.given, self.constants)

    def find_written(self) -> dict[str, Any]:
        """Returns the arrays that the kernel would write, by the names of its
        parameters."""
        call = self.bind()
        return {call.names[index]: call.values[index]
                for index in self.kernel.get_program(call.key).written}


class _State(threading.local):
    launches: Optional[list[Launch]] = None


_state = _State()


def has_fakes(given: Sequence[Any], constants: Mapping[str, Any]) -> bool:
    """Whether some of a call's arguments are fake tensors."""
    return any(map(arrays.is_fake, (*given, *constants.values())))


def skips(kernel: Definition, grid: Optional[Grid], given: Sequence[Any],
          constants: Mapping[str, Any]) -> bool:
    """Whether a call of a kernel has fake tensors and must not run. Such a call is
    recorded if it happens within `note_launches`."""
    if not has_fakes(given, constants):
        return False
    if _state.launches is not None:
        _state.launches.append(Launch(kernel, grid, given, constants))
    return True


@contextmanager
def note_launches() -> Iterator[list[Launch]]:
    """Records this thread's calls with fake tensors in the list that `with` returns."""
    outer, _state.launches = _state.launches, []
    try:
        yield _state.launches
    finally:
        _state.launches = outer
