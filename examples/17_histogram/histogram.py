# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How often each integer from zero on occurs in an array of any size, added to
counts. A block takes n values and atomically adds one to the count of each. Values
without a count are dropped, such as -1, which is loaded after the array's
end."""

import tile_mlir as tile


@tile.kernel(block=256, grid=lambda values, n: tile.cdiv(values.size, n))
def histogram(values, counts, *, n=4096):
    v = tile.load(values, tile.program_id(0) * n, n, pad=-1)
    tile.scatter(counts, 0, v, 1, atomic="add")
