# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of kernels with loops: against differences in float64, and by formulas."""

import linecache

import numpy as np
import pytest

import tile_mlir as tile

pytestmark = pytest.mark.usefixtures("machine")


@tile.kernel(grid=lambda x: x.shape[0])
def root(x, y, limit):
    """y = x * sqrt(1 + x * x), by Newton's iteration."""
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 7))
    w = 1 + t * t
    s = w
    while tile.max_trips(abs(s * s - w).max() > limit, 50):
        s = (s + w / s) * 0.5
    tile.store(y, (i, 0), s * t)


@tile.kernel(grid=lambda x: x.shape[0])
def collatz(x, y, first):
    """Each block runs as many iterations as Collatz's iteration from first + i, of
    which each takes one of two branches."""
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 7))
    n, s = i + first, t
    while tile.max_trips(n != 1, 30):
        if n % 2 == 0:
            n, s = n // 2, tile.sin(s * t)
        else:
            n, s = 3 * n + 1, s * s - t
    tile.store(y, (i, 0), s + t)


@tile.kernel(grid=lambda x: x.shape[0])
def flags(x, y, count):
    """A flag ends the loop as a break would, and another one leaves out the rest of the
    body as a continue would."""
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 7))
    s, k, goes_on = t, 0, True
    while tile.max_trips(goes_on, 13):
        s = tile.sin(s * t) + 0.5
        leaves = s.sum() > 7.5
        if not leaves and k % 2 == 0:
            s = tile.cos(s)
        k += 1
        goes_on = k < count and not leaves
    tile.store(y, (i, 0), s * k)


@tile.kernel
def causal(x, y, *, m=6, n=4):
    """Each block sums the squares of the rows up to the end of its own."""
    first, count = tile.program_id(0) * m, x.shape[0]
    s = tile.zeros((n, 5), x.dtype)
    for j in range(0, tile.minimum(first + m, count), n):
        t = tile.load(x, (j, 0), (n, 5))
        s += t * t
    tile.store(y, (tile.program_id(0) * n, 0), s)


@tile.kernel(grid=lambda x: x.shape[0])
def jumps(x, y, count, *, factors):
    """Loops that Python runs while the kernel is traced may have jumps."""
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 7))
    s = t
    for factor in factors:
        if factor is None:
            continue
        if factor == 0:
            break
        for _ in range(count):
            s = tile.sin(s * factor) + t
    tile.store(y, (i, 0), s)


def check(kernel, x, *rest, segments=False, **constants):
    """Compares the gradients with differences of second order."""
    y = np.empty_like(x)

    def run(values):
        kernel(values, y, *rest, **constants)
        return y.copy()

    step, direction = 1e-5, np.random.default_rng(8).standard_normal(x.shape)
    difference = (run(x + step * direction) - run(x - step * direction)) / (2 * step)
    tangent = tile.jvp(kernel)(x, y, *rest, tangents=direction, **constants)
    assert abs(tangent - difference).max() <= 1e-8 * abs(tangent).max()
    dy = np.random.default_rng(9).standard_normal(x.shape)
    dx = tile.vjp(kernel, segments=segments)(x, dy, *rest, **constants)
    assert abs((dx * direction).sum() - (dy * tangent).sum()) <= 1e-13 * abs(
        dy * tangent).sum()
    return dx


def test_a_loop_that_ends_when_it_has_converged(rng):
    x = rng.standard_normal((3, 7))
    y, dy = np.empty_like(x), np.ones_like(x)
    expected = (1 + 2 * x * x) / np.sqrt(1 + x * x)
    dx = tile.vjp(root)(x, dy, 1e-13)
    assert abs(dx - expected).max() <= 1e-12 * abs(expected).max()
    assert np.array_equal(dx, tile.grad(root)(x, y, 1e-13))
    segmented = tile.vjp(root, segments=True)(x, dy, 1e-13)
    assert abs(dx - segmented).max() <= 1e-14 * abs(dx).max()
    tangent = tile.jvp(root)(x, y, 1e-13, tangents=dy)
    assert abs(tangent - expected).max() <= 1e-12 * abs(expected).max()


@pytest.mark.parametrize("first", [1, 6])
def test_trip_counts_of_run_time(rng, first):
    check(collatz, rng.uniform(0.2, 0.9, (7, 7)), first)


