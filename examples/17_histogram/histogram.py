# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds to an array of counts how often each integer from zero on occurs in an array of
any size. A block takes n values and atomically adds one to the count of each. Values
without a count are dropped, such as the -1 that a load returns after the end of the
array."""

import tile_mlir as tile


@tile.kernel(block=256, grid=lambda values, n: tile.cdiv(values.size, n))
def histogram(values, counts, *, n=4096):
    v = tile.load(values, tile.program_id(0) * n, n, pad=-1)
    tile.scatter(counts, 0, v, 1, atomic="add")
