# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the sum of each row of a matrix, by one block of 64 threads."""

import tile_mlir as tile


@tile.kernel(grid=1, block=64)
def row_sum(a, sums, *, rows=10, columns=256):
    tile.store(sums, 0, tile.load(a, (0, 0), (rows, columns)).sum(axis=1))
