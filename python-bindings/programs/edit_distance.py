# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The least count of characters to insert, remove or replace to turn one text into
another (Levenshtein), for many pairs of texts at once. The texts of a pair are the
first `a_lengths` characters of a row of `a`, and the first `b_lengths` of a row of `b`;
they may be empty. Characters are integers of any type."""

import tile_mlir as tile


@tile.kernel(grid=lambda a: a.shape[0])
def edit_distance_kernel(a, a_lengths, b, b_lengths, out, *, n):
    # The table of distances of the first i characters of a from the first j of b is
    # computed by diagonals: element i of a diagonal has j = diagonal - i.
    pair, i = tile.program_id(0), tile.arange(n)
    a_length, b_length = tile.load(a_lengths, pair, ()), tile.load(b_lengths, pair, ())
    of_a = tile.load(a, (pair, -1), n)
    before, last = tile.zeros_like(i), tile.zeros_like(i)
    for index in range(1, a_length + b_length + 1):
        diagonal = index.astype(tile.i32)
        j = diagonal - i
        of_b = tile.gather(b, (pair, -1), j, n)
        one_more = tile.minimum(last, tile.roll(last, 1, 0)) + 1
        replaced = tile.roll(before, 1, 0) + (of_a != of_b)
        inner = tile.minimum(one_more, replaced)
        before, last = last, tile.where((i == 0) | (j == 0), diagonal, inner)
    tile.store(out, pair, last[a_length])


def edit_distance(a, a_lengths, b, b_lengths):
    out = tile.empty_like(a_lengths)
    edit_distance_kernel(a, a_lengths, b, b_lengths, out, n=a.shape[1] + 1)
    return out
