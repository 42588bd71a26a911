# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C = A B by as many blocks as a GPU runs side by side: each goes through tiles of C,
in an order in which neighbours share rows of A and columns of B in the cache, a few
rows of tiles at a time. f16, bf16 or f32 of any sizes."""

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
