# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that combine Python ints and floats with tiles of other types, and their
expected results, for test_numbers.py and, on a GPU, numbers_gpu.py. The parameter `run`
of checks runs one block of a kernel on NumPy arrays."""

import functools
import operator

import numpy as np

import tile_mlir as tile

COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq,
               operator.ne]


def list_limits(dtype):
    """Returns integers of a type at its limits, and around zero."""
    info = np.iinfo(dtype)
    return np.array([info.min, info.min + 1, 0, 1, 2, info.max - 1, info.max], dtype)


def list_numbers(dtype):
    """Returns integers within, at and beyond the limits of an integer type."""
    low, high = (int(x) for x in (np.iinfo(dtype).min, np.iinfo(dtype).max))
    return (low - 1, low, low + 1, -1, 0, 1, high - 1, high, high + 1)


def compare(a, b):
    """Returns the results of all comparisons of two Python values, as bits of an
    int."""
    return sum(int(compared(a, b)) << bit for bit, compared in enumerate(COMPARISONS))


def compare_in_program(a, b):
    words = [compared(a, b).astype(tile.i32) << bit
             for bit, compared in enumerate(COMPARISONS)]
    return functools.reduce(operator.or_, words)


@tile.kernel
def compare_with_scalar(x, n, out):
    t = tile.load(x, 0, 7)
    tile.store(out, (0, 0, 0), compare_in_program(t, n)[None, None])
    tile.store(out, (0, 1, 0), compare_in_program(n, t)[None, None])


def check_comparisons(run, kernel, x, n):
    out = np.full((1, 2, 7), -1, np.int32)
    run(kernel, x, n, out)
    check_words(out, x, [n if isinstance(n, int) else n.item()])


def check_words(out, x, numbers):
    expected = [[[compare(e, n) for e in x.tolist()], [compare(n, e) for e in x.tolist()]]
                for n in numbers]
    np.testing.assert_array_equal(out, expected, err_msg=str(numbers))


@tile.kernel
def order(x, out):
    t = tile.load(x, (0, 0), (3, 21))
    whole = [tile.sort(t), tile.sort(t, descending=True), tile.argsort(t),
             tile.argsort(t, descending=True), tile.cummax(t), tile.cummin(t),
             tile.sort_by_key(t, tile.iota(t.shape, 1), axis=1)[1]]
    for at, result in enumerate(whole):
        tile.store(out, (at, 0, 0), result.astype(tile.i32)[None])
    parts = [*tile.top_k(t, 5), *tile.top_k(t, 5, least=True), t.max(1, True),
             t.min(1, True), t.argmax(1, True), t.argmin(1, True)]
    for at, result in enumerate(parts):
        tile.store(out, (len(whole), 0, at * 2), result.astype(tile.i32)[None])


def check_order(run, x):
    """Checks that False is ordered before True."""
    up, down = (np.argsort(key, axis=-1, kind="stable") for key in (x, ~x))
    whole = [np.sort(x), np.sort(x)[:, ::-1], up, down, np.maximum.accumulate(x, 1),
             np.minimum.accumulate(x, 1), up]
    parts = [np.sort(x)[:, ::-1][:, :5], down[:, :5], np.sort(x)[:, :5], up[:, :5],
             x.max(1, keepdims=True), x.min(1, keepdims=True),
             x.argmax(1)[:, None], x.argmin(1)[:, None]]
    out = np.full((len(whole) + 1, 3, 21), 77, np.int32)
    expected = out.copy()
    run(order, x, out)
    for at, result in enumerate(whole):
        expected[at] = result
    for at, result in enumerate(parts):
        expected[-1, :, at * 2:at * 2 + result.shape[1]] = result
    np.testing.assert_array_equal(out, expected)
