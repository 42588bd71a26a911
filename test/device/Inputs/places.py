# places.py - tile.take, tile.put, views with steps, histograms, stacks
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(29)
ELEMENTS = ["f64", "f32", "f16", "bf16", "f8E4M3FN", "i1", "i8", "i16", "i64",
            "complex<f32>"]


def take(element, source, result, axis, repeated=(), index="i32", block=None):
    shape = tuple(1 if dim in repeated else extent
                  for dim, extent in enumerate(result))
    values = random_values(rng, source, element)
    indices = rng.integers(0, min(source[axis], 128), shape).astype(
        DTYPES[index])
    program = kernel(
        "%%a: %s, %%b: %s, %%r: %s" % (memref(source, element),
                                       memref(shape, index),
                                       memref(result, element)),
        load("t", "a", source, element) + load("i", "b", shape, index) +
        "  %%u = tile.take %%t at %%i axis %d : %s, %s to %s\n" % (
            axis, tile_type(source, element), tile_type(shape, index),
            tile_type(result, element)) +
        store("u", "r", result, element), block)
    found = run(program, "f", values, indices, Out())
    at = np.broadcast_to(indices, result).astype(np.int64)
    rest = tuple(values.shape[dim] if dim == axis else extent
                 for dim, extent in enumerate(result))
    expected = np.take_along_axis(np.broadcast_to(values, rest), at, axis)
    assert found.tobytes() == expected.tobytes(), (
        "take", element, source, result, axis, repeated, index, block)


def put(element, tile, values, axis, repeated=(), index="i32", kind="",
        masked=False, block=None):
    shape = tuple(1 if dim in repeated else extent
                  for dim, extent in enumerate(values))
    whole = random_values(rng, tile, element)
    parts = random_values(rng, values, element)
    if kind and element[0] in "fb":  # sums that are exact in any order
        whole = encode(rng.integers(-8, 8, tile).astype(np.float64), element)
        parts = encode(rng.integers(-8, 8, values).astype(np.float64), element)
    indices = rng.integers(-2, min(tile[axis] + 2, 127), shape)
    if not kind:  # distinct indices, some outside
        order = rng.permutation(max(tile[axis], values[axis]) + 3)
        at = order[:values[axis]].reshape(
            [-1 if dim == axis else 1 for dim in range(len(values))]) - 1
        indices = np.ascontiguousarray(np.broadcast_to(at, shape))
    indices = indices.astype(DTYPES[index])
    mask = rng.random(values) < 0.7
    m = "mask %%m : %s " % tile_type(values, "i1") if masked else ""
    program = kernel(
        "%%a: %s, %%b: %s, %%c: %s, %%d: %s, %%r: %s, %%s: %s" % (
            memref(tile, element), memref(values, element),
            memref(shape, index), memref(values, "i1"), memref(tile, element),
            memref(tile, element)),
        load("t", "a", tile, element) + load("v", "b", values, element) +
        load("i", "c", shape, index) + load("m", "d", values, "i1") +
        "  %%u = tile.put %s %%v into %%t at %%i axis %d %s: %s, %s into %s\n" % (
            kind, axis, m, tile_type(values, element),
            tile_type(shape, index), tile_type(tile, element)) +
        store("u", "r", tile, element) + store("t", "s", tile, element), block)
    found, kept = run(program, "f", whole, parts, indices, mask, Out(), Out())
    coordinates = list(np.indices(values))
    coordinates[axis] = np.broadcast_to(indices, values).astype(np.int64)
    chosen = (0 <= coordinates[axis]) & (coordinates[axis] < tile[axis])
    if masked:
        chosen &= mask
    at = tuple(coordinate[chosen] for coordinate in coordinates)
    expected = whole.copy()
    if kind:
        function = {"add": np.add, "max": np.maximum, "min": np.minimum,
                    "xor": np.bitwise_xor, "or": np.bitwise_or}[kind]
        wide = decode(whole, element).copy()
        with np.errstate(over="ignore"):
            function.at(wide, at, decode(parts, element)[chosen])
        expected = encode(wide, element)
    else:
        expected[at] = parts[chosen]
    what = ("put", element, tile, values, axis, repeated, index, kind, masked)
    assert found.tobytes() == expected.tobytes(), what
    assert kept.tobytes() == whole.tobytes(), what


