# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The block that runs, and the grid of blocks."""

from __future__ import annotations

from .. import elements
from ..elements import is_known_integer
from ..tracing.trace import builder, describe, fail, get_trace
from ..tracing.values import Scalar


def program_id(axis: int) -> Scalar:
    """The block's coordinate in the grid along axis 0, 1 or 2."""
    [value] = builder().tile("program_id", axis=_get_axis(axis),
                             results=[elements.index])
    return Scalar(value)


def num_programs(axis: int) -> Scalar:
    """Number of blocks of the grid along axis 0, 1 or 2."""
    [value] = builder().tile("num_programs", axis=_get_axis(axis),
                             results=[elements.index])
    get_trace().positive.add(value.name)
    return Scalar(value)


def is_positive(scalar: Scalar) -> bool:
    """Whether a scalar is known to be one or more."""
    return scalar.value.name in get_trace().positive


def _get_axis(axis: int) -> str:
    if not is_known_integer(axis) or axis not in (0, 1, 2):
        fail(f"expected axis 0, 1 or 2 of the grid, got {describe(axis)}")
    return "xyz"[axis]
