# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the gravitational acceleration of each body: the sum of mass d / (d^2 +
0.01)^(3/2) over the other bodies, where d is the vector to the other body. Because of
the softening 0.01, a body adds zero, not NaN, to its own acceleration. A block takes n
bodies and loops over all bodies, n at a time. The sums of the n x n pairs stay in
registers until the end. After the last body masses are 0, and stores are dropped.

The rows of `bodies` are x, y, z and mass, those of `acceleration` x, y and z."""

import tile_mlir as tile


@tile.kernel(block=256, grid=lambda bodies, n: tile.cdiv(bodies.shape[1], n))
def n_body(bodies, acceleration, *, n=64):
    i = tile.program_id(0) * n
    own = [tile.load(bodies, (axis, i), n)[:, None] for axis in range(3)]
    sums = [tile.zeros((n, n)) for axis in range(3)]
    for j in range(0, bodies.shape[1], n):
        x, y, z = (tile.load(bodies, (axis, j), n) - own[axis]
                   for axis in range(3))
        inverse = tile.rsqrt(x * x + 0.01 + (y * y + z * z))
        mass = tile.load(bodies, (3, j), n)
        pull = mass * inverse * (inverse * inverse)
        sums = [s + d * pull for s, d in zip(sums, (x, y, z))]
    for axis in tile.static_range(3):
        tile.store(acceleration, (axis, i), sums[axis].sum(axis=1))
