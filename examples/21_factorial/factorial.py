# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes n! by a reduction of the integers 1 to n. A reduction can combine elements
by any associative function with an identity. `commutative` allows any order of the
elements, so that they need not be rearranged."""

import tile_mlir as tile


@tile.kernel(grid=1, block=32)
def factorial(result, *, n=9):
    values = tile.arange(1, n + 1)
    product = tile.reduce(lambda a, b: a * b, values, 1, commutative=True)
    tile.store(result, 0, product)
