# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Multiplies each group of rows by its own matrix, as in a mixture of experts. X is
rows x k, W is groups x columns x k; rows starts[g] to before starts[g + 1] of X are
multiplied by the transpose of W[g]. Groups may have any size, also zero. Elements are
f16, bf16 or f32. `workers` blocks share the rows of a group."""

import tile_mlir as tile


@tile.kernel(
    grid=lambda y, w, n, workers: (tile.cdiv(y.shape[1], n), w.shape[0], workers)
)
def grouped_gemm_kernel(x, w, starts, y, *, workers, m=64, n=128, k=64):
    j, group = tile.program_id(0) * n, tile.program_id(1)
    start, end = (tile.load(starts, group + at, ()) for at in (0, 1))
    for i in range(start + tile.program_id(2) * m, end, workers * m):
        acc = tile.zeros((m, n))
        for p in range(0, x.shape[1], k):
            weights = tile.load(w, (group, j, p), (n, k))
            acc += tile.load(x, (i, p), (m, k)) @ weights.T
        # Rows of the next group belong to other blocks.
        is_row = (i + tile.arange(m) < end)[:, None]
        tile.store(y, (i, j), acc, mask=is_row)


def grouped_gemm(x, w, starts, workers=4):
    y = tile.empty_like(x, (x.shape[0], w.shape[1]))
    grouped_gemm_kernel(x, w, starts, y, workers=workers)
    return y
