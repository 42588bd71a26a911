# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices into arrays and tiles as values of the program."""

from __future__ import annotations

from typing import Sequence, TypeGuard, Union

from .. import elements
from ..elements import is_known_integer
from ..ir import Value
from ..tracing.trace import describe, fail
from ..tracing.values import Index, Scalar
from .conversions import convert

Coordinates = Union[Index, Sequence[Index]]


def is_integer(value: object) -> TypeGuard[Union[int, Scalar]]:
    """Whether a value is an integer scalar of the program, of Python or of NumPy."""
    if isinstance(value, Scalar):
        return value.dtype.kind in ("int", "index")
    return is_known_integer(value) and not isinstance(value, bool)


def make_index(index: object) -> Value:
    """Returns an integer as a value of type index."""
    if not is_integer(index):
        fail(f"expected an integer as a place, got {describe(index)}")
    return convert(index, elements.index).value


def list_coordinates(coordinates: Coordinates) -> list[Value]:
    """Returns one index, or several, as values of type index."""
    several = coordinates if isinstance(coordinates, (tuple, list)) else (coordinates,)
    return [make_index(index) for index in several]
