# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Solves A X = B for many symmetric positive definite matrices A, batch x n x n, and B,
batch x n x columns, of f32 or f64: first A = L L', then L Y = B and L' X = Y. A block
solves one system; elements of A above the diagonal are not used. `info` is 0 for a
system that was solved, as in LAPACK's potrf."""

import tile_mlir as tile


@tile.kernel(grid=lambda a: a.shape[0])
def cholesky_solve_kernel(a, b, x, info, *, n, columns):
    batch = tile.program_id(0)
    l, status = tile.cholesky(tile.load(a, (batch, 0, 0), (n, n)), status=True)
    y = tile.triangular_solve(l, tile.load(b, (batch, 0, 0), (n, columns)))
    result = tile.triangular_solve(l, y, transposed=True)
    tile.store(x, (batch, 0, 0), result)
    tile.store(info, batch, status[()])


def cholesky_solve(a, b):
    """Returns X, and the status of each system."""
    x, info = tile.empty_like(b), tile.empty_like(b, b.shape[:1], tile.i32)
    cholesky_solve_kernel(a, b, x, info, n=b.shape[1], columns=b.shape[2])
    return x, info
