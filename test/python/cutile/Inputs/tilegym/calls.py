# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments for calls of TileGym's kernels, drawn anew for each call.

The modules calls_*.py list the calls: `CALLS["module:kernel"]` is a function that
takes a `Draw` and returns a `Call`, where the module is named from `tilegym.` on. Extents
are odd where the kernel allows it.
"""

from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np

TYPES = {
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16,
    "f8e4m3": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2,
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8,
    "bool": np.bool_,
}


@dataclass
class Call:
    """A call: `arguments` by the names of the kernel's parameters, constants included.

    A float array may differ from the right one by `epsilons` units of the coarsest float
    type among the arguments, relative to its largest element; the elements of an integer
    array by `steps`."""

    grid: tuple
    arguments: dict
    epsilons: float = 4
    steps: int = 0


def call(*grid, epsilons=4, steps=0, **arguments):
    return Call((*grid, 1, 1)[:3], arguments, epsilons, steps)


class Draw:
    def __init__(self, seed=1):
        self.random = np.random.default_rng(seed)

    def normal(self, dtype, *shape, scale=1.0, shift=0.0):
        """An array of normally distributed values."""
        return (self.random.standard_normal(shape) * scale + shift).astype(TYPES[dtype])

    def uniform(self, dtype, *shape, low=0.0, high=1.0):
        return self.random.uniform(low, high, shape).astype(TYPES[dtype])

    def integers(self, dtype, *shape, low=0, high):
        """An array of integers from `low` to `high` - 1."""
        return self.random.integers(low, high, shape).astype(TYPES[dtype])

    def blank(self, dtype, *shape):
        """An array whose elements are wrong unless the kernel writes them."""
        value = np.nan if dtype[0] in "fb" and dtype != "bool" else 77
        return np.full(shape, value).astype(TYPES[dtype])

    def zeros(self, dtype, *shape):
        return np.zeros(shape, TYPES[dtype])

    def of(self, dtype, values):
        """An array of given values."""
        return np.asarray(values).astype(TYPES[dtype])
