# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes C = max(A B + bias, 0) for a batch of small matrices, with one bias per
column for the whole batch. Operands and results are f16, accumulators f32. Each block
computes m x n elements of several matrices C, each matrix by one warp."""

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
