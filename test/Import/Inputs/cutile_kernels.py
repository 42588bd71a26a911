#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in cuTile Python, and their export as CUDA Tile bytecode.

  python3 cutile_kernels.py OUT_FOLDER [NAME...]

Needs the package cuda-tile (1.7.0), and no GPU. Writes NAME.tileirbc for each kernel. The
bytecode of the tests was made so.
"""

import sys
from pathlib import Path

import cuda.tile as ct
from cuda.tile.compilation import (ArrayConstraint, CallingConvention, ConstantConstraint,
                                   KernelSignature, export_kernel)


@ct.kernel
def add(x, y, z, n: ct.Constant[int]):
    i = ct.bid(0)
    a = ct.load(x, index=(i,), shape=(n,))
    b = ct.load(y, index=(i,), shape=(n,))
    ct.store(z, index=(i,), tile=a + b)


@ct.kernel
def softmax(x, y, n: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, index=(i, 0), shape=(1, n), padding_mode=ct.PaddingMode.NEG_INF)
    t = ct.astype(t, ct.float32)
    e = ct.exp(t - ct.max(t, axis=1, keepdims=True))
    e = e / ct.sum(e, axis=1, keepdims=True)
    ct.store(y, index=(i, 0), tile=ct.astype(e, y.dtype))


@ct.kernel
def matmul(a, b, c, m: ct.Constant[int], n: ct.Constant[int], k: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.full((m, n), 0, dtype=ct.float32)
    for s in range(ct.num_tiles(a, axis=1, shape=(m, k))):
        p = ct.load(a, index=(i, s), shape=(m, k), padding_mode=ct.PaddingMode.ZERO)
        q = ct.load(b, index=(s, j), shape=(k, n), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(p, q, acc)
    ct.store(c, index=(i, j), tile=ct.astype(acc, c.dtype))


@ct.kernel
def take(x, rows, y, n: ct.Constant[int]):
    i = ct.bid(0) * n + ct.arange(n, dtype=ct.int32)
    r = ct.gather(rows, i)
    ct.scatter(y, i, ct.gather(x, r) * 2.0)


@ct.kernel
def halvings(x, y, n: ct.Constant[int]):
    """How often a row is halved until its sum is below one; at most 50 times."""
    i = ct.bid(0)
    t = ct.load(x, index=(i, 0), shape=(1, n))
    count = 0
    while ct.sum(t) >= 1.0:
        t = t * 0.5
        count = count + 1
        if count == 50:
            break
    ct.store(y, index=(i,), tile=ct.full((1,), count, dtype=ct.int32))


@ct.kernel
def sum_even(x, y, rows: ct.Constant[int], n: ct.Constant[int]):
    """The sum of the rows with an even first element, if the program has a row."""
    i = ct.bid(0)
    if i >= 3:
        return
    total = ct.full((1, n), 0, dtype=ct.int32)
    for j in range(rows):
        t = ct.load(x, index=(i * rows + j, 0), shape=(1, n))
        if ct.extract(t, (0, 0), (1, 1)).item() % 2 != 0:
            continue
        total = total + t
    ct.store(y, index=(i, 0), tile=total)


@ct.kernel
def count(x, bins, total, n: ct.Constant[int]):
    t = ct.load(x, index=(ct.bid(0),), shape=(n,))
    ct.atomic_add(bins, t, 1)
    ct.atomic_add(total, 0, 1)


@ct.kernel
def show(x, y, n: ct.Constant[int]):
    t = ct.load(x, index=(0,), shape=(n,))
    ct.assert_(t >= 0, "expected no negative value")
    ct.printf("program %d", ct.bid(0))
    ct.store(y, index=(0,), tile=t)


@ct.kernel
def rank5(x, y):
    t = ct.load(x, index=(0, 0, 0, 0, 0), shape=(2, 2, 2, 2, 2))
    ct.store(y, index=(0, 0, 0, 0, 0), tile=t)


@ct.kernel
def scans(x, y, low, n: ct.Constant[int]):
    """Sums of each row from its end, and the least value of each column."""
    t = ct.load(x, index=(0, 0), shape=(8, n))
    ct.store(y, index=(0, 0), tile=ct.cumsum(t, axis=1, reverse=True))
    ct.store(low, index=(0,), tile=ct.min(t, axis=0))


@ct.kernel
def hand_over(x, flag, middle, y, n: ct.Constant[int]):
    """The first program hands a tile over to the second one."""
    device = ct.MemoryScope.DEVICE
    if ct.bid(0) == 0:
        ct.store(middle, index=(0,), tile=ct.load(x, index=(0,), shape=(n,)) * 2)
        ct.store(flag, index=(0,), tile=ct.full((1,), 1, dtype=ct.int32),
                 memory_order=ct.MemoryOrder.RELEASE, memory_scope=device)
    else:
        while ct.load(flag, index=(0,), shape=(1,), memory_order=ct.MemoryOrder.ACQUIRE,
                      memory_scope=device).item() == 0:
            pass
        ct.store(y, index=(0,), tile=ct.load(middle, index=(0,), shape=(n,)) + 1)


@ct.kernel
def part(x, y):
    ct.store(y, index=(0,), tile=ct.load(x.slice(0, 0, 10), index=(0,), shape=(16,)))


@ct.kernel
def in_place(x):
    t = ct.load(x, index=(0,), shape=(16,))
    ct.scatter(x, ct.arange(16, dtype=ct.int32), t * 2)


@ct.kernel
def rows_and_columns(x, y, z, m: ct.Constant[int], n: ct.Constant[int]):
    """A box of x, its transpose, and twice its rows in z."""
    i = ct.bid(0) * m + ct.arange(m, dtype=ct.int32)
    j = ct.bid(1) * n + ct.arange(n, dtype=ct.int32)
    t = ct.gather(x, (ct.expand_dims(i, 1), ct.expand_dims(j, 0)), padding_value=5)
    ct.scatter(y, (ct.expand_dims(j, 0), ct.expand_dims(i, 1)), t)
    ct.scatter(z, (ct.expand_dims(i, 1), ct.expand_dims(j, 0)), t * 2)


@ct.kernel
def chunks(x, starts, y, m: ct.Constant[int], n: ct.Constant[int]):
    """Doubles, for program i, the rows of x from starts[i] up to starts[i + 1], from
    column 1 on, into the same rows of y."""
    i = ct.bid(0)
    start = ct.load(starts, index=(i,), shape=(1,)).item()
    stop = ct.load(starts, index=(i + 1,), shape=(1,)).item()
    rows = x.slice(0, start, stop)
    part = rows.slice(1, 1, rows.shape[1])
    out = y.slice(0, start, stop)
    for k in range(ct.cdiv(stop - start, m)):
        t = ct.load(part, index=(k, 0), shape=(m, n), padding_mode=ct.PaddingMode.ZERO)
        ct.store(out, index=(k, 0), tile=t * 2)


@ct.kernel
def windows(x, y, count, n: ct.Constant[int]):
    """The sums of windows of n elements, three elements apart, and their count."""
    view = x.tiled_view((n,), padding_mode=ct.PaddingMode.ZERO, traversal_steps=(3,))
    i = ct.bid(0)
    ct.store(y, index=(i,), tile=ct.sum(view.load((i,)), axis=0, keepdims=True))
    ct.store(count, index=(i,), tile=ct.full((1,), view.num_tiles(0), dtype=ct.int32))


@ct.kernel
def pick_rows(x, rows, y, m: ct.Constant[int], n: ct.Constant[int]):
    """Rows of x, from column 2 on, to the columns of y."""
    i = ct.bid(0)
    at = ct.load(rows, index=(i,), shape=(m,))
    t = ct.load_advanced_indexing(x, (at, ct.Slice(2, n)),
                                  padding_mode=ct.PaddingMode.ZERO)
    place = i * m + ct.arange(m, dtype=ct.int32)
    ct.store_advanced_indexing(y, (ct.Slice(0, n), place), ct.transpose(t))


@ct.kernel
def add_tiles(x, y, m: ct.Constant[int], n: ct.Constant[int]):
    """Adds the tiles of x in a row to one tile of y."""
    t = ct.load(x, index=(ct.bid(1), ct.bid(0)), shape=(m, n),
                padding_mode=ct.PaddingMode.ZERO)
    y.tiled_view((m, n)).atomic_store_add((ct.bid(1), 0), t)


@ct.kernel
def rank9(x, y):
    t = ct.load(x, index=(0, 0, 0, 0, 0, 0, 0, 0, 0), shape=(1, 1, 1, 1, 2, 2, 2, 2, 2))
    ct.store(y, index=(0, 0, 0, 0, 0, 0, 0, 0, 0), tile=t)


@ct.kernel
def claim(slots, owners, before, n: ct.Constant[int]):
    """Each program claims the slots that nobody owns; some indices are out of bounds."""
    i = ct.bid(0)
    at = ct.load(slots, index=(i, 0), shape=(1, n))
    owner = ct.full((1, n), 0, dtype=ct.int32) + (i + 1)
    found = ct.atomic_cas(owners, at, 0, owner)
    ct.store(before, index=(i, 0), tile=found)


@ct.kernel
def find_row(x, wanted, y, rows: ct.Constant[int], columns: ct.Constant[int]):
    """Finds the first element of a matrix that is wanted. The kernel ends there."""
    key = ct.load(wanted, index=(ct.bid(0),), shape=(1,)).item()
    i = 0
    while i < rows:
        j = 0
        while j < columns:
            if ct.load(x, index=(i, j), shape=(1, 1)).item() == key:
                ct.store(y, index=(ct.bid(0), 0), tile=ct.full((1, 1), i, dtype=ct.int32))
                ct.store(y, index=(ct.bid(0), 1), tile=ct.full((1, 1), j, dtype=ct.int32))
                return
            j += 1
        i += 1
    ct.store(y, index=(ct.bid(0), 0), tile=ct.full((1, 2), -1, dtype=ct.int32))


@ct.kernel
def turn_bytes(x, y, z, n: ct.Constant[int]):
    """The bytes of x, and x with its bytes as those of f16 and of i64."""
    i = ct.bid(0)
    bytes_ = ct.pack_to_bytes(ct.load(x, index=(i,), shape=(n,)))
    ct.store(y, index=(i,), tile=bytes_)
    halves = ct.unpack_from_bytes(bytes_, ct.float16)
    wide = ct.unpack_from_bytes(ct.pack_to_bytes(halves), ct.int64)
    ct.store(z, index=(i,), tile=wide)


@ct.kernel
def unsigned_products(a, b, c, both, first, second, m: ct.Constant[int],
                      n: ct.Constant[int], k: ct.Constant[int]):
    """Products of unsigned integers a and b with signed ones c, of bytes."""
    shape = (m, n)
    x = ct.load(a, index=(0, 0), shape=(m, k))
    y = ct.load(b, index=(0, 0), shape=(k, n))
    z = ct.load(c, index=(0, 0), shape=(k, n))
    ct.store(both, index=(0, 0), tile=ct.mma(x, y, ct.full(shape, 1, dtype=ct.int32)))
    ct.store(first, index=(0, 0), tile=ct.mma(x, z, ct.full(shape, 0, dtype=ct.int32)))
    rows = ct.permute(z, (1, 0))
    columns = ct.permute(x, (1, 0))
    ct.store(second, index=(0, 0),
             tile=ct.mma(rows, columns, ct.full((n, m), 0, dtype=ct.int32)))


def array(dtype, rank):
    strides = [None] * (rank - 1) + [1]
    return ArrayConstraint(dtype, rank, index_dtype=ct.int32, stride_lower_bound_incl=0,
                           alias_groups=[], may_alias_internally=False,
                           stride_constant=strides)


f32, f16, i32 = ct.float32, ct.float16, ct.int32
KERNELS = {
    "add": (add, [array(f32, 1)] * 3, [128]),
    "softmax": (softmax, [array(f16, 2)] * 2, [1024]),
    "matmul": (matmul, [array(f16, 2), array(f16, 2), array(f32, 2)], [64, 64, 32]),
    "halvings": (halvings, [array(f32, 2), array(i32, 1)], [256]),
    "sum_even": (sum_even, [array(i32, 2)] * 2, [7, 32]),
    "count": (count, [array(i32, 1)] * 3, [64]),
    "show": (show, [array(i32, 1)] * 2, [16]),
    "rank5": (rank5, [array(i32, 5)] * 2, []),
    "scans": (scans, [array(i32, 2), array(i32, 2), array(i32, 1)], [64]),
    "hand_over": (hand_over, [array(i32, 1)] * 4, [64]),
    "part": (part, [array(i32, 1)] * 2, []),
    "in_place": (in_place, [array(i32, 1)], []),
    "rows_and_columns": (rows_and_columns, [array(f32, 2)] * 3, [16, 32]),
    "take": (take, [array(f32, 1), array(i32, 1), array(f32, 1)], [64]),
    "chunks": (chunks, [array(f32, 2), array(i32, 1), array(f32, 2)], [8, 32]),
    "windows": (windows, [array(f32, 1), array(f32, 1), array(i32, 1)], [16]),
    "pick_rows": (pick_rows, [array(f32, 2), array(i32, 1), array(f32, 2)], [16, 32]),
    "add_tiles": (add_tiles, [array(f32, 2)] * 2, [16, 32]),
    "find_row": (find_row, [array(i32, 2), array(i32, 1), array(i32, 2)], [7, 5]),
    "turn_bytes": (turn_bytes, [array(f32, 1), array(ct.uint8, 1), array(ct.int64, 1)],
                   [32]),
    "claim": (claim, [array(i32, 2), array(i32, 1), array(i32, 2)], [16]),
    "unsigned_products": (unsigned_products, [array(ct.uint8, 2), array(ct.uint8, 2),
                                              array(ct.int8, 2), *[array(i32, 2)] * 3],
                          [16, 32, 64]),
    "rank9": (rank9, [array(i32, 9)] * 2, []),
}


def export(name, folder):
    kernel, arrays, constants = KERNELS[name]
    signature = KernelSignature([*arrays, *map(ConstantConstraint, constants)],
                                CallingConvention.cutile_python_v1(), symbol=name)
    export_kernel(kernel, [signature], str(Path(folder) / f"{name}.tileirbc"),
                  gpu_code=None, output_format="tileir_bytecode", bytecode_version="13.3")


if __name__ == "__main__":
    for name in sys.argv[2:] or KERNELS:
        export(name, sys.argv[1])
