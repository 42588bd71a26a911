# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gated delta rule (Yang, Kautz and Hatamizadeh, "Gated Delta Networks", 2024), by
chunks of tokens, and its gradients. Each head has a matrix S as its state; a token with
key k, value v, query q, decay exp(g) and rate beta updates it, and reads it:

  S = exp(g) (S - beta k (k' S)) + beta k v',  o = S' q.

q and k are heads x tokens x dk, v and o are heads x tokens x dv, g and beta are heads x
tokens, of f32 or f64. There may be any count of tokens. A block has one head, and
carries S from chunk to chunk. In a chunk the differences u between values and what the
state predicts, scaled by beta, solve a triangular system."""

import tile_mlir as tile


@tile.kernel(grid=lambda q: q.shape[0])
def gated_delta_rule_kernel(q, k, v, g, beta, o, *, dk, dv, n=16):
    head, rows = tile.program_id(0), tile.arange(n)
    is_earlier = rows[:, None] > rows[None]
    state = tile.zeros((dk, dv), q.dtype)
    for t in range(0, q.shape[1], n):
        queries, keys = (tile.load(x, (head, t, 0), (n, dk)) for x in (q, k))
        values = tile.load(v, (head, t, 0), (n, dv))
        rates = tile.load(beta, (head, t), n)[:, None]
        # The logarithm of the decay from the start of the chunk to each token, and the
        # decay from each token to each later one. Selecting before the exponential
        # keeps it from overflowing.
        logs = tile.cumsum(tile.load(g, (head, t), n), axis=0)[:, None]
        between = tile.exp(tile.where(is_earlier, logs - logs.T, 0.0))
        earlier = tile.where(is_earlier, between * (keys @ keys.T), 0.0) * rates
        decays = tile.exp(logs)
        rhs = rates * (values - decays * (keys @ state))
        u = tile.triangular_solve(earlier, rhs, unit=True)
        scores = tile.tril(between * (queries @ keys.T))
        tile.store(o, (head, t, 0), decays * (queries @ state) + scores @ u)
        rest = tile.exp(logs[-1:] - logs)
        state = decays[-1:] * state + (rest * keys).T @ u


def gated_delta_rule(q, k, v, g, beta, n=16):
    """Returns o; n is the number of tokens of a chunk."""
    o = tile.empty_like(v)
    gated_delta_rule_kernel(q, k, v, g, beta, o, dk=k.shape[2], dv=v.shape[2], n=n)
    return o


def gated_delta_rule_backward(q, k, v, g, beta, do, n=16):
    """Returns the gradients by q, k, v, g and beta."""
    backward = tile.vjp(gated_delta_rule_kernel)
    return backward(q, k, v, g, beta, do, dk=k.shape[2], dv=v.shape[2], n=n)
