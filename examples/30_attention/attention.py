# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes attention, O = softmax(Q K^T / 8) V, with heads of 64 columns and sequences
of any length. A block has m queries of one head and loops over the keys, n at a time.
For each row it keeps the largest exponent so far and, relative to this exponent, the
sum of the powers and the matmul of the powers with V. It rescales the sum and the
matmul when the exponent grows (Milakov and Gimelshein, "Online normalizer calculation
for softmax", 2018; Dao et al., "FlashAttention", 2022).

The powers are accumulators of the first matmul and operands of the second. They stay in
registers, because each warp has whole rows in both matmuls."""

import tile_mlir as tile

# Powers have the base two: exp(x / 8) is 2^(x log2 e / 8).
SCALE = 0.18033688


@tile.kernel(grid=lambda q, m: (tile.cdiv(q.shape[1], m), q.shape[0]))
def attention(q, k, v, o, *, m=128, n=64, columns=64):
    i, head = tile.program_id(0) * m, tile.program_id(1)
    queries = tile.load(q, (head, i, 0), (m, columns))
    top, total = tile.full((m, 1), -1e30), tile.zeros((m, 1))
    out = tile.zeros((m, columns))
    for j in range(0, k.shape[1], n):
        scores = queries @ tile.load(k, (head, j, 0), (n, columns)).T
        if k.shape[1] - j < n:  # the last step
            is_key = tile.arange(n) < k.shape[1] - j
            scores = tile.where(is_key, scores, float("-inf"))
        old = top
        top = tile.maximum(old, scores.max(axis=1, keepdims=True) * SCALE)
        powers = tile.exp2(tile.fma(scores, SCALE, -top), fast=True)
        shrink = tile.exp2(old - top, fast=True)
        total = total * shrink + powers.sum(axis=1, keepdims=True)
        values = tile.load(v, (head, j, 0), (n, columns))
        out = out * shrink + powers.astype(v.dtype) @ values
    tile.store(o, (head, i, 0), out * (1 / total))
