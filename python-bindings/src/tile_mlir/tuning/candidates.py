# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Candidates of a tuning: values for some of a kernel's keyword parameters and of its
compilation options."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from ..elements import Element
from ..errors import PACKAGE_NAME, ArgumentError

# Options of @tile.kernel that may be tuned.
OPTIONS = ("tiling", "block", "blocks_per_processor")

Space = Union[Mapping[str, Sequence[Any]], Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Candidate:
    """Values of some of the kernel's keyword parameters, and of some options."""

    constants: tuple[tuple[str, Any], ...]
    options: tuple[tuple[str, Any], ...]

    @property
    def values(self) -> dict[str, Any]:
        return dict(self.constants + self.options)

    def __str__(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in self.values.items())

    def describe(self) -> dict[str, Any]:
        """Returns the values as JSON."""
        return {name: describe(value) for name, value in self.values.items()}


def make_candidates(space: Space, parameters: Sequence[str]) -> list[Candidate]:
    """Returns the candidates of a search space, without duplicates. A space is a list
    of candidates, or a mapping from names to lists of values. In the latter case all
    combinations of values are candidates, in an order in which the values of the last
    name change fastest. `parameters` are the keyword parameters of the kernel, which
    have precedence over options of the same name."""
    found: dict[Candidate, None] = {}
    for row in _list_rows(space):
        _check_names(row, parameters)
        candidate = Candidate(
            tuple((n, v) for n, v in row.items() if n in parameters),
            tuple((n, v) for n, v in row.items() if n not in parameters))
        _check_hashable(candidate)
        found[candidate] = None
    if not found:
        raise ArgumentError("expected at least one candidate, got none")
    return list(found)


def _list_rows(space: Space) -> list[dict[str, Any]]:
    if isinstance(space, Mapping):
        for name, values in space.items():
            if isinstance(values, str) or not isinstance(values, Sequence):
                raise ArgumentError(f"expected a list of values of {name!r}, got "
                                    f"{values!r}")
        return [dict(zip(space, values))
                for values in itertools.product(*space.values())]
    if isinstance(space, str) or not isinstance(space, Sequence) or \
            not all(isinstance(row, Mapping) for row in space):
        raise ArgumentError("expected a dictionary of lists, or a list of "
                            f"dictionaries, got {space!r}")
    return [dict(row) for row in space]


def _check_names(row: Mapping[str, Any], parameters: Sequence[str]) -> None:
    for name in row:
        if name not in parameters and name not in OPTIONS:
            raise ArgumentError(
                "expected keyword parameters of the kernel, "
                f"{', '.join(parameters) or '(it has none)'}, or "
                f"{', '.join(OPTIONS)}, got {name!r}")


def _check_hashable(candidate: Candidate) -> None:
    try:
        hash(candidate)
    except TypeError as error:
        raise ArgumentError(f"expected values that can be hashed, got {candidate}: "
                            f"{error}") from None


def describe(value: Any) -> Any:
    """Returns a constant as JSON that is the same in every process: bools, ints, finite
    floats and texts as they are, tuples as lists, functions and types as their names,
    anything else as its `repr` without addresses."""
    if isinstance(value, (np.integer, np.floating, np.bool_)):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and abs(value) < float("inf"):
        return value
    if isinstance(value, (tuple, list)):
        return [describe(part) for part in value]
    if not isinstance(value, Element) and hasattr(value, "__qualname__"):
        return f"{_get_module(value)}.{value.__qualname__}"
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def _get_module(value: Any) -> str:
    """Returns the name of the module of a function or a type; the name of this package
    for all of its modules."""
    is_own = value.__module__.split(".")[0] == PACKAGE_NAME
    return PACKAGE_NAME if is_own else str(value.__module__)
