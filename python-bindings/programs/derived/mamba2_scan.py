# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The scan of Mamba-2 (Dao and Gu, "Transformers are SSMs", 2024), by chunks of tokens,
and its gradients. Each head has a matrix H as its state, and a rate a; a token with
step dt updates and reads it:

  H = exp(dt a) H + dt b x',  y = H' c + d x.

x and y are batch x heads x tokens x channels, dt is batch x heads x tokens, a and d
have an element for each head, and b and c, which the heads share, are batch x tokens x
states, of f32 or f64. There may be any count of tokens. A block has one head of one
sequence, and carries H from chunk to chunk."""

import tile_mlir as tile


@tile.kernel(grid=lambda x: x.shape[:2])
def mamba2_scan_kernel(x, dt, a, b, c, d, y, *, states, channels, n=16):
    batch, head, rows = tile.program_id(0), tile.program_id(1), tile.arange(n)
    is_earlier = rows[:, None] >= rows[None]
    rate, skip = tile.load(a, head, 1), tile.load(d, head, 1)
    state = tile.zeros((states, channels), x.dtype)
    for t in range(0, x.shape[2], n):
        inputs = tile.load(x, (batch, head, t, 0), (n, channels))
        steps = tile.load(dt, (batch, head, t), n)
        before, after = (tile.load(z, (batch, t, 0), (n, states)) for z in (b, c))
        added = steps[:, None] * inputs
        # The logarithm of the decay from the start of the chunk to each token, and the
        # decay from each token to each later one.
        logs = tile.cumsum(steps * rate, axis=0)[:, None]
        between = tile.exp(tile.where(is_earlier, logs - logs.T, 0.0))
        scores = tile.where(is_earlier, between * (after @ before.T), 0.0)
        result = scores @ added + tile.exp(logs) * (after @ state) + skip * inputs
        tile.store(y, (batch, head, t, 0), result)
        rest = tile.exp(logs[-1:] - logs)
        state = tile.exp(logs[-1:]) * state + (rest * before).T @ added


def get_sizes(x, b, n):
    return {"states": b.shape[2], "channels": x.shape[3], "n": n}


def mamba2_scan(x, dt, a, b, c, d, n=16):
    """Returns y; n is the number of tokens of a chunk."""
    y = tile.empty_like(x)
    mamba2_scan_kernel(x, dt, a, b, c, d, y, **get_sizes(x, b, n))
    return y


def mamba2_scan_backward(x, dt, a, b, c, d, dy, n=16):
    """Returns the gradients by x, dt, a, b, c and d."""
    backward = tile.vjp(mamba2_scan_kernel)
    return backward(x, dt, a, b, c, d, dy, **get_sizes(x, b, n))
