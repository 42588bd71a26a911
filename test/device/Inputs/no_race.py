# no_race.py - correct kernels whose threads access elements of other threads
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(29)


#===-----------------------------------------------------------------------===#
# In place: no thread reads elements outside of the array, which other threads write
#===-----------------------------------------------------------------------===#

def double(element, sizes, tile):
    """Computes x += x with as many blocks as the array needs."""
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
    types = tile_type(tile, element)
    operation = "arith.addf" if element[0] == "f" else "arith.addi"
    if element.startswith("complex"):
        operation = "tile.complex add"
        types = "%s, %s to %s" % (types, types, types)
    program += """  %%t = tile.load %%x[%s] : %s -> %s
  %%d = %s %%t, %%t : %s
  tile.store %%d, %%x[%s] : %s, %s
  tile.return
}
""" % (", ".join(names), array, tile_type(tile, element), operation,
       types, ", ".join(names), tile_type(tile, element), array)
    x = random_values(rng, sizes, element)
    same(run(program, "f", InOut(x), grid=None), x + x,
         "in place %s %s %s" % (element, sizes, tile))


for element in ("f32", "f16", "f64", "i8", "complex<f32>", "complex<f64>"):
    for size in (1001, 127, 1):
        double(element, (size,), (128,))
for element in ("f32", "i8"):
    double(element, (37, 61), (16, 16))
    double(element, (19, 5, 7), (8, 4, 4))
# A tile that fills no register layout.
double("f32", (1001,), (48,))

# Lanes that the mask excludes address elements of other lanes.
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


#===-----------------------------------------------------------------------===#
# Matmuls: padding of a fragment is read from the stage that is multiplied
#===-----------------------------------------------------------------------===#

def multiply(types, result, tile, steps, words=""):
    """Runs a loop over K with more steps than stages. The operands are cast to the
    first type of `result` or negated, thus in registers; sums have the second."""
    (m, n, k), depth = tile, tile[2] * steps
    shapes = [(m, k), (k, n)]
    program = """tile.kernel @f(%%a: memref<?x?x%s>, %%b: memref<?x?x%s>, %%c: memref<?x?x%s>) {
  %%zero = arith.constant 0 : index
  %%step = arith.constant %d : index
  %%end = arith.constant %d : index
  %%none = arith.constant dense<0.0> : %s
  %%sum = scf.for %%i = %%zero to %%end step %%step iter_args(%%acc = %%none) -> (%s) {
    %%a0 = tile.load %%a[%%zero, %%i] : memref<?x?x%s> -> %s
    %%b0 = tile.load %%b[%%i, %%zero] : memref<?x?x%s> -> %s
""" % (types[0], types[1], result[1], k, depth,
       tile_type((m, n), result[1]), tile_type((m, n), result[1]),
       types[0], tile_type(shapes[0], types[0]),
       types[1], tile_type(shapes[1], types[1]))
    for name, element, shape in zip("ab", types, shapes):
        if element == result[0]:
            program += "    %%%s1 = arith.negf %%%s0 : %s\n" % (
                name, name, tile_type(shape, element))
        else:
            program += "    %%%s1 = tile.cast %%%s0 : %s to %s\n" % (
                name, name, tile_type(shape, element),
                tile_type(shape, result[0]))
    program += """    %%s = tile.matmul %%a1, %%b1, %%acc%s : %s, %s -> %s
    scf.yield %%s : %s
  }
  tile.store %%sum, %%c[%%zero, %%zero] : %s, memref<?x?x%s>
  tile.return
}
""" % (words, tile_type(shapes[0], result[0]), tile_type(shapes[1], result[0]),
       tile_type((m, n), result[1]), tile_type((m, n), result[1]),
       tile_type((m, n), result[1]), result[1])
    # Small integers: sums are exact in every type.
    a, b = (encode(rng.integers(-3, 4, shape).astype(float), element)
            for element, shape in zip(types, [(m, depth), (depth, n)]))
    c = decode(a, types[0]) @ decode(b, types[1])
    c = c * (-1) ** types.count(result[0]) + 0.0
    same(run(program, "f", a, b, Out(m, n)), encode(c, result[1]),
         "product %s %s %s" % (types, result, tile))


