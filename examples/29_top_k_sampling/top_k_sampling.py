# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Picks the next token by top-k sampling. A sort that also moves indices finds the k
largest logits of a row. Their softmax divides the range from zero to one into shares,
and the logit whose share contains a given random value is picked. A block takes four
rows."""

import tile_mlir as tile


@tile.kernel(grid=lambda logits, rows: tile.cdiv(logits.shape[0], rows))
def top_k_sampling(logits, numbers, tokens, *, rows=4, columns=1000, k=20):
    first = tile.program_id(0) * rows
    v, indices = tile.top_k(tile.load(logits, (first, 0), (rows, columns)), k)
    sums = tile.cumsum(tile.exp(v - v[:, :1]))
    # The index of the picked logit is the count of prefix sums up to the random value.
    limit = tile.load(numbers, first, rows)[:, None] * sums[:, -1:]
    before = (sums <= limit).sum(axis=1, keepdims=True)
    token = tile.take(indices, tile.minimum(before, k - 1), 1)
    tile.store(tokens, first, token[:, 0])
