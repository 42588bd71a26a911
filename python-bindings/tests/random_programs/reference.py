# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The module that random programs import as `tile` when they are their own reference:
Python runs their loops, branches and objects, and these functions compute with NumPy.
`run_blocks` runs a program once for each block."""

from __future__ import annotations

import builtins
from typing import Any, Callable

import numpy as np

from .arithmetic import (check_complex, get_absolute, get_imag, get_real,
                         make_complex, maximum, minimum)
from .arrangements import (arange, broadcast_to, concatenate, expand_dims, eye, flip, full,
                           full_like, get_item, insert, iota, ones, ones_like, pad, reshape,
                           roll, squeeze, stack, swap_axes, take, transpose, tril, triu,
                           zeros, zeros_like)
from .bits import where
from .element_types import (Refused, bf16, bool_, complex64, complex128, f8e4m3, f8e5m2, f16,
                            f32, f64, i8, i16, i32, i64, index, u8, u16, u32, u64)
from .functions import apply_function, apply_root, apply_rounding, exp
from .memory import (Array, Grid, become, function, kernel, load, make_argument,
                     num_programs, program_id, range, run_blocks, static_range, store)
from .operators import add_operators
from .reductions import (all, any, argmax, argmin, argsort, cummax, cummin, cumsum, matmul,
                         max, mean, min, prod, softmax, sort, sum, var)
from .values import Value, align, convert, get_rounding, make_unknown

imag, real, absolute = get_imag, get_real, get_absolute


def conj(a: Value) -> Value:
    check_complex(a)
    return a.map(np.conj)


def clip(a: Any, low: Any = None, high: Any = None) -> Value:
    if high is None:
        return maximum(a, low)
    return minimum(a if low is None else maximum(a, low), high)


def sign(a: Value) -> Value:
    if a.element.is_unsigned:
        return where(a > 0, 1, a)
    return where(a > 0, 1, where(a < 0, -1, a))


def relu(a: Value) -> Value:
    return maximum(a, 0)


def fma(a: Any, b: Any, c: Any) -> Value:
    x, y, z = align(a, b, c)
    if x.element.kind != "float":
        raise Refused("fma of integers")
    found = x * y + z
    size = np.abs(x.data.astype(np.float64) * y.data) + np.abs(z.data.astype(np.float64))
    return Value(x.element, found.data,
                 found.bound + 2 * get_rounding(x.element, size))


def isnan(a: Value) -> Value:
    return a != a


def isfinite(a: Value) -> Value:
    return Value(bool_, np.isfinite(a.data), make_unknown(a.bound > 0))


def sqrt(a: Any) -> Value:
    return apply_root(a)


def rsqrt(a: Any) -> Value:
    return apply_function(lambda x: 1 / np.sqrt(x), a)


def sigmoid(a: Any) -> Value:
    return 1.0 / (1.0 + exp(-a))


def _make_function(function: Any, units: float = 4) -> Callable[[Any], Value]:
    return lambda a: apply_function(function, a, units)


def _make_rounding(function: Any) -> Callable[[Any], Value]:
    return lambda a: apply_rounding(function, a)


exp2, expm1 = builtins.map(_make_function, (np.exp2, np.expm1))
log, log2, log1p = builtins.map(_make_function, (np.log, np.log2, np.log1p))
sin, cos, tan, tanh = builtins.map(_make_function, (np.sin, np.cos, np.tan, np.tanh))
atan, cbrt = builtins.map(_make_function, (np.arctan, np.cbrt))
floor, ceil, trunc, round = builtins.map(_make_rounding, (np.floor, np.ceil, np.trunc, np.rint))


def map(function: Callable[..., Any], a: Value) -> Value:
    """Applies a function of scalars to each element."""
    found = [function(Value(a.element, x, e)) for x, e in
             zip(a.data.reshape(-1), a.bound.reshape(-1))]
    whole = [each if isinstance(each, Value) else convert(each, a.element) for each in found]
    return stack(whole).map(lambda x: x.reshape(a.shape))


# ----------------------------------------------------------------------------
# Methods
# ----------------------------------------------------------------------------

add_operators()
Value.__getitem__ = get_item  # type: ignore[attr-defined]
Value.__matmul__ = matmul  # type: ignore[attr-defined]
Value.__len__ = lambda self: self.shape[0]  # type: ignore[attr-defined]
for _function in (sum, prod, var, max, min, mean, any, all, argmax, argmin, reshape,
                  transpose):
    setattr(Value, _function.__name__, _function)
Value.T = property(transpose)  # type: ignore[attr-defined]
Value.mT = property(lambda self: swap_axes(self, -1, -2))  # type: ignore[attr-defined]

__all__ = sorted(name for name in globals() if not name.startswith("_"))
