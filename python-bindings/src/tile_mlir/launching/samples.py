# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls for which the entries of a program for unknown sizes are chosen: by default calls
in which all sizes are equal, or those that the caller gives."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Optional

from ..elements import Element, get_dtype
from ..errors import ArgumentError
from ..ir import ArrayType, Type
from . import arrays
from .extents import Problem

# The sizes that are tried: some of these, with which each array has at most
# _MOST_ELEMENTS elements.
_SIZES = tuple(size for n in range(6, 29) for size in (2 ** n, 3 * 2 ** (n - 1)))
_MOST_SIZES = 20
_MOST_ELEMENTS = 2 ** 28


def make_samples(problem: Problem) -> list[Problem]:
    """Returns calls in which all unknown sizes and integers are equal."""
    found = [sample for sample in (_fill(problem, size) for size in _SIZES)
             if all(math.prod(value.shape) <= _MOST_ELEMENTS
                    for value in sample.described if isinstance(value, arrays.Description))]
    if not found:
        raise ArgumentError(
            f"expected arrays of at most {_MOST_ELEMENTS} elements if unknown sizes are "
            f"{_SIZES[0]}, got {', '.join(map(repr, problem.given))}; 'samples' has other "
            "calls")
    distinct = list({sample.key: sample for sample in found}.values())
    return distinct[::-(-len(distinct) // _MOST_SIZES)]


def _fill(problem: Problem, size: int) -> Problem:
    """Returns the problem with `size` for all sizes that are not known."""
    described = [_describe(value, size) for value in problem.described]
    given = [_Sized(new) if isinstance(old, ArrayType) else given if new is old else new
             for given, old, new in zip(problem.given, problem.described, described)]
    return replace(problem, given=given, described=described)


class _Sized:
    """An array of a sample that is given by its type, for the grid's function."""

    def __init__(self, described: arrays.Description):
        self.shape, self._element = described.shape, described.element
        self.ndim, self.size = len(self.shape), math.prod(self.shape)

    @property
    def dtype(self) -> Any:
        return get_dtype(self._element)

    def __len__(self) -> int:
        return self.shape[0]


def check_sample(problem: Problem, sample: Problem, index: int) -> None:
    """Raises an error if the arguments of a sample do not have the types of a problem."""
    for name, type, own in zip(problem.definition.names, problem.types, sample.types):
        if not _has_type(own, type):
            raise ArgumentError(
                f"expected {'None' if type is None else f'the type {type!r}'} for {name!r} "
                f"in sample {index}, got {'None' if own is None else f'the type {own!r}'}")


def _has_type(own: Optional[Type], type: Optional[Type]) -> bool:
    """Whether arguments of one type may be passed for another one."""
    if isinstance(own, ArrayType) and isinstance(type, ArrayType):
        return own.element == type.element and len(own.shape) == len(type.shape) and \
            (own.strides is None or type.strides is not None)
    return isinstance(own, Element) and isinstance(type, Element) or own is type is None


def _describe(value: Any, size: int) -> Any:
    if isinstance(value, ArrayType):
        shape = tuple(size if extent is None else extent for extent in value.shape)
        dense = tuple(math.prod(shape[axis + 1:]) for axis in range(len(shape)))
        strides = tuple(own if stride is None else stride
                        for stride, own in zip(value.strides or dense, dense))
        return arrays.Description(0, shape, strides, value.element, None)
    if isinstance(value, Element):
        most = 2 ** (value.bits - 1) - 1 if value.kind == "int" else size
        return min(size, most) if value.kind in ("int", "index") else 1
    return value
