# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The selective scan of Mamba (Gu and Dao, "Mamba", 2023): for each channel a state
vector h, h = exp(step a) h + step b u at each token, and y = c h + d u, with step =
softplus(dt). u, dt and y are batch x tokens x channels, a is channels x states, b and c
are batch x tokens x states, and d has one element for each channel; elements are f16,
bf16 or f32. A block has some channels and loops over the tokens, n at a time, which it
combines by a scan."""

import tile_mlir as tile


@tile.function
def combine(decay1, state1, decay2, state2):
    return decay1 * decay2, state1 * decay2 + state2


@tile.kernel(grid=lambda u, m: (tile.cdiv(u.shape[2], m), u.shape[0]))
def selective_scan_kernel(u, dt, a, b, c, d, y, *, states, m=16, n=16):
    j, batch = tile.program_id(0) * m, tile.program_id(1)
    rates, skip = tile.load(a, (j, 0), (m, states)), tile.load(d, j, m).astype(tile.f32)
    state = tile.zeros((m, states))
    for t in range(0, u.shape[1], n):
        inputs, raw = (tile.load(x, (batch, t, j), (n, m)) for x in (u, dt))
        before, after = (tile.load(x, (batch, t, 0), (n, states)) for x in (b, c))
        raw = raw.astype(tile.f32)
        step = tile.relu(raw) + tile.log1p(tile.exp(-abs(raw)))
        decays, sums = tile.scan(
            combine,
            (
                tile.exp(step[:, :, None] * rates),
                (step * inputs)[:, :, None] * before[:, None],
            ),
            (1.0, 0.0),
            axis=0,
        )
        sums += decays * state
        state = sums[-1]
        result = (sums * after[:, None]).sum(axis=2) + skip * inputs
        tile.store(y, (batch, t, j), result)


def selective_scan(u, dt, a, b, c, d):
    y = tile.empty_like(u)
    selective_scan_kernel(u, dt, a, b, c, d, y, states=a.shape[1])
    return y
