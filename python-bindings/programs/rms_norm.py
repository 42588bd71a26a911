# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Normalisation by the root of the mean square, x / sqrt(mean(x^2) + eps) * w of each
row, and its gradients (Zhang and Sennrich, "Root Mean Square Layer Normalization",
2019). There may be any count of rows, of f16, bf16 or f32; a block holds a whole row.
Each run computes the same bits."""

import tile_mlir as tile


@tile.kernel(grid=lambda x: x.shape[0])
def forward_kernel(x, w, y, scales, eps, *, n):
    row = tile.program_id(0)
    v = tile.load(x, (row, 0), n).astype(tile.f32)
    scale = tile.rsqrt((v * v).mean() + eps)
    tile.store(y, (row, 0), v * scale * tile.load(w, 0, n))
    tile.store(scales, row, scale)


@tile.kernel(grid=lambda sums: sums.shape[0])
def backward_kernel(dy, x, w, scales, dx, sums, *, n):
    block, weights, dw = tile.program_id(0), tile.load(w, 0, n), tile.zeros(n)
    for row in range(block, x.shape[0], tile.num_programs(0)):
        scale = tile.load(scales, row, ())
        normal = tile.load(x, (row, 0), n) * scale
        slope = tile.load(dy, (row, 0), n).astype(tile.f32)
        dw += slope * normal
        slope *= weights
        tile.store(dx, (row, 0), (slope - normal * (slope * normal).mean()) * scale)
    tile.store(sums, (block, 0), dw)


@tile.kernel(grid=lambda dw, n: tile.cdiv(dw.shape[0], n))
def sum_kernel(sums, dw, *, m=16, n=128):
    j, total = tile.program_id(0) * n, tile.zeros(n)
    for i in range(0, sums.shape[0], m):
        total += tile.load(sums, (i, j), (m, n)).sum(axis=0)
    tile.store(dw, j, total)


def rms_norm(x, w, eps=1e-6):
    """Returns the result, and the scale of each row, in f32."""
    y, scales = tile.empty_like(x), tile.empty_like(x, x.shape[:1], tile.f32)
    forward_kernel(x, w, y, scales, eps, n=x.shape[1])
    return y, scales


def rms_norm_backward(dy, x, w, scales, blocks=128):
    """Returns dx and dw."""
    dx, dw = tile.empty_like(x), tile.empty_like(w)
    sums = tile.empty_like(x, (min(blocks, x.shape[0]), x.shape[1]), tile.f32)
    backward_kernel(dy, x, w, scales, dx, sums, n=x.shape[1])
    sum_kernel(sums, dw)
    return dx, dw
