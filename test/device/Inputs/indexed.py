# indexed.py - tile.gather, tile.scatter, tile.iota from a start, tile.random
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(13)
ELEMENTS = ["f64", "f32", "f16", "bf16", "f8E4M3FN", "i8", "i32", "i64",
            "complex<f32>"]


def random_array(shape, element):
    return random_values(rng, shape, element)


def memref(rank, element, columns=False):
    return "memref<%sx%s%s>" % ("x".join("?" * rank), element,
                                ", strided<[1, ?]>" if columns else "")


def offsets_of(count):
    return ", ".join("%%i%d" % n for n in range(count))


def arguments_of(offsets, static):
    if static:
        return ""
    return "".join(", %%i%d: index" % n for n in range(len(offsets)))


def constants_of(offsets, static):
    """Returns definitions of the offsets as constants if `static`: accesses are
    vectorized only where constants show that offsets are multiples of the vector."""
    if not static:
        return ""
    return "".join("  %%i%d = arith.constant %d : index\n" % pair
                   for pair in enumerate(offsets))


def list_coordinates(array, offsets, tile, axis, indices):
    """Returns the array coordinates of each element of the tile, and whether they
    are inside the array."""
    leading = len(array) - len(tile)
    own = np.indices(tile)
    own[axis] = np.broadcast_to(indices, tile)
    coordinates = [np.full(tile, offset) for offset in offsets]
    for dim in range(len(tile)):
        coordinates[leading + dim] = coordinates[leading + dim] + own[dim]
    inside = np.ones(tile, bool)
    for coordinate, size in zip(coordinates, array):
        inside &= (0 <= coordinate) & (coordinate < size)
    return coordinates, inside


def make_case(array, tile, offsets, axis, repeated, index, in_bounds):
    """Returns random indices, some of them outside unless `in_bounds`."""
    shape = tuple(1 if dim in repeated else extent
                  for dim, extent in enumerate(tile))
    size = array[len(array) - len(tile) + axis]
    offset = offsets[len(array) - len(tile) + axis]
    low, high = (0, size) if in_bounds else (-3, size + 3)
    if abs(offset) > 1000:
        offset = 0
    return (rng.integers(low, max(high, low + 1), shape) - offset).astype(
        DTYPES[index])


def same_bits(result, expected, what):
    wrong = result != expected
    if result.tobytes() != expected.tobytes():
        raise SystemExit("%s: %d of %d elements differ" % (
            what, wrong.sum(), wrong.size))


def gather(element, array, tile, offsets, axis, repeated, index="i32",
           words="", masked=False, block=None, static=False,
           columns=False):
    in_bounds = "in_bounds" in words
    indices = make_case(array, tile, offsets, axis, repeated, index, in_bounds)
    source = random_array(array, element)
    if columns:
        source = np.asfortranarray(source)
    mask = rng.random(tile) < 0.5
    zeros = ", ".join(["%z"] * len(tile))
    i, m, t = (tile_type(indices.shape, index), tile_type(tile, "i1"),
               tile_type(tile, element))
    program = """tile.kernel @f(%%a: %s, %%x: %s, %%m: %s, %%r: %s%s%s)%s {
%s  %%z = arith.constant 0 : index
  %%x0 = tile.load %%x[%s] : %s -> %s
  %%m0 = tile.load %%m[%s] : %s -> %s
  %%g = tile.gather %%a[%s] at %%x0 axis %d %s %s : %s, %s -> %s
  tile.store %%g, %%r[%s] : %s, %s
  tile.return
}
""" % (memref(len(array), element, columns), memref(len(tile), index),
       memref(len(tile), "i1"), memref(len(tile), element),
       arguments_of(offsets, static),
       ", %p: " + element if "pad" in words else "",
       attributes_of(block),
       constants_of(offsets, static), zeros, memref(len(tile), index), i,
       zeros, memref(len(tile), "i1"), m,
       offsets_of(len(offsets)), axis, "mask %m0 : " + m if masked else "",
       words, memref(len(array), element, columns), i, t, zeros, t,
       memref(len(tile), element))
    pads = [3] if "pad" in words else []
    result = run(program, "f", source, indices, mask, Out(*tile),
                 *([] if static else offsets), *pads)
    coordinates, inside = list_coordinates(array, offsets, tile, axis, indices)
    if masked:
        inside &= mask
    pad = encode(np.float64(3), element) if pads else 0
    expected = np.full(tile, pad, source.dtype)
    expected[inside] = source[tuple(coordinate[inside] for coordinate in coordinates)]
    same_bits(result, expected, ("gather", element, array, tile, offsets, axis,
                                 repeated, index, words))