@pytest.mark.parametrize("count", [0, 1, 13])
def test_flags_instead_of_jumps(rng, count):
    check(flags, rng.uniform(0.2, 1.2, (4, 7)), count)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_jumps_in_loops_of_python(rng, count):
    x = rng.standard_normal((2, 7))
    dx = check(jumps, x, count, factors=(0.5, None, -0.3, 0, 3.0), segments=True)
    other = check(jumps, x, count, factors=(0.5, -0.3))
    assert abs(dx - other).max() <= 1e-14 * abs(other).max()


def expect_error(kernel, text, message):
    """Expects an error of the derivative at the line with a text."""
    with pytest.raises(tile.CompileError, match=message) as raised:
        tile.grad(kernel)(np.ones(8), np.ones(8), 3)
    first = raised.value.diagnostics[0]
    assert first.file == __file__
    assert text in linecache.getline(__file__, first.line)


def test_a_jump_in_a_loop_of_the_program():
    @tile.kernel(grid=1)
    def kernel(x, y, n):
        t = tile.load(x, 0, 8)
        for i in range(n):  # with a jump
            t = t * t
            if t.max() > 10:
                break
        tile.store(y, 0, t)

    expect_error(kernel, "# with a jump", "'tile.max_trips'")


def test_a_loop_without_a_bound():
    @tile.kernel(grid=1)
    def kernel(x, y, n):
        t, i = tile.load(x, 0, 8), 0
        while i < n:  # without a bound
            t, i = t * t, i + 1
        tile.store(y, 0, t)

    expect_error(kernel, "# without a bound", "'tile.max_trips'")


def test_a_loop_that_exceeds_its_bound(rng):
    """The kernel and its tangents run the loop to its end, the gradient fails."""
    @tile.kernel(grid=1)
    def kernel(x, y, n):
        t, i = tile.load(x, 0, 8), 0
        while tile.max_trips(i < n, 4):
            t, i = t * t, i + 1
        tile.store(y, 0, t)

    x, y = rng.uniform(0.5, 1.5, 8), np.empty(8)
    expected = 16 * x ** 15
    dx = tile.grad(kernel)(x, y, 4)
    assert abs(dx - expected).max() <= 1e-14 * expected.max()
    kernel(x, y, 5)
    assert abs(y - x ** 32).max() <= 1e-14 * y.max()
    tangent = tile.jvp(kernel)(x, y, 5, tangents=np.ones(8))
    assert abs(tangent - 32 * x ** 31).max() <= 1e-13 * tangent.max()
    with pytest.raises(tile.EmulatorError, match="expected a loop of at most 4 "):
        tile.grad(kernel)(x, y, 5)


def test_bounds_in_other_positions():
    @tile.kernel(grid=1)
    def branch(x, y, n):
        if tile.max_trips(n > 0, 4):  # not a loop
            tile.store(y, 0, tile.load(x, 0, 8))

    @tile.kernel(grid=1)
    def combined(x, y, n):
        t = tile.load(x, 0, 8)
        while tile.max_trips(n > 0, 4) and t.max() > 0:  # a part
            t, n = t * t, n - 1
        tile.store(y, 0, t)

    @tile.kernel(grid=1)
    def computed(x, y, n):
        t, i = tile.load(x, 0, 8), 0
        while tile.max_trips(i < n, n):  # a bound of run time
            t, i = t * t, i + 1
        tile.store(y, 0, t)

    expect_error(branch, "# not a loop", "whole condition of a 'while'")
    expect_error(combined, "# a part", "whole condition of a 'while'")
    expect_error(computed, "# a bound of run time", "an int that is not negative")


def test_a_bound_of_a_loop_that_python_runs(rng):
    @tile.kernel(grid=1)
    def kernel(x, y, *, n):
        t, i = tile.load(x, 0, 8), 0
        while tile.max_trips(i < n, 4):
            t, i = t * t, i + 1
        tile.store(y, 0, t)

    x, y = rng.uniform(0.5, 1.5, 8), np.empty(8)
    dx = tile.grad(kernel)(x, y, n=2)
    assert abs(dx - 4 * x ** 3).max() <= 1e-14 * dx.max()


@pytest.mark.parametrize("blocks", [1, 3, 4, 5])
def test_blocks_that_read_up_to_their_own_rows(rng, blocks):
    x, dy = rng.standard_normal((23, 5)), rng.standard_normal((4 * blocks, 5))
    found = np.full_like(x, np.nan)
    tile.vjp(causal)[blocks](x, dy, gradients=[found])
    expected = np.zeros_like(x)
    for block in range(blocks):
        end = min(6 * block + 6, 23)
        for j in range(0, end, 4):
            rows = min(4, 23 - j)
            expected[j:j + rows] += 2 * x[j:j + rows] * dy[4 * block:4 * block + rows]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
