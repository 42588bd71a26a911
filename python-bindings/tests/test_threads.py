# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that each thread runs by itself, and stacks in tiles, on the emulator and
on the CPU path."""

import numpy as np
import pytest

import tile_mlir as tile

THREADS = 48  # not a multiple of a warp


@tile.function
def collatz(thread, n):
    """Returns the count of steps of the Collatz sequence from n to one, and the
    thread's index."""
    steps = 0
    while n > 1:
        n = tile.where(n % 2 == 0, n // 2, 3 * n + 1)
        steps += 1
    if thread > 40:
        steps = -1
    return steps, thread


@tile.kernel(block=THREADS)
def count_steps(n, out):
    steps, threads = tile.per_thread(collatz, tile.load(n, 0, THREADS))
    tile.store(out, (0, 0), steps)
    tile.store(out, (1, 0), threads)


def count_in_python(n):
    steps = 0
    while n > 1:
        n, steps = n // 2 if n % 2 == 0 else 3 * n + 1, steps + 1
    return steps


def test_threads_go_their_own_ways(machine):
    n = np.arange(1, THREADS + 1, dtype=np.int32)
    out = np.full((2, THREADS), 77, np.int32)
    count_steps[1](n, out)
    expected = [count_in_python(k) if k <= 41 else -1 for k in n]
    np.testing.assert_array_equal(out[0], expected)
    np.testing.assert_array_equal(out[1], n - 1)


@tile.kernel(block=THREADS)
def rows(x, out):
    def turn(thread, row, factor):
        return [[row[2], row[0]], [row[1] * factor, 1.0]], row[0] + row[1]

    whole, sums = tile.per_thread(turn, tile.load(x, (0, 0), (THREADS, 3)),
                                  tile.iota((THREADS,), 0, tile.f32))
    tile.store(out, (0, 0), whole.reshape(THREADS, 4))
    tile.store(out, (0, 4), sums.reshape(THREADS, 1))


def test_rows_are_lists(rng, machine):
    x = rng.standard_normal((THREADS, 3)).astype(np.float32)
    out = np.full((THREADS, 5), np.nan, np.float32)
    rows[1](x, out)
    n = np.arange(THREADS, dtype=np.float32)
    np.testing.assert_array_equal(out, np.stack(
        [x[:, 2], x[:, 0], x[:, 1] * n, np.ones_like(n), x[:, 0] + x[:, 1]], 1))


@tile.kernel(block=THREADS)
def reverse(x, out):
    first = tile.program_id(0) * THREADS
    scale = tile.load_element(x, 1)

    def move(thread):
        value = tile.load_element(x, first + THREADS - 1 - thread)
        tile.store_element(out, first + thread, value * scale)

    assert tile.per_thread(move) is None


def test_elements_of_arrays(rng, machine):
    x = rng.standard_normal(2 * THREADS).astype(np.float32)
    out = np.full_like(x, np.nan)
    reverse[2](x, out)
    np.testing.assert_array_equal(
        out, x.reshape(2, -1)[:, ::-1].reshape(-1) * x[1])


# ----------------------------------------------------------------------------
# The stack
# ----------------------------------------------------------------------------


@tile.kernel
def stack(x, out, counts, capacity, *, size):
    values = tile.load(x, 0, 32)
    s, n, indices = tile.push(tile.zeros(size), 0, values, values > 0)
    s, n, more = tile.push(s, n, values * 2)
    taken, left, where = tile.pop(s, n, values < 0.5)
    tile.store(out, (0, 0), s)
    for row, t in enumerate((indices, more, taken, where)):
        tile.store(out, (row + 1, 0), t)
    tile.store(counts, 0, tile.full((1,), n))
    tile.store(counts, 1, tile.full((1,), left))


def push(stack, values, mask):
    """Does the same as `tile.push` with a Python list. Returns the index of each
    value."""
    size, indices = stack.pop("size"), []
    for value, holds in zip(values, mask):
        fits = holds and len(stack["on"]) < size
        indices.append(len(stack["on"]) if fits else -1)
        if fits:
            stack["on"].append(value)
    stack["size"] = size
    return indices


@pytest.mark.parametrize("size", [64, 40])
def test_stack(rng, machine, size):
    x = rng.standard_normal(32).astype(np.float32)
    out, counts = np.zeros((5, 64), np.float32), np.zeros(2, np.int32)
    stack[1](x, out, counts, size, size=size)
    model = {"on": [], "size": size}
    first, second = push(model, x, x > 0), push(model, x * 2, x == x)
    on, taken, where = model["on"], np.zeros(32, np.float32), np.full(32, -1)
    assert counts[0] == len(on)
    np.testing.assert_array_equal(out[0, :len(on)], on)
    rest = len(on)
    for index in np.flatnonzero(x < 0.5)[:rest]:
        rest -= 1
        taken[index], where[index] = on[rest], rest
    assert counts[1] == rest
    for row, expected in enumerate((first, second, taken, where)):
        np.testing.assert_array_equal(out[row + 1, :32], expected)
