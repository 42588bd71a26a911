# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the sum up to each element of an array of any length, in one kernel that
reads and writes the array once. A block of N elements publishes the sum of its
elements, looks back at earlier blocks until it knows the sum of all of them, and
publishes the sum up to its last element (Merrill and Garland, "Single-pass Parallel
Prefix Scan with Decoupled Look-back", 2016).

`state` is zero before the launch. Its first word counts the blocks that have started; a
block takes its index from this count, so that all blocks for which it waits have
started, too. One word per block follows. The lower half of the word is a sum, and the
upper half states which: 0, none yet; 1, the sum of the block's elements; 2, the sum of
all elements up to the block's last one. Words are accessed atomically, so no ordering
is needed."""

import numpy as np

import tile_mlir as tile

N = 2048
SUM, PREFIX = 1, 2


def publish(known, sum, state, word):
    lower = sum.astype(tile.u32).astype(tile.i64)
    tile.atomic_store(state, word, known << 32 | lower)


def look_back(state, last):
    """Adds the sums in the 32 words up to `last`, or only in those from the last word
    with state 2 on. Also returns whether such a word exists, and whether one of the
    added words has no sum yet."""
    words = tile.atomic_load(state, last - 31, 32)
    known, sums = words >> 32, words.astype(tile.i32)
    index = tile.arange(32)
    nearest = tile.where(known == PREFIX, index, -1).max()
    counts = index >= nearest
    waits = ((known == 0) & counts).any()
    return tile.where(counts, sums, 0).sum(), nearest >= 0, waits


@tile.kernel(block=256, grid=lambda x: tile.cdiv(x.size, N))
def lookback_scan(x, state, y):
    block = tile.atomic_add(state, 0, 1)
    t = tile.load(x, block * N, N)
    total = t.sum()
    if block > 0:
        publish(SUM, total, state, block + 1)
    # The index of this block is also the index of the word of the block before it.
    before, last, is_found = 0, block, block == 0
    while not is_found:
        seen, is_prefix, waits = look_back(state, last)
        is_found = is_prefix and not waits
        before = before if waits else before + seen
        last = last if waits else last - 32
    publish(PREFIX, before + total, state, block + 1)
    tile.store(y, block * N, before + tile.cumsum(t))


def cumsum(x, y):
    lookback_scan(x, np.zeros(1 + tile.cdiv(x.size, N), np.int64), y)
