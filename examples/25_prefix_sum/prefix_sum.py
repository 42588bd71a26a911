# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the sum up to each element of an array of any length, in three kernels. The
first computes the sum of each block of n elements, the second the sum of all blocks
before each block, and the third the sum up to each element, starting from the sum of
the blocks before its block."""

import numpy as np

import tile_mlir as tile

N = 2048


@tile.kernel(block=256, grid=lambda sums: sums.size)
def block_sums(x, sums, *, n=N):
    block = tile.program_id(0)
    tile.store(sums, block, tile.load(x, block * n, n).sum())


@tile.kernel(block=256, grid=1)
def sums_before(sums, before, *, n=1024):
    """One block takes n sums at a time, and carries the sum of all sums before them."""
    carry = 0.0
    for i in range(0, sums.shape[0], n):
        t = tile.load(sums, i, n)
        tile.store(before, i, carry + tile.cumsum(t, exclusive=True))
        carry += t.sum()


@tile.kernel(block=256, grid=lambda before: before.size)
def prefix_sum(x, before, y, *, n=N):
    block = tile.program_id(0)
    t = tile.load(x, block * n, n)
    tile.store(y, block * n, tile.load(before, block, ()) + tile.cumsum(t))


def cumsum(x, y):
    sums = np.empty(tile.cdiv(x.size, N), np.float32)
    before = np.empty_like(sums)
    block_sums(x, sums)
    sums_before(sums, before)
    prefix_sum(x, before, y)
