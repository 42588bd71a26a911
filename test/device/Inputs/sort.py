# sort.py - tile.sort and tile.top_k
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Keys have few different values, so that many are equal, and floating-point keys
# include all values with a special order: NaN of several bits and signs, infinities,
# zeros of both signs. The results are compared bit by bit with NumPy's stable
# order.

from harness import *

rng = np.random.default_rng(31)


def special_codes(element):
    """Returns the bits of values whose order is special."""
    exponent, mantissa = {"f64": (11, 52), "f32": (8, 23), "f16": (5, 10),
                          "bf16": (8, 7), "f8E4M3FN": (4, 3),
                          "f8E5M2": (5, 2)}[element]
    sign = 1 << exponent + mantissa
    infinity = sign - (1 << mantissa)
    codes = [0, 1, sign - 1]
    if element != "f8E4M3FN":
        codes += [infinity, infinity + 1]
    return codes + [code | sign for code in codes]


def make_keys(shape, element, spread):
    """Returns random keys from at most `spread` values and the special ones, or from
    the whole range if it is None."""
    if spread is None:
        return random_values(rng, shape, element)
    if element[0] == "i":
        info = np.iinfo(DTYPES[element])
        some = rng.integers(info.min, info.max, spread, DTYPES[element],
                            endpoint=True)
        some = np.append(some, np.array([0, -1, info.min, info.max],
                                        DTYPES[element]))
        return rng.choice(some, shape)
    some = random_values(rng, (spread,), element)
    bits = np.dtype("u%d" % some.itemsize)
    codes = np.array(special_codes(element), bits).view(some.dtype)
    return rng.choice(np.append(some, codes).view(bits), shape).view(some.dtype)


def get_indices(keys, element, axis, descending=False, unsigned=False):
    """Returns the indices in the rows of the sorted elements."""
    values = decode(keys, element)
    if unsigned:
        values = keys.view("u%d" % keys.itemsize)
    if not descending:
        return np.argsort(values, axis, kind="stable")
    # The reversed row is sorted, so that the last of equal elements is the first.
    behind = np.argsort(np.flip(values, axis), axis, kind="stable")
    return keys.shape[axis] - 1 - np.flip(behind, axis)


def words_of(descending=False, unsigned=False):
    return " descending" * descending + " unsigned" * unsigned


def check(results, expected, what):
    results = results if isinstance(results, list) else [results]
    for result, wanted in zip(results, expected):
        if result.tobytes() != wanted.tobytes():
            wrong = np.argwhere(result.reshape(wanted.shape) != wanted)[:5]
            raise SystemExit("%s: expected %s, got %s, first at %s" %
                             (what, wanted, result, wrong.tolist()))


def sort(element, shape, axis=0, values=(), spread=9, block=None, **order):
    """Checks a sort of keys, and of values of other types."""
    keys = make_keys(shape, element, spread)
    types = [element] + list(values)
    arrays = [keys] + [random_values(rng, shape, value) for value in values]
    zeros = ", ".join(["%z"] * len(shape))
    operands = range(len(types))
    program = "tile.kernel @f(%s)%s {\n  %%z = arith.constant 0 : index\n" % (
        ", ".join(["%%a%d: %s" % (n, memref(shape, types[n])) for n in operands] +
                  ["%%r%d: %s" % (n, memref(shape, types[n])) for n in operands]),
        attributes_of(block))
    for n in operands:
        program += "  %%t%d = tile.load %%a%d[%s] : %s -> %s\n" % (
            n, n, zeros, memref(shape, types[n]), tile_type(shape, types[n]))
    program += "  %%s:%d = tile.sort %s axis %d%s : %s\n" % (
        len(types), ", ".join("%%t%d" % n for n in operands), axis,
        words_of(**order),
        ", ".join(tile_type(shape, t) for t in types))
    for n in operands:
        program += "  tile.store %%s#%d, %%r%d[%s] : %s, %s\n" % (
            n, n, zeros, tile_type(shape, types[n]), memref(shape, types[n]))
    program += "  tile.return\n}\n"
    indices = get_indices(keys, element, axis, **order)
    expected = [np.take_along_axis(array, indices, axis) for array in arrays]
    check(run(program, "f", *arrays, *[Out() for _ in operands]), expected,
          "sort of %s %s axis %d %s" % (element, shape, axis, order))


