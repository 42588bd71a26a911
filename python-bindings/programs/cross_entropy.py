# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loss of a classifier, log(sum of exp(x)) - x[label] of each row, and in the same
pass its gradient, in place of the logits (Hsu et al., "Liger Kernel", 2024). Rows are
any number of f16, bf16 or f32 of any length; labels are i32 or i64. Rows whose label is
`ignored` have no loss and no gradient."""

import tile_mlir as tile


@tile.kernel(grid=lambda x: x.shape[0])
def cross_entropy_kernel(x, labels, losses, factor, *, ignored, n=4096):
    row = tile.program_id(0)
    label = tile.load(labels, row, ())
    picked = tile.load(x, (row, label), ()).astype(tile.f32)
    top, total = tile.full(1, -1e30), tile.zeros(1)
    for j in range(0, x.shape[1], n):
        v = tile.load(x, (row, j), n, pad=float("-inf")).astype(tile.f32)
        old, top = top, tile.maximum(top, v.max(axis=0, keepdims=True))
        total = total * tile.exp(old - top) + tile.exp(v - top).sum(0, keepdims=True)
    weight = tile.where(label == ignored, 0.0, factor)
    for j in range(0, x.shape[1], n):
        v = tile.load(x, (row, j), n).astype(tile.f32)
        share = tile.exp(v - top) / total
        slope = share - (j + tile.arange(n) == label).astype(tile.f32)
        tile.store(x, (row, j), weight * slope)
    tile.store(losses, row, weight * (tile.log(total) + top - picked))


def cross_entropy(x, labels, ignored=-100, reduction="mean"):
    """Returns the loss, or each row's if reduction is "none"; x becomes the gradient."""
    losses = tile.empty_like(x, x.shape[:1], tile.f32)
    factor = 1 / max(int((labels != ignored).sum()), 1) if reduction == "mean" else 1.0
    cross_entropy_kernel(x, labels, losses, factor, ignored=ignored)
    return losses if reduction == "none" else losses.sum()
