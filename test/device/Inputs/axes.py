# axes.py - tests several tiles of indices, masks of updates, old values of scatters
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(47)


def coordinates_of(array, shape, axes, indices):
    """Returns each element's coordinates in the array, and whether it is inside."""
    leading = len(array) - len(shape)
    own = np.indices(shape)
    coordinates = [np.zeros(shape, int)] * leading + list(own)
    for axis, along in zip(axes, indices):
        coordinates[axis] = np.broadcast_to(along, shape)
    inside = np.ones(shape, bool)
    for coordinate, size in zip(coordinates, array):
        inside &= (0 <= coordinate) & (coordinate < size)
    return tuple(coordinates), inside


def open_memref(shape, element):
    return memref("?" * len(shape), element)


def list_indices(shapes, element):
    return ", ".join("%%i%d: %s" % (n, memref(shape, element))
                     for n, shape in enumerate(shapes))


def load_indices(shapes, element):
    """Returns loads of the tiles %n0, %n1, ... from the arrays %i0, %i1, ..."""
    return "".join(load("n%d" % n, "i%d" % n, shape, element)
                   for n, shape in enumerate(shapes))


def names_of(shapes):
    return ", ".join("%%n%d" % n for n in range(len(shapes)))


def gather(array, shape, axes, shapes, element="f32", index="i32", words="",
           low=-1, high=1):
    """Gathers at indices from `low` to the size along the axis plus `high`."""
    indices = [rng.integers(low, array[axis] + high, s).astype(DTYPES[index])
               for axis, s in zip(axes, shapes)]
    types = ", ".join(tile_type(s, index) for s in shapes)
    program = kernel(
        "%%a: %s, %s, %%r: %s" % (
            open_memref(array, element), list_indices(shapes, index),
            memref(shape, element)),
        load_indices(shapes, index) +
        "  %%t = tile.gather %%a[%s] at %s axes %s%s : %s, %s -> %s\n" % (
            zeros(array), names_of(shapes), list(axes), words,
            open_memref(array, element), types, tile_type(shape, element)) +
        store("t", "r", shape, element))
    source = random_values(rng, array, element)
    coordinates, inside = coordinates_of(array, shape, axes, indices)
    expected = np.zeros(shape, source.dtype)
    expected[inside] = source[tuple(p[inside] for p in coordinates)]
    same(run(program, "f", source, *indices, Out()), expected, program)


# Samples of an image.
gather((17, 23), (9, 31), (0, 1), [(9, 31), (9, 31)])
gather((17, 23), (9, 31), (1, 0), [(9, 31), (9, 1)], "f16", "i64")
# Rows of the last dimension: both indices vary along the tile's first dimension.
gather((11, 16, 128), (64, 128), (0, 1), [(64, 1), (64, 1)], "f16")
gather((11, 16, 128), (64, 128), (0, 1), [(64, 1), (64, 1)], "f16",
       words=" in_bounds", low=0, high=0)
gather((11, 16, 33), (9, 31), (0, 1), [(9, 1), (9, 1)])
gather((5, 6, 7), (4, 9), (0, 1, 2), [(4, 9), (4, 1), (1, 9)], "i8", "i8")
gather((5, 6, 7), (7,), (0,), [(1,)], "f64", "index")


def scatter(array, shape, axes, shapes, kind=None, element="f32", masked=False,
            old=False):
    """Scatters elements to distinct coordinates of the array."""
    order = rng.permutation(int(np.prod([array[axis] for axis in axes])))
    count = int(np.prod(shapes[0]))
    indices = np.unravel_index(order[:count],
                               [array[axis] for axis in axes])
    indices = [n.reshape(shapes[0]).astype(np.int32) for n in indices]
    shapes = shapes * len(axes)
    mask = " mask %%m : %s" % tile_type(shape, "i1") if masked else ""
    word = " atomic " + kind if kind else ""
    program = kernel(
        "%%v: %s, %%k: %s, %s, %%a: %s, %%o: %s" % (
            memref(shape, element), memref(shape, "i1"),
            list_indices(shapes, "i32"), open_memref(array, element),
            memref(shape, element)),
        load("t", "v", shape, element) + load("m", "k", shape, "i1") +
        load_indices(shapes, "i32") +
        "  %stile.scatter %%t, %%a[%s] at %s axes %s%s%s : %s, %s, %s%s\n" % (
            "%old = " if old else "", zeros(array), names_of(shapes),
            list(axes), mask, word, tile_type(shape, element),
            open_memref(array, element),
            ", ".join(tile_type(s, "i32") for s in shapes),
            " -> " + tile_type(shape, element) if old else "") +
        store("old" if old else "t", "o", shape, element))
    value = random_values(rng, shape, element)
    chosen = rng.random(shape) < 0.5
    before = random_values(rng, array, element)
    coordinates, inside = coordinates_of(array, shape, axes, indices)
    if masked:
        inside &= chosen
    at = tuple(p[inside] for p in coordinates)
    expected, was = before.copy(), np.zeros(shape, value.dtype)
    was[inside] = before[at]
    expected[at] = before[at] + value[inside] if kind else value[inside]
    after, seen = run(program, "f", value, chosen, *indices, InOut(before),
                      Out())
    same(after, expected, program)
    same(seen, was if old else value, program)


scatter((17, 23), (9, 31), (0, 1), [(9, 31)])
scatter((11, 16, 33), (9, 31), (0, 1), [(9, 1)], masked=True)
scatter((17, 23), (9, 31), (0, 1), [(9, 31)], "add", "i32", old=True)
scatter((17, 23), (9, 31), (0, 1), [(9, 31)], "add", "f32", masked=True,
        old=True)