def view(element, source, offsets, steps, result):
    values = random_values(rng, source, element)
    arguments = "%%a: %s, %%r: %s, %s" % (
        memref(source, element), memref(result or (1,), element),
        ", ".join("%%i%d: index" % n for n in range(len(source))))
    program = kernel(
        arguments,
        load("t", "a", source, element) +
        "  %%u = tile.view %%t[%s] %s : %s to %s\n" % (
            ", ".join("%%i%d" % n for n in range(len(source))),
            "steps %s" % list(steps) if steps else "",
            tile_type(source, element), tile_type(result, element)) +
        "  tile.store %%u, %%r[%s] : %s, %s\n" % (
            zeros(result or (1,)), tile_type(result, element),
            memref(result or (1,), element)))
    found = run(program, "f", values, Out(), *offsets)
    extents = (1,) * (len(source) - len(result)) + result
    at = np.ix_(*[o + s * np.arange(n) for o, s, n in
                  zip(offsets, steps or (1,) * len(source), extents)])
    expected = values[at].reshape(result or (1,))
    assert found.tobytes() == expected.tobytes(), (
        "view", element, source, offsets, steps, result)


def histogram(element, source, bins, count="i32", masked=False, block=None):
    values = rng.integers(-3, min(bins + 3, 127), source).astype(
        DTYPES[element])
    mask = rng.random(source) < 0.5
    m = "mask %%m : %s" % tile_type(source, "i1") if masked else ""
    program = kernel(
        "%%a: %s, %%b: %s, %%r: %s" % (memref(source, element),
                                       memref(source, "i1"),
                                       memref((bins,), count)),
        load("t", "a", source, element) + load("m", "b", source, "i1") +
        "  %%h = tile.histogram %%t %s : %s to %s\n" % (
            m, tile_type(source, element), tile_type((bins,), count)) +
        store("h", "r", (bins,), count), block)
    found = run(program, "f", values, mask, Out())
    counted = values[mask] if masked else values
    counted = counted[(0 <= counted) & (counted < bins)].astype(np.int64)
    same(found, np.bincount(counted.ravel(), minlength=bins).astype(
        DTYPES[count]), "histogram")


def stack(element, capacity, shape, rounds):
    """Pushes and pops alternately, in a loop."""
    count = len(rounds)
    values = random_values(rng, (count,) + shape, element)
    masks = rng.random((count,) + shape) < 0.5
    pops = rng.random((count,) + shape) < 0.3
    box, full = (1,) + shape, (count,) + shape
    t, m, p = (tile_type(box, e) for e in (element, "i1", "i32"))
    s = tile_type((capacity,), element)
    offsets = ", ".join(["%i"] + ["%zero"] * len(shape))
    program = """tile.kernel @f(%%v: %s, %%m: %s, %%q: %s, %%o: %s, %%p: %s, %%x: %s, %%z: %s, %%n: memref<1xi32>) {
  %%zero = arith.constant 0 : index
  %%one = arith.constant 1 : index
  %%end = arith.constant %d : index
  %%empty = arith.constant 0 : i32
  %%s0 = tile.load %%o[%%zero] : memref<%dx%s> -> %s
  %%s, %%c = scf.for %%i = %%zero to %%end step %%one iter_args(%%a = %%s0, %%b = %%empty) -> (%s, i32) {
    %%t = tile.load %%v[%s] : %s -> %s
    %%u = tile.load %%m[%s] : %s -> %s
    %%w = tile.load %%q[%s] : %s -> %s
    %%a1, %%b1, %%p1 = tile.push %%t mask %%u onto %%a, %%b : %s onto %s
    tile.store %%p1, %%p[%s] : %s, %s
    %%y, %%b2, %%p2 = tile.pop %%a1, %%b1 mask %%w : %s to %s
    tile.store %%y, %%x[%s] : %s, %s
    tile.store %%p2, %%z[%s] : %s, %s
    scf.yield %%a1, %%b2 : %s, i32
  }
  %%f = tile.fill %%c : !tile.tile<1xi32>
  tile.store %%f, %%n[%%zero] : !tile.tile<1xi32>, memref<1xi32>
  tile.return
}
""" % (memref(full, element), memref(full, "i1"), memref(full, "i1"),
       memref((capacity,), element), memref(full, "i32"),
       memref(full, element), memref(full, "i32"), count, capacity, element, s,
       s, offsets, memref(full, element), t, offsets, memref(full, "i1"), m, offsets,
       memref(full, "i1"), m, t, s, offsets, p, memref(full, "i32"), s, t, offsets,
       t, memref(full, element), offsets, p, memref(full, "i32"), s)
    begin = random_values(rng, (capacity,), element)
    pushed, popped, taken, size = run(program, "f", values, masks, pops, begin,
                                      Out(), Out(), Out(), Out())
    kept, top = begin.copy(), 0
    for i in range(count):
        for at in np.ndindex(*shape):
            position = -1
            if masks[(i,) + at] and top < capacity:
                kept[top] = values[(i,) + at]
                position, top = top, top + 1
            assert pushed[(i,) + at] == position, ("push", i, at)
        for at in np.ndindex(*shape):
            position, value = -1, np.zeros((), begin.dtype)[()]
            if pops[(i,) + at] and top > 0:
                position = top = top - 1
                value = kept[position]
            assert taken[(i,) + at] == position, ("pop", i, at)
            assert popped[(i,) + at].tobytes() == value.tobytes(), (
                "popped", i, at)
    assert size[0] == top


