# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices into arrays and tiles as values of the program."""

from __future__ import annotations

from typing import Sequence, TypeGuard, Union

from .. import elements
from ..elements import is_known_integer
from ..ir import Value
from ..tracing.trace import describe, fail
from ..tracing.values import Place, Scalar
from .conversions import convert

Places = Union[Place, Sequence[Place]]


def is_integer(number: object) -> TypeGuard[Union[int, Scalar]]:
    """Whether a value is an integer scalar of the program, of Python or of NumPy."""
    if isinstance(number, Scalar):
        return number.dtype.kind in ("int", "index")
    return is_known_integer(number) and not isinstance(number, bool)


def make_place(place: object) -> Value:
    """Returns an integer as a value of type index."""
    if not is_integer(place):
        fail(f"expected an integer as a place, got {describe(place)}")
    return convert(place, elements.index).value


def list_places(places: Places) -> list[Value]:
    """Returns one index, or several, as values of type index."""
    several = places if isinstance(places, (tuple, list)) else (places,)
    return [make_place(place) for place in several]
