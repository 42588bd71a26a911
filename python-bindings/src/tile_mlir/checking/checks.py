# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a kernel on the emulator, and leaves the arguments unchanged.

    checked = tile.check(kernel, (x, y), schedules=8)
    print(checked)
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from ..errors import ArgumentError, Diagnostic, LaunchError, hides_own_lines
from ..launching import arrays, machines
from ..launching.arrays import MAX_ALIGNMENT, Description, Span
from ..launching.grids import Grid
from ..launching.kernel import Kernel
from ..launching.work import Work, bind_work
from ..tuning.tuned import Tuned, bind_choice
from .mistakes import find_mistakes
from .unwritten import run_and_find_unwritten

Bytes = np.ndarray[Any, np.dtype[np.uint8]]


@dataclass(frozen=True)
class Checked:
    """A check in which no error was found. `arguments` are the copies that the kernel
    ran on, with their contents after the last schedule. `warnings` are warnings of
    likely mistakes, at lines of the kernel."""

    kernel: str
    arch: str
    blocks: tuple[int, ...]
    seeds: range
    tolerance: float
    arguments: tuple[Any, ...]
    warnings: tuple[Diagnostic, ...] = ()

    def __str__(self) -> str:
        grid = " x ".join(map(str, self.blocks))
        found = "no error" if self.warnings else "nothing"
        results = "equal results" if self.tolerance == 0 else \
            f"results within {self.tolerance:g}"
        return "\n".join([
            f"{self.kernel}: {found} found on the emulator of {self.arch}, grid {grid}, "
            f"{results} under the schedules of seeds {self.seeds.start} to "
            f"{self.seeds.stop - 1}", *(w.format() for w in self.warnings)])


@hides_own_lines
def check(kernel: Union[Kernel, Tuned], arguments: Sequence[Any],
          constants: Optional[Mapping[str, Any]] = None, *,
          grid: Optional[Grid] = None, arch: Optional[str] = None,
          schedules: int = 8, seed: int = 0, tolerance: float = 0.0,
          threads: int = 0, outputs: Sequence[str] = ()) -> Checked:
    """Runs a kernel on the emulator `schedules` times, on copies of its arguments. Each
    run has another order of warps and blocks, given by its seed: `seed`, `seed` + 1,
    ...

    With seed 0 blocks, warps and lanes run in order, and asynchronous copies complete
    as late as they may. With any other seed the order is random, and so is, for each
    copy, whether it completes early or late. The run with seed 0 is the easiest one to
    follow; the other runs find results that depend on the order. `arch` is the
    emulated architecture, by default that of this thread's `tile.emulator`. A
    kernel that declares its grid needs no `grid`.

    Raises the `EmulatorError` that a call raises: for a race, an access outside of an
    array or another finding, or for results of two schedules that differ by more than
    `tolerance` times max(|a|, |b|, 1). Otherwise the result describes the runs, with
    warnings of likely mistakes: a reduction that includes the zeros beyond the end of
    an array, a computation in f64 although no array has that type, a store that drops
    a fraction, elements of an output that no block writes, a kernel without output. If
    elements seem to be unwritten, all schedules run a second time.

    `outputs` names arrays, by the kernel's parameters, that are uninitialized before
    the call: it is an error to read an element of them that no block has written.
    Arrays that the kernel writes and never reads need not be named.

    The copies have the memory layout of the arguments: copies of overlapping arrays
    overlap, and strides and addresses modulo 65536 bytes do not change. The timeout of
    the machine that this thread uses, such as `tile.emulator`, applies here too."""
    _check_call(kernel, arguments, outputs)
    named = {f"argument {n}": value for n, value in enumerate(arguments)}
    copies = copy_arrays({**named, **(constants or {})})
    copied = tuple(copies.pop(name) for name in named)
    arch = arch or machines.get_emulator_arch()
    with machines.emulator(arch, schedules=schedules, seed=seed,
                           tolerance=tolerance, threads=threads,
                           timeout=machines.get_machine().timeout):
        work = _bind(kernel, grid, copied, copies)
        _check_outputs(work, outputs)
        unwritten = run_and_find_unwritten(work, outputs)
    if work.is_empty:
        raise LaunchError(f"expected a grid with blocks to check, got {work.blocks}")
    return Checked(kernel.__name__, arch, work.blocks, range(seed, seed + schedules),
                   tolerance, copied, find_mistakes(work, unwritten))


