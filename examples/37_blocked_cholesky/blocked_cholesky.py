# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the Cholesky factor of one large n x n matrix, L L' = A, in place, in blocks
of 64x64; n may be any. For each column of blocks, from left to right, there are three
launches, with the index of the column as an argument.

Blocks reach beyond the matrix if 64 does not divide n: loads outside return zero, and
stores outside are dropped. Elements above the diagonal of A are ignored. Above its
diagonal, the result is zero in the blocks of the diagonal, and unchanged elsewhere."""

import tile_mlir as tile

N, HALF = 64, 32


@tile.kernel(grid=1)
def factor_diagonal(step, a):
    """Computes A11 = L11 L11' by one block. Rows outside of the matrix get ones on the
    diagonal, so that the block is positive definite."""
    k = step * N
    ones = tile.where(k + tile.arange(N) < a.shape[0], 0.0, 1.0)
    whole = tile.add_diagonal(tile.load(a, (k, k), (N, N)), ones)
    tile.store(a, (k, k), tile.cholesky(whole))


@tile.kernel(grid=lambda step, a: tile.cdiv(len(a), HALF) - 2 * step - 2)
def solve_panel(step, a):
    """Solves X L11' = A21 for the rows below; each block solves some of the rows."""
    k = step * N
    i = k + N + tile.program_id(0) * HALF
    l = tile.load(a, (k, k), (N, N))
    x = tile.triangular_solve(l, tile.load(a, (i, k), (HALF, N)),
                              transposed=True, right=True)
    tile.store(a, (i, k), x)


@tile.kernel(block=256, grid=lambda step, a:
             [tile.cdiv(len(a), N) - step - 1] * 2)
def update_rest(step, a):
    """Computes A22 = A22 - X X'; each block updates one block of the lower triangle."""
    k = step * N
    x, y = tile.program_id(0), tile.program_id(1)
    if x <= y:
        i, j = k + (y + 1) * N, k + (x + 1) * N
        left, right = (tile.load(a, (at, k), (N, N)) for at in (i, j))
        rest = tile.load(a, (i, j), (N, N))
        tile.store(a, (i, j), rest - left @ right.T)


def cholesky(a):
    blocks = tile.cdiv(len(a), N)
    for step in range(blocks):
        factor_diagonal(step, a)
        if step + 1 < blocks:
            solve_panel(step, a)
            update_rest(step, a)
