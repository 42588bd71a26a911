# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layer normalisation, (x - mean) / sqrt(variance + eps) * w + b of each row, and its
gradients (Ba et al., "Layer Normalization", 2016). There may be any count of rows, of
f16, bf16 or f32; a block holds a whole row. For dw and db each block adds up its rows
in order, and a second kernel adds the sums of the blocks, so that each run computes the
same bits."""

import tile_mlir as tile


@tile.kernel(grid=lambda x: x.shape[0])
def forward_kernel(x, w, b, y, means, scales, eps, *, n):
    row = tile.program_id(0)
    v = tile.load(x, (row, 0), n).astype(tile.f32)
    mean = v.mean()
    scale = tile.rsqrt(((v - mean) * (v - mean)).mean() + eps)
    result = (v - mean) * scale * tile.load(w, 0, n) + tile.load(b, 0, n)
    tile.store(y, (row, 0), result)
    tile.store(means, row, mean)
    tile.store(scales, row, scale)


@tile.kernel(grid=lambda sums: sums.shape[1])
def backward_kernel(dy, x, w, means, scales, dx, sums, *, n):
    block, weights = tile.program_id(0), tile.load(w, 0, n)
    dw, db = tile.zeros(n), tile.zeros(n)
    for row in range(block, x.shape[0], tile.num_programs(0)):
        mean, scale = (tile.load(a, row, ()) for a in (means, scales))
        normal = (tile.load(x, (row, 0), n) - mean) * scale
        slope = tile.load(dy, (row, 0), n).astype(tile.f32)
        dw, db = dw + slope * normal, db + slope
        slope *= weights
        slope -= slope.mean() + normal * (slope * normal).mean()
        tile.store(dx, (row, 0), slope * scale)
    tile.store(sums, (0, block, 0), dw)
    tile.store(sums, (1, block, 0), db)


@tile.kernel(grid=lambda dw, n: tile.cdiv(dw.shape[0], n))
def sum_kernel(sums, dw, db, *, m=16, n=128):
    j, total = tile.program_id(0) * n, tile.zeros((2, n))
    for i in range(0, sums.shape[1], m):
        total += tile.load(sums, (0, i, j), (2, m, n)).sum(axis=1)
    tile.store(dw, j, total[0])
    tile.store(db, j, total[1])


def layer_norm(x, w, b, eps=1e-5):
    """Returns the result, and the mean and the scale of each row, in f32."""
    y, means, scales = tile.empty_like(x), *(
        tile.empty_like(x, x.shape[:1], tile.f32) for _ in range(2)
    )
    forward_kernel(x, w, b, y, means, scales, eps, n=x.shape[1])
    return y, means, scales


def layer_norm_backward(dy, x, w, means, scales, blocks=128):
    """Returns dx, dw and db."""
    dx, dw, db = tile.empty_like(x), tile.empty_like(w), tile.empty_like(w)
    sums = tile.empty_like(x, (2, min(blocks, x.shape[0]), x.shape[1]), tile.f32)
    backward_kernel(dy, x, w, means, scales, dx, sums, n=x.shape[1])
    sum_kernel(sums, dw, db)
    return dx, dw, db
