# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The composite rigid body algorithm, which forward dynamics of robots needs. For each
robot it computes the inertia of the joints H = J' M J + diag(R) and its Cholesky
factor, L L' = H. J has six rows for each body and a column for each degree of freedom,
and M a 6x6 matrix for each body. A block computes one robot: J is read once, and the
results of matmuls and the factor stay on the chip."""

import tile_mlir as tile


@tile.kernel(block=64, grid=lambda j: j.shape[0])
def crba(j, m, r, h, l, *, bodies=13, dofs=18):
    robot = tile.program_id(0)
    rows = tile.load(j, (robot, 0, 0), (6 * bodies, dofs))
    masses = tile.load(m, (robot, 0, 0, 0), (bodies, 6, 6))
    # P = M J, body by body.
    p = (masses @ rows.reshape(bodies, 6, dofs)).reshape(6 * bodies, dofs)
    damping = tile.add_diagonal(tile.zeros((dofs, dofs)),
                                tile.load(r, (robot, 0), dofs))
    inertia = damping + rows.T @ p
    tile.store(h, (robot, 0, 0), inertia)
    tile.store(l, (robot, 0, 0), tile.cholesky(inertia))
