# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Multiplies a sparse matrix by a dense matrix. Row i of the sparse matrix has the
elements of `values` from starts[i] to before starts[i + 1]; `columns` has their
columns. A row may be empty. Elements are f16, bf16, f32 or f64; sums are computed in
f32, for f64 in f64."""

import tile_mlir as tile


@tile.kernel(grid=lambda out, n: (out.shape[0], tile.cdiv(out.shape[1], n)))
def csr_matmul_kernel(starts, columns, values, b, out, *, m=16, n=64):
    row, j = tile.program_id(0), tile.program_id(1) * n
    start, end = (tile.load(starts, row + at, ()) for at in (0, 1))
    total = tile.zeros(n, tile.f64 if b.dtype == tile.f64 else tile.f32)
    for i in range(start, end, m):
        is_in = i + tile.arange(m) < end
        weights = tile.load(values, i, m, mask=is_in)
        at = tile.load(columns, i, m, mask=is_in)
        total += weights @ tile.gather(b, (0, j), at, (m, n), mask=is_in[:, None])
    tile.store(out, (row, j), total)


def csr_matmul(starts, columns, values, b):
    out = tile.empty_like(b, (len(starts) - 1, b.shape[1]))
    csr_matmul_kernel(starts, columns, values, b, out)
    return out
