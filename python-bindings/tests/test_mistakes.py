# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Warnings of `tile.check`: mistakes of beginners that are not errors on any
machine."""

import numpy as np
import pytest

import tile_mlir as tile
from checking import find_line


def check_warning(checked, kernel, text, *parts):
    """Checks that there is one warning, which is at the kernel's line with `text`, and
    contains each of `parts`."""
    [warning] = checked.warnings
    assert warning.severity == "warning" and warning.file == __file__
    assert warning.line == find_line(kernel, text)
    for part in parts:
        assert part in warning.text
    assert "no error found" in str(checked) and warning.text in str(checked)


# ----------------------------------------------------------------------------
# Reductions of a tail
# ----------------------------------------------------------------------------


@tile.kernel(grid=lambda x: tile.cdiv(x.shape[0], 4))
def softmax(x, y):
    first = tile.program_id(0) * 4
    rows = tile.load(x, (first, 0), (4, 128))
    tile.store(y, (first, 0), tile.softmax(rows, axis=1))


@tile.kernel(grid=lambda x: tile.cdiv(x.shape[0], 4))
def padded_softmax(x, y):
    first = tile.program_id(0) * 4
    rows = tile.load(x, (first, 0), (4, 128), pad=-np.inf)
    tile.store(y, (first, 0), tile.softmax(rows, axis=1))


@tile.kernel(grid=lambda x: tile.cdiv(x.shape[0], 4))
def averages(x, y):
    first = tile.program_id(0) * 4
    rows = tile.load(x, (first, 0), (4, 128))
    tile.store(y, first, rows.mean(axis=1))


@tile.kernel(grid=lambda x: tile.cdiv(x.shape[0], 4))
def deviations(x, y):
    first = tile.program_id(0) * 4
    rows = tile.load(x, (first, 0), (4, 128))
    n = x.shape[1]
    inside = tile.arange(128) < n
    mean = rows.sum(axis=1, keepdims=True) / n
    d = tile.where(inside, rows - mean, 0)
    tile.store(y, first, (d * d).sum(axis=1) / n)


@pytest.fixture
def x(rng):
    return rng.standard_normal((10, 77)).astype(np.float32)


def test_softmax(x):
    checked = tile.check(softmax, (x, np.empty_like(x)), schedules=1)
    check_warning(checked, softmax, "tile.softmax", "the maximum along axis 1",
                  "beyond the end of 'x'", "dimension 1 is no multiple of 128")


def test_softmax_of_whole_tiles(rng):
    x = rng.standard_normal((10, 128)).astype(np.float32)
    checked = tile.check(softmax, (x, np.empty_like(x)), schedules=1)
    assert checked.warnings == () and "nothing found" in str(checked)


def test_average(x):
    checked = tile.check(averages, (x, np.empty(10, np.float32)), schedules=1)
    check_warning(checked, averages, "mean", "the average over 128 elements",
                  "divide by the number of elements inside")


@pytest.mark.parametrize("kernel", [padded_softmax, deviations])
def test_right(x, kernel):
    """Checks that a `pad` and a mask prevent the warning."""
    y = np.empty_like(x) if kernel is padded_softmax else np.empty(10, np.float32)
    assert tile.check(kernel, (x, y), schedules=1).warnings == ()


# ----------------------------------------------------------------------------
# Types
# ----------------------------------------------------------------------------


@tile.kernel(grid=1)
def scale(x, y, *, by=np.float64(0.5)):
    tile.store(y, 0, tile.load(x, 0, 64).astype(tile.f64) * by)


@tile.kernel(grid=1)
def halve(x, y):
    tile.store(y, 0, tile.load(x, 0, 64) / 2)


@tile.kernel(grid=1)
def halve_down(x, y):
    tile.store(y, 0, (tile.load(x, 0, 64) / 2).astype(tile.i32))


def test_f64(rng):
    x = rng.standard_normal(64).astype(np.float32)
    checked = tile.check(scale, (x, np.empty_like(x)), schedules=1)
    check_warning(checked, scale, "astype", "computes in f64",
                  "none of its arrays has f64")


def test_f64_of_arrays(rng):
    x = rng.standard_normal(64)
    assert tile.check(scale, (x, np.empty_like(x)), schedules=1).warnings == ()


def test_fraction(rng):
    x = rng.integers(-99, 99, 64).astype(np.int32)
    checked = tile.check(halve, (x, np.empty_like(x)), schedules=1)
    check_warning(checked, halve, "store", "a value of f32 is written to 'y' of i32",
                  ".astype(tile.i32)")
    assert tile.check(halve_down, (x, np.empty_like(x)), schedules=1).warnings == ()


# ----------------------------------------------------------------------------
# Outputs
# ----------------------------------------------------------------------------


@tile.kernel
def double(x, y):
    first = tile.program_id(0) * 32
    tile.store(y, first, tile.load(x, first, 32) * 2)


@tile.kernel
def double_columns(x, y):
    first = tile.program_id(0) * 32
    tile.store(y, (0, first), tile.load(x, (0, first), (3, 32)) * 2)


@tile.kernel(grid=1)
def no_output(x):
    tile.load(x, 0, 32) * 2


def test_floor_grid(rng):
    x = rng.standard_normal(100).astype(np.float32)
    y = np.full_like(x, 7)
    checked = tile.check(double, (x, y), grid=100 // 32, schedules=2)
    check_warning(checked, double, "@tile.kernel",
                  "4 of 100 elements of 'y' were not written, the first at [96], by "
                  "a grid of 3 x 1 x 1 blocks", "tile.cdiv")
    np.testing.assert_array_equal(checked.arguments[1][:96], 2 * x[:96])
    np.testing.assert_array_equal(checked.arguments[1][96:], 7)
    assert tile.check(double, (x, y), grid=tile.cdiv(100, 32)).warnings == ()


@pytest.mark.parametrize("pattern", [0xA5, 0x5A])
def test_results_that_look_unwritten(pattern):
    """Checks results that equal one of the byte patterns that mark unwritten
    elements."""
    x = np.full(400, pattern, np.uint8).view(np.float32) / 2
    y = np.empty_like(x)
    checked = tile.check(double, (x, y), grid=4, schedules=1)
    assert checked.warnings == ()
    np.testing.assert_array_equal(checked.arguments[1], 2 * x)


def test_strides(rng):
    """For an output that is part of a larger array, the array's other elements do not
    count as unwritten."""
    x = rng.standard_normal((3, 50)).astype(np.float32)
    whole = np.zeros((3, 100), np.float32)
    checked = tile.check(double_columns, (x, whole[:, ::2]), grid=1, schedules=1)
    check_warning(checked, double_columns, "@tile.kernel",
                  "54 of 150 elements of 'y' were not written, the first at [0, 32]")
    checked = tile.check(double_columns, (x, whole[:, ::2]), grid=2, schedules=1)
    assert checked.warnings == ()


@tile.kernel(grid=1)
def sum_rows(x, total):
    for i in range(x.shape[0]):
        tile.store(total, 0, tile.load(total, 0, 30) + tile.load(x, (i, 0), (1, 30))[0])


@tile.kernel(grid=1)
def sum_rows_from_first(x, total):
    tile.store(total, 0, tile.load(x, (0, 0), (1, 30))[0])
    for i in range(1, x.shape[0]):
        tile.store(total, 0, tile.load(total, 0, 30) + tile.load(x, (i, 0), (1, 30))[0])


def test_outputs(rng):
    """Checks a kernel that adds to an array in memory: it is an error if the array is
    named as an output, since it is then uninitialized."""
    x = rng.standard_normal((5, 33)).astype(np.float32)
    total = np.zeros(33, np.float32)
    assert tile.check(sum_rows, (x, total), schedules=1).warnings == ()
    with pytest.raises(tile.EmulatorError) as raised:
        tile.check(sum_rows, (x, total), schedules=1, outputs=("total",))
    for found in raised.value.findings:
        assert found.kind == "uninitialized" and "('total')" in found.text
        assert found.line == find_line(sum_rows, "tile.store")
    checked = tile.check(sum_rows_from_first, (x, total), outputs=["total"])
    check_warning(checked, sum_rows_from_first, "@tile.kernel",
                  "3 of 33 elements of 'total' were not written, the first at [30]")
    np.testing.assert_allclose(checked.arguments[1][:30], x[:, :30].sum(0), atol=1e-5)
    np.testing.assert_array_equal(checked.arguments[1][30:], 0)


@pytest.mark.parametrize("outputs, text", [
    ("total", "expected a tuple of names of arrays as outputs, got 'total'"),
    (("y",), "expected names of the call's arrays as outputs, of x, total, got 'y'"),
    ((1,), "expected names of the call's arrays as outputs, of x, total, got 1")])
def test_wrong_outputs(outputs, text):
    x = np.zeros((2, 30), np.float32)
    with pytest.raises(tile.ArgumentError, match=text):
        tile.check(sum_rows, (x, x[0].copy()), outputs=outputs)


def test_no_output(rng):
    x = rng.standard_normal(32).astype(np.float32)
    checked = tile.check(no_output, (x,), schedules=1)
    check_warning(checked, no_output, "@tile.kernel", "the kernel writes no array")
