# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention, O = softmax(scale Q K') V, of arrays batch x heads x length x d of f16,
bf16 or f32 (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018;
Dao et al., "FlashAttention", 2022). With `causal` a query sees the keys up to its own
index, and there must be as many queries as keys. Lengths are arbitrary; a tile has all
d columns of a head. K and V may have fewer heads than Q, each for a group of Q's heads
(Ainslie et al., "GQA", 2023), and rows of V may have another length than those of K."""

import tile_mlir as tile

LOG2E = 1.4426950408889634


@tile.kernel(grid=lambda q, m: (tile.cdiv(q.shape[2], m), q.shape[1], q.shape[0]))
def attention_kernel(
    q, k, v, o, lse, scale, *, d, causal, dv=None, group=1, m=128, n=64
):
    i, head, batch = tile.program_id(0) * m, tile.program_id(1), tile.program_id(2)
    shared, dv = head // group if group > 1 else head, dv or d
    queries = tile.load(q, (batch, head, i, 0), (m, d))
    rows, length = tile.iota((m, 1), 0, tile.i32, start=i), k.shape[2]
    top, total, out = tile.full((m, 1), -1e30), tile.zeros((m, 1)), tile.zeros((m, dv))
    for j in range(0, tile.minimum(i + m, length) if causal else length, n):
        keys = tile.load(k, (batch, shared, j, 0), (n, d))
        values = tile.load(v, (batch, shared, j, 0), (n, dv))
        scores = queries @ keys.T * (scale * LOG2E)
        if j + n > (i if causal else length):
            columns = tile.iota(n, 0, tile.i32, start=j)
            sees = columns <= rows if causal else columns < length
            scores = tile.where(sees, scores, float("-inf"))
        old, top = top, tile.maximum(top, scores.max(axis=1, keepdims=True))
        powers = tile.exp2(scores - top, fast=True)
        shrink = tile.exp2(old - top, fast=True)
        total = total * shrink + powers.sum(axis=1, keepdims=True)
        out = out * shrink + powers.astype(v.dtype) @ values
    tile.store(o, (batch, head, i, 0), out / total)
    tile.store(lse, (batch, head, i), (top + tile.log2(total))[:, 0])


def attention(q, k, v, causal=False, scale=None):
    """Returns O, and, for each query, the base-2 logarithm of the sum of exp of its
    scores, in f32."""
    o = tile.empty_like(q, (*q.shape[:3], v.shape[3]))
    lse = tile.empty_like(q, q.shape[:3], tile.f32)
    scale = q.shape[3] ** -0.5 if scale is None else scale
    sizes = {"d": q.shape[3], "dv": v.shape[3], "group": q.shape[1] // k.shape[1]}
    attention_kernel(q, k, v, o, lse, scale, **sizes, causal=causal)
    return o, lse
