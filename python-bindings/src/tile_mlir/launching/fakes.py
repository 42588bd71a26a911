# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of kernels with PyTorch's fake tensors, which do nothing: they are noted for
the check of an operator (torch_ops.py)."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Optional

from . import arrays
from .programs import Definition


@dataclass(frozen=True)
class Launch:
    """A kernel's call that did nothing."""

    kernel: Definition
    given: Sequence[Any]
    constants: Mapping[str, Any]

    def find_written(self) -> dict[str, Any]:
        """The arrays that the kernel would write, by its names."""
        call = self.kernel.bind(self.given, self.constants)
        return {call.names[number]: call.values[number]
                for number in self.kernel.get_program(call.key).written}


class _State(threading.local):
    launches: Optional[list[Launch]] = None


_state = _State()


def has_fakes(given: Sequence[Any], constants: Mapping[str, Any]) -> bool:
    """Whether some of a call's arguments are fake tensors."""
    return any(map(arrays.is_fake, (*given, *constants.values())))


def skips(kernel: Definition, given: Sequence[Any],
          constants: Mapping[str, Any]) -> bool:
    """Whether a call of a kernel has fake tensors, and so does nothing; it is noted
    for the check that is under way, if any is."""
    if not has_fakes(given, constants):
        return False
    if _state.launches is not None:
        _state.launches.append(Launch(kernel, given, constants))
    return True


@contextmanager
def note_launches() -> Iterator[list[Launch]]:
    """Notes the calls of this thread that do nothing."""
    outer, _state.launches = _state.launches, []
    try:
        yield _state.launches
    finally:
        _state.launches = outer
