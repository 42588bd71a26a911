# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loss of a classifier, log(sum of exp(x)) - x[label] for each row x of logits, and
its gradient, which the same kernel writes in place of the logits (Hsu et al., "Liger
Kernel", 2024). There is any count of rows, of any length, of f16, bf16 or f32; labels
are i32 or i64. The loss and the gradient of rows whose label is `ignored` are zero."""

import tile_mlir as tile


@tile.function
def sum_row(x, row, n):
    """Returns the greatest element of a row, and the sum of exp of the elements less
    it."""
    top, total = tile.full(1, -1e30), tile.zeros(1)
    for j in range(0, x.shape[1], n):
        v = tile.load(x, (row, j), n, pad=float("-inf")).astype(tile.f32)
        old, top = top, tile.maximum(top, v.max(axis=0, keepdims=True))
        total = total * tile.exp(old - top) + tile.exp(v - top).sum(0, keepdims=True)
    return top, total


@tile.kernel(grid=lambda x: x.shape[0])
def cross_entropy_kernel(x, labels, losses, factor, *, ignored, n=4096):
    row = tile.program_id(0)
    label = tile.load(labels, row, ())
    picked = tile.load(x, (row, label), ()).astype(tile.f32)
    top, total = sum_row(x, row, n)
    weight = tile.where(label == ignored, 0.0, factor)
    for j in range(0, x.shape[1], n):
        v = tile.load(x, (row, j), n).astype(tile.f32)
        share = tile.exp(v - top) / total
        slope = share - (j + tile.arange(n) == label).astype(tile.f32)
        tile.store(x, (row, j), weight * slope)
    tile.store(losses, row, weight * (tile.log(total) + top - picked))


def cross_entropy(x, labels, ignored=-100, reduction="mean"):
    """Returns the loss, or the loss of each row if `reduction` is "none". The gradient
    replaces x."""
    losses = tile.empty_like(x, x.shape[:1], tile.f32)
    factor = 1 / max(int((labels != ignored).sum()), 1) if reduction == "mean" else 1.0
    cross_entropy_kernel(x, labels, losses, factor, ignored=ignored)
    return losses if reduction == "none" else losses.sum()
