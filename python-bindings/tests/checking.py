# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a function on whole arrays as tiles, and compares it with NumPy in float64."""

import inspect

import numpy as np

import tile_mlir as tile

MACHINES = {"emulator": tile.emulator, "cpu": tile.cpu}
SHAPE = (5, 13)


def make(rng, dtype, shape=SHAPE, low=-50):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if kind in "iu":
        return rng.integers(low if kind == "i" else 0, 50, shape).astype(dtype)
    if kind == "c":
        return (rng.standard_normal(shape) +
                1j * rng.standard_normal(shape)).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


def load(array, shape):
    return tile.load(array, (0,) * array.ndim, shape)


@tile.kernel
def of_one(a, out, *, function, shapes):
    store(out, function(tile, load(a, shapes[0])))


@tile.kernel
def of_two(a, b, out, *, function, shapes):
    store(out, function(tile, load(a, shapes[0]), load(b, shapes[1])))


@tile.kernel
def of_three(a, b, c, out, *, function, shapes):
    store(out, function(tile, load(a, shapes[0]), load(b, shapes[1]),
                        load(c, shapes[2])))


def store(out, value):
    tile.store(out, (0,) * out.ndim, value)


def compute(function, *arrays, shape=None, dtype=np.float32, machine="emulator"):
    """Applies a function to tiles of the arrays, in a kernel. The output array is
    filled with wrong values before the call."""
    if shape is None:
        shape = np.shape(function(np, *arrays))
    shape = shape or (1,)
    bad = np.nan if np.dtype(dtype).kind in "fc" else 77
    out = np.full(shape, bad, dtype)
    kernel = {1: of_one, 2: of_two, 3: of_three}[len(arrays)]
    with MACHINES[machine]():
        kernel[1](*arrays, out, function=function,
                  shapes=tuple(a.shape for a in arrays))
    return out


def widen(array):
    """Converts to float64 or complex128; integers and bools stay as they are."""
    kind = array.dtype.kind
    if kind == "c":
        return array.astype(np.complex128)
    return array.astype(np.float64) if kind == "f" else array


def check(function, *arrays, dtype=np.float32, tolerance=3e-6, machine="emulator",
          expected=None):
    """Checks a function in a kernel against the same function in NumPy, or against
    `expected`. `tolerance` is relative to the largest element of the result."""
    if expected is None:
        with np.errstate(all="ignore"):
            expected = np.asarray(function(np, *map(widen, arrays)))
    expected = np.atleast_1d(expected)
    out = compute(function, *arrays, shape=expected.shape, dtype=dtype,
                  machine=machine)
    if out.dtype.kind in "fc":
        size = np.max(np.abs(np.nan_to_num(expected)), initial=1e-30)
        np.testing.assert_allclose(out, expected, rtol=tolerance,
                                   atol=tolerance * size)
    else:
        np.testing.assert_array_equal(out, expected.astype(out.dtype))
    return out


def find_line(kernel, mark):
    """Returns the line number of the only line of a kernel that contains `mark`."""
    lines, first = inspect.getsourcelines(kernel.__wrapped__)
    [offset] = [n for n, line in enumerate(lines) if mark in line]
    return first + offset