def scatter(element, array, tile, offsets, axis, repeated, index="i32",
            words="", masked=False, block=None, static=False,
            columns=False):
    in_bounds = "in_bounds" in words
    if "atomic" not in words:
        repeated = repeated - {axis}
    indices = make_case(array, tile, offsets, axis, repeated, index, in_bounds)
    dest = random_array(array, element)
    if columns:
        dest = np.asfortranarray(dest)
    value = random_array(tile, element)
    kind = words.split("atomic ")[1].split()[0] if "atomic" in words else None
    if kind and element[0] in "fb":  # sums that are exact in any order
        dest = encode(rng.integers(-8, 8, array).astype(np.float64), element)
        value = encode(rng.integers(-8, 8, tile).astype(np.float64), element)
    if not kind and indices.size > 1:
        # Distinct coordinates: along the axis, all indices of a line differ.
        size = array[len(array) - len(tile) + axis]
        offset = offsets[len(array) - len(tile) + axis]
        lines = list(indices.shape)
        lines[axis] = size if in_bounds else max(size, tile[axis]) + 2
        order = np.argsort(rng.random(lines), axis).take(range(tile[axis]),
                                                         axis)
        if abs(offset) < 1000:
            order = order - offset
        indices = np.ascontiguousarray(order.astype(DTYPES[index]))
    mask = rng.random(tile) < 0.5
    zeros = ", ".join(["%z"] * len(tile))
    i, m, t = (tile_type(indices.shape, index), tile_type(tile, "i1"),
               tile_type(tile, element))
    program = """tile.kernel @f(%%a: %s, %%x: %s, %%m: %s, %%v: %s%s)%s {
%s  %%z = arith.constant 0 : index
  %%x0 = tile.load %%x[%s] : %s -> %s
  %%m0 = tile.load %%m[%s] : %s -> %s
  %%v0 = tile.load %%v[%s] : %s -> %s
  tile.scatter %%v0, %%a[%s] at %%x0 axis %d %s %s : %s, %s, %s
  tile.return
}
""" % (memref(len(array), element, columns), memref(len(tile), index),
       memref(len(tile), "i1"), memref(len(tile), element),
       arguments_of(offsets, static),
       attributes_of(block),
       constants_of(offsets, static), zeros, memref(len(tile), index), i,
       zeros, memref(len(tile), "i1"), m,
       zeros, memref(len(tile), element), t,
       offsets_of(len(offsets)), axis, "mask %m0 : " + m if masked else "",
       words, t, memref(len(array), element, columns), i)
    result = run(program, "f", InOut(dest), indices, mask, value,
                 *([] if static else offsets))
    coordinates, inside = list_coordinates(array, offsets, tile, axis, indices)
    if masked:
        inside &= mask
    expected = dest.copy()
    at = tuple(coordinate[inside] for coordinate in coordinates)
    if kind:
        function = {"add": np.add, "max": np.maximum, "xor": np.bitwise_xor}
        wide = decode(dest, element).copy()
        with np.errstate(over="ignore"):
            function[kind].at(wide, at, decode(value, element)[inside])
        expected = encode(wide, element)
    else:
        expected[at] = value[inside]
    same_bits(result, expected, ("scatter", element, array, tile, offsets, axis,
                                 repeated, index, words))