scatter((300,), (64,), (0,), [(64,)], "add", "i64", old=True)

# Each of several updates of one element returns a different old value.
TICKETS = """tile.kernel @f(%i: memref<100xi32>, %a: memref<?xi32>, %r: memref<100xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant dense<1> : !tile.tile<100xi32>
  %n = tile.load %i[%zero] : memref<100xi32> -> !tile.tile<100xi32>
  %t = tile.scatter %one, %a[%zero] at %n axis 0 atomic add : !tile.tile<100xi32>, memref<?xi32>, !tile.tile<100xi32> -> !tile.tile<100xi32>
  tile.store %t, %r[%zero] : !tile.tile<100xi32>, memref<100xi32>
  tile.return
}
"""
bins = rng.integers(0, 7, 100).astype(np.int32)
counts, tickets = run(TICKETS, "f", bins, InOut(np.zeros(7, np.int32)), Out())
same(counts, np.bincount(bins, minlength=7).astype(np.int32), TICKETS)
for bin in range(7):
    same(np.sort(tickets[bins == bin]),
         np.arange((bins == bin).sum(), dtype=np.int32), TICKETS)


def update(kind, element, shape, expected_tile=False):
    extra = ", %%e: %s" % memref(shape, element) if expected_tile else ""
    program = kernel(
        "%%v: %s, %%k: %s%s, %%a: %s, %%o: %s" % (
            memref(shape, element), memref(shape, "i1"), extra,
            open_memref(shape, element), memref(shape, element)),
        load("t", "v", shape, element) + load("m", "k", shape, "i1") +
        (load("x", "e", shape, element) if expected_tile else "") +
        "  %%old = tile.atomic_rmw %s %%t, %%a[%s]%s mask %%m : %s : %s, %s\n" % (
            kind, zeros(shape), " expected %x" if expected_tile else "",
            tile_type(shape, "i1"), tile_type(shape, element),
            open_memref(shape, element)) +
        store("old", "o", shape, element))
    value = random_values(rng, shape, element)
    chosen = rng.random(shape) < 0.5
    before = random_values(rng, shape, element)
    guess = np.where(rng.random(shape) < 0.5, before, value)
    changed = {"add": before + value, "exchange": value,
               "compare_exchange": np.where(guess == before, value, before)}
    arrays = [value, chosen] + ([guess] if expected_tile else [])
    after, old = run(program, "f", *arrays, InOut(before), Out())
    same(after, np.where(chosen, changed[kind], before), program)
    same(old, np.where(chosen, before, 0).astype(before.dtype), program)


update("add", "i32", (9, 31))
update("add", "f32", (64,))
update("exchange", "f16", (33,))
update("compare_exchange", "i64", (7, 5), expected_tile=True)

# A kernel does not read the elements that a mask excludes or no index addresses.
WRITES = """tile.kernel @f(%v: memref<64xf32>, %k: memref<64xi1>, %n: memref<64xi32>, %a: memref<64xf32>, %b: memref<100xf32>) {
  %zero = arith.constant 0 : index
  %t = tile.load %v[%zero] : memref<64xf32> -> !tile.tile<64xf32>
  %m = tile.load %k[%zero] : memref<64xi1> -> !tile.tile<64xi1>
  %i = tile.load %n[%zero] : memref<64xi32> -> !tile.tile<64xi32>
  tile.store %t, %a[%zero] mask %m : !tile.tile<64xi1> : !tile.tile<64xf32>, memref<64xf32>
  tile.scatter %t, %b[%zero] at %i axis 0 : !tile.tile<64xf32>, memref<100xf32>, !tile.tile<64xi32>
  tile.return
}
"""
value = rng.standard_normal(64).astype(np.float32)
chosen = rng.random(64) < 0.5
indices = rng.permutation(100)[:64].astype(np.int32)
masked, scattered = run(WRITES, "f", value, chosen, indices, Out(), Out())
same(masked[chosen], value[chosen], WRITES)
same(scattered[indices], value, WRITES)

# Each thread that uses an element's old value gets it.
REPEATED = """tile.kernel @f(%v: memref<5xi32>, %n: memref<5xi32>, %a: memref<9xi32>, %r: memref<5x64xi32>) {
  %zero = arith.constant 0 : index
  %t = tile.load %v[%zero] : memref<5xi32> -> !tile.tile<5xi32>
  %i = tile.load %n[%zero] : memref<5xi32> -> !tile.tile<5xi32>
  %old = tile.scatter %t, %a[%zero] at %i axis 0 atomic add : !tile.tile<5xi32>, memref<9xi32>, !tile.tile<5xi32> -> !tile.tile<5xi32>
  %wide = tile.broadcast %old dims [0] : !tile.tile<5xi32> to !tile.tile<5x64xi32>
  tile.store %wide, %r[%zero, %zero] : !tile.tile<5x64xi32>, memref<5x64xi32>
  tile.return
}
"""
value = random_values(rng, (5,), "i32")
indices = rng.permutation(9)[:5].astype(np.int32)
before = random_values(rng, (9,), "i32")
after, wide = run(REPEATED, "f", value, indices, InOut(before), Out())
expected = before.copy()
expected[indices] += value
same(after, expected, REPEATED)
same(wide, np.repeat(before[indices][:, None], 64, 1), REPEATED)