for element in ELEMENTS:
    take(element, (40, 33), (16, 33), 0, {1})
    take(element, (7, 19), (7, 50), 1)
    put(element, (40, 33), (16, 33), 0, {1})
    put(element, (7, 19), (7, 23), 1, {0}, masked=True)
for index in ("i8", "i16", "i32", "i64", "index"):
    take("f32", (100,), (333,), 0, index=index)
    put("f32", (100,), (50,), 0, index=index)
for block in (32, 96, 256):
    take("i32", (1000,), (77,), 0, block=block)
    put("i32", (77,), (1000,), 0, kind="add", block=block)
take("f32", (2, 3, 5, 7), (2, 3, 9, 7), 2, {0, 3})
take("f32", (1,), (1,), 0)
take("complex<f32>", (2, 1, 37), (2, 6, 7), 2, {0}, "i16")
take("f32", (1, 9, 1), (3, 5, 33), 1)
put("f32", (2, 3, 5, 7), (2, 3, 4, 7), 2, {0, 1, 3})
for element in ("f64", "f32", "f16", "bf16", "i8", "i16", "i32", "i64"):
    put(element, (5, 16), (40, 16), 0, {1}, kind="add")
    put(element, (9,), (100,), 0, kind="max", masked=True)
for kind in ("min", "xor", "or"):
    put("i32", (31,), (500,), 0, kind=kind)
    put("i64", (31,), (500,), 0, kind=kind)

for element in ELEMENTS:
    view(element, (9, 33), (1, 30), (1, -2), (5, 14))
view("f32", (64,), (63,), (-1,), (64,))
view("f32", (64,), (3,), (7,), (9,))
view("f32", (12, 20), (11, 1), (-3, 4), (4, 5))
view("f32", (12, 20), (4, 7), None, (9,))
view("f32", (3, 12, 20), (2, 11, 1), (-1, -1, 3), (12, 6))
view("f16", (3, 4, 20), (2, 3, 5), (1, 1, 1), ())
view("f32", (2, 3, 4, 5), (1, 2, 3, 4), (-1, -1, -1, -1), (2, 3, 4, 5))

for element in ("i8", "i16", "i32", "i64", "index"):
    histogram(element, (8, 100), 100)
histogram("i32", (1000,), 7, "i64", masked=True)
histogram("i32", (3, 4, 5), 1)
histogram("i32", (4096,), 256, block=96)

stack("f32", 100, (40,), range(6))
stack("i64", 37, (3, 11), range(5))
stack("f16", 1000, (256,), range(4))
