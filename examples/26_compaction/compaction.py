# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stores the elements of an array that exceed a limit, contiguous and in order. Each
block counts its kept elements. The counts of earlier blocks give the block's offset,
and the count of kept elements before an element in its block gives the element's
position after this offset."""

import numpy as np

import tile_mlir as tile

N = 1024


def find(x, limit):
    """Returns a block's elements, and which of them are kept. Elements after the end of
    the array are not kept."""
    t = tile.load(x, tile.program_id(0) * N, N, pad=limit)
    return t, t > limit


@tile.kernel(block=128, grid=lambda counts: counts.size)
def count(x, limit, counts):
    _, kept = find(x, limit)
    tile.store(counts, tile.program_id(0), kept.sum())


@tile.kernel(block=256, grid=1)
def counts_before(counts, before, *, n=1024):
    carry = 0
    for i in range(0, counts.shape[0], n):
        t = tile.load(counts, i, n)
        tile.store(before, i, carry + tile.cumsum(t, exclusive=True))
        carry += t.sum()


@tile.kernel(block=128, grid=lambda before: before.size)
def compact(x, limit, before, y):
    t, kept = find(x, limit)
    position = tile.cumsum(kept, exclusive=True)
    begin = tile.load(before, tile.program_id(0), ())
    tile.scatter(y, 0, begin + position, t, mask=kept)


def compaction(x, limit):
    counts = np.empty(tile.cdiv(x.size, N), np.int32)
    before = np.empty_like(counts)
    count(x, limit, counts)
    counts_before(counts, before)
    y = np.empty(before[-1] + counts[-1], x.dtype)
    compact(x, limit, before, y)
    return y
