# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Multiplies small matrices, C = A B. Each block of 64 threads computes m x n elements
of C, in steps of k along K."""

import tile_mlir as tile


@tile.kernel(block=64, grid=lambda c, m, n: (
    tile.cdiv(c.shape[1], n), tile.cdiv(c.shape[0], m)))
def gemm_small(a, b, c, *, m=8, n=4, k=8):
    i, j = tile.program_id(1) * m, tile.program_id(0) * n
    acc = tile.zeros((m, n))
    for p in range(0, a.shape[1], k):
        acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
    tile.store(c, (i, j), acc)
