# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists of arrays as arguments of cuTile's kernels.

A list is a table with a row for each array: its address, extents and strides, in integers
of 64 bits. On the host, where each memory access is checked, the program has the arrays as
arguments, too, which it accesses by their addresses only."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from ..errors import ArgumentError
from ..ir import ArrayType
from ..launching import arrays
from ..launching.arrays import Description


@dataclass(frozen=True)
class ListType:
    """The type of a list: that of its arrays, and on the host the count of them."""

    item: ArrayType
    count: Optional[int]

    @property
    def words(self) -> int:
        """The integers of a row of the table."""
        return 1 + 2 * len(self.item.shape)


@dataclass(frozen=True)
class ArrayList:
    """A list of arrays as an argument: the arrays, their descriptions, and their table."""

    values: Sequence[Any]
    items: Sequence[Description]
    table: Any

    @property
    def type(self) -> ListType:
        first = self.items[0]
        rank = len(first.shape)
        has_rows = all(item.strides[-1] == 1 for item in self.items)
        strides = (*[None] * (rank - 1), 1 if has_rows else None)
        return ListType(ArrayType((None,) * rank, first.element, strides),
                        len(self.items) if first.device is None else None)


def make_list(name: str, values: Sequence[Any]) -> ArrayList:
    """Raises an error for a list that is no list of arrays of one kind."""
    if not values:
        raise ArgumentError(f"expected at least one array in the list {name!r}, got none")
    items = [_describe(f"{name}[{index}]", value) for index, value in enumerate(values)]
    first = items[0]
    for index, item in enumerate(items):
        if (item.element, len(item.shape), item.device) != (
                first.element, len(first.shape), first.device):
            raise ArgumentError(
                f"expected arrays of one type, rank and device in the list {name!r}, got "
                f"{_format(first)}, and {_format(item)} at index {index}")
    if not first.shape:
        raise ArgumentError(f"expected arrays of at least one dimension in the list "
                            f"{name!r}, got scalars")
    rows = [[item.data, *item.shape, *item.strides] for item in items]
    return ArrayList(values, items, _make_table(name, values[0], first.device, rows))


def _describe(name: str, value: Any) -> Description:
    if not arrays.is_array(value):
        raise ArgumentError(f"expected an array as {name!r}, got {type(value).__name__}")
    return arrays.describe(name, value)


def _format(item: Description) -> str:
    where = "the host" if item.device is None else f"GPU {item.device}"
    return f"{item.make_type()!r} on {where}"


def _make_table(name: str, like: Any, device: Optional[int], rows: list[list[int]]) -> Any:
    """Returns the table as an array on the device of `like`."""
    if device is None:
        return np.array(rows, np.int64)
    table = arrays.empty_like(like, (len(rows), len(rows[0])), "int64")
    library = type(table).__module__.split(".")[0]
    if library == "torch":
        table.copy_(sys.modules["torch"].tensor(rows, dtype=table.dtype))
    else:
        table.set(np.array(rows, np.int64))
    return table


def add_items(text: str, kernel: str, lists: dict[str, ListType]) -> str:
    """Returns the program with an argument for each array of the lists."""
    added = ", ".join(
        f'%list{at}_{index}: {type.item.mlir} {{tile.name = "{name}[{index}]"}}'
        for at, (name, type) in enumerate(lists.items()) for index in range(type.count or 0))
    head = f"tile.kernel @{kernel}("
    begin = text.index(head) + len(head)
    end = _find_end(text, begin - 1)
    return text[:end] + (", " if end > begin else "") + added + text[end:]


def _find_end(text: str, start: int) -> int:
    """Returns the position of the parenthesis that closes the first one after `start`."""
    depth, at = 0, start
    while True:
        if text[at] == '"':
            at = _find_quote(text, at + 1)
        elif text[at] == "(":
            depth += 1
        elif text[at] == ")":
            depth -= 1
            if depth == 0:
                return at
        at += 1


def _find_quote(text: str, start: int) -> int:
    """Returns the position of the quote that ends a string, from `start` on."""
    at = text.index('"', start)
    while text[at - 1] == "\\":  # MLIR writes other backslashes as \5C
        at = text.index('"', at + 1)
    return at
