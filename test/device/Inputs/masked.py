# masked.py - tile.load and tile.store with masks
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(23)


def masked(element, array, tile, offsets, pad=None, order="C", block=None,
           in_bounds=False):
    """Copies the elements of a box that a mask selects to another array."""
    rank = len(array)
    stride = "" if order == "C" else (
        ", strided<[%s]>" % ", ".join(["1"] + ["?"] * (rank - 1)))
    memory = "memref<%s%s>" % (shape_text("?" * rank, element), stride)
    t, m = tile_type(tile, element), tile_type(tile, "i1")
    source = np.asarray(random_values(rng, array, element), order=order)
    dest = np.asarray(random_values(rng, array, element), order=order)
    mask = np.asarray(rng.random(tile) < 0.6)
    indices = ", ".join("%%i%d" % n for n in range(rank))
    zeros = ", ".join(["%zero"] * max(len(tile), 1))
    masks = tile or (1,)
    program = """tile.kernel @f(%%a: %s, %%m: memref<%s>, %%b: %s, %%p: %s, %s)%s {
  %%zero = arith.constant 0 : index
  %%m0 = tile.load %%m[%s] : memref<%s> -> %s
  %%t = tile.load %%a[%s] mask %%m0 : %s %s %s : %s -> %s
  tile.store %%t, %%b[%s] mask %%m0 : %s %s : %s, %s
  tile.return
}
""" % (memory, shape_text(masks, "i1"), memory, element,
       ", ".join("%%i%d: index" % n for n in range(rank)),
       attributes_of(block),
       zeros, shape_text(masks, "i1"), m, indices, m,
       "pad %p" if pad is not None else "",
       "in_bounds" if in_bounds else "", memory, t, indices, m,
       "in_bounds" if in_bounds else "", t, memory)
    result = run(program, "f", source, mask.reshape(masks), InOut(dest),
                 3 if pad is None else pad, *offsets)
    expected = dest.copy()
    leading = rank - len(tile)
    for coordinates in np.ndindex(*tile):
        at = tuple(o + (coordinates[d - leading] if d >= leading else 0)
                   for d, o in enumerate(offsets))
        inside = all(0 <= c < size for c, size in zip(at, array))
        if inside and mask[coordinates]:
            expected[at] = source[at]
    assert result.tobytes() == expected.tobytes(), (
        "masked", element, array, tile, offsets, order)


def pads(element, pad):
    """Checks that elements outside of the mask or the array have the pad value."""
    array, tile, offsets = (9, 30), (7, 19), (4, 20)
    source = random_values(rng, array, element)
    mask = rng.random(tile) < 0.5
    program = """tile.kernel @f(%%a: memref<9x30x%s>, %%m: memref<7x19xi1>, %%p: %s, %%r: memref<7x19x%s>) {
  %%zero = arith.constant 0 : index
  %%i = arith.constant 4 : index
  %%j = arith.constant 20 : index
  %%m0 = tile.load %%m[%%zero, %%zero] : memref<7x19xi1> -> !tile.tile<7x19xi1>
  %%t = tile.load %%a[%%i, %%j] mask %%m0 : !tile.tile<7x19xi1> pad %%p : memref<9x30x%s> -> !tile.tile<7x19x%s>
  tile.store %%t, %%r[%%zero, %%zero] : !tile.tile<7x19x%s>, memref<7x19x%s>
  tile.return
}
""" % ((element,) * 7)
    result = run(program, "f", source, mask, pad, Out())
    expected = np.full(tile, encode(np.float64(pad), element), source.dtype)
    for i, j in np.ndindex(*tile):
        if mask[i, j] and i + 4 < 9 and j + 20 < 30:
            expected[i, j] = source[i + 4, j + 20]
    assert result.tobytes() == expected.tobytes(), ("pad", element)


for element in ["f64", "f32", "f16", "bf16", "f8E4M3FN", "i8", "i16", "i32",
                "i64", "complex<f64>"]:
    masked(element, (40, 64), (16, 64), (0, 0))
    masked(element, (40, 61), (7, 19), (35, 50))
    masked(element, (77,), (33,), (-5,))
for offsets in [(0, 0), (-3, 8), (5, -8), (39, 63), (2 ** 40, 0), (0, -2 ** 40)]:
    masked("f32", (40, 64), (16, 64), offsets)
    masked("f32", (40, 64), (16, 64), offsets, order="F")
for block in (32, 96, 128):
    masked("f16", (40, 64), (9, 33), (1, 2), block=block, in_bounds=True)
masked("f32", (3, 40, 16), (7, 16), (2, 0, 0))
masked("i32", (4, 5, 6, 7), (4, 3, 5, 6), (0, 1, 2, 3))
masked("f32", (5, 6), (), (2, 3))
masked("f32", (0, 16), (4, 16), (0, 0))
for element in ("f32", "f16", "bf16", "i32"):
    pads(element, 3)
