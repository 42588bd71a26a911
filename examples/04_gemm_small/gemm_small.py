# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C = A B, cut into small tiles: one block of 64 threads computes m x n of C, k
of the sum at a time."""

import tile_mlir as tile


@tile.kernel(block=64, grid=lambda c, m, n: (
    tile.cdiv(c.shape[1], n), tile.cdiv(c.shape[0], m)))
def gemm_small(a, b, c, *, m=8, n=4, k=8):
    i, j = tile.program_id(1) * m, tile.program_id(0) * n
    acc = tile.zeros((m, n))
    for p in range(0, a.shape[1], k):
        acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
    tile.store(c, (i, j), acc)
