# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A step of Lloyd's algorithm: each point is assigned to the nearest centre, and each
centre moves to the mean of its points; a centre without points does not move. Points
are rows of f16, bf16 or f32. There may be any count of points and centres; a tile has
all columns of a point. Sums over points are added atomically, so that their last bits
differ from run to run."""

import tile_mlir as tile


@tile.kernel(grid=lambda x, m: tile.cdiv(x.shape[0], m))
def assign_kernel(x, centres, labels, sums, counts, *, d, m=64, n=64):
    i = tile.program_id(0) * m
    points = tile.load(x, (i, 0), (m, d))
    least, label = tile.full(m, float("inf")), tile.zeros(m, tile.i32)
    for j in range(0, centres.shape[0], n):
        c = tile.load(centres, (j, 0), (n, d))
        wide = c.astype(tile.f32)
        # The square of the point is left out, since it is the same for all centres.
        distance = (wide * wide).sum(axis=1) - 2 * (points @ c.T)
        is_centre = j + tile.arange(n) < centres.shape[0]
        distance = tile.where(is_centre, distance, float("inf"))
        value, index = tile.find_min(distance, axis=1)
        label = tile.where(value < least, (j + index).astype(tile.i32), label)
        least = tile.minimum(least, value)
    tile.store(labels, i, label)
    label = tile.where(i + tile.arange(m) < x.shape[0], label, -1)
    tile.scatter(sums, (0, 0), label, points, atomic="add")
    tile.scatter(counts, 0, label, 1, atomic="add")


@tile.kernel(grid=lambda centres, m: tile.cdiv(centres.shape[0], m))
def update_kernel(centres, sums, counts, *, d, m=16):
    i = tile.program_id(0) * m
    count = tile.load(counts, i, m)[:, None]
    means = tile.load(sums, (i, 0), (m, d)) / tile.maximum(count, 1)
    tile.store(centres, (i, 0), means, mask=count > 0)


def k_means_step(x, centres):
    """Returns the index of the nearest centre of each point, and updates `centres`."""
    labels = tile.empty_like(x, x.shape[:1], tile.i32)
    sums = tile.empty_like(centres, dtype=tile.f32)
    counts = tile.empty_like(centres, centres.shape[:1], tile.i32)
    sums[:], counts[:] = 0, 0
    assign_kernel(x, centres, labels, sums, counts, d=x.shape[1])
    update_kernel(centres, sums, counts, d=x.shape[1])
    return labels