def _bind(kernel: Union[Kernel, Tuned], grid: Optional[Grid],
          arguments: tuple[Any, ...], constants: dict[str, Any]) -> Work:
    if isinstance(kernel, Tuned):
        return bind_choice(kernel, grid, arguments, constants)
    return bind_work(kernel.definition, grid, arguments, constants)


def _check_outputs(work: Work, outputs: Sequence[str]) -> None:
    named = [name for name, value in work.call.passed.items()
             if isinstance(value, Description)]
    for name in outputs:
        if name not in named:
            raise ArgumentError(f"expected names of the call's arrays as outputs, of "
                                f"{', '.join(named)}, got {name!r}")


def _check_call(kernel: Any, arguments: Any, outputs: Any) -> None:
    if not isinstance(kernel, (Kernel, Tuned)):
        raise ArgumentError(f"expected a kernel, and its grid as grid=, got "
                            f"{type(kernel).__name__}")
    if not isinstance(arguments, (tuple, list)):
        raise ArgumentError(f"expected a tuple of the kernel's arguments, got "
                            f"{type(arguments).__name__}")
    if not isinstance(outputs, (tuple, list)):
        raise ArgumentError(f"expected a tuple of names of arrays as outputs, got "
                            f"{outputs!r}")


# ----------------------------------------------------------------------------
# Copies
# ----------------------------------------------------------------------------


def copy_arrays(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Returns `arguments`, by their names, with each array replaced by a copy. Copies
    of arrays that overlap overlap in the same way."""
    described = {name: arrays.describe(name, value)
                 for name, value in arguments.items() if arrays.is_array(value)}
    for name, array in described.items():
        if array.device is not None:
            raise ArgumentError(f"expected {name!r} on the host, where the emulator "
                                f"is, got it on GPU {array.device}")
    spans = {name: array.span for name, array in described.items()}
    blocks = [_copy_bytes(span) for span in _join(spans.values())]
    copied = dict(arguments)
    for name, array in described.items():
        copied[name] = _copy_array(arguments[name], array, spans[name], blocks)
    return copied


def _join(spans: Iterable[Span]) -> list[Span]:
    """Merges the spans that overlap."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: span.begin):
        if joined and span.begin < joined[-1].end:
            last = joined.pop()
            span = Span(last.begin, max(last.end, span.end))
        joined.append(span)
    return joined


def _copy_bytes(span: Span) -> tuple[Span, Bytes]:
    """Returns a span together with a copy of its bytes."""
    room = np.empty(span.size + MAX_ALIGNMENT, np.uint8)
    skipped = (span.begin - room.ctypes.data) % MAX_ALIGNMENT
    copy = room[skipped:skipped + span.size]
    ctypes.memmove(copy.ctypes.data, span.begin, span.size)
    return span, copy


def _copy_array(array: Any, described: Description, span: Span,
                blocks: list[tuple[Span, Bytes]]) -> Any:
    """Returns an array with the type, shape and strides of `array`, in the copy of its
    bytes."""
    whole, data = next((whole, data) for whole, data in blocks
                       if whole.begin <= span.begin and span.end <= whole.end)
    if isinstance(array, np.ndarray):
        copy: Any = np.ndarray(array.shape, array.dtype, data,
                               described.data - whole.begin, array.strides)
        copy.flags.writeable = array.flags.writeable
        return copy
    torch = sys.modules["torch"]
    part = data[span.begin - whole.begin:span.end - whole.begin]
    return torch.from_numpy(part).view(array.dtype).as_strided(
        tuple(array.shape), tuple(array.stride()))
