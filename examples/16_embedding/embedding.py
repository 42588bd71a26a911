# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The first kernel copies the rows of a table that labels select; the second adds
gradients to these rows. A block takes m labels and n columns, so that contiguous
elements of a row are read and written together, wherever the rows are."""

import tile_mlir as tile


@tile.kernel(block=128, grid=lambda rows, m, n: (
    tile.cdiv(rows.shape[1], n), tile.cdiv(rows.shape[0], m)))
def embedding(table, labels, rows, *, m=16, n=128):
    """A label outside of the table reads zeros."""
    i, j = tile.program_id(1) * m, tile.program_id(0) * n
    indices = tile.load(labels, i, m)
    tile.store(rows, (i, j), tile.gather(table, (0, j), indices, (m, n)))


@tile.kernel(block=128, grid=lambda gradients, m, n: (
    tile.cdiv(gradients.shape[1], n), tile.cdiv(gradients.shape[0], m)))
def embedding_gradient(gradients, labels, table, *, m=16, n=128):
    """A label may occur several times, so the additions are atomic. The order of
    the blocks varies, so the last bits differ from run to run. Labels after the
    last one are loaded as row -1, which is not written."""
    i, j = tile.program_id(1) * m, tile.program_id(0) * n
    indices = tile.load(labels, i, m, pad=-1)
    added = tile.load(gradients, (i, j), (m, n))
    tile.scatter(table, (0, j), indices, added, atomic="add")
