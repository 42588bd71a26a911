# memory.py - tile.load and tile.store at every edge of an array
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(2)
ELEMENTS = ["f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2", "i1", "i8",
            "i16", "i32", "i64", "index", "complex<f32>", "complex<f64>"]


def box(array, offsets, shape, pad):
    """Returns the tile that a load at `offsets` reads."""
    leading = array.ndim - len(shape)
    result = np.full(shape, pad, array.dtype)
    full = (1,) * leading + tuple(shape)
    for at in np.ndindex(*full):
        where = tuple(o + i for o, i in zip(offsets, at))
        if all(0 <= w < s for w, s in zip(where, array.shape)):
            result[at[leading:]] = array[where]
    return result


def poison(shape, dtype):
    return np.frombuffer(b"\xff" * (int(np.prod(shape)) * np.dtype(dtype).itemsize),
                         dtype).reshape(shape).copy()


def random_array(shape, element):
    if element == "i1":
        return rng.integers(0, 2, shape).astype(bool)
    array = np.frombuffer(rng.bytes(int(np.prod(shape)) *
                                    np.dtype(DTYPES[element]).itemsize),
                          np.uint8).view(DTYPES[element]).reshape(shape)
    return array.copy()


def copy_program(element, array, tile, kind="?", pad="", flag=""):
    """Returns a kernel that loads a box of %a at %i... and stores it at %k..."""
    rank = len(array)
    sizes = ["?"] * rank if kind == "?" else list(map(str, array))
    memref = "memref<%s>" % shape_text(sizes, element)
    source = ", ".join("%%i%d" % d for d in range(rank))
    dest = ", ".join("%%k%d" % d for d in range(rank))
    indices = ", ".join(["%%i%d: index" % d for d in range(rank)] +
                        ["%%k%d: index" % d for d in range(rank)])
    t = "!tile.tile<%s>" % shape_text(tile, element)
    value, define = "", ""
    if pad:
        value, define = "pad %p", "  %%p = arith.constant %s : %s\n" % (
            pad, element)
    return """tile.kernel @f(%%a: %s, %%out: %s, %s) {
%s  %%t = tile.load %%a[%s] %s %s : %s -> %s
  tile.store %%t, %%out[%s] %s : %s, %s
  tile.return
}
""" % (memref, memref, indices, define, source, value, flag, memref, t, dest,
       flag, t, memref)


def test(element, array, tile, source, dest, kind="?", pad="", flag=""):
    values = random_array(array, element)
    result = run(copy_program(element, array, tile, kind, pad, flag), "f",
                 values, Out(*array), *source, *dest)
    expected = poison(array, DTYPES[element])
    padding = 0 if not pad else encode(float(pad), element)
    loaded = box(values, source, tile, padding)
    leading = len(array) - len(tile)
    for at in np.ndindex(*((1,) * leading + tuple(tile))):
        where = tuple(o + i for o, i in zip(dest, at))
        if all(0 <= w < s for w, s in zip(where, array)):
            expected[where] = loaded[at[leading:]]
    assert result.tobytes() == expected.tobytes(), (
        element, array, tile, source, dest)


FAR = [2 ** 63 - 1, -2 ** 63, 2 ** 40, -2 ** 40]
for element in ELEMENTS:
    test(element, (9, 13), (8, 8), (-3, 7), (2, -1))
for source in [(0, 0), (-3, -5), (4, 9), (9, 0), (0, 13), (-8, 0), (0, -8),
               (100, 0), (-100, 3)] + [(far, 0) for far in FAR] + [
                   (1, far) for far in FAR]:
    test("f32", (9, 13), (8, 8), source, (1, 2), pad="7.5")
    test("f32", (9, 13), (8, 8), (1, 2), source)
    test("f16", (9, 13), (8, 8), source, (0, 0), kind="static")
test("f32", (64, 64), (8, 16), (56, 48), (3, 5), flag="in_bounds")
test("f8E5M2", (5,), (7,), (-1,), (1,), pad="1.5")
test("i32", (5,), (1,), (4,), (0,))
for rank in range(1, 5):
    array = (5, 3, 4, 6)[:rank]
    for tile_rank in range(0, rank + 1):
        tile = (4, 2, 5, 7)[:tile_rank]
        for _ in range(3):
            offsets = [int(x) for x in rng.integers(-3, 7, 2 * rank)]
            test("f32", array, tile, offsets[:rank], offsets[rank:])
            offsets = [int(x) for x in rng.integers(-1, 3, 2 * rank)]
            test("i16", array, tile, offsets[:rank], offsets[rank:])

