# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of tuned kernels for which a candidate must be chosen."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Optional

from ..ir import ArrayType, Type
from ..launching.grids import Grid, get_blocks
from ..launching.programs import Call
from .candidates import Candidate
from .timing import Target
from .tuning_file import Problem


@dataclass(frozen=True)
class Question:
    """A call for which a candidate must be chosen. In `call` the tuned parameters have
    the values of the first candidate."""

    call: Call
    grid: Grid
    problem: Problem
    values: Mapping[str, Any]  # arguments and constants by their names
    target: Optional[Target]  # the GPU to measure for
    arch: Optional[str]  # the architecture to compile for; None: any
    device: Optional[int]

    @property
    def choice_key(self) -> Any:
        """Returns the key of the choice in this process's dictionary of choices."""
        return (self.call.key.types, json.dumps(self.problem.constants),
                json.dumps(self.problem.key), self.target, self.arch)

    def get_blocks(self, candidate: Candidate) -> tuple[int, ...]:
        """Returns the grid of the call with a candidate's constants."""
        return get_blocks(self.grid, {**self.values, **dict(candidate.constants)})


def describe_type(type: Optional[Type]) -> str:
    """Returns the type in MLIR's syntax, with unsigned integers marked as such."""
    if type is None:
        return "none"
    text = type.mlir
    element = type.element if isinstance(type, ArrayType) else type
    if getattr(element, "is_unsigned", False):
        return f"{text} (unsigned)"
    return text
