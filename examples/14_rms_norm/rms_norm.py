# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Normalizes rows: x / sqrt(mean(x^2) + 1e-5), times a weight per column. A block
takes one row, which it keeps in registers, so that the array is read once and
written once."""

import tile_mlir as tile


@tile.kernel(block=128, grid=lambda x: x.shape[0])
def rms_norm(x, weight, y, *, n=1000):
    row = tile.program_id(0)
    v = tile.load(x, (row, 0), n)
    mean = (v * v).sum() * (1 / n)
    tile.store(y, (row, 0),
               v * tile.rsqrt(mean + 1e-5) * tile.load(weight, 0, n))
