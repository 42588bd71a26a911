# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Grids: how many blocks of a kernel run, along one to three axes."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, Union

from ..elements import is_known_integer
from ..errors import LaunchError
from ..tracing.trace import describe

# The number of blocks along one or several axes, or a function that returns it. The
# function takes some of the kernel's arguments, by the names of its parameters.
Grid = Union[int, Sequence[int], Callable[..., Any]]
# Maximum number of blocks along each axis, for any GPU.
_MOST_BLOCKS = (2 ** 31 - 1, 2 ** 16 - 1, 2 ** 16 - 1)


def check_grid(grid: Any) -> None:
    """Raises an error for a value that cannot be a grid. The result of a function is
    checked only at a call."""
    if not callable(grid):
        get_blocks(grid, {})


def get_blocks(grid: Grid, arguments: Mapping[str, Any]) -> tuple[int, ...]:
    """Returns the number of blocks along three axes, for a call with these arguments
    and constants."""
    found = _find_grid(grid, arguments)
    extents = _pad_grid(found)
    if any(n > most for n, most in zip(extents, _MOST_BLOCKS)):
        raise LaunchError(f"expected a grid of at most {_MOST_BLOCKS} blocks, got "
                          f"{describe(found)}")
    return extents


def compute_blocks(grid: Grid, arguments: Mapping[str, Any]) -> tuple[int, ...]:
    """Returns the number of blocks along three axes, which may be more than a GPU
    runs."""
    return _pad_grid(_find_grid(grid, arguments))


def _find_grid(grid: Grid, arguments: Mapping[str, Any]) -> Any:
    """Returns the grid, or the result of its function for these arguments."""
    if callable(grid):
        return call_by_names("a grid's function", grid, arguments)
    return grid


def _pad_grid(found: Any) -> tuple[int, ...]:
    """Returns the number of blocks along three axes of a grid of one to three."""
    try:
        extents = tuple(map(operator.index, list_blocks(found)))
    except (TypeError, ValueError):
        advice = "; tile.cdiv divides and rounds up" if isinstance(found, float) else ""
        raise LaunchError(f"expected a grid of one to three integers, got "
                          f"{describe(found)}{advice}") from None
    if not 1 <= len(extents) <= 3 or any(n < 0 for n in extents):
        raise LaunchError(f"expected a grid of one to three numbers that are not "
                          f"negative, got {describe(found)}")
    return extents + (1,) * (3 - len(extents))


def list_blocks(grid: Any) -> Any:
    """Returns the grid as a sequence; an integer becomes a tuple of one element.
    Dictionaries, sets and bytes, which can be iterated over too, are refused."""
    if isinstance(grid, (Mapping, Set, bytes, bytearray)):
        raise TypeError
    return (grid,) if is_known_integer(grid) else grid


def call_by_names(what: str, function: Callable[..., Any],
                  arguments: Mapping[str, Any]) -> Any:
    """Calls a function with the arguments whose names are among its parameters; `what`
    describes the function in errors."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise LaunchError(f"expected {what} with named parameters, got "
                          f"{describe(function)}") from None
    if any(p.kind == p.VAR_KEYWORD for p in parameters):
        return function(**arguments)
    for parameter in parameters:
        if parameter.kind == parameter.POSITIONAL_ONLY or (
                parameter.name not in arguments and
                parameter.default is parameter.empty):
            raise LaunchError(
                f"expected {what} of parameters that the kernel has, by "
                f"their names {', '.join(arguments)}, got {str(parameter)!r}")
    return function(**{p.name: arguments[p.name] for p in parameters
                       if p.name in arguments})
