# axes.py - several tiles of indices, masks of updates, old values of scatters
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(47)


def tile(shape, element):
    return "!tile.tile<%s>" % shape_text(shape, element)


def memref(shape, element, dynamic=False):
    return "memref<%s>" % (
        "x".join(["?"] * len(shape) + [element]) if dynamic
        else shape_text(shape, element))


def zeros(shape):
    return ", ".join(["%zero"] * len(shape))


def places_of(array, shape, axes, indices):
    """Each element's coordinates in the array, and whether it is inside."""
    leading = len(array) - len(shape)
    own = np.indices(shape)
    places = [np.zeros(shape, int)] * leading + list(own)
    for axis, numbers in zip(axes, indices):
        places[axis] = np.broadcast_to(numbers, shape)
    inside = np.ones(shape, bool)
    for place, size in zip(places, array):
        inside &= (0 <= place) & (place < size)
    return tuple(places), inside


def gather(array, shape, axes, shapes, element="f32", index="i32", words="",
           low=-1, high=1):
    """Indices from `low` to the size along the axis plus `high`."""
    numbers = [rng.integers(low, array[axis] + high, s).astype(DTYPES[index])
               for axis, s in zip(axes, shapes)]
    loads = "".join("  %%n%d = tile.load %%i%d[%s] : %s -> %s\n" % (
        n, n, zeros(s), memref(s, index), tile(s, index))
        for n, s in enumerate(shapes))
    names = ", ".join("%%n%d" % n for n in range(len(shapes)))
    types = ", ".join(tile(s, index) for s in shapes)
    program = """tile.kernel @f(%%a: %s, %s, %%r: %s) {
  %%zero = arith.constant 0 : index
%s  %%t = tile.gather %%a[%s] at %s axes %s%s : %s, %s -> %s
  tile.store %%t, %%r[%s] : %s, %s
  tile.return
}
""" % (memref(array, element, True),
       ", ".join("%%i%d: %s" % (n, memref(s, index))
                 for n, s in enumerate(shapes)),
       memref(shape, element), loads, zeros(array), names, list(axes), words,
       memref(array, element, True), types, tile(shape, element), zeros(shape),
       tile(shape, element), memref(shape, element))
    source = random_values(rng, array, element)
    places, inside = places_of(array, shape, axes, numbers)
    expected = np.zeros(shape, source.dtype)
    expected[inside] = source[tuple(p[inside] for p in places)]
    same(run(program, "f", source, *numbers, Out()), expected, program)


# Samples of an image.
gather((17, 23), (9, 31), (0, 1), [(9, 31), (9, 31)])
gather((17, 23), (9, 31), (1, 0), [(9, 31), (9, 1)], "f16", "i64")
# Places in blocks: both axes are of one dimension of the tile, one is none.
gather((11, 16, 128), (64, 128), (0, 1), [(64, 1), (64, 1)], "f16")
gather((11, 16, 128), (64, 128), (0, 1), [(64, 1), (64, 1)], "f16",
       words=" in_bounds", low=0, high=0)
gather((11, 16, 33), (9, 31), (0, 1), [(9, 1), (9, 1)])
gather((5, 6, 7), (4, 9), (0, 1, 2), [(4, 9), (4, 1), (1, 9)], "i8", "i8")
gather((5, 6, 7), (7,), (0,), [(1,)], "f64", "index")


