# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes C = A (B s) + bias, where A is f16, the weights B are i8, and s has a scale
for each column; accumulators are f32 and C is f16. On sm_90a the weights are
converted to f16 on their way to shared memory; elsewhere they stay i8 there, and are
converted in the registers from which the tensor cores read them."""

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
