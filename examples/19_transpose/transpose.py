# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transposes a matrix of any size. A block reads n x n elements along the rows of one
matrix and writes them along the rows of the other; in between, threads exchange
elements through shared memory."""

import tile_mlir as tile


@tile.kernel(block=256, grid=lambda a, n: (
    tile.cdiv(a.shape[0], n), tile.cdiv(a.shape[1], n)))
def transpose(a, b, *, n=64):
    i, j = tile.program_id(0) * n, tile.program_id(1) * n
    tile.store(b, (j, i), tile.load(a, (i, j), (n, n)).T)
