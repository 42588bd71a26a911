# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An estimate of pi: of random points in the unit square, those nearer than one
to its corner are counted, pi / 4 of them. A block makes n points and adds its
count to that of all blocks. The coordinates of a point depend only on the seeds and
the point's index, not on how points are distributed over blocks and threads, so the
count is always the same."""

import tile_mlir as tile


@tile.kernel(block=256, grid=lambda points, n: tile.cdiv(points, n))
def random_pi(points, seed_x, seed_y, count, *, n=4096):
    first = tile.program_id(0) * n
    x = tile.random("uniform", seed_x, first, n)
    y = tile.random("uniform", seed_y, first, n)
    # Points after the last one do not count.
    is_point = tile.arange(n, dtype=tile.i64) + first < points
    inside = (x * x + y * y < 1) & is_point
    tile.atomic_add(count, 0, inside.sum())
