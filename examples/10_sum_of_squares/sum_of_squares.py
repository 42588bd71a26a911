# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the sum of the squares of a long array, in two ways, which both read the
array once. Each block adds up n squares: first each thread adds its own squares, then
the threads of a warp combine their sums by shuffles, and then the warps combine their
sums through shared memory."""

import numpy as np

import tile_mlir as tile

LENGTH = 16384


@tile.function
def add_squares(x, n):
    """Returns the sum of a block's squares."""
    start = tile.program_id(0) * LENGTH
    acc = tile.zeros(n, x.dtype)
    for i in range(start, start + LENGTH, n):
        v = tile.load(x, i, n)
        acc += v * v
    return acc.sum()


@tile.kernel(block=256, grid=lambda x: tile.cdiv(x.size, LENGTH))
def sum_of_squares(x, total, *, n=2048):
    """Each block adds its sum to the total atomically. The order of blocks varies, so
    the last bits differ from run to run."""
    tile.atomic_add(total, 0, add_squares(x, n))


@tile.kernel(block=256, grid=lambda sums: sums.size)
def block_sums(x, sums, *, n=2048):
    """Each block stores its sum, so that the result has the same bits in each run."""
    tile.store(sums, tile.program_id(0), add_squares(x, n))


@tile.kernel(block=256, grid=1)
def sum_of_sums(sums, total, *, n=1024):
    acc = tile.zeros(n, sums.dtype)
    for i in range(0, sums.shape[0], n):
        acc += tile.load(sums, i, n)
    tile.store(total, 0, acc.sum())


def sum_in_order(x, total):
    sums = np.empty(tile.cdiv(x.size, LENGTH), x.dtype)
    block_sums(x, sums)
    sum_of_sums(sums, total)
