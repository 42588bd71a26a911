# ordered.py - tile.atomic_rmw in the order of blocks
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(37)

# Blocks add their loaded tiles to a sum in memory, in the order of blocks from the
# grid's last block on, and squares to a second sum, of half as many elements.
PROGRAM = """tile.kernel @f(%%x: memref<?x?x?x%(n)dx%(t)s>, %%s: memref<%(n)dx%(t)s>, %%r: memref<?x%(t)s>) {
  %%zero = arith.constant 0 : index
  %%i = tile.program_id x
  %%j = tile.program_id y
  %%k = tile.program_id z
  %%t = tile.load %%x[%%k, %%j, %%i, %%zero] : memref<?x?x?x%(n)dx%(t)s> -> !tile.tile<%(n)dx%(t)s>
  %%old = tile.atomic_rmw add %%t, %%s[%%zero] ordered : !tile.tile<%(n)dx%(t)s>, memref<%(n)dx%(t)s>
  %%u = arith.mulf %%t, %%t : !tile.tile<%(n)dx%(t)s>
  %%before = tile.atomic_rmw add %%u, %%r[%%zero] ordered : !tile.tile<%(n)dx%(t)s>, memref<?x%(t)s>
  tile.return
}
"""


def add_in_order(element, grid, length):
    shape = tuple(reversed(grid)) + (length,)
    x = random_values(rng, shape, element)
    sums = random_values(rng, (length,), element)
    squares = random_values(rng, (length // 2,), element)
    found, half = run(PROGRAM % {"n": length, "t": element}, "f", x,
                      InOut(sums), InOut(squares),
                      grid=",".join(map(str, grid)))
    expected, of_squares = sums.copy(), squares.copy()
    for part in reversed(x.reshape(-1, length)):
        expected = expected + part
        of_squares = of_squares + (part * part)[:length // 2]
    what = "ordered %s %s" % (element, grid)
    same(found, expected, what)
    same(half, of_squares, what)


for element in ("f32", "f64"):
    add_in_order(element, (37, 1, 1), 20)
    add_in_order(element, (3, 5, 2), 100)
    add_in_order(element, (1, 1, 1), 7)
add_in_order("f32", (200, 1, 1), 2)
