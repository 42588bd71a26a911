# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C = max(A B + bias, 0) of each of a batch of small matrices: f16, an f32 sum
and an f16 result, one bias a column for all of them. One block computes m x n of
some matrices of the batch at once, each by a warp of its own."""

import tile_mlir as tile


@tile.kernel(grid=lambda c, batch, m, n: (
    tile.cdiv(c.shape[2], n), tile.cdiv(c.shape[1], m),
    tile.cdiv(c.shape[0], batch)))
def batched_gemm(a, b, bias, c, *, batch=8, m=32, n=32, k=32):
    h = tile.program_id(2) * batch
    i, j = tile.program_id(1) * m, tile.program_id(0) * n
    acc = tile.zeros((batch, m, n))
    for p in range(0, a.shape[2], k):
        acc += (tile.load(a, (h, i, p), (batch, m, k)) @
                tile.load(b, (h, p, j), (batch, k, n)))
    tile.store(c, (h, i, j), tile.relu(acc + tile.load(bias, j, n)))
