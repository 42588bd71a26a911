# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the softmax of rows by one reduction instead of two. It reduces pairs: the
largest exponent of some elements, and the sum of the powers, each divided by the power
of that exponent. To combine two pairs, their sums are rescaled to the larger exponent.
A block keeps two rows in registers.

Powers have the base two: exp(x) is 2^(x log2 e). The identity's exponent is the lowest
finite value. It is not -infinity, whose difference from itself is NaN; for the same
reason the elements of the array must be finite."""

import numpy as np

import tile_mlir as tile

LOG2E = 1.442695041
LEAST = float(np.finfo(np.float32).min)


def join(max0, sum0, max1, sum1):
    larger = tile.maximum(max0, max1)
    return larger, (sum0 * tile.exp2(max0 - larger) +
                    sum1 * tile.exp2(max1 - larger))


@tile.kernel(block=128, grid=lambda x, rows: tile.cdiv(x.shape[0], rows))
def online_softmax(x, y, *, rows=2, columns=1000):
    first = tile.program_id(0) * rows
    exponent = tile.load(x, (first, 0), (rows, columns)) * LOG2E
    top, total = tile.reduce(join, (exponent, tile.ones(exponent.shape)),
                             (LEAST, 0.0), axis=1, keepdims=True,
                             commutative=True)
    tile.store(y, (first, 0), tile.exp2(exponent - top) / total)