multiply(("f32", "f16"), ("f64", "f64"), (8, 4, 8), 9)
multiply(("f64", "f32"), ("f64", "f64"), (5, 3, 7), 9)
multiply(("i8", "f16"), ("f16", "f32"), (64, 60, 32), 7)
multiply(("f16", "i8"), ("f16", "f32"), (9, 5, 7), 7)
multiply(("f32", "f32"), ("f32", "f32"), (9, 5, 7), 7, " precision tf32")
multiply(("f32", "f32"), ("f32", "f32"), (9, 5, 7), 7)
multiply(("i8", "bf16"), ("bf16", "f32"), (33, 20, 24), 7)

#===-----------------------------------------------------------------------===#
# Scatter: which of several elements for one coordinate remains is unspecified
#===-----------------------------------------------------------------------===#

def scatter(element, count, extent, block):
    """Checks that each coordinate has one of the elements scattered to it."""
    tile = tile_type((count,), element)
    program = """tile.kernel @f(%%x: memref<?x%s>, %%at: memref<?xi32>, %%y: memref<?x%s>) attributes {block = %d : i64} {
  %%zero = arith.constant 0 : index
  %%t = tile.load %%x[%%zero] : memref<?x%s> -> %s
  %%i = tile.load %%at[%%zero] : memref<?xi32> -> %s
  tile.scatter %%t, %%y[%%zero] at %%i axis 0 : %s, memref<?x%s>, %s
  tile.return
}
""" % (element, element, block, element, tile, tile_type((count,), "i32"),
       tile, element, tile_type((count,), "i32"))
    x = random_values(rng, (count,), element)
    at = rng.integers(-2, extent + 2, count).astype(np.int32)
    y = random_values(rng, (extent,), element)
    result = run(program, "f", x, at, InOut(y))
    for index in range(extent):
        candidates = x[at == index]
        if len(candidates) == 0:
            candidates = y[index:index + 1]
        assert result[index].tobytes() in [c.tobytes() for c in candidates], (
            "scatter", element, count, extent, block, index)


for element in ("f32", "i8", "f64"):
    scatter(element, 256, 30, 32)
    scatter(element, 256, 30, 128)
scatter("f32", 1000, 5, 64)

# Rows in vectors; and a loop, in which the last iteration's stays.
ROWS = """tile.kernel @f(%x: memref<?x?xf32>, %at: memref<?xi32>, %y: memref<?x?xf32>) attributes {block = 64 : i64} {
  %zero = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  scf.for %step = %zero to %c4 step %c1 {
    %row = arith.muli %step, %c32 : index
    %t = tile.load %x[%row, %zero] : memref<?x?xf32> -> !tile.tile<32x16xf32>
    %i = tile.load %at[%row] : memref<?xi32> -> !tile.tile<32xi32>
    %rows = tile.reshape %i : !tile.tile<32xi32> to !tile.tile<32x1xi32>
    tile.scatter %t, %y[%zero, %zero] at %rows axis 0 : !tile.tile<32x16xf32>, memref<?x?xf32>, !tile.tile<32x1xi32>
  }
  tile.return
}
"""
x = random_values(rng, (128, 16), "f32")
at = rng.integers(0, 9, 128).astype(np.int32)
y = run(ROWS, "f", x, at, InOut(np.zeros((9, 16), np.float32)))
for row in range(9):
    steps = np.flatnonzero(at == row) // 32
    last = x[np.flatnonzero(at == row)[steps == steps.max()]]
    assert (y[row] == last).any(axis=0).all(), ("rows", row)
