# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes a step of many Kalman filters with one model. The state x of n elements and
its covariance P are predicted,

  x- = F x,  P- = F P F' + Q,

and updated by a measurement z of m elements,

  S = H P- H' + R,  K = P- H' S^-1,  x = x- + K (z - H x-),
  P = (I - K H) P- (I - K H)' + K R K'.

The last formula is Joseph's form, which stays symmetric and positive definite where
rounding would destroy this for P = (I - K H) P-. S is symmetric and positive definite,
so K' is computed as the solution of S K' = H P- by Cholesky factors, without an
inverse. A block takes four filters, which share the model's F, H, Q and R."""

import tile_mlir as tile


@tile.kernel(grid=lambda x, some: tile.cdiv(x.shape[0], some))
def kalman(x, p, z, f, h, q, r, new_x, new_p, *, some=4, n=9, m=4):
    first = tile.program_id(0) * some
    f, h = tile.load(f, (0, 0), (n, n)), tile.load(h, (0, 0), (m, n))
    q, r = tile.load(q, (0, 0), (n, n)), tile.load(r, (0, 0), (m, m))
    # The prediction.
    x = f @ tile.load(x, (first, 0), (some, n))[:, :, None]
    p = f @ tile.load(p, (first, 0, 0), (some, n, n)) @ f.T + q
    # The gain.
    c = p @ h.T
    k = tile.solve(h @ c + r, c.mT, spd=True).mT
    # The state, updated by the measurement's difference from the prediction.
    z = tile.load(z, (first, 0), (some, m))[:, :, None]
    tile.store(new_x, (first, 0), (x + k @ (z - h @ x))[:, :, 0])
    # The covariance.
    rest = tile.eye(n) - k @ h
    tile.store(new_p, (first, 0, 0), rest @ p @ rest.mT + k @ r @ k.mT)
