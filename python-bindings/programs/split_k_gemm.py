# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes C = A B for a small C and a large k. k is split into parts; different blocks
multiply different parts, and a second kernel adds their results in order, so that each
run computes the same bits. Elements are f16, bf16 or f32; sizes are arbitrary."""

import tile_mlir as tile


@tile.kernel(
    grid=lambda parts, m, n: (
        tile.cdiv(parts.shape[2], n),
        tile.cdiv(parts.shape[1], m),
        parts.shape[0],
    )
)
def multiply_kernel(a, b, parts, *, m=64, n=64, k=64):
    i, j, part = tile.program_id(1) * m, tile.program_id(0) * n, tile.program_id(2)
    acc = tile.zeros((m, n))
    for p in range(part * k, a.shape[1], parts.shape[0] * k):
        acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
    tile.store(parts, (part, i, j), acc)


@tile.kernel(grid=lambda c, m, n: (tile.cdiv(c.shape[1], n), tile.cdiv(c.shape[0], m)))
def add_kernel(parts, c, *, m=16, n=64):
    i, j = tile.program_id(1) * m, tile.program_id(0) * n
    acc = tile.zeros((m, n))
    for part in range(parts.shape[0]):
        acc += tile.load(parts, (part, i, j), (m, n))
    tile.store(c, (i, j), acc)


def split_k_gemm(a, b, split=8):
    c = tile.empty_like(a, (a.shape[0], b.shape[1]))
    parts = tile.empty_like(a, (split, *c.shape), tile.f32)
    multiply_kernel(a, b, parts)
    add_kernel(parts, c)
    return c