def scatter(array, shape, axes, shapes, kind=None, element="f32", masked=False,
            old=False):
    """Each place once."""
    order = rng.permutation(int(np.prod([array[axis] for axis in axes])))
    count = int(np.prod(shapes[0]))
    numbers = np.unravel_index(order[:count],
                               [array[axis] for axis in axes])
    numbers = [n.reshape(shapes[0]).astype(np.int32) for n in numbers]
    mask = " mask %%m : %s" % tile(shape, "i1") if masked else ""
    word = " atomic " + kind if kind else ""
    program = """tile.kernel @f(%%v: %s, %%k: %s, %s, %%a: %s, %%o: %s) {
  %%zero = arith.constant 0 : index
  %%t = tile.load %%v[%s] : %s -> %s
  %%m = tile.load %%k[%s] : %s -> %s
%s  %stile.scatter %%t, %%a[%s] at %s axes %s%s%s : %s, %s, %s%s
  tile.store %s, %%o[%s] : %s, %s
  tile.return
}
""" % (memref(shape, element), memref(shape, "i1"),
       ", ".join("%%i%d: %s" % (n, memref(shapes[0], "i32"))
                 for n in range(len(axes))),
       memref(array, element, True), memref(shape, element),
       zeros(shape), memref(shape, element), tile(shape, element),
       zeros(shape), memref(shape, "i1"), tile(shape, "i1"),
       "".join("  %%n%d = tile.load %%i%d[%s] : %s -> %s\n" % (
           n, n, zeros(shapes[0]), memref(shapes[0], "i32"),
           tile(shapes[0], "i32")) for n in range(len(axes))),
       "%old = " if old else "", zeros(array),
       ", ".join("%%n%d" % n for n in range(len(axes))), list(axes), mask, word,
       tile(shape, element), memref(array, element, True),
       ", ".join([tile(shapes[0], "i32")] * len(axes)),
       " -> " + tile(shape, element) if old else "",
       "%old" if old else "%t", zeros(shape), tile(shape, element),
       memref(shape, element))
    value = random_values(rng, shape, element)
    chosen = rng.random(shape) < 0.5
    before = random_values(rng, array, element)
    places, inside = places_of(array, shape, axes, numbers)
    if masked:
        inside &= chosen
    at = tuple(p[inside] for p in places)
    expected, was = before.copy(), np.zeros(shape, value.dtype)
    was[inside] = before[at]
    expected[at] = before[at] + value[inside] if kind else value[inside]
    after, seen = run(program, "f", value, chosen, *numbers, InOut(before),
                      Out())
    same(after, expected, program)
    same(seen, was if old else value, program)


scatter((17, 23), (9, 31), (0, 1), [(9, 31)])
scatter((11, 16, 33), (9, 31), (0, 1), [(9, 1)], masked=True)
scatter((17, 23), (9, 31), (0, 1), [(9, 31)], "add", "i32", old=True)
scatter((17, 23), (9, 31), (0, 1), [(9, 31)], "add", "f32", masked=True,
        old=True)
scatter((300,), (64,), (0,), [(64,)], "add", "i64", old=True)

# Of updates of one place each sees another one before it.
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
    program = """tile.kernel @f(%%v: %s, %%k: %s%s, %%a: %s, %%o: %s) {
  %%zero = arith.constant 0 : index
  %%t = tile.load %%v[%s] : %s -> %s
  %%m = tile.load %%k[%s] : %s -> %s
%s  %%old = tile.atomic_rmw %s %%t, %%a[%s]%s mask %%m : %s : %s, %s
  tile.store %%old, %%o[%s] : %s, %s
  tile.return
}
""" % (memref(shape, element), memref(shape, "i1"), extra,
       memref(shape, element, True), memref(shape, element),
       zeros(shape), memref(shape, element), tile(shape, element),
       zeros(shape), memref(shape, "i1"), tile(shape, "i1"),
       "  %%x = tile.load %%e[%s] : %s -> %s\n" % (
           zeros(shape), memref(shape, element), tile(shape, element))
       if expected_tile else "",
       kind, zeros(shape), " expected %x" if expected_tile else "",
       tile(shape, "i1"), tile(shape, element), memref(shape, element, True),
       zeros(shape), tile(shape, element), memref(shape, element))
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

# What a mask leaves out, and where no index leads, a kernel does not read.
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
places = rng.permutation(100)[:64].astype(np.int32)
masked, scattered = run(WRITES, "f", value, chosen, places, Out(), Out())
same(masked[chosen], value[chosen], WRITES)
same(scattered[places], value, WRITES)

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
places = rng.permutation(9)[:5].astype(np.int32)
before = random_values(rng, (9,), "i32")
after, wide = run(REPEATED, "f", value, places, InOut(before), Out())
expected = before.copy()
expected[places] += value
same(after, expected, REPEATED)
same(wide, np.repeat(before[places][:, None], 64, 1), REPEATED)
