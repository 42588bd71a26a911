# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Estimates pi: a random point in the unit square is less than 1 away from its corner
with probability pi / 4, and the kernel counts such points. A block makes n points and
adds its count to the total of all blocks. The coordinates of a point depend only on the
seeds and the point's index, not on the distribution of points over blocks and threads,
so the count is always the same."""

import tile_mlir as tile


@tile.kernel(block=256, grid=lambda points, n: tile.cdiv(points, n))
def random_pi(points, seed_x, seed_y, count, *, n=4096):
    first = tile.program_id(0) * n
    x = tile.random("uniform", seed_x, first, n)
    y = tile.random("uniform", seed_y, first, n)
    # The last block may make more points than requested; these are not counted.
    is_point = tile.arange(n, dtype=tile.i64) + first < points
    inside = (x * x + y * y < 1) & is_point
    tile.atomic_add(count, 0, inside.sum())
