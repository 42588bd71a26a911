# parts.py - view, join and insert at constant offsets, in registers where all threads
# have equal shares of each part, and through shared memory otherwise
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(11)


def write_indices(indices):
    return ", ".join("%%c%d" % index for index in indices)


def check(body, inputs, expected, element, block=128):
    """Checks %r, which `body` computes from the tiles %0, %1, ...; %cN is index N."""
    shapes = [array.shape for array in inputs]
    memrefs = [memref(shape, element) for shape in shapes + [expected.shape]]
    zeros = [write_indices([0] * array.ndim) for array in inputs + [expected]]
    lines = "".join(
        "  %%c%d = arith.constant %d : index\n" % (n, n) for n in range(130))
    lines += "".join(
        "  %%%d = tile.load %%a%d[%s] : %s -> %s\n" % (
            n, n, zeros[n], memrefs[n], tile_type(shape, element))
        for n, shape in enumerate(shapes))
    program = """tile.kernel @f(%s, %%out: %s) attributes {block = %d : i64} {
%s%s
  tile.store %%r, %%out[%s] : %s, %s
  tile.return
}
""" % (", ".join("%%a%d: %s" % pair for pair in enumerate(memrefs[:-1])),
       memrefs[-1], block, lines, body, zeros[-1],
       tile_type(expected.shape, element), memrefs[-1])
    result = run(program, "f", *inputs, Out())
    assert result.tobytes() == expected.tobytes(), (body, element)


def view(name, source, offsets, shape, to, element):
    return "  %%%s = tile.view %%%s[%s] : %s to %s\n" % (
        name, source, write_indices(offsets), tile_type(shape, element),
        tile_type(to, element))


def join(name, parts, axis, shapes, to, element):
    return "  %%%s = tile.join %s axis %d : %s to %s\n" % (
        name, ", ".join("%" + part for part in parts), axis,
        ", ".join(tile_type(shape, element) for shape in shapes),
        tile_type(to, element))


def rotated(shape, axis, count, element):
    """Returns the parts of a tile, of equal extents, in reverse order."""
    a = random_values(rng, shape, element)
    extent = shape[axis] // count
    part = shape[:axis] + (extent,) + shape[axis + 1:]
    body = "".join(
        view("v%d" % n, "0",
             [n * extent if d == axis else 0 for d in range(len(shape))],
             shape, part, element) for n in range(count))
    body += join("r", ["v%d" % ((n - 1) % count) for n in range(count)], axis,
                 [part] * count, shape, element)
    check(body, [a], np.roll(a, extent, axis), element)


for element in ["f32", "f16", "f64", "i8", "i1", "complex<f32>"]:
    rotated((16, 64), 1, 2, element)
    rotated((6, 32), 0, 3, element)
for shape, axis, count in [((64, 128), 1, 2), ((1, 128), 1, 2), ((15, 5), 0, 3),
                           ((4, 21), 1, 3), ((256,), 0, 2), ((7,), 0, 7),
                           ((2, 3, 40), 0, 2), ((2, 3, 40), 1, 3),
                           ((5, 70), 1, 7), ((8, 96), 1, 3)]:
    rotated(shape, axis, count, "f32")

# Parts of several extents; the last may end anywhere.
for shapes, axis in [([(64, 64), (64, 32)], 1), ([(32, 16), (5, 16)], 0),
                     ([(3, 8), (4, 8), (5, 8)], 0), ([(64, 5), (64, 7)], 1)]:
    parts = [random_values(rng, shape, "f16") for shape in shapes]
    expected = np.concatenate(parts, axis)
    check(join("r", map(str, range(len(parts))), axis, shapes, expected.shape,
               "f16"), parts, expected, "f16")

# The first elements of rows, the last ones, some between.
for shape, to, offsets in [((32, 128), (32, 100), (0, 0)),
                           ((32, 128), (32, 1), (0, 0)),
                           ((32, 100), (32, 36), (0, 64)),
                           ((9, 11), (4, 5), (3, 6)),
                           ((64, 3), (64, 1), (0, 2)),
                           ((4, 64, 8), (1, 64, 8), (2, 0, 0))]:
    for element in ["f32", "i8"]:
        a = random_values(rng, shape, element)
        box = tuple(slice(o, o + n) for o, n in zip(offsets, to))
        check(view("r", "0", offsets, shape, to, element), [a],
              np.ascontiguousarray(a[box]), element)
        piece = random_values(rng, to, element)
        expected = a.copy()
        expected[box] = piece
        check("  %%r = tile.insert %%1 into %%0[%s] : %s into %s" % (
            write_indices(offsets), tile_type(to, element), tile_type(shape, element)),
            [a, piece], expected, element)

# A sum of rows excludes the elements after the end of a view.
a = random_values(rng, (8, 128), "i64")
check(view("v", "0", (0, 0), (8, 128), (8, 100), "i64") +
      "  %r = tile.reduce add %v axis 1 : !tile.tile<8x100xi64> to "
      "!tile.tile<8xi64>", [a], a[:, :100].sum(1), "i64")

# Halves of an accumulator.
a = rng.integers(-4, 5, (64, 32)).astype(np.float32)
b = rng.integers(-4, 5, (32, 128)).astype(np.float32)
GATED = """  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %d = tile.matmul %0, %1, %zero : !tile.tile<64x32xf32>, !tile.tile<32x128xf32> -> !tile.tile<64x128xf32>
  %g = tile.view %d[%c0, %c0] : !tile.tile<64x128xf32> to !tile.tile<64x64xf32>
  %u = tile.view %d[%c0, %c64] : !tile.tile<64x128xf32> to !tile.tile<64x64xf32>
  %r = arith.mulf %g, %u : !tile.tile<64x64xf32>"""
for block in [32, 64, 128]:
    c = a @ b
    check(GATED, [a, b], c[:, :64] * c[:, 64:], "f32", block)
