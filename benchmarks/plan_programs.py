# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of plans.py, and the plans of each: what their users, or the compiler,
choose."""

import functools

import tile_mlir as tile

# Extents m, n and k of the tiles of a GEMM.
GEMM_TILES = [(m, n, k) for m, n in ((128, 256), (256, 128), (128, 128), (64, 256),
                                     (64, 128), (64, 64)) for k in (64, 128)]
# Options for a tile in the middle: stages, instructions, warps.
GEMM_OPTIONS = [((128, 128, 64), options) for options in
                ("stages=2", "stages=3", "atom=m16n8k16", "warps=4,1", "warps=8,1",
                 "atom=m16n8k16 warps=2,2")]
# Each plan of a GEMM: its name, the extents, the options.
GEMM_PLANS = [(f"{m}x{n}x{k} {options}".strip(), (m, n, k), options)
              for (m, n, k), options in [*((each, "") for each in GEMM_TILES),
                                         *GEMM_OPTIONS]]
ATTENTION_TILES = [(64, 32), (64, 64), (64, 128), (128, 32), (128, 64), (128, 128),
                   (192, 64), (256, 64), (256, 32)]
# Rows of a tile, and threads of the block.
ROW_PLANS = [(m, block) for m in (1, 4) for block in (32, 64, 128, 256, 512, 1024)]


def gemm(a, b, c, *, m, n, k):
    i, j = tile.program_id(0) * m, tile.program_id(1) * n
    acc = tile.zeros((m, n))
    for p in range(0, a.shape[1], k):
        acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
    tile.store(c, (i, j), acc)


@functools.cache
def make_gemm(options):
    grid = lambda c, m, n: (tile.cdiv(c.shape[0], m), tile.cdiv(c.shape[1], n))
    return tile.kernel(grid=grid, **({"tiling": options} if options else {}))(gemm)


def softmax(x, y, *, m, n):
    i = tile.program_id(0) * m
    row = tile.load(x, (i, 0), (m, n)).astype(tile.f32)
    e = tile.exp(row - row.max(1, keepdims=True))
    tile.store(y, (i, 0), e / e.sum(1, keepdims=True))


def layer_norm(x, y, *, m, n):
    i = tile.program_id(0) * m
    row = tile.load(x, (i, 0), (m, n)).astype(tile.f32)
    c = row - row.sum(1, keepdims=True) / n
    v = (c * c).sum(1, keepdims=True) / n
    tile.store(y, (i, 0), c * tile.rsqrt(v + 1e-5))


def make_rows(function, block):
    return tile.kernel(grid=lambda y, m: tile.cdiv(y.shape[0], m), block=block)(function)
