# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The first layer of a gated network, silu(X G) * (X U), in one pass over X (Shazeer,
"GLU Variants Improve Transformer", 2020). X is rows x k. The weights are columns x k,
as in PyTorch's linear layers. Elements are f16, bf16 or f32; sizes are arbitrary."""

import tile_mlir as tile


@tile.kernel(grid=lambda y, m, n: (tile.cdiv(y.shape[1], n), tile.cdiv(y.shape[0], m)))
def gated_mlp_kernel(x, gate, up, y, *, m=128, n=64, k=64):
    i, j = tile.program_id(1) * m, tile.program_id(0) * n
    left, right = tile.zeros((m, n)), tile.zeros((m, n))
    for p in range(0, x.shape[1], k):
        rows = tile.load(x, (i, p), (m, k))
        left += rows @ tile.load(gate, (j, p), (n, k)).T
        right += rows @ tile.load(up, (j, p), (n, k)).T
    tile.store(y, (i, j), left * tile.sigmoid(left) * right)


def gated_mlp(x, gate, up):
    y = tile.empty_like(x, (x.shape[0], gate.shape[0]))
    gated_mlp_kernel(x, gate, up, y)
    return y
