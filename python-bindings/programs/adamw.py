# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A step of AdamW, in place (Loshchilov and Hutter, "Decoupled Weight Decay
Regularization", 2019). Parameters, gradients and moments are contiguous arrays of one
shape; the element type of each is f16, bf16 or f32."""

import tile_mlir as tile


@tile.kernel(grid=lambda p, n: tile.cdiv(p.shape[0], n))
def adamw_kernel(p, g, m, v, rate, decay, rise1, rise2, *, betas, eps, n=1024):
    at, (beta1, beta2) = tile.program_id(0) * n, betas
    param, slope, mean, square = (
        tile.load(a, at, n).astype(tile.f32) for a in (p, g, m, v)
    )
    mean = beta1 * mean + (1 - beta1) * slope
    square = beta2 * square + (1 - beta2) * slope * slope
    step = mean / rise1 / (tile.sqrt(square / rise2) + eps)
    tile.store(p, at, param * (1 - rate * decay) - rate * step)
    tile.store(m, at, mean)
    tile.store(v, at, square)


def adamw(p, g, m, v, step, rate=1e-3, betas=(0.9, 0.999), eps=1e-8, decay=1e-2):
    """Makes the step with the index `step`, which counts from one."""
    flat = (a.reshape(-1) for a in (p, g, m, v))
    rises = (1 - beta**step for beta in betas)
    adamw_kernel(*flat, rate, decay, *rises, betas=betas, eps=eps)
