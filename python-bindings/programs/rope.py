# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rotary position embedding, in place: the halves of each row are turned by the
token's angles (Su et al., "RoFormer", 2021), or back for the gradient. Q and K are
batch x heads x tokens x d, with different heads if need be, cosines and sines 1 or
batch x tokens x d, of which the first halves count; d is even; f16, bf16 or f32."""

import tile_mlir as tile


@tile.kernel(grid=lambda x, m: (tile.cdiv(x.shape[2], m), x.shape[1], x.shape[0]))
def rope_kernel(x, cos, sin, *, half, back, m=32):
    i, head, batch = tile.program_id(0) * m, tile.program_id(1), tile.program_id(2)
    c, s = (
        tile.load(a, (batch % a.shape[0], i, 0), (m, half)).astype(tile.f32)
        for a in (cos, sin)
    )
    s = -s if back else s
    left, right = (tile.load(x, (batch, head, i, j), (m, half)) for j in (0, half))
    tile.store(x, (batch, head, i, 0), left * c - right * s)
    tile.store(x, (batch, head, i, half), right * c + left * s)


def rope(q, k, cos, sin, back=False):
    for x in (q, k):
        rope_kernel(x, cos, sin, half=x.shape[3] // 2, back=back)
