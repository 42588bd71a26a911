# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes eigenvalues and eigenvectors of many symmetric matrices, A V = V diag(L), of
up to 8 rows each, by Jacobi's rotations in parallel (Golub, Van Loan, "Matrix
Computations", 8.5). A rotation of two rows and columns makes the element that they
share zero. A sweep has seven rounds, each of which pairs the eight rows differently, so
that each row is paired with every other row. The four rotations of a round are one
orthogonal matrix J; A becomes J' A J, and V becomes V J. After six sweeps the elements
off the diagonal are only rounding errors.

A block takes eight matrices. Missing rows of smaller matrices are zero, not rotated and
not stored. Eigenvalues are not sorted."""

import tile_mlir as tile

ROWS, SWEEPS = 8, 6
LAST = ROWS - 1


def find_pairs(round, i, j):
    """Returns which rows i and j are a pair. Rows before row LAST are a pair if i + j
    is the round's index modulo LAST; row LAST is paired with the row that would be
    paired with itself."""
    which = tile.where(j == LAST, i + i, i + j)
    which = tile.where(i == LAST, j + j, which)
    return (which % LAST == round) & (i != j)


def find_tangents(a, pairs, i, j):
    """Returns the tangents of the angles, t = 2 aij / (delta + sign(delta) sqrt(delta^2
    + 4 aij^2)). The tangent of row j is minus that of row i, so the mean of the
    elements (i, j) and (j, i) of A is used, which may differ by rounding."""
    d = tile.diagonal(a)
    delta, twice = d[:, None, :] - d[:, :, None], a + a.mT
    root = tile.sqrt(tile.fma(delta, delta, twice * twice))
    is_positive = (delta > 0) | (delta == 0) & (i < j)
    t = twice / (delta + tile.where(is_positive, root, -root))
    t = tile.where(pairs & (twice != 0), t, 0.0)
    return t.sum(axis=2, keepdims=True)


def make_turn(t, pairs, i, j):
    """Returns J - I, with cosines minus one on the diagonal and sines at the pairs. The
    error of its elements is small if the angle is small."""
    cosine = 1 / tile.sqrt(tile.fma(t, t, 1.0))
    sine = t * cosine
    cosine_less_one = -(sine * sine / (cosine + 1))
    return tile.where(i == j, cosine_less_one, tile.where(pairs, sine, 0.0))


@tile.kernel(grid=lambda a, some: tile.cdiv(a.shape[0], some))
def jacobi_eigenvalues(a, l, v, *, some=8):
    first = tile.program_id(0) * some
    matrix = tile.load(a, (first, 0, 0), (some, ROWS, ROWS))
    vectors = tile.zeros(matrix.shape) + tile.eye(ROWS)
    i, j = tile.arange(ROWS)[:, None], tile.arange(ROWS)
    for index in range(SWEEPS * LAST):
        pairs = find_pairs(index % LAST, i, j)
        turn = make_turn(find_tangents(matrix, pairs, i, j), pairs, i, j)
        matrix += matrix @ turn
        matrix += turn.mT @ matrix
        vectors += vectors @ turn
    tile.store(l, (first, 0), tile.diagonal(matrix))
    tile.store(v, (first, 0, 0), vectors)
