# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorts 32-bit keys by one of their four digits of 8 bits; keys with equal digits keep
their order. Four such passes of a radix sort, the lowest digit first, sort the keys.
Each block counts the digits of N keys. The offset of its keys with a digit is the sum
of the counts of lesser digits in all blocks and of this digit in earlier blocks. Before
it stores its keys, a block sorts them by their digit, so that the keys of one digit are
contiguous."""

import numpy as np

import tile_mlir as tile

N, DIGITS = 1024, 256


def load_digits(keys, shift):
    """Returns a block's keys and their digits; the digit is DIGITS after the end."""
    first = tile.program_id(0) * N
    t = tile.load(keys, first, N)
    digit = t.astype(tile.u32) >> shift & DIGITS - 1
    is_key = first + tile.arange(N) < keys.shape[0]
    return t, tile.where(is_key, digit, DIGITS).astype(tile.u16)


@tile.kernel(block=256, grid=lambda counts: counts.shape[1])
def count(keys, shift, counts):
    _, digits = load_digits(keys, shift)
    column = tile.histogram(digits, DIGITS)[:, None]
    tile.store(counts, (0, tile.program_id(0)), column)


@tile.kernel(block=256, grid=1)
def counts_before(counts, before, *, n=1024):
    """Sums up the counts before each count; the counts of digit 0 in all blocks come
    first."""
    carry = 0
    for i in range(0, counts.shape[0], n):
        t = tile.load(counts, i, n)
        tile.store(before, i, carry + tile.cumsum(t, exclusive=True))
        carry += t.sum()


@tile.kernel(block=256, grid=lambda before: before.shape[1])
def move(keys, shift, before, moved):
    t, digits = load_digits(keys, shift)
    digits, t = tile.sort_by_key(digits, t)
    # The offset of each digit's keys, in the block and in the whole array. An
    # additional digit is for elements after the end.
    in_block = tile.cumsum(tile.histogram(digits, DIGITS + 1), exclusive=True)
    in_all = tile.load(before, (0, tile.program_id(0)), (DIGITS + 1, 1))[:, 0]
    position = tile.arange(N) + tile.take(in_all - in_block, digits, 0)
    tile.scatter(moved, 0, position, t, mask=digits < DIGITS)


def radix_sort(keys):
    """Returns the keys in ascending unsigned order."""
    counts = np.empty((DIGITS, tile.cdiv(keys.size, N)), np.int32)
    before = np.empty_like(counts)
    for shift in range(0, 32, 8):
        moved = np.empty_like(keys)
        count(keys, shift, counts)
        counts_before(counts.ravel(), before.ravel())
        move(keys, shift, before, moved)
        keys = moved
    return keys
