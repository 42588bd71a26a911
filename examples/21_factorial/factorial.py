# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The product of the numbers 1 to n. A reduction takes any associative function,
with its identity; `commutative` says that the order of the elements does not
matter either, which saves bringing them into it."""

import tile_mlir as tile


@tile.kernel(grid=1, block=32)
def factorial(result, *, n=9):
    numbers = tile.arange(1, n + 1)
    product = tile.reduce(lambda a, b: a * b, numbers, 1, commutative=True)
    tile.store(result, 0, product)
