# no_race.py - right kernels whose threads touch the places of others
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(29)


#===-----------------------------------------------------------------------===#
# In place: what is outside of the array is not read where others write
#===-----------------------------------------------------------------------===#

def double(element, sizes, tile):
    """x += x by as many blocks as the array needs."""
    rank = len(tile)
    names = ["%%s%d" % dim for dim in range(rank)]
    array = "memref<%sx%s>" % ("x".join("?" * rank), element)
    program = """tile.kernel @f(%%x: %s) attributes {grid = #tile.grid<affine_map<(%s) -> (%s)> of [%s]>} {
""" % (array, ", ".join("n%d" % dim for dim in range(rank)),
       ", ".join("n%d ceildiv %d" % pair for pair in enumerate(tile)),
       ", ".join("[0, %d]" % dim for dim in range(rank)))
    for dim, extent in enumerate(tile):
        program += """  %%e%d = arith.constant %d : index
  %%p%d = tile.program_id %s
  %%s%d = arith.muli %%p%d, %%e%d : index
""" % (dim, extent, dim, "xyz"[dim], dim, dim, dim)
    operation = "arith.addf" if element[0] == "f" else "arith.addi"
    program += """  %%t = tile.load %%x[%s] : %s -> %s
  %%d = %s %%t, %%t : %s
  tile.store %%d, %%x[%s] : %s, %s
  tile.return
}
""" % (", ".join(names), array, tile_type(tile, element), operation,
       tile_type(tile, element), ", ".join(names), tile_type(tile, element),
       array)
    x = random_values(rng, sizes, element)
    same(run(program, "f", InOut(x), grid=None), x + x,
         "in place %s %s %s" % (element, sizes, tile))


for element in ("f32", "f16", "f64", "i8"):
    for size in (1001, 127, 1):
        double(element, (size,), (128,))
for element in ("f32", "i8"):
    double(element, (37, 61), (16, 16))
    double(element, (19, 5, 7), (8, 4, 4))
# Where the tile fills no register layout.
double("f32", (1001,), (48,))

# The lanes that the mask leaves out read the place of another.
MASKED = """tile.kernel @f(%x: memref<?xi32>) attributes {grid = #tile.grid<affine_map<(n) -> (n ceildiv 64)> of [[0, 0]]>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %two = arith.constant dense<2> : !tile.tile<64xi32>
  %one = arith.constant dense<1> : !tile.tile<64xi32>
  %p = tile.program_id x
  %s = arith.muli %p, %c64 : index
  %first = arith.index_cast %s : index to i32
  %unit = arith.constant 1 : i32
  %at = tile.iota axis 0 from %first step %unit : !tile.tile<64xi32>
  %bit = arith.andi %at, %one : !tile.tile<64xi32>
  %mask = arith.cmpi eq, %bit, %one : !tile.tile<64xi32>
  %t = tile.gather %x[%c0] at %at axis 0 mask %mask : !tile.tile<64xi1> : memref<?xi32>, !tile.tile<64xi32> -> !tile.tile<64xi32>
  %d = arith.muli %t, %two : !tile.tile<64xi32>
  tile.scatter %d, %x[%c0] at %at axis 0 mask %mask : !tile.tile<64xi1> : !tile.tile<64xi32>, memref<?xi32>, !tile.tile<64xi32>
  tile.return
}
"""
x = random_values(rng, (200,), "i32")
expected = x.copy()
with np.errstate(over="ignore"):
    expected[1::2] *= 2
same(run(MASKED, "f", InOut(x), grid=None), expected, "gathered in place")
