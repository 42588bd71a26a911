# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the largest element of each row and its index. If several elements are the
largest, finds the first one. A block takes four rows. Threads combine pairs of an
element and its index by shuffles, and through shared memory if two warps have a row."""

import tile_mlir as tile


@tile.kernel(block=128, grid=lambda x, rows: tile.cdiv(x.shape[0], rows))
def arg_max(x, greatest, places, *, rows=4, columns=300):
    first = tile.program_id(0) * rows
    v = tile.load(x, (first, 0), (rows, columns))
    value, index = tile.find_max(v, axis=1)
    tile.store(greatest, first, value)
    tile.store(places, first, index)
