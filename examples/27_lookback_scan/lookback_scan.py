# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sum up to each element of an array of any length, in one kernel that reads
and writes the array once: a block of N elements publishes their sum, looks back at
the blocks before it until it knows the sum of all of them, and publishes that
(Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back",
2016).

`state` is zero before the launch. Its first word counts the blocks that have
started; a block takes its index from there, so that the blocks it waits for have
started too. The others are a word per block: its state in the upper half (0 empty,
1 the sum of the block's elements, 2 that of all elements up to its last one), the
sum in the lower. Words are read and written atomically, so no ordering is
needed."""

import numpy as np

import tile_mlir as tile

N = 2048
SUM, PREFIX = 1, 2


def publish(known, sum, state, word):
    lower = sum.astype(tile.u32).astype(tile.i64)
    tile.atomic_store(state, word, known << 32 | lower)


def look_back(state, last):
    """Adds the sums of the 32 blocks up to the one of the word `last`, starting at
    the nearest one with state 2. Also returns whether there is one, and whether a
    block from there on has not published anything."""
    words = tile.atomic_load(state, last - 31, 32)
    known, sums = words >> 32, words.astype(tile.i32)
    place = tile.arange(32)
    nearest = tile.where(known == PREFIX, place, -1).max()
    counts = place >= nearest
    waits = ((known == 0) & counts).any()
    return tile.where(counts, sums, 0).sum(), nearest >= 0, waits


@tile.kernel(block=256, grid=lambda x: tile.cdiv(x.size, N))
def lookback_scan(x, state, y):
    block = tile.atomic_add(state, 0, 1)
    t = tile.load(x, block * N, N)
    total = t.sum()
    if block > 0:
        publish(SUM, total, state, block + 1)
    # The word of the block before has the number of this one.
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
