# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Multiplies matrices of f16, C = A B, with f32 accumulators, by tensor cores. Each
block computes m x n elements of C, in steps of k along K. The matrices may have any
sizes."""

import tile_mlir as tile


@tile.kernel(grid=lambda c, m, n: (
    tile.cdiv(c.shape[1], n), tile.cdiv(c.shape[0], m)))
def gemm_f16(a, b, c, *, m=128, n=128, k=64):
    i, j = tile.program_id(1) * m, tile.program_id(0) * n
    acc = tile.zeros((m, n))
    for p in range(0, a.shape[1], k):
        acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
    tile.store(c, (i, j), acc)
