# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes C = A B with weights B of four bits, which have a scale for each column of
each group of `group` rows (Frantar et al., "GPTQ", 2022). A is rows x k of f16, bf16 or
f32. B is k / 2 x columns of i8; a byte has two weights that are adjacent along k, the
first one in the lower bits. Scales are k / group x columns. Sizes are arbitrary;
`group` is even. The weights are converted to A's type in registers, which the matmul
reads."""

import math

import tile_mlir as tile


@tile.kernel(grid=lambda c, m, n: (tile.cdiv(c.shape[1], n), tile.cdiv(c.shape[0], m)))
def int4_gemm_kernel(a, b, scales, c, *, group, k, m=64, n=128):
    i, j = tile.program_id(1) * m, tile.program_id(0) * n
    acc = tile.zeros((m, n))
    for p in range(0, a.shape[1], k):
        weights = tile.unpack(tile.load(b, (p // 2, j), (k // 2, n)), 4, axis=0)
        scale = tile.load(scales, (p // group, j), n)
        acc += tile.load(a, (i, p), (m, k)) @ (weights.astype(a.dtype) * scale)
    tile.store(c, (i, j), acc)


def int4_gemm(a, b, scales, group=128):
    c = tile.empty_like(a, (a.shape[0], b.shape[1]))
    int4_gemm_kernel(a, b, scales, c, group=group, k=math.gcd(group, 64))
    return c
