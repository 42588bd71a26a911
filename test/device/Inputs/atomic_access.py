# atomic_access.py - tile.atomic_load, tile.atomic_store, tile.fence
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(13)
ELEMENTS = ["i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64"]


def random_bits(shape, element):
    """Returns random bits, including NaNs with payloads."""
    dtype = np.dtype(DTYPES[element])
    size = int(np.prod(shape)) * dtype.itemsize
    return rng.integers(0, 256, size, np.uint8).view(dtype).reshape(shape)


def test(element, array=(9, 13), tile=(8, 8), offsets=(-3, 7), words="",
         block=None):
    """Copies a box of one array to the same box of another."""
    source, dest = random_bits(array, element), random_bits(array, element)
    memref = "memref<%s>" % shape_text("?" * len(tile), element)
    t = "!tile.tile<%s>" % shape_text(tile, element)
    at = ", ".join("%%i%d" % d for d in range(len(tile)))
    read, changed = run("""tile.kernel @f(%%a: %s, %%b: %s, %s)%s {
  %%t = tile.atomic_load %%a[%s] %s : %s -> %s
  tile.atomic_store %%t, %%b[%s] %s : %s, %s
  tile.return
}
""" % (memref, memref,
       ", ".join("%%i%d: index" % d for d in range(len(tile))),
       attributes_of(block), at, words, memref, t, at,
       words.replace("acquire", "release"), t, memref), "f", InOut(source),
    InOut(dest), *offsets)
    assert read.tobytes() == source.tobytes(), (element, words)
    in_array, in_tile = get_box(array, offsets, tile)
    expected = dest.copy()
    expected[in_array] = source[in_array]
    assert changed.tobytes() == expected.tobytes(), (element, array, tile,
                                                     offsets, words)


for element in ELEMENTS:
    test(element)
for order in ("relaxed", "acquire"):
    for scope in ("block", "gpu", "system"):
        test("f32", words="order %s scope %s" % (order, scope))
for tile in [(1,), (3,), (31,), (5, 7), (2, 3, 4), (1, 1, 1, 1)]:
    array = tuple(n + 2 for n in tile)
    for block in (32, 128):
        test("i32", array, tile, (1,) * len(tile), block=block)
        test("f16", array, tile, (-1,) * len(tile), block=block)
    test("i64", array, tile, (0,) * len(tile), words="in_bounds")
for far in (2 ** 63 - 1, -2 ** 63, 2 ** 40, -2 ** 40):
    test("i32", offsets=(far, 0))

# Loads outside of the array give zero.
t = run("""tile.kernel @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %i = arith.constant -5 : index
  %t = tile.atomic_load %a[%i] : memref<?xf32> -> !tile.tile<37xf32>
  tile.store %t, %b[%c0] : !tile.tile<37xf32>, memref<?xf32>
  tile.return
}
""", "f", InOut(np.ones(29, np.float32)), Out(37))[1]
same(t, np.concatenate([np.zeros(5), np.ones(29), np.zeros(3)])
     .astype(np.float32), "padding")


def test_message(publish, await_, block, scope="gpu"):
    """Chains blocks over rows: each block adds its row to the result of the block
    before, which becomes visible only through the order of the flag's accesses."""
    rows, columns = 7, 150
    x = random_values(rng, (rows, columns), "f32")
    y = run("""tile.kernel @f(%%x: memref<?x?xf32>, %%flags: memref<?xi32>, %%y: memref<?x?xf32>) attributes {block = %d : i64} {
  %%c0 = arith.constant 0 : index
  %%one = arith.constant dense<1> : !tile.tile<i32>
  %%ticket = tile.atomic_rmw add %%one, %%flags[%%c0] : !tile.tile<i32>, memref<?xi32>
  %%n = tile.extract %%ticket[] : !tile.tile<i32>
  %%i = arith.index_cast %%n : i32 to index
  %%c1 = arith.constant 1 : index
  %%before = arith.subi %%i, %%c1 : index
  %%own = arith.addi %%i, %%c1 : index
  %%is_first = arith.cmpi eq, %%i, %%c0 : index
  %%zero = arith.constant 0 : i32
  scf.if %%is_first {
  } else {
    scf.while : () -> () {
      %%f = tile.atomic_load %%flags[%%i] %s : memref<?xi32> -> !tile.tile<i32>
      %%is = tile.extract %%f[] : !tile.tile<i32>
      %%waits = arith.cmpi eq, %%is, %%zero : i32
      scf.condition(%%waits)
    } do {
      scf.yield
    }
    %s
  }
  %%t = tile.load %%x[%%i, %%c0] : memref<?x?xf32> -> !tile.tile<1x150xf32>
  %%p = tile.load %%y[%%before, %%c0] : memref<?x?xf32> -> !tile.tile<1x150xf32>
  %%s = arith.addf %%t, %%p : !tile.tile<1x150xf32>
  tile.store %%s, %%y[%%i, %%c0] : !tile.tile<1x150xf32>, memref<?x?xf32>
  %s
  tile.return
}
""" % (block, await_[0], await_[1], publish), "f", x,
            InOut(np.zeros(rows + 1, np.int32)),
            InOut(np.zeros((rows, columns), np.float32)), grid="%d,1,1" % rows)
    expected = np.zeros(columns, np.float32)
    for row in range(rows):
        expected = x[row] + expected
        same(y[1][row], expected, "row %d" % row)


STORE = ("tile.atomic_store %%one, %%flags[%%own] %s"
         " : !tile.tile<i32>, memref<?xi32>")
for block in (32, 96):
    for scope in ("gpu", "system"):
        test_message(STORE % ("order release scope " + scope),
                     ("order acquire scope " + scope, ""), block)
        test_message("tile.fence release scope %s\n  %s" % (scope, STORE % ""),
                     ("", "tile.fence acquire scope " + scope), block)
    test_message("tile.fence\n  " + STORE % "", ("", "tile.fence"), block)