def top_k(element, shape, count, axis=0, index="i32", spread=9, block=None,
          least=False, unsigned=False, with_values=True):
    keys = make_keys(shape, element, spread)
    to = list(shape)
    to[axis] = count
    zeros = ", ".join(["%z"] * len(shape))
    program = """tile.kernel @f(%%a: %s, %%v: %s, %%i: %s)%s {
  %%z = arith.constant 0 : index
  %%t = tile.load %%a[%s] : %s -> %s
  %%k, %%n = tile.top_k %%t axis %d%s%s : %s to %s, %s
  tile.store %%n, %%i[%s] : %s, %s
""" % (memref(shape, element), memref(to, element), memref(to, index),
       attributes_of(block), zeros, memref(shape, element),
       tile_type(shape, element), axis, " least" * least,
       " unsigned" * unsigned, tile_type(shape, element),
       tile_type(to, element), tile_type(to, index), zeros,
       tile_type(to, index), memref(to, index))
    if with_values:
        program += "  tile.store %%k, %%v[%s] : %s, %s\n" % (
            zeros, tile_type(to, element), memref(to, element))
    program += "  tile.return\n}\n"
    indices = get_indices(keys, element, axis, not least, unsigned)
    indices = indices.take(range(count), axis)
    values = Out() if with_values else np.zeros(to, DTYPES[element])
    results = run(program, "f", keys, values, Out())
    expected = [indices.astype(DTYPES[index])]
    if with_values:
        expected.insert(0, np.take_along_axis(keys, indices, axis))
    check(results, expected, "top_k of %s %s axis %d" % (element, shape, axis))


# Only integer keys: every width, order and extent.
for element in ["i8", "i16", "i32", "i64", "index"]:
    sort(element, (100,), spread=None)
    sort(element, (64,), descending=True)
    sort(element, (5, 33), axis=1, unsigned=True)
    sort(element, (7, 6), axis=0, descending=True, unsigned=True)
sort("i1", (3, 50), axis=1, spread=None, unsigned=True)
for extent in [1, 2, 5, 333, 1024]:
    sort("i32", (extent,), spread=None)
    sort("i64", (extent,), spread=None, descending=True)
for block in [32, 96, 128, 256]:
    sort("i32", (1000,), spread=None, block=block)
    sort("i16", (7, 128), axis=1, block=block)
    sort("i32", (37, 5), axis=0, block=block)
    sort("i8", (3, 9, 20), axis=1, block=block)
sort("i32", (4096,), spread=None)
sort("i64", (4096,), spread=None, block=512)
sort("i32", (4096,), spread=None, block=1024)

# The indices of every type of keys.
for element in ["f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2", "i8", "i16",
                "i32", "i64"]:
    top_k(element, (100,), 100, with_values=False)
    top_k(element, (5, 70), 9, axis=1, least=True, index="i64",
          with_values=False)
for extent in [1, 2, 5, 333, 1024, 4096]:
    top_k("f32", (extent,), extent, least=True, with_values=False)
    top_k("f64", (extent,), extent, index="index", with_values=False)
for block in [32, 96, 128, 256]:
    top_k("bf16", (1000,), 17, block=block, with_values=False)
    top_k("f64", (3, 200), 5, axis=1, block=block, with_values=False)
    top_k("i32", (50, 6), 3, block=block, unsigned=True)
    top_k("f32", (4, 11, 6), 7, axis=1, block=block, with_values=False)

# Keys that come back with their bits, and values of other types.
for element in ["f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2", "i8", "i16",
                "i32", "i64"]:
    sort(element, (100,))
    sort(element, (6, 37), axis=1, values=["i32"], descending=True)
    sort(element, (40, 7), axis=0, values=["f64", "i8", "bf16"])
    top_k(element, (3, 100), 10, axis=1)
sort("i32", (5, 21), axis=1, values=["complex<f64>", "f8E5M2", "i1"],
     unsigned=True)
for extent in [1, 2, 5, 333, 1024, 4096]:
    sort("f32", (extent,), values=["f16"], spread=None)
    sort("f64", (extent,), values=["i64"], descending=True)
