# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Multiplies f32 matrices of any sizes, C = A B, by FMA. Each block of 128 threads
computes m x n elements of C, in steps of k along K. Loads outside of the matrices
return zero."""

import tile_mlir as tile


@tile.kernel(block=128, grid=lambda c, m, n: (
    tile.cdiv(c.shape[1], n), tile.cdiv(c.shape[0], m)))
def gemm_f32(a, b, c, *, m=32, n=64, k=64):
    i, j = tile.program_id(1) * m, tile.program_id(0) * n
    acc = tile.zeros((m, n))
    for p in range(0, a.shape[1], k):
        acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
    tile.store(c, (i, j), acc)
