# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes three layers of a network in one kernel, Y = relu(relu(X W0) W1) W2, f16
with f32 accumulators. A block keeps the weights in shared memory and loops over the
rows, m at a time; the launch chooses how many blocks share the rows. Values between the
layers stay in registers, since each warp has whole rows of them."""

import tile_mlir as tile


@tile.kernel(grid=lambda x: tile.cdiv(x.shape[0], 512))
def fused_layers(x, w0, w1, w2, y, *, m=128, inputs=32, hidden=64, outputs=10):
    first, step = tile.program_id(0) * m, tile.num_programs(0) * m
    a = tile.load(w0, (0, 0), (inputs, hidden))
    b = tile.load(w1, (0, 0), (hidden, hidden))
    c = tile.load(w2, (0, 0), (hidden, outputs))
    for i in range(first, x.shape[0], step):
        t = tile.load(x, (i, 0), (m, inputs))
        t = tile.relu(t @ a).astype(tile.f16)
        t = tile.relu(t @ b).astype(tile.f16)
        tile.store(y, (i, 0), t @ c)