for block in [32, 96, 128, 256]:
    sort("f16", (500,), values=["f32"], block=block)
    sort("f64", (9, 5, 12), axis=1, values=["i16"], block=block)

# Storage that the program declares, in a loop: each iteration sorts by the keys, and
# the result by the values.
DECLARED = """#lanes = #tile.register<(32,%(warps)d,4):(4,0,1), box = [128]>
tile.kernel @f(%%a: memref<128xf32>, %%b: memref<128xi64>, %%n: index,
               %%r: memref<128xf32>, %%s: memref<128xi64>)
    attributes {block = %(block)d : i64} {
  %%zero = arith.constant 0 : index
  %%one = arith.constant 1 : index
  %%t = tile.load %%a[%%zero] : memref<128xf32> -> !tile.tile<128xf32, %(storage)s>
  %%u = tile.load %%b[%%zero] : memref<128xi64> -> !tile.tile<128xi64, %(storage)s>
  %%x, %%y = scf.for %%i = %%zero to %%n step %%one iter_args(%%k = %%t, %%v = %%u)
      -> (!tile.tile<128xf32, %(storage)s>, !tile.tile<128xi64, %(storage)s>) {
    %%o:2 = tile.sort %%k, %%v axis 0 : !tile.tile<128xf32, %(storage)s>, !tile.tile<128xi64, %(storage)s>
    %%p:2 = tile.sort %%o#1, %%o#0 axis 0 descending : !tile.tile<128xi64, %(storage)s>, !tile.tile<128xf32, %(storage)s>
    scf.yield %%p#1, %%p#0 : !tile.tile<128xf32, %(storage)s>, !tile.tile<128xi64, %(storage)s>
  }
  tile.store %%x, %%r[%%zero] : !tile.tile<128xf32, %(storage)s>, memref<128xf32>
  tile.store %%y, %%s[%%zero] : !tile.tile<128xi64, %(storage)s>, memref<128xi64>
  tile.return
}
"""
for storage in ["#tile.register", "#lanes"]:
    keys = make_keys((128,), "f32", 20)
    values = rng.integers(-5, 5, 128)
    expected = [keys, values]
    for _ in range(2):
        first = get_indices(expected[0], "f32", 0)
        expected = [array[first] for array in expected]
        second = get_indices(expected[1], "i64", 0, descending=True)
        expected = [array[second] for array in expected]
    check(run(DECLARED % {"storage": storage, "warps": 2, "block": 64}, "f",
              keys, values, 2, Out(), Out()), expected, "sort in " + storage)

# Keys are computed by the program; a tile that is declared in shared memory is sorted.
MADE = """tile.kernel @f(%a: memref<100xf16>, %r: memref<100xf16>, %s: memref<100xi32>, %u: memref<100xi8>) {
  %zero = arith.constant 0 : index
  %t = tile.load %a[%zero] : memref<100xf16> -> !tile.tile<100xf16, #tile.shared>
  %k = tile.sort %t axis 0 descending : !tile.tile<100xf16, #tile.shared>
  tile.store %k, %r[%zero] : !tile.tile<100xf16, #tile.shared>, memref<100xf16>
  %n = tile.iota axis 0 : !tile.tile<100xi32>
  %m:2 = tile.sort %n, %n axis 0 descending : !tile.tile<100xi32>, !tile.tile<100xi32>
  %sum = arith.addi %m#0, %m#1 : !tile.tile<100xi32>
  tile.store %sum, %s[%zero] : !tile.tile<100xi32>, memref<100xi32>
  %c = arith.constant dense<-7> : !tile.tile<100xi8>
  %e = tile.sort %c axis 0 : !tile.tile<100xi8>
  tile.store %e, %u[%zero] : !tile.tile<100xi8>, memref<100xi8>
  tile.return
}
"""
keys = make_keys((100,), "f16", 9)
check(run(MADE, "f", keys, Out(), Out(), Out()),
      [keys[get_indices(keys, "f16", 0, descending=True)],
       2 * np.arange(99, -1, -1, dtype=np.int32), np.full(100, -7, np.int8)],
      "sort of what is made")
