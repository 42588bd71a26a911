# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arrays that a derivative writes, of the library of the kernel's arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..launching.arrays import empty_like
from ..launching.streams import on_stream


def make_empty(array: Any, alignment: int = 1) -> Any:
    """Returns a new contiguous array like `array`, whose contents are undefined.
    `alignment` is that of its address in bytes; PyTorch and CuPy choose their own."""
    if isinstance(array, np.ndarray) and alignment > 1:
        return _make_aligned(array, alignment)
    return empty_like(array)


def make_filled(array: Any, value: int, alignment: int = 1) -> Any:
    """Returns an array as `make_empty` does, each of whose elements is `value`."""
    made = make_empty(array, alignment)
    fill(made, value)
    return made


def fill(array: Any, value: int) -> None:
    """Sets all elements of an array, on the stream of the launches that follow."""
    with on_stream(array):
        if isinstance(array, np.ndarray):
            array[...] = value
        else:
            array.fill_(value) if hasattr(array, "fill_") else array.fill(value)


def add(array: Any, other: Any) -> None:
    """Adds the elements of `other` to those of `array`, in place, on the stream of the
    launch that wrote `other`."""
    with on_stream(array):
        if hasattr(array, "add_"):
            array.detach().add_(other)
        else:
            array += other


def _make_aligned(array: "np.ndarray[Any, Any]", alignment: int
                  ) -> "np.ndarray[Any, Any]":
    size = math.prod(array.shape) * array.itemsize
    room = np.empty(size + alignment, np.uint8)
    first = -room.ctypes.data % alignment
    made: np.ndarray[Any, Any] = room[first:first + size].view(array.dtype)
    return made.reshape(array.shape)
