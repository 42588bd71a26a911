# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dropout: a share p of the elements, chosen by a seed, becomes zero, and the others
are divided by 1 - p (Srivastava et al., "Dropout", 2014). A seed always chooses the
same elements, so that the gradient can be computed without the choice in memory. Arrays
have any shape, and elements of f16, bf16 or f32."""

import tile_mlir as tile


@tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
def dropout_kernel(x, y, p, seed, *, n=1024):
    at = tile.program_id(0) * n
    keep = tile.random("uniform", seed, at, n) >= p
    tile.store(y, at, tile.where(keep, tile.load(x, at, n) / (1 - p), 0))


def dropout(x, p, seed):
    y = tile.empty_like(x)
    dropout_kernel(x.reshape(-1), y.reshape(-1), p, seed)
    return y
