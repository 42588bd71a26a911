# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gravity of all bodies on each: the sum of mass d / (d^2 + 0.01)^(3/2) over
the others, where d is the vector to them and 0.01 the softening, by which a body
does not pull itself. A block takes n bodies and goes through all of them, n at a
time: n x n pairs, whose sums stay in registers until the end. Behind the last
body the mass is 0, and what would be written is dropped.

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
