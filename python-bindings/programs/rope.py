# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rotary position embedding, in place: pairs of elements, one from each half of a row,
are rotated by the angles of the row's token (Su et al., "RoFormer", 2021), or back, for
the gradient. Q and K are batch x heads x tokens x d, and may have different counts of
heads. Cosines and sines are batch x tokens x d, or 1 x tokens x d; only the first half
of each row is used. d is even; elements are f16, bf16 or f32."""

import tile_mlir as tile


@tile.function
def rotate(x, cos, sin, out, half, back, m):
    """Stores rotated rows of x to `out`, which may be x."""
    i, head, batch = tile.program_id(0) * m, tile.program_id(1), tile.program_id(2)
    c, s = (
        tile.load(a, (batch % a.shape[0], i, 0), (m, half)).astype(tile.f32)
        for a in (cos, sin)
    )
    s = -s if back else s
    left, right = (tile.load(x, (batch, head, i, j), (m, half)) for j in (0, half))
    tile.store(out, (batch, head, i, 0), left * c - right * s)
    tile.store(out, (batch, head, i, half), right * c + left * s)


@tile.kernel(grid=lambda x, m: (tile.cdiv(x.shape[2], m), x.shape[1], x.shape[0]))
def rope_kernel(x, cos, sin, *, half, back, m=32):
    rotate(x, cos, sin, x, half, back, m)


def rope(q, k, cos, sin, back=False):
    for x in (q, k):
        rope_kernel(x, cos, sin, half=x.shape[3] // 2, back=back)
