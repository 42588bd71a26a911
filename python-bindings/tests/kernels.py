# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that several tests run, on different machines and with different
libraries."""

import tile_mlir as tile


def make_gemm(m, n, k):
    """Makes a kernel c = a @ b; m, n and k are the default extents of its tiles."""
    @tile.kernel(grid=lambda a, b, c, *, m, n: (tile.cdiv(c.shape[0], m),
                                                tile.cdiv(c.shape[1], n)))
    def gemm(a, b, c, *, m=m, n=n, k=k):
        i, j = tile.program_id(0) * m, tile.program_id(1) * n
        acc = tile.zeros((m, n))
        for p in range(0, a.shape[1], k):
            acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
        tile.store(c, (i, j), acc)

    return gemm


def make_scale(n):
    """Makes a kernel y = x * s; n is the default extent of its tiles."""
    @tile.kernel(grid=lambda x, y, s, *, n: tile.cdiv(x.shape[0], n))
    def scale(x, y, s, *, n=n):
        first = tile.program_id(0) * n
        tile.store(y, first, tile.load(x, first, n) * s)

    return scale
