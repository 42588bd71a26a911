# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A faster version of crba.py. Each warp computes one robot, and adds up J_b' M_b J_b
over the bodies b, so that only H stays in registers. J and M are copied once to shared
memory, where the matmuls read the six rows of each body in place; no thread waits for
another warp. M has the matrices of the bodies one below the other."""

import tile_mlir as tile


@tile.kernel(block=32, grid=lambda j: j.shape[0])
def crba_loop(j, m, r, h, l, *, bodies=13, dofs=18):
    robot = tile.program_id(0)
    rows = tile.load(j, (robot, 0, 0), (6 * bodies, dofs))
    masses = tile.load(m, (robot, 0, 0), (6 * bodies, 6))
    inertia = tile.zeros((dofs, dofs))
    for b in range(0, 6 * bodies, 6):
        body = tile.view(rows, (b, 0), (6, dofs))
        p = tile.view(masses, (b, 0), (6, 6)) @ body
        inertia += body.T @ p
    inertia = tile.add_diagonal(inertia, tile.load(r, (robot, 0), dofs))
    tile.store(h, (robot, 0, 0), inertia)
    tile.store(l, (robot, 0, 0), tile.cholesky(inertia))


def humanoid(*arrays):
    """The kernel for a humanoid."""
    crba_loop(*arrays, bodies=24, dofs=32)
