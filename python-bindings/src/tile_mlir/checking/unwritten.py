# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds elements of arrays that a kernel should write and does not. The kernel runs
twice, on arrays that are filled with another byte pattern before each run. An element
that still has the pattern after both runs is unwritten."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..launching.arrays import Description, view_bytes
from ..launching.machines import get_machine
from ..launching.work import Work

_PATTERNS = (0xA5, 0x5A)

Bytes = np.ndarray[Any, np.dtype[np.uint8]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True)
class Unwritten:
    """The elements of the array `name` that no block wrote: their count, the count of
    all elements, and the index of the first unwritten one."""

    name: str
    count: int
    size: int
    first: tuple[int, ...]


def run_and_find_unwritten(work: Work, outputs: Sequence[str]) -> list[Unwritten]:
    """Runs a kernel on the emulator of this thread, and finds the elements that it left
    unwritten in `outputs`, and in the other arrays that it writes and does not read. It
    is an error if the kernel reads an element of `outputs` before it writes it.
    Unwritten elements keep their old values."""
    if work.is_empty:
        return []
    arrays = {name: view_bytes(work.call.passed[name])
              for name in (*outputs, *_list_outputs(work))}
    before = {name: view.copy() for name, view in arrays.items()}
    left = _run_on(work, arrays, _PATTERNS[0], outputs, is_counted=True)
    if any(mask.any() for mask in left.values()):
        again = _run_on(work, arrays, _PATTERNS[1], outputs, is_counted=False)
        left = {name: mask & again[name] for name, mask in left.items()}
    for name, view in arrays.items():
        view[left[name]] = before[name][left[name]]
    return [_describe(name, mask) for name, mask in left.items() if mask.any()]


def _run_on(work: Work, arrays: dict[str, Bytes], pattern: int,
            outputs: Sequence[str], is_counted: bool) -> dict[str, Mask]:
    """Fills the arrays with a pattern, runs the kernel, and finds the elements that
    still have the pattern."""
    for view in arrays.values():
        view[...] = pattern
    work.run(is_counted, outputs)
    return {name: (view == pattern).all(axis=-1) for name, view in arrays.items()}


def _list_outputs(work: Work) -> list[str]:
    """Lists the arrays that the kernel writes and does not read."""
    metadata = json.loads(work.program.compile_for(get_machine()).get("metadata"))
    [kernel] = metadata["kernels"]
    return [name for (name, value), argument in
            zip(work.call.passed.items(), kernel["arguments"])
            if isinstance(value, Description) and argument.get("access") == "write"]


def _describe(name: str, mask: Mask) -> Unwritten:
    first = np.unravel_index(int(mask.argmax()), mask.shape)
    return Unwritten(name, int(mask.sum()), mask.size, tuple(map(int, first)))