# Rows of an array, wide enough for vectors; with the box partly outside.
for function in (gather, scatter):
    for element in ELEMENTS:
        function(element, (40, 64), (16, 64), (0, 0), 0, {1})
        function(element, (40, 61), (7, 19), (2, 50), 0, {1})
    for offsets in [(0, 0), (-3, 8), (5, -8), (1, 64), (2 ** 40, 0)]:
        function("f32", (40, 64), (16, 64), offsets, 0, {1})
    # An index along the contiguous dimension: one for each element, one for each row,
    # and one for all elements.
    for repeated in (set(), {0}, {1}, {0, 1}):
        function("f32", (9, 40), (8, 12), (1, 2), 1, repeated)
        function("i8", (9, 40), (8, 12), (1, 2), 0, repeated)
    for index in ("i8", "i16", "i32", "i64", "index"):
        function("f16", (40, 32), (8, 32), (0, 0), 0, {1}, index)
    for words in ("", "in_bounds"):
        for masked in (False, True):
            for block in (32, 128):
                function("f32", (40, 64), (16, 64), (0, 0), 0, {1},
                         words=words, masked=masked, block=block)
                function("i32", (50,), (37,), (0,), 0, set(), words=words,
                         masked=masked, block=block)
    # Dimensions before the tile's, and tiles of every rank.
    function("f32", (3, 40, 16), (7, 16), (2, 0, 0), 0, {1})
    function("f32", (3, 40, 16), (7, 16), (5, 0, 0), 0, {1})
    function("f32", (4, 5, 6, 7), (4, 3, 6, 7), (0, 0, 0, 0), 1, {0, 2, 3})
    function("f32", (4, 5, 6, 7), (2, 5, 3, 7), (0, 0, 1, 0), 2, {0})
    function("f32", (0, 16), (4, 16), (0, 0), 0, {1})
    function("f32", (4, 0), (4, 16), (0, 0), 0, {1})
    # With an index for each element, along either axis, accesses have one element where
    # an index for each row would allow vectors. Rows of whole vectors run the
    # specialised variant, rows of odd length the generic one. Then columns are gathered
    # in this way.
    for element in ("f16", "f32", "f64", "i8"):
        for array in ((64, 128), (64, 129)):
            function(element, array, (8, 128), (0, 0), 0, set(), static=True)
            function(element, array, (8, 32), (0, 64), 1, set(), static=True)
        function(element, (64, 128), (7, 16), (3, 16), 0, set(), static=True,
                 words="in_bounds")
        function(element, (40, 64), (16, 64), (0, 0), 0, {1}, static=True)
        for repeated in (set(), {0}):
            function(element, (32, 64), (32, 9), (0, 0), 1, repeated,
                     static=True, columns=True)
    function("f32", (64, 128), (8, 128), (0, 0), 0, set(), static=True,
             masked=True)
    function("f32", (64, 61), (7, 19), (2, 40), 0, set(), static=True)
gather("f32", (40, 64), (16, 64), (0, 0), 0, {1}, words="pad %p")
gather("f32", (40, 64), (16, 64), (0, 8), 0, {1}, words="pad %p", masked=True)
gather("f16", (40,), (33,), (0,), 0, set(), words="pad %p")

# Several elements for one coordinate.
for element in ("f32", "f16", "bf16", "f64", "i32", "i8"):
    scatter(element, (5, 16), (40, 16), (0, 0), 0, {1}, words="atomic add")
    scatter(element, (5, 16), (40, 9), (0, 9), 0, {1}, words="atomic add",
            masked=True)
    scatter(element, (7,), (1000,), (0,), 0, set(), words="atomic max")
    scatter(element, (5, 16), (40, 16), (0, 0), 0, set(), words="atomic add",
            static=True)
scatter("i64", (5, 16), (40, 16), (0, 0), 0, {1}, words="atomic xor in_bounds")

# Embedding: rows gathered by labels, their gradients added up again.
TABLE, BATCH, WIDTH = 50, 300, 96
table = encode(rng.standard_normal((TABLE, WIDTH)), "f32")
labels = rng.integers(0, TABLE, BATCH).astype(np.int32)
program = """tile.kernel @f(%table: memref<?x?xf32>, %labels: memref<?xi32>, %rows: memref<?x?xf32>, %count: memref<?x?xi32>)
    attributes {grid = #tile.grid<affine_map<(n, w) -> (n ceildiv 32, w ceildiv 64)> of [[1, 0], [0, 1]]>} {
  %zero = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c32 : index
  %column = arith.muli %y, %c64 : index
  %none = arith.constant -1 : i32
  %l = tile.load %labels[%row] pad %none : memref<?xi32> -> !tile.tile<32xi32>
  %at = tile.reshape %l : !tile.tile<32xi32> to !tile.tile<32x1xi32>
  %t = tile.gather %table[%zero, %column] at %at axis 0 : memref<?x?xf32>, !tile.tile<32x1xi32> -> !tile.tile<32x64xf32>
  tile.store %t, %rows[%row, %column] : !tile.tile<32x64xf32>, memref<?x?xf32>
  %one = arith.constant dense<1> : !tile.tile<32x64xi32>
  tile.scatter %one, %count[%zero, %column] at %at axis 0 atomic add : !tile.tile<32x64xi32>, memref<?x?xi32>, !tile.tile<32x1xi32>
  tile.return
}
"""
rows, count = run(program, "f", table, labels, Out(BATCH, WIDTH),
                  InOut(np.zeros((TABLE, WIDTH), np.int32)), grid=None)
