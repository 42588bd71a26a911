# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Boxes at the edges of arrays: parts inside that consist of whole accesses and others,
before the array's first elements and after its last ones."""

import itertools

import numpy as np
import pytest

import tile_mlir as tile

M, N, K = 32, 64, 32
BEFORE = 8  # programs start so many elements before the array


@tile.kernel
def multiply(a, b, c, before):
    i, j = tile.program_id(0) * M - before, tile.program_id(1) * N - before
    acc = tile.zeros((M, N))
    for p in range(-BEFORE, a.shape[1], K):
        p = p + BEFORE - before
        acc += tile.load(a, (i, p), (M, K)) @ tile.load(b, (p, j), (K, N))
    tile.store(c, (i, j), acc)


@tile.kernel
def double(a, c, before):
    i, j = tile.program_id(0) * M - before, tile.program_id(1) * N - before
    tile.store(c, (i, j), tile.load(a, (i, j), (M, N)) * 2)


def draw(*shape):
    return np.random.default_rng(1).standard_normal(shape).astype(np.float16)


def count(extent, of):
    return -(-(extent + BEFORE) // of)


# Extents that are multiples of a copy of 16 bytes, of 8, of 4, and odd ones.
@pytest.mark.parametrize("m, n, k", [(40, 72, 88), (33, 64, 40), (64, 72, 32),
                                     (40, 76, 60), (37, 71, 43), (8, 8, 8)])
@pytest.mark.parametrize("before", [0, 8, 4, 3])
def test_matmul(m, n, k, before):
    a, b, c = draw(m, k), draw(k, n), np.full((m, n), np.nan, np.float16)
    with tile.emulator():
        multiply[count(m, M), count(n, N)](a, b, c, before)
    expected = a.astype(np.float64) @ b.astype(np.float64)
    np.testing.assert_allclose(c.astype(np.float64), expected, atol=2e-2)


@pytest.mark.parametrize("m, n, before", list(itertools.product(
    (40, 33), (72, 76, 71, 8), (0, 8, 3))))
def test_copy(m, n, before):
    a, c = draw(m, n), np.full((m, n), np.nan, np.float16)
    with tile.emulator():
        double[count(m, M), count(n, N)](a, c, before)
    np.testing.assert_array_equal(c, a * np.float16(2))