# Strides of all kinds: columns first, gaps, a broadcast row.
for layout, strides, text in [((16, 8), "strided<[1, 16]>", "strides=1x16"),
                              ((8, 8), "strided<[?, ?]>", "strides=16x2")]:
    storage = rng.standard_normal(200).astype(np.float32)
    rows, columns = layout
    steps = [int(x) for x in text.split("=")[1].split("x")]
    view = np.lib.stride_tricks.as_strided(
        storage, layout, [4 * s for s in steps])
    program = """tile.kernel @f(%%a: memref<%dx%dxf32, %s>, %%out: memref<%dx%dxf32>) {
  %%z = arith.constant 0 : index
  %%t = tile.load %%a[%%z, %%z] : memref<%dx%dxf32, %s> -> !tile.tile<%dx%dxf32>
  tile.store %%t, %%out[%%z, %%z] : !tile.tile<%dx%dxf32>, memref<%dx%dxf32>
  tile.return
}
""" % (rows, columns, strides, rows, columns, rows, columns, strides, rows,
       columns, rows, columns, rows, columns)
    with tempfile.TemporaryDirectory() as folder:
        name, out = folder + "/a.npy", folder + "/o.npy"
        np.save(name, storage)
        with open(folder + "/p.mlir", "w") as file:
            file.write(program)
        execute(folder + "/p.mlir",
                ["f", "%s[shape=%dx%d,%s]" % (name, rows, columns, text),
                 "out=" + out, "--grid=1,1,1"], program)
        same(np.load(out), view, strides)


def rows_program(element, tile, layout, block, at):
    """Returns a kernel that copies a tile through shared memory of that layout:
    unaligned rows are copied by aligned chunks and shifted."""
    shape = shape_text(tile, element)
    memref = "memref<%s>" % shape_text(["?", "?"], element)
    return """tile.kernel @f(%%a: %s, %%out: %s) attributes {block = %d : i64} {
  %%z = arith.constant 0 : index
  %%i = arith.constant %d : index
  %%j = arith.constant %d : index
  %%t = tile.load %%a[%%i, %%j] : %s -> !tile.tile<%s, %s>
  %%r = tile.convert_layout %%t : !tile.tile<%s, %s> to !tile.tile<%s>
  tile.store %%r, %%out[%%z, %%z] : !tile.tile<%s>, %s
  tile.return
}
""" % (memref, memref, block, at[0], at[1], memref, shape, layout, shape, layout,
       shape, shape, memref)


# Rows of 1 to 32 chunks, swizzles over rows and columns, more rows than threads and
# fewer, at offsets inside the array, across its end and beyond it.
for element, tile, layout in [
        ("f16", (64, 8), "#tile.shared<(64,8):(8,1), align = 128>"),
        ("f16", (33, 24), "#tile.shared<(33,24):(24,1), align = 128>"),
        ("f16", (7, 96), "#tile.shared<(7,96):(96,1), align = 128>"),
        ("f16", (64, 64), "#tile.shared<(64,64):(72,1), align = 128>"),
        ("f16", (32, 256), "#tile.shared<(32,256):(256,1), "
         "swizzle = <3, 4, 3>, align = 128>"),
        ("f16", (32, 192), "#tile.shared<(32,192):(192,1), "
         "swizzle = <3, 4, 3>, align = 128>"),
        ("i8", (8, 512), "#tile.shared<(8,512):(512,1), "
         "swizzle = <3, 4, 3>, align = 128>"),
        ("i8", (5, 48), "#tile.shared<(5,48):(48,1), align = 128>")]:
    for block, at in [(32, (1, 3)), (96, (2, 2 * tile[1])), (128, (1, 0))]:
        array = (tile[0] + 2, 2 * tile[1] + 5)
        values = random_array(array, element)
        result = run(rows_program(element, tile, layout, block, at), "f", values,
                     Out(*tile))
        assert result.tobytes() == box(values, at, tile, 0).tobytes(), (
            element, tile, layout, block, at)


# Subviews of arrays, with static and dynamic offsets, which are added.
VIEWS = """tile.kernel @f(%%a: memref<?x?x%(t)s>, %%n: index, %%out: memref<16x%(t)s>) {
  %%z = arith.constant 0 : index
  %%from = memref.subview %%a[%%n, 1] [2, 5] [1, 1] : memref<?x?x%(t)s> to memref<2x5x%(t)s, strided<[?, 1], offset: ?>>
  %%to = memref.subview %%out[7] [5] [1] : memref<16x%(t)s> to memref<5x%(t)s, strided<[1], offset: 7>>
  %%t = tile.load %%from[%%z, %%z] : memref<2x5x%(t)s, strided<[?, 1], offset: ?>> -> !tile.tile<5x%(t)s>
  tile.store %%t, %%to[%%z] : !tile.tile<5x%(t)s>, memref<5x%(t)s, strided<[1], offset: 7>>
  tile.return
}
"""
for element in ELEMENTS:
    values, out = random_array((9, 8), element), random_array((16,), element)
    expected = out.copy()
    expected[7:12] = values[3, 1:6]
    result = run(VIEWS % {"t": element}, "f", values, 3, InOut(out))
    assert result.tobytes() == expected.tobytes(), ("views", element)
