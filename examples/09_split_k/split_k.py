# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Multiplies matrices, C = A B, where C is small and K is long: a C of 256x256 has too
few tiles for a GPU. So K is divided into as many parts as the workspace has. The first
of two kernels computes a matmul for each part, and the second adds them up, in a fixed
order, so that the result has the same bits in each run."""

import numpy as np

import tile_mlir as tile


@tile.kernel(block=128, grid=lambda a, b, workspace, n: (
    tile.cdiv(a.shape[0], n), tile.cdiv(b.shape[1], n), workspace.shape[0]))
def split_k_products(a, b, workspace, *, n=64):
    """Computes a matmul for each part of K. Each block computes n x n elements of one
    of these matmuls."""
    i, j = tile.program_id(0) * n, tile.program_id(1) * n
    part = tile.program_id(2)
    # A part consists of whole steps of n; the last part has the remaining steps.
    length = tile.cdiv(tile.cdiv(a.shape[1], n), workspace.shape[0]) * n
    start = part * length
    acc = tile.zeros((n, n))
    for p in range(start, tile.minimum(start + length, a.shape[1]), n):
        acc += tile.load(a, (i, p), (n, n)) @ tile.load(b, (p, j), (n, n))
    tile.store(workspace, (part, i, j), acc)


@tile.kernel(block=128, grid=lambda c, m, n: (
    tile.cdiv(c.shape[0], m), tile.cdiv(c.shape[1], n)))
def split_k_sum(workspace, c, *, parts=8, m=8, n=64):
    """Adds up the matmuls of the parts, several at a time. Loads after the last part
    return zero."""
    i, j = tile.program_id(0) * m, tile.program_id(1) * n
    acc = tile.zeros((m, n))
    for s in range(0, workspace.shape[0], parts):
        acc += tile.load(workspace, (s, i, j), (parts, m, n)).sum(axis=0)
    tile.store(c, (i, j), acc)


def split_k(a, b, c, parts):
    workspace = np.empty((parts, *c.shape), np.float32)
    split_k_products(a, b, workspace)
    split_k_sum(workspace, c)
