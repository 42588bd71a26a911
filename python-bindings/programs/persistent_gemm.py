# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes C = A B by as many blocks as a GPU runs at the same time. Each block loops
over tiles of C, in bands of a few rows of tiles, so that blocks which run at the same
time share rows of A and columns of B in the cache. Elements are f16, bf16 or f32; sizes
are arbitrary."""

import tile_mlir as tile


@tile.kernel(grid=lambda blocks: blocks)
def persistent_gemm_kernel(a, b, c, *, blocks, m=128, n=128, k=64, band=8):
    rows, columns = tile.cdiv(c.shape[0], m), tile.cdiv(c.shape[1], n)
    for index in range(tile.program_id(0), rows * columns, blocks):
        first = index // (band * columns) * band
        height = tile.minimum(rows - first, band)
        inside = index % (band * columns)
        i, j = (first + inside % height) * m, inside // height * n
        acc = tile.zeros((m, n))
        for p in range(0, a.shape[1], k):
            acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
        tile.store(c, (i, j), acc)


def persistent_gemm(a, b, blocks=132):
    c = tile.empty_like(a, (a.shape[0], b.shape[1]))
    persistent_gemm_kernel(a, b, c, blocks=blocks)
    return c
