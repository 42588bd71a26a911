# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arrays that a derivative writes, of the library of the kernel's arrays."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Optional

import numpy as np

from ..launching.arrays import prepare_empty
from ..launching.streams import call_on_stream, on_stream


def prepare_new(array: Any, value: Optional[int] = None, alignment: int = 1
                ) -> Callable[[], Any]:
    """Returns a function that makes contiguous arrays like `array`, each of whose elements
    is `value`; their contents are undefined if it is None. The function does not keep
    `array`. `alignment` is that of an address in bytes; PyTorch and CuPy choose their
    own."""
    if isinstance(array, np.ndarray) and alignment > 1:
        make: Callable[[], Any] = functools.partial(
            _make_aligned, array.shape, array.dtype, alignment)
    else:
        make = prepare_empty(array)
    if value is None:
        return make
    return functools.partial(_make_filled, make, value)


def make_filled(array: Any, value: int) -> Any:
    """Returns a contiguous array like `array`, each of whose elements is `value`, on the
    stream of the launches that follow."""
    return call_on_stream(prepare_new(array, value), array)


def _make_filled(make: Callable[[], Any], value: int) -> Any:
    made = make()
    _fill(made, value)
    return made


def fill(array: Any, value: int) -> None:
    """Sets all elements of an array, on the stream of the launches that follow."""
    with on_stream(array):
        _fill(array, value)


def _fill(array: Any, value: int) -> None:
    if isinstance(array, np.ndarray):
        array[...] = value
    else:
        array.fill_(value) if hasattr(array, "fill_") else array.fill(value)


def _make_aligned(shape: tuple[int, ...], dtype: "np.dtype[Any]", alignment: int
                  ) -> "np.ndarray[Any, Any]":
    size = math.prod(shape) * dtype.itemsize
    room = np.empty(size + alignment, np.uint8)
    first = -room.ctypes.data % alignment
    made: np.ndarray[Any, Any] = room[first:first + size].view(dtype)
    return made.reshape(shape)
