# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""n!, by a reduction of the integers 1 to n. A reduction takes any associative
function, with its identity; `commutative` allows any order of the elements, which
avoids rearranging them."""

import tile_mlir as tile


@tile.kernel(grid=1, block=32)
def factorial(result, *, n=9):
    numbers = tile.arange(1, n + 1)
    product = tile.reduce(lambda a, b: a * b, numbers, 1, commutative=True)
    tile.store(result, 0, product)
