# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes one step of heat conduction on a grid of any size: each point moves towards
the mean of its four neighbours, where points outside are 0. A block loads its m x n
points five times, at offsets of -1, 0 and 1; four of the loads find their elements in
the cache."""

import tile_mlir as tile


@tile.kernel(block=128, grid=lambda u, m, n: (
    tile.cdiv(u.shape[1], n), tile.cdiv(u.shape[0], m)))
def stencil(u, rate, after, *, m=16, n=64):
    i, j = tile.program_id(1) * m, tile.program_id(0) * n

    def get(down, right):
        return tile.load(u, (i + down, j + right), (m, n))

    t = get(0, 0)
    neighbours = get(-1, 0) + get(1, 0) + (get(0, -1) + get(0, 1))
    tile.store(after, (i, j), t + (neighbours - 4 * t) * rate)
