# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums each sequence of rows of a jagged array. Sequence s has rows starts[s] to before
starts[s + 1] of `values`, and may be empty. Elements are f16, bf16 or f32, and are
summed in f32."""

import tile_mlir as tile


@tile.kernel(grid=lambda out, n: (tile.cdiv(out.shape[1], n), out.shape[0]))
def jagged_sum_kernel(values, starts, out, *, m=32, n=64):
    j, sequence = tile.program_id(0) * n, tile.program_id(1)
    start, end = (tile.load(starts, sequence + at, ()) for at in (0, 1))
    total = tile.zeros(n)
    for i in range(start, end, m):
        rows = tile.load(values, (i, j), (m, n)).astype(tile.f32)
        is_row = i + tile.arange(m) < end
        total += tile.where(is_row[:, None], rows, 0).sum(axis=0)
    tile.store(out, (sequence, j), total)


def jagged_sum(values, starts):
    out = tile.empty_like(values, (len(starts) - 1, values.shape[1]))
    jagged_sum_kernel(values, starts, out)
    return out
