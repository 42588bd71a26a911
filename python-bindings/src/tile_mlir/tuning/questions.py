# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of tuned kernels that are to have a choice."""

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
    """A call, which is bound with the first candidate's constants."""

    call: Call
    grid: Grid
    problem: Problem
    values: Mapping[str, Any]  # arguments and constants by their names
    target: Optional[Target]  # that choices are measured for
    arch: Optional[str]  # that it is compiled for; None: any
    device: Optional[int]

    @property
    def place(self) -> Any:
        """The key by which a choice is found again in this process."""
        return (self.call.key.types, json.dumps(self.problem.constants),
                json.dumps(self.problem.key), self.target, self.arch)

    def get_blocks(self, candidate: Candidate) -> tuple[int, ...]:
        """The grid with a candidate's constants."""
        return get_blocks(self.grid, {**self.values, **dict(candidate.constants)})


def describe_type(type: Optional[Type]) -> str:
    """Returns the type as MLIR writes it; integers without a sign are marked as
    such."""
    if type is None:
        return "none"
    text = type.mlir
    element = type.element if isinstance(type, ArrayType) else type
    if getattr(element, "is_unsigned", False):
        return f"{text} (unsigned)"
    return text
