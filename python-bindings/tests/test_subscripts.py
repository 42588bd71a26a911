# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`x[...]` of arrays, read and written, against NumPy."""

import numpy as np
import pytest

import tile_mlir as tile


# Subscripts of an array whose extents are known, 5 x 7.
ITEMS = [
    (), (2, 3), (-1, -7), 4, -2, (slice(None), 2), (slice(1, 4), slice(None)), slice(2, 99),
    (slice(-3, None), slice(None, -2)), (..., 1), (1, ...), ..., (None, 3),
    (slice(None), None, 4), (slice(None, None, 2), slice(5, 0, -2)),
    (slice(None, None, -1), 0), (slice(4, 5, 3), slice(None)), (None, 1, 2)]


@pytest.mark.parametrize("item", ITEMS, ids=repr)
def test_reads_as_numpy_does(rng, machine, item):
    x = rng.standard_normal((5, 7)).astype(np.float32)
    out = np.full_like(np.asarray(x[item]), np.nan)

    @tile.kernel(fixed="x out")
    def read(x, out):
        found = x[item]
        assert found.shape == out.shape
        tile.store(out, (0,) * out.ndim, found)

    read[1](x, out)
    np.testing.assert_array_equal(out, x[item])


WRITTEN = [item for item in ITEMS if not any(
    isinstance(part, slice) and part.step not in (None, 1, 3)
    for part in np.index_exp[item])]


@pytest.mark.parametrize("item", WRITTEN, ids=repr)
def test_writes_as_numpy_does(rng, machine, item):
    x = rng.standard_normal((5, 7)).astype(np.float32)
    expected = x.copy()
    expected[item] = 3
    expected[item] -= 2 * x[item]

    @tile.kernel(fixed="x")
    def write(x):
        before = x[item]
        x[item] = 3
        x[item] -= 2 * before

    write[1](x)
    np.testing.assert_array_equal(x, expected)


@tile.kernel
def sizes_of_run_time(x, out, i):
    out[0] = x[i, 2] + x[i + 1, -1]
    out[1:4] = x[i, 3:6]
    out[4:7] = x[0:3, i]
    out[-1] = x[2, 6:1:-2].sum()
    if x[0, 0] > 0:
        for row in range(x.shape[0]):
            out[7] += x[row, 0]


def test_sizes_that_are_known_at_run_time_only(rng, machine):
    x = rng.standard_normal((4, 7)).astype(np.float32)
    x[0, 0] = 2
    out = np.full(10, 5, np.float32)
    expected = out.copy()
    expected[0] = x[1, 2] + x[2, -1]
    expected[1:4], expected[4:7] = x[1, 3:6], x[:3, 1]
    expected[-1] = x[2, 6:1:-2].sum()
    expected[7] += x[:, 0].sum()
    sizes_of_run_time[1](x, out, 1)
    np.testing.assert_allclose(out, expected, rtol=1e-6)


@tile.kernel
def outside(x, out):
    out[0:6] = x[2:8] + 1
    out[9] = 3.0
    out[6] = x[9]


def test_elements_outside(machine):
    """Elements outside read as zero, and are not written."""
    x, out = np.arange(5, dtype=np.float32), np.full(7, np.nan, np.float32)
    outside[1](x, out)
    np.testing.assert_array_equal(out, [3, 4, 5, 1, 1, 1, 0])


def test_values_are_converted_and_broadcast(rng, machine):
    x = rng.integers(-9, 9, (3, 4)).astype(np.int32)
    out = np.full((3, 9), np.nan)

    @tile.kernel(grid=3, fixed={"out": 1})
    def values(x, out):
        row = tile.program_id(0)
        out[row, 0:4] = x[row, 0:4]
        out[row, 4:6] = np.float32(2.5)
        out[row, 6:8] = x[row, 0]
        out[row, 8:9] = x[row, 1:2] > 0

    values(x, out)
    np.testing.assert_array_equal(out, np.concatenate(
        [x, np.full((3, 2), 2.5), x[:, :1], x[:, :1], x[:, 1:2] > 0], axis=1))


@tile.kernel(fixed={"x": (0, 2)})
def length(x, y, out):
    out[0] = len(x) + len(x[:, 0, 0:3])
    assert isinstance(len(x), int)
    for i in range(len(y)):
        out[0] += count(y)


@tile.function
def count(y):
    return len(y)


def test_length(machine):
    """Checks also lengths that are known only when the kernel runs."""
    out = np.zeros(1, np.int32)
    length[1](np.zeros((5, 3, 2), np.float32), np.zeros((7, 2)), out)
    assert out[0] == 10 + 49


# ----------------------------------------------------------------------------
# Arrays of rank 0
# ----------------------------------------------------------------------------


@tile.kernel
def add_sum(x, total, count):
    assert (total.ndim, total.shape, total.size) == (0, (), 1)
    t = tile.load(x, 0, 8)
    total[()] += t.sum()
    tile.store(total, (), tile.load(total, (), ()) * 2)
    old = tile.atomic_add(count, (), 3)
    count[...] = tile.where(old > 5, count[()], 100)


@pytest.mark.parametrize("start", [1, 6])
def test_arrays_of_rank_0(rng, machine, start):
    x = rng.standard_normal(5).astype(np.float32)
    total, count = np.array(1.5, np.float32), np.array(start)
    add_sum[1](x, total, count)
    np.testing.assert_allclose(total, 2 * (1.5 + x.astype(np.float64).sum()), rtol=1e-6)
    assert count == (100 if start == 1 else 9)


def test_programs_for_ranks():
    """An array of rank 0 and an array with one element have different programs."""
    traced = []

    @tile.kernel(grid=1)
    def kernel(x, y):
        traced.append(x.ndim)
        tile.store(y, 0, 1)

    for x in (np.zeros(()), np.zeros(1), np.zeros(())):
        kernel(x, np.zeros(1))
    assert traced == [0, 1, 0]
    checked = tile.check(kernel, (np.zeros(()), np.zeros(1)))
    assert checked.arguments[0].shape == ()
