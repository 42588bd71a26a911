# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C = A (B s) + bias, f16 by i8 weights with a scale for each column, an f32 sum
and an f16 result. The weights stay i8 on their way through shared memory, and
become f16 in the registers that the tensor cores take."""

import tile_mlir as tile


@tile.kernel(grid=lambda c, m, n: (
    tile.cdiv(c.shape[1], n), tile.cdiv(c.shape[0], m)))
def dequantise(a, b, scale, bias, c, *, m=128, n=128, k=64):
    i, j = tile.program_id(1) * m, tile.program_id(0) * n
    factors = tile.load(scale, j, n)
    acc = tile.zeros((m, n))
    for p in range(0, a.shape[1], k):
        weights = tile.load(b, (p, j), (k, n)) * factors
        acc += tile.load(a, (i, p), (m, k)) @ weights
    tile.store(c, (i, j), acc + tile.load(bias, j, n))
