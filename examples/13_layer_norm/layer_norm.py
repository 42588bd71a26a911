# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Normalizes rows: (x - mean) / sqrt(variance + 1e-5), times a scale and plus a shift
per column. A block takes one row, which it keeps in registers, so the variance can be
computed from the differences x - mean."""

import tile_mlir as tile


@tile.kernel(block=128, grid=lambda x: x.shape[0])
def layer_norm(x, scale, shift, y, *, n=1000):
    row = tile.program_id(0)
    v = tile.load(x, (row, 0), n)
    d = v - v.sum() * (1 / n)
    variance = (d * d).sum() * (1 / n)
    normal = d * tile.rsqrt(variance + 1e-5)
    tile.store(y, (row, 0),
               normal * tile.load(scale, 0, n) + tile.load(shift, 0, n))
