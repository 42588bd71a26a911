# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds two tiles, c = a + b."""

import tile_mlir as tile


@tile.kernel(grid=1)
def tile_add(a, b, c, *, m=16, n=16):
    total = tile.load(a, (0, 0), (m, n)) + tile.load(b, (0, 0), (m, n))
    tile.store(c, (0, 0), total)