same(rows, table[labels], "embedding")
same(count, np.broadcast_to(np.bincount(labels, minlength=TABLE)[:, None],
                            (TABLE, WIDTH)).astype(np.int32), "counts")


#===-----------------------------------------------------------------------===#
# Iota and random numbers
#===-----------------------------------------------------------------------===#

for element in ("i8", "i32", "i64", "index", "f16", "f32", "f64"):
    program = """tile.kernel @f(%%r: %s, %%x: %s, %%h: %s) {
  %%z = arith.constant 0 : index
  %%t = tile.iota axis 1 from %%x step %%h : %s
  tile.store %%t, %%r[%%z, %%z] : %s, %s
  tile.return
}
""" % (memref(2, element), element, element, tile_type((5, 19), element),
       tile_type((5, 19), element), memref(2, element))
    start, step = (7, -3) if element[0] == "i" else (0.5, 0.25)
    result = run(program, "f", Out(5, 19), start, step)
    same(result, np.broadcast_to(start + step * np.arange(19), (5, 19)).astype(
        DTYPES[element]), "iota " + element)


def philox(counter, seed):
    """Returns the four words of Philox4x32-10 for counters of 64 bits."""
    mask = np.uint64(0xFFFFFFFF)
    c = [counter & mask, counter >> np.uint64(32), np.zeros_like(counter),
         np.zeros_like(counter)]
    k = [seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF]
    for _ in range(10):
        p, q = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(q >> np.uint64(32)) ^ c[1] ^ np.uint64(k[0]), q & mask,
             (p >> np.uint64(32)) ^ c[3] ^ np.uint64(k[1]), p & mask]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


# The known answers of the authors' library (Random123, kat_vectors).
words = philox(np.zeros(1, np.uint64), 0)
assert [int(word[0]) for word in words] == [0x6627e8d5, 0xe169c58d, 0xbc57ac4c,
                                            0x9b00dbd8]

MANTISSA = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}
for seed, counter in [(0, 0), (0x123456789ABCDEF, 2 ** 33 - 50), (-1, -7)]:
    counters = (np.arange(7 * 19).reshape(7, 19) + counter).astype(np.int64)
    w = philox(counters.view(np.uint64), seed & (2 ** 64 - 1))
    double = [w[0] | w[1] << np.uint64(32), w[2] | w[3] << np.uint64(32)]
    for distribution, elements in [("bits", ["i8", "i16", "i32", "i64"]),
                                   ("uniform", list(MANTISSA)),
                                   ("normal", list(MANTISSA))]:
        for element in elements:
            program = """tile.kernel @f(%%r: %s, %%s: i64, %%c: i64) {
  %%z = arith.constant 0 : index
  %%t = tile.random %s %%s, %%c : %s
  tile.store %%t, %%r[%%z, %%z] : %s, %s
  tile.return
}
""" % (memref(2, element), distribution, tile_type((7, 19), element),
       tile_type((7, 19), element), memref(2, element))
            result = run(program, "f", Out(7, 19), seed, counter)
            what = "random %s %s" % (distribution, element)
            if distribution == "bits":
                wide = double[0] if element == "i64" else w[0]
                same(result, wide.astype("u%d" % result.dtype.itemsize).view(
                    result.dtype), what)
                continue
            made = decode(result, element).astype(np.float64)
            inner = element if distribution == "uniform" else (
                "f64" if element == "f64" else "f32")
            bits = MANTISSA[inner]
            u, v = ((double[n] >> np.uint64(64 - bits) if inner == "f64" else
                     w[n] >> np.uint64(32 - bits)) * 2.0 ** -bits
                    for n in (0, 1))
            if distribution == "uniform":
                same(made, u.astype(np.float64), what)
                continue
            expected = np.sqrt(-2 * np.log(1 - u)) * np.cos(
                6.283185307179586 * v)
            near(made, expected, 2.0 ** -MANTISSA[element] * np.abs(expected) +
                 16 * 2.0 ** -bits, what)
