# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gradients dQ, dK and dV of attention (flash_attention.py), of dO (Dao et al.,
"FlashAttention", 2022, algorithm 4). A block has some keys and goes through the
queries for dK and dV, another kernel has some queries and goes through the keys for
dQ: so nothing is added atomically, and the bits are the same from run to run."""

import tile_mlir as tile

LOG2E = 1.4426950408889634


@tile.function
def place(m):
    return tile.program_id(0) * m, tile.program_id(1), tile.program_id(2)


@tile.function
def differentiate(q, k, v, do, lse, delta, scale, batch, head, i, j, m, n, d, causal):
    """Powers, gradients of scores, and what they are of: m queries and n keys."""
    queries, douts = (tile.load(a, (batch, head, i, 0), (m, d)) for a in (q, do))
    keys, values = (tile.load(a, (batch, head, j, 0), (n, d)) for a in (k, v))
    rows, columns = i + tile.arange(m)[:, None], j + tile.arange(n)
    # Behind the last query powers are zero.
    shift = tile.load(lse, (batch, head, i), m, pad=float("inf"))[:, None]
    powers = tile.exp2(queries @ keys.T * (scale * LOG2E) - shift)
    powers = tile.where(columns <= rows if causal else columns < k.shape[2], powers, 0)
    less = tile.load(delta, (batch, head, i), m)[:, None]
    return powers, powers * (douts @ values.T - less), queries, keys, douts


@tile.kernel(grid=lambda o, m: (tile.cdiv(o.shape[2], m), o.shape[1], o.shape[0]))
def delta_kernel(o, do, delta, *, d, m=64):
    i, head, batch = place(m)
    outs, douts = (tile.load(a, (batch, head, i, 0), (m, d)) for a in (o, do))
    tile.store(delta, (batch, head, i), (outs.astype(tile.f32) * douts).sum(axis=1))


@tile.kernel(grid=lambda k, n: (tile.cdiv(k.shape[2], n), k.shape[1], k.shape[0]))
def dkv_kernel(q, k, v, do, lse, delta, dk, dv, scale, *, d, causal, m=64, n=64):
    j, head, batch = place(n)
    dkeys, dvalues = tile.zeros((n, d)), tile.zeros((n, d))
    for i in range(j if causal else 0, q.shape[2], m):
        powers, dscores, queries, _, douts = differentiate(
            q, k, v, do, lse, delta, scale, batch, head, i, j, m, n, d, causal
        )
        dvalues += powers.astype(do.dtype).T @ douts
        dkeys += dscores.astype(q.dtype).T @ queries
    tile.store(dk, (batch, head, j, 0), dkeys * scale)
    tile.store(dv, (batch, head, j, 0), dvalues)


@tile.kernel(grid=lambda q, m: (tile.cdiv(q.shape[2], m), q.shape[1], q.shape[0]))
def dq_kernel(q, k, v, do, lse, delta, dq, scale, *, d, causal, m=64, n=64):
    i, head, batch = place(m)
    length, dqueries = k.shape[2], tile.zeros((m, d))
    for j in range(0, tile.minimum(i + m, length) if causal else length, n):
        _, dscores, _, keys, _ = differentiate(
            q, k, v, do, lse, delta, scale, batch, head, i, j, m, n, d, causal
        )
        dqueries += dscores.astype(k.dtype) @ keys
    tile.store(dq, (batch, head, i, 0), dqueries * scale)


def attention_backward(q, k, v, o, lse, do, causal=False, scale=None):
    """dQ, dK and dV; O and lse are what `attention` gives."""
    dq, dk, dv, delta = map(tile.empty_like, (q, k, v, lse))
    scale = q.shape[3] ** -0.5 if scale is None else scale
    delta_kernel(o, do, delta, d=q.shape[3])
    options = {"d": q.shape[3], "causal": causal}
    dkv_kernel(q, k, v, do, lse, delta, dk, dv, scale, **options)
    dq_kernel(q, k, v, do, lse, delta, dq, scale, **options)
    return dq, dk, dv
