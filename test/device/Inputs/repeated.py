# repeated.py - rows and columns in tile.map, tile.broadcast with dims, elements
# inserted, elements of less than a byte
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(43)


def make_of(sources, element, body, shape, result):
    """Returns a kernel whose `body` computes %r from the tiles %x0, %x1, ..."""
    arguments = ["%%a%d: %s" % (n, memref(source, element))
                 for n, source in enumerate(sources)]
    arguments.append("%%out: %s" % memref(shape, result))
    loads = "".join(load("x%d" % n, "a%d" % n, source, element)
                    for n, source in enumerate(sources))
    return kernel(", ".join(arguments),
                  loads + body + store("r", "out", shape, result))


def map_of(shapes, result):
    body = """  %%r = tile.map %%x0, %%x1, %%x2 : %s to %s {
  ^bb0(%%x: f32, %%y: f32, %%z: f32):
    %%p = arith.mulf %%x, %%y : f32
    %%q = arith.addf %%p, %%z : f32
    tile.yield %%q : f32
  }
""" % (", ".join(tile_type(shape, "f32") for shape in shapes),
       tile_type(result, "f32"))
    program = make_of(shapes, "f32", body, result, "f32")
    x, y, z = [rng.standard_normal(shape).astype(np.float32)
               for shape in shapes]
    same(run(program, "f", x, y, z, Out()),
         np.broadcast_to(x * y + z, result), program)


map_of([(9, 31), (31,), (9, 1)], (9, 31))
map_of([(1, 31), (31,), (9, 1)], (9, 31))
map_of([(1,), (9, 1), (1, 31)], (9, 31))
map_of([(64, 128), (64, 1), (128,)], (64, 128))
map_of([(3, 1, 8), (5, 1), (8,)], (3, 5, 8))


def broadcast(shape, dims, result, element):
    body = "  %%r = tile.broadcast %%x0 dims %s : %s to %s\n" % (
        list(dims), tile_type(shape, element), tile_type(result, element))
    program = make_of([shape], element, body, result, element)
    x = random_values(rng, shape, element)
    placed = [1] * len(result)
    for dim, extent in zip(dims, shape):
        placed[dim] = extent
    same(run(program, "f", x, Out()),
         np.broadcast_to(x.reshape(placed), result), program)


broadcast((32,), (0,), (32, 64), "f32")
broadcast((33,), (1,), (3, 33, 5), "f16")
broadcast((3, 5), (0, 2), (3, 33, 5), "i8")
broadcast((3, 1), (0, 2), (3, 33, 5), "complex<f32>")
broadcast((9,), (0,), (9,), "i1")


def insert(shape, at, element):
    program = kernel(
        "%%a: %s, %%x: %s, %%i: index, %%j: index, %%out: %s" % (
            memref(shape, element), element, memref(shape, element)),
        load("t", "a", shape, element) +
        "  %%r = tile.insert %%x into %%t[%%i, %%j] : %s into %s\n" % (
            element, tile_type(shape, element)) +
        store("r", "out", shape, element))
    array = random_values(rng, shape, element)
    expected = array.copy()
    expected[at] = 3
    same(run(program, "f", array, 3, at[0], at[1], Out()), expected, program)


insert((9, 31), (8, 30), "f32")
insert((64, 64), (0, 17), "i32")
insert((5, 7), (3, 0), "f64")


def unpack(shape, axis, bits, word, unsigned):
    count = DTYPES[word]().itemsize * 8 // bits
    result = list(shape)
    result[axis] *= count
    body = "  %%r = tile.unpack %%x0 axis %d bits %d%s : %s to %s\n" % (
        axis, bits, " unsigned" if unsigned else "", tile_type(shape, word),
        tile_type(result, "i8"))
    program = make_of([shape], word, body, result, "i8")
    info = np.iinfo(DTYPES[word])
    packed = rng.integers(info.min, info.max, shape, DTYPES[word],
                          endpoint=True)
    words = np.repeat(packed, count, axis).astype(object)
    shifts = np.arange(result[axis]) % count * bits
    shifts = shifts.reshape([-1 if dim == axis else 1
                             for dim in range(len(shape))])
    values = np.vectorize(lambda w, s: (int(w) >> int(s)) % 2 ** bits,
                          otypes=[np.int64])(words, np.broadcast_to(
                              shifts, result))
    if not unsigned:
        values = np.where(values >= 2 ** (bits - 1), values - 2 ** bits,
                          values)
    same(run(program, "f", packed, Out()), values.astype(np.int8), program)


for bits in [1, 2, 4]:
    for unsigned in [False, True]:
        unpack((9, 16), 1, bits, "i8", unsigned)
        unpack((5, 7), 0, bits, "i32", unsigned)
unpack((3, 4, 5), 1, 4, "i16", False)
unpack((7,), 0, 4, "i64", True)
unpack((64, 32), 1, 4, "i8", False)
