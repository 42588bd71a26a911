# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How often each number from zero on comes in an array of any size, added to
counts. A block takes n numbers and adds one for each, atomically, where it says.
What lies outside of the counts is dropped, and behind the array's end there is
-1."""

import tile_mlir as tile


@tile.kernel(block=256, grid=lambda values, n: tile.cdiv(values.size, n))
def histogram(values, counts, *, n=4096):
    v = tile.load(values, tile.program_id(0) * n, n, pad=-1)
    tile.scatter(counts, 0, v, 1, atomic="add")
