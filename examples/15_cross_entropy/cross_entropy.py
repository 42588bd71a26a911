# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the loss of a classifier, log(sum of exp(x)) - x[label], for each row. The
row's largest element is subtracted before exp. A block takes eight rows, which it keeps
in registers, and loads the element at the label of each row once more. A label outside
of the row reads zero."""

import tile_mlir as tile

LOG2E = 1.442695041


@tile.kernel(block=128, grid=lambda x, rows: tile.cdiv(x.shape[0], rows))
def cross_entropy(x, labels, loss, *, rows=8, columns=500):
    first = tile.program_id(0) * rows
    v = tile.load(x, (first, 0), (rows, columns))
    top = v.max(axis=1, keepdims=True)
    total = tile.exp2((v - top) * LOG2E).sum(axis=1, keepdims=True)
    label = tile.load(labels, first, rows)[:, None]
    picked = tile.gather(x, (first, 0), label, (rows, 1), axis=1)
    result = tile.log(total) + (top - picked)
    tile.store(loss, first, result[:, 0])
