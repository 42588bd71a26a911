# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the softmax of rows of f16 in f32: exp(x - max), divided by their sum. A
block takes two rows, which it keeps in registers, so that the array is read once and
written once. There is one division per row, and exp(x) is 2^(x log2 e)."""

import tile_mlir as tile

LOG2E = 1.442695041


@tile.kernel(block=128, grid=lambda x, rows: tile.cdiv(x.shape[0], rows))
def softmax(x, y, *, rows=2, columns=1000):
    first = tile.program_id(0) * rows
    v = tile.load(x, (first, 0), (rows, columns)).astype(tile.f32)
    powers = tile.exp2((v - v.max(axis=1, keepdims=True)) * LOG2E)
    shares = 1 / powers.sum(axis=1, keepdims=True)
    tile.store(y, (first, 0), powers * shares)
