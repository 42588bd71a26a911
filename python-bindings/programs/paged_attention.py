# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of one query for each sequence to keys and values in pages (Kwon et al.,
"Efficient Memory Management for Large Language Model Serving with PagedAttention",
2023). Queries are sequences x heads x d. The caches of keys and values are pages x
heads x tokens x d; each of their heads is shared by equally many heads of queries.
`table` has the pages of each sequence, `lengths` its count of tokens, which is at least
one. Elements are f16, bf16 or f32. A block computes the queries that share a head."""

import tile_mlir as tile

LOG2E = 1.4426950408889634


@tile.kernel(block=256, grid=lambda q, keys: (keys.shape[1], q.shape[0]))
def paged_attention_kernel(
    q, keys, values, table, lengths, o, scale, *, group, d, page, n=64
):
    head, sequence = tile.program_id(0), tile.program_id(1)
    length = tile.load(lengths, sequence, ())
    queries = tile.load(q, (sequence, head * group, 0), (group, d))
    top, total = tile.full((group, 1), -1e30), tile.zeros((group, 1))
    out = tile.zeros((group, d))
    for j in range(0, length, n):
        tokens = tile.iota(n, 0, tile.i32, start=j)
        pages = tile.gather(table, (sequence, 0), tokens // page, n)
        where = [pages[:, None], tokens[:, None] % page]
        is_token = tokens < length
        k, v = (
            tile.gather(a, (0, head, 0, 0), where, (n, d), axes=[0, 2])
            for a in (keys, values)
        )
        scores = queries @ k.T * (scale * LOG2E)
        scores = tile.where(is_token, scores, float("-inf"))
        old, top = top, tile.maximum(top, scores.max(axis=1, keepdims=True))
        powers = tile.exp2(scores - top, fast=True)
        shrink = tile.exp2(old - top, fast=True)
        total = total * shrink + powers.sum(axis=1, keepdims=True)
        # Elements of a page after the last token may be NaN.
        v = tile.where(is_token[:, None], v, 0)
        out = out * shrink + powers.astype(v.dtype) @ v
    tile.store(o, (sequence, head * group, 0), out / total)


def paged_attention(q, keys, values, table, lengths, scale=None):
    o = tile.empty_like(q)
    group, d, page = q.shape[1] // keys.shape[1], q.shape[2], keys.shape[2]
    scale = d**-0.5 if scale is None else scale
    paged_attention_kernel(
        q, keys, values, table, lengths, o, scale, group=group, d=d, page=page
    )
    return o
