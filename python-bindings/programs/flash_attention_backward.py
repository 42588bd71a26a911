# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gradients dQ, dK and dV of attention (flash_attention.py) from dO (Dao et al.,
"FlashAttention", 2022, algorithm 4). In one kernel, which computes dK and dV, a block
has some keys and loops over the queries; in another, which computes dQ, it has some
queries and loops over the keys. So nothing is added atomically, and each run computes
the same bits. Q, K and V have the same heads and columns."""

import tile_mlir as tile

LOG2E = 1.4426950408889634


@tile.function
def get_coordinates(n):
    return tile.program_id(0) * n, tile.program_id(1), tile.program_id(2)


@tile.function
def load_queries(q, do, lse, delta, coordinates, m, d):
    """Loads m queries, the gradients of their results, and their `lse` and `delta`."""
    queries, douts = (tile.load(a, (*coordinates, 0), (m, d)) for a in (q, do))
    shift, less = (tile.load(a, coordinates, m)[:, None] for a in (lse, delta))
    return queries, douts, shift, less


@tile.function
def differentiate(queries, douts, shift, less, keys, values, i, j, end, scale, causal):
    """Returns the attention weights of queries from index i on and keys from index j
    on, and the gradients of their scores."""
    rows, columns = (
        tile.iota(len(t), 0, tile.i32, start=n) for n, t in ((i, queries), (j, keys))
    )
    sees = columns <= rows[:, None] if causal else columns < end
    powers = tile.exp2(queries @ keys.T * (scale * LOG2E) - shift, fast=True)
    powers = tile.where(sees, powers, 0)
    return powers, powers * (douts @ values.T - less)


@tile.kernel(grid=lambda o, m: (tile.cdiv(o.shape[2], m), o.shape[1], o.shape[0]))
def delta_kernel(o, do, delta, *, d, m=64):
    i, head, batch = get_coordinates(m)
    outs, douts = (tile.load(a, (batch, head, i, 0), (m, d)) for a in (o, do))
    tile.store(delta, (batch, head, i), (outs.astype(tile.f32) * douts).sum(axis=1))


@tile.kernel(grid=lambda k, n: (tile.cdiv(k.shape[2], n), k.shape[1], k.shape[0]))
def dkv_kernel(q, k, v, do, lse, delta, dk, dv, scale, *, d, causal, m=64, n=64):
    j, head, batch = get_coordinates(n)
    keys, values = (tile.load(a, (batch, head, j, 0), (n, d)) for a in (k, v))
    dkeys, dvalues = tile.zeros((n, d)), tile.zeros((n, d))
    for i in range(j if causal else 0, q.shape[2], m):
        queries, douts, *rest = load_queries(q, do, lse, delta, (batch, head, i), m, d)
        powers, dscores = differentiate(
            queries, douts, *rest, keys, values, i, j, k.shape[2], scale, causal
        )
        dvalues += powers.astype(do.dtype).T @ douts
        dkeys += dscores.astype(q.dtype).T @ queries
    tile.store(dk, (batch, head, j, 0), dkeys * scale)
    tile.store(dv, (batch, head, j, 0), dvalues)


@tile.kernel(grid=lambda q, m: (tile.cdiv(q.shape[2], m), q.shape[1], q.shape[0]))
def dq_kernel(q, k, v, do, lse, delta, dq, scale, *, d, causal, m=64, n=64):
    i, head, batch = get_coordinates(m)
    queries = load_queries(q, do, lse, delta, (batch, head, i), m, d)
    end, dqueries = k.shape[2], tile.zeros((m, d))
    for j in range(0, tile.minimum(i + m, end) if causal else end, n):
        keys, values = (tile.load(a, (batch, head, j, 0), (n, d)) for a in (k, v))
        _, dscores = differentiate(*queries, keys, values, i, j, end, scale, causal)
        dqueries += dscores.astype(k.dtype) @ keys
    tile.store(dq, (batch, head, i, 0), dqueries * scale)


def attention_backward(q, k, v, o, lse, do, causal=False, scale=None):
    """Returns dQ, dK and dV; O and lse are the results of `attention`."""
    dq, dk, dv, delta = map(tile.empty_like, (q, k, v, lse))
    scale = q.shape[3] ** -0.5 if scale is None else scale
    delta_kernel(o, do, delta, d=q.shape[3])
    options = {"d": q.shape[3], "causal": causal}
    dkv_kernel(q, k, v, do, lse, delta, dk, dv, scale, **options)
    dq_kernel(q, k, v, do, lse, delta, dq, scale, **options)
    return dq, dk, dv
