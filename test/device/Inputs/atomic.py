# atomic.py - tests tile.atomic_rmw of every kind, type, order and scope
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(7)
INTEGERS = ["i8", "i16", "i32", "i64", "index"]
FLOATS = ["f16", "bf16", "f32", "f64"]
OF_FLOATS = ["add", "min", "max", "exchange"]
KINDS = OF_FLOATS + ["umin", "umax", "and", "or", "xor"]


def random_array(shape, element):
    """Returns small integers as floats, so that sums are exact in every type, or
    integers of the whole range."""
    if element in FLOATS:
        return encode(rng.integers(-40, 40, shape).astype(np.float64), element)
    info = np.iinfo(DTYPES[element])
    return rng.integers(info.min, info.max, shape, DTYPES[element],
                        endpoint=True)


def update(kind, old, value, element):
    """Returns the value of an element after an update of `kind`."""
    if kind == "exchange":
        return value
    if element in FLOATS:
        x, v = decode(old, element), decode(value, element)
        made = {"add": np.add, "min": np.minimum, "max": np.maximum}[kind](x, v)
        return encode(made, element)
    if kind in ("umin", "umax"):
        unsigned = np.dtype("u%d" % old.dtype.itemsize)
        made = {"umin": np.minimum, "umax": np.maximum}[kind](
            old.view(unsigned), value.view(unsigned))
        return made.view(old.dtype)
    with np.errstate(over="ignore"):
        return {"add": np.add, "min": np.minimum, "max": np.maximum,
                "and": np.bitwise_and, "or": np.bitwise_or,
                "xor": np.bitwise_xor}[kind](old, value)


def program(kind, element, tile, words, wants_old, block=None):
    memref = "memref<%sx%s>" % ("x".join("?" * len(tile)), element)
    t = "!tile.tile<%s>" % shape_text(tile, element)
    zeros = ", ".join(["%z"] * len(tile))
    offsets = ", ".join("%%i%d" % d for d in range(len(tile)))
    expected = "expected %w " if kind == "compare_exchange" else ""
    store = ("  tile.store %%o, %%old[%s] : %s, %s\n" % (zeros, t, memref)
             if wants_old else "")
    return """tile.kernel @f(%%a: %s, %%old: %s, %%x: %s, %%y: %s, %s)%s {
  %%z = arith.constant 0 : index
  %%v = tile.load %%x[%s] : %s -> %s
  %%w = tile.load %%y[%s] : %s -> %s
  %%o = tile.atomic_rmw %s %%v, %%a[%s] %s%s : %s, %s
%s  tile.return
}
""" % (memref, memref, memref, memref,
       ", ".join("%%i%d: index" % d for d in range(len(tile))),
       attributes_of(block), zeros, memref, t, zeros, memref, t, kind, offsets,
       expected, words, t, memref, store)


def test(kind, element, array=(9, 13), tile=(8, 8), offsets=(-3, 7), words="",
         wants_old=True, block=None):
    values = random_array(array, element)
    updates = random_array(tile, element)
    old = np.zeros(tile, updates.dtype)
    wanted = random_array(tile, element)
    in_array, in_tile = get_box(array, offsets, tile)
    # Every second element is the expected one.
    chosen = np.zeros(tile, bool)
    chosen.flat[::2] = True
    inside = np.zeros(tile, bool)
    inside[in_tile] = True
    chosen &= inside
    full = np.zeros(tile, values.dtype)
    full[in_tile] = values[in_array]
    wanted[chosen] = full[chosen]
    before = random_array(tile, element)
    results = run(program(kind, element, tile, words, wants_old, block), "f",
                  InOut(values), InOut(before) if wants_old else before,
                  updates, wanted, *offsets)
    changed, before = results if wants_old else (results, before)
    expected = values.copy()
    if kind == "compare_exchange":
        hits = inside & (full.view(np.uint8).reshape(*tile, -1) ==
                         wanted.view(np.uint8).reshape(*tile, -1)).all(-1)
        made = np.where(hits, updates, full)
    else:
        made = update(kind, full, updates, element)
    expected[in_array] = made[in_tile]
    old[in_tile] = values[in_array]
    what = (kind, element, array, tile, offsets, words)
    assert changed.tobytes() == expected.tobytes(), what
    if wants_old:
        assert before.tobytes() == old.tobytes(), what


for element in INTEGERS + FLOATS:
    for kind in KINDS if element in INTEGERS else OF_FLOATS:
        test(kind, element)
    test("compare_exchange", element)
for kind in ("add", "max", "compare_exchange"):
    for order in ("relaxed", "acquire", "release", "acq_rel"):
        for scope in ("block", "gpu", "system"):
            test(kind, "f32", words="order %s scope %s" % (order, scope))
for kind in KINDS:
    test(kind, "i16", words="scope system")
test("min", "bf16", words="scope system")
# Several threads hold the same element, and results are unused.
for tile in [(1,), (3,), (31,), (5, 7), (2, 3, 4), (1, 1, 1, 1)]:
    array = tuple(n + 2 for n in tile)
    for block in (32, 128):
        test("add", "i32", array, tile, (1,) * len(tile), block=block)
        test("add", "f32", array, tile, (-1,) * len(tile), block=block)
    test("xor", "i64", array, tile, (0,) * len(tile), words="in_bounds")
    test("add", "i32", array, tile, (1,) * len(tile), wants_old=False)
# Boxes far from the array access nothing.
for far in (2 ** 63 - 1, -2 ** 63, 2 ** 40, -2 ** 40):
    test("add", "i32", offsets=(far, 0))

# Blocks add to one element: each receives a different old value.
NUM_BLOCKS = 50
tickets = run("""tile.kernel @f(%count: memref<1xi32>, %tickets: memref<?xi32>) {
  %z = arith.constant 0 : index
  %one = arith.constant dense<1> : !tile.tile<1xi32>
  %ticket = tile.atomic_rmw add %one, %count[%z] : !tile.tile<1xi32>, memref<1xi32>
  %block = tile.program_id x
  tile.store %ticket, %tickets[%block] : !tile.tile<1xi32>, memref<?xi32>
  tile.return
}
""", "f", InOut(np.zeros(1, np.int32)), Out(NUM_BLOCKS),
              grid="%d,1,1" % NUM_BLOCKS)
assert tickets[0][0] == NUM_BLOCKS
assert sorted(tickets[1]) == list(range(NUM_BLOCKS))
