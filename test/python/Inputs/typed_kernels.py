# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as mypy --strict sees them: correct code has exact types, and exactly the
incorrect lines are reported."""

import numpy as np

import tile_mlir as tile


@tile.function
def scale(t: tile.Tile, by: float) -> tile.Tile:
    return t * by if by != 1 else t


@tile.kernel(grid=lambda x, y, rows, n: tile.cdiv(x.shape[0], n))
def right(x: tile.Array, y: tile.Array, rows: tile.Scalar, *,
          n: int = 64) -> None:
    first = tile.program_id(0) * n
    acc = tile.zeros((n, n))
    for p in range(0, x.shape[1], 32):
        a = tile.load(x, (first, p), (n, 32))
        acc += a @ scale(a, 2.0).T
    for i in tile.range(rows):
        acc = acc + i
    if rows > 3 and (acc > 0).all():
        acc = tile.where(acc < 1e9, acc, tile.sqrt(acc) - 2 ** rows)
    high = acc.max(axis=1)
    power = tile.exp(acc - high[:, None])
    power = tile.map(lambda p, q: p * q, power, np.float32(2))
    q, r = tile.qr(acc)
    status = tile.cholesky(q @ r, status=True)[1]
    power = (power / power.sum(1, keepdims=True))[:, ::2].astype(np.float16)
    tile.store(y, (first, 0), tile.maximum(power, status))


def reveal(x: tile.Array, t: tile.Tile, k: tile.Scalar) -> None:
    # CHECK: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "tile_mlir.tracing.values.Tile"
    reveal_type(t + 1)
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "tile_mlir.tracing.values.Tile"
    reveal_type(1.5 - t)
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "tile_mlir.tracing.values.Tile"
    reveal_type(k * t)
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "tile_mlir.tracing.values.Tile"
    reveal_type(t == k)
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "tile_mlir.tracing.values.Tile"
    reveal_type(-abs(t @ t))
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "tile_mlir.tracing.values.Scalar"
    reveal_type(2 ** k // 3)
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "tile_mlir.tracing.values.Scalar"
    reveal_type(k.astype(tile.f32) < 1)
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "tile_mlir.tracing.values.Scalar"
    reveal_type(t.sum())
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "tile_mlir.tracing.values.Tile"
    reveal_type(t.sum(axis=0))
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "tile_mlir.tracing.values.Tile"
    reveal_type(tile.argmax(t, keepdims=True))
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "tile_mlir.tracing.values.Tile"
    reveal_type(t[:, None, 3:])
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "tile_mlir.tracing.values.Tile"
    reveal_type(tile.maximum(k, t))
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "tile_mlir.tracing.values.Scalar"
    reveal_type(tile.where(k > 1, tile.exp(k), 0))
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "builtins.int"
    reveal_type(tile.cdiv(7, 2))
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}}"{{[Tt]}}uple[tile_mlir.tracing.values.Tile, tile_mlir.tracing.values.Tile]"
    reveal_type(tile.lu(t))
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}} "tile_mlir.tracing.values.Scalar"
    reveal_type(tile.reduce(lambda a, b: a + b, t, 0))
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: note: {{.*}}"{{.*}}uple[Union[builtins.int, tile_mlir.tracing.values.Scalar], ...]"
    reveal_type(x.shape)


def wrong(x: tile.Array, t: tile.Tile, k: tile.Scalar) -> None:
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: error: Unsupported operand types for + ("Tile" and "str")
    t + "a"
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: error: Unsupported left operand type for @ ("Scalar")
    k @ t
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: error: Unsupported operand types for < ("Tile" and "None")
    t < None
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: error: Argument 1 to "load" has incompatible type "Tile"; expected "Array"
    tile.load(t, 0, 4)
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: error: Argument 3 to "load" has incompatible type "Scalar"
    tile.load(x, 0, k)
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: error: Argument 3 to "store" has incompatible type "str"
    tile.store(x, 0, "a")
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: error: Argument 1 to "astype" {{.*}} incompatible type "int"
    t.astype(3)
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: error: Argument 2 to "scale" has incompatible type "str"; expected "float"
    scale(t, "a")
    # CHECK-NEXT: typed_kernels.py:[[#@LINE+1]]: error: Unexpected keyword argument "axes" for "softmax"
    tile.softmax(t, axes=1)
    # CHECK: Found 9 errors
