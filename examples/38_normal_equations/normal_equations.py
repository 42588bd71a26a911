# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Solves many small least-squares problems by their normal equations. For A with m rows
and n columns, and b, it computes the x with the least |A x - b|^2 + ridge |x|^2, which
solves (A' A + ridge I) x = A' b. The matrix A' A + ridge I is symmetric and positive
definite, so Cholesky factors can be used. A block takes eight problems: A is read once,
and matrices and factors stay on the chip."""

import tile_mlir as tile


@tile.kernel(grid=lambda a, some: tile.cdiv(a.shape[0], some))
def normal_equations(a, b, ridge, x, *, some=8, m=50, n=7):
    first = tile.program_id(0) * some
    matrix = tile.load(a, (first, 0, 0), (some, m, n))
    target = tile.load(b, (first, 0), (some, m))
    normal = tile.add_diagonal(matrix.mT @ matrix, ridge)
    # A' b is the sum of the rows of A, each multiplied by its element of b.
    rhs = (matrix * target[:, :, None]).sum(axis=1)
    result = tile.solve(normal, rhs[:, :, None], spd=True)
    tile.store(x, (first, 0), result[:, :, 0])
