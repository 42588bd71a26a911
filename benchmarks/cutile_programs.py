# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in cuTile Python that cutile.py times, as a user of cuTile writes them."""

import cuda.tile as ct

ConstInt = ct.Constant[int]
ZERO = ct.PaddingMode.ZERO


def find_tile(c, m, n):
    """Returns row and column of the block's tile of c. Blocks of 8 rows of tiles follow
    each other, for the L2 cache."""
    rows = ct.cdiv(c.shape[0], m)
    columns = ct.cdiv(c.shape[1], n)
    group = ct.bid(0) // (8 * columns)
    height = min(rows - 8 * group, 8)
    inside = ct.bid(0) % (8 * columns)
    return 8 * group + inside % height, inside // height


def add_products(total, a, b, at, m, n, k):
    """Adds the rows of a by the columns of b of the tile at `at` to a total."""
    i, j = at
    for step in range(ct.cdiv(a.shape[1], k)):
        x = ct.load(a, index=(i, step), shape=(m, k), padding_mode=ZERO)
        y = ct.load(b, index=(step, j), shape=(k, n), padding_mode=ZERO)
        total = ct.mma(x, y, total)
    return total


@ct.kernel
def matmul(a, b, c, m: ConstInt, n: ConstInt, k: ConstInt):
    """A tile of c = a b."""
    at = find_tile(c, m, n)
    total = ct.full((m, n), 0.0, dtype=ct.float32)
    total = add_products(total, a, b, at, m, n, k)
    ct.store(c, index=at, tile=ct.astype(total, c.dtype))


@ct.kernel
def matmul_of_integers(a, b, c, m: ConstInt, n: ConstInt, k: ConstInt):
    """A tile of c = a b, in i32."""
    at = find_tile(c, m, n)
    total = add_products(ct.full((m, n), 0, dtype=ct.int32), a, b, at, m, n, k)
    ct.store(c, index=at, tile=total)


@ct.kernel
def attention(q, k, v, o, scale: ct.Constant[float], m: ConstInt, n: ConstInt,
              d: ConstInt):
    """m rows of the attention of a head, without a mask. `scale` has a factor log2(e)."""
    blocks = ct.cdiv(q.shape[1], m)
    head = ct.bid(0) // blocks
    i = ct.bid(0) % blocks
    x = ct.reshape(ct.load(q, index=(head, i, 0), shape=(1, m, d)), (m, d))
    top = ct.full((m, 1), -1e30, dtype=ct.float32)
    sums = ct.full((m, 1), 0.0, dtype=ct.float32)
    total = ct.full((m, d), 0.0, dtype=ct.float32)
    for j in range(ct.cdiv(k.shape[1], n)):
        y = ct.reshape(ct.load(k, index=(head, j, 0), shape=(1, n, d)), (n, d))
        scores = ct.mma(x, ct.permute(y, (1, 0)), ct.full((m, n), 0.0, dtype=ct.float32))
        scores = scores * scale
        higher = ct.maximum(top, ct.max(scores, axis=1, keepdims=True))
        weights = ct.exp2(scores - higher)
        factor = ct.exp2(top - higher)
        sums = sums * factor + ct.sum(weights, axis=1, keepdims=True)
        z = ct.reshape(ct.load(v, index=(head, j, 0), shape=(1, n, d)), (n, d))
        total = ct.mma(ct.astype(weights, v.dtype), z, total * factor)
        top = higher
    out = ct.astype(total / sums, o.dtype)
    ct.store(o, index=(head, i, 0), tile=ct.reshape(out, (1, m, d)))


def relu_layer(x, w, rows, columns):
    zero = ct.full((rows, columns), 0.0, dtype=ct.float32)
    return ct.astype(ct.maximum(ct.mma(x, w, zero), zero), x.dtype)


@ct.kernel
def mlp(x, w1, w2, w3, w4, y, m: ConstInt, h: ConstInt):
    """Four layers, 32-h-h-h-3, of m points."""
    t = ct.load(x, index=(ct.bid(0), 0), shape=(m, 32))
    t = relu_layer(t, ct.load(w1, index=(0, 0), shape=(32, h)), m, h)
    t = relu_layer(t, ct.load(w2, index=(0, 0), shape=(h, h)), m, h)
    t = relu_layer(t, ct.load(w3, index=(0, 0), shape=(h, h)), m, h)
    last = ct.load(w4, index=(0, 0), shape=(h, 16), padding_mode=ZERO)
    out = ct.mma(t, last, ct.full((m, 16), 0.0, dtype=ct.float32))
    out = ct.extract(out, (0, 0), (m, 4))
    ct.store(y, index=(ct.bid(0), 0), tile=ct.astype(out, y.dtype))


@ct.kernel
def softmax(x, y, n: ConstInt):
    row = ct.load(x, index=(ct.bid(0), 0), shape=(1, n),
                  padding_mode=ct.PaddingMode.NEG_INF)
    row = ct.astype(row, ct.float32)
    e = ct.exp(row - ct.max(row, axis=1, keepdims=True))
    out = e / ct.sum(e, axis=1, keepdims=True)
    ct.store(y, index=(ct.bid(0), 0), tile=ct.astype(out, y.dtype))


@ct.kernel
def layer_norm(x, w, b, y, n: ConstInt):
    """n is the length of a row."""
    row = ct.astype(ct.load(x, index=(ct.bid(0), 0), shape=(1, n)), ct.float32)
    centred = row - ct.sum(row, axis=1, keepdims=True) / n
    variance = ct.sum(centred * centred, axis=1, keepdims=True) / n
    scale = ct.astype(ct.load(w, index=(0,), shape=(n,)), ct.float32)
    shift = ct.astype(ct.load(b, index=(0,), shape=(n,)), ct.float32)
    out = centred * ct.rsqrt(variance + 1e-5) * ct.reshape(scale, (1, n)) + \
        ct.reshape(shift, (1, n))
    ct.store(y, index=(ct.bid(0), 0), tile=ct.astype(out, y.dtype))
