# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds two arrays, c = a + b. Each block adds n elements; loads after the end of the
arrays return zero, and stores there are dropped."""

import tile_mlir as tile


@tile.kernel(grid=lambda c, n: tile.cdiv(c.size, n))
def vector_add(a, b, c, *, n=1024):
    i = tile.program_id(0) * n
    tile.store(c, i, tile.load(a, i, n) + tile.load(b, i, n))
