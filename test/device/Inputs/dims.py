# dims.py - accesses whose tile has any of the array's dimensions, arrays of rank
# 5 to 8
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(41)


def memref(rank, element, strides=None):
    return "memref<%sx%s%s>" % ("x".join("?" * rank), element,
                                ", strided<[%s]>" % strides if strides else "")


def take_box(array, offsets, dims, shape, pad):
    """Returns the tile that a load with `dims` gives."""
    result = np.full(shape, pad, array.dtype)
    for at in np.ndindex(*shape):
        coordinates = list(offsets)
        for own, dim in zip(at, dims):
            coordinates[dim] += own
        if all(0 <= p < size for p, size in zip(coordinates, array.shape)):
            result[at] = array[tuple(coordinates)]
    return result


def put_box(array, offsets, dims, value, mask=None):
    for at in np.ndindex(*value.shape):
        coordinates = list(offsets)
        for own, dim in zip(at, dims):
            coordinates[dim] += own
        if (mask is None or mask[at]) and all(
                0 <= p < size for p, size in zip(coordinates, array.shape)):
            array[tuple(coordinates)] = value[at]


def constants(offsets):
    return "".join("  %%o%d = arith.constant %d : index\n" % pair
                   for pair in enumerate(offsets))


def names(offsets):
    return ", ".join("%%o%d" % n for n in range(len(offsets)))


def load(array, offsets, dims, shape, element="f32", words="", pad=0):
    """Checks a load, stored to an array of the tile's shape."""
    to = shape or (1,)
    program = """tile.kernel @f(%%a: %s, %%r: %s) {
%s  %%zero = arith.constant 0 : index
  %%p = arith.constant 7.0 : f32
  %%t = tile.load %%a[%s] dims %s%s : %s -> %s
  tile.store %%t, %%r[%s] : %s, %s
  tile.return
}
""" % (memref(len(array), element), memref(len(to), element),
       constants(offsets), names(offsets), list(dims), words,
       memref(len(array), element), tile_type(shape, element), zeros(to),
       tile_type(shape, element), memref(len(to), element))
    source = random_values(rng, array, element)
    same(run(program, "f", source, Out(*to)),
         take_box(source, offsets, dims, shape, pad).reshape(to), program)


def store(array, offsets, dims, shape, element="f32", masked=False):
    mask = " mask %%m : %s" % tile_type(shape, "i1") if masked else ""
    program = """tile.kernel @f(%%v: %s, %%k: %s, %%r: %s) {
%s  %%zero = arith.constant 0 : index
  %%t = tile.load %%v[%s] : %s -> %s
  %%m = tile.load %%k[%s] : %s -> %s
  tile.store %%t, %%r[%s] dims %s%s : %s, %s
  tile.return
}
""" % (memref(len(shape), element), memref(len(shape), "i1"),
       memref(len(array), element), constants(offsets), zeros(shape),
       memref(len(shape), element), tile_type(shape, element), zeros(shape),
       memref(len(shape), "i1"), tile_type(shape, "i1"), names(offsets),
       list(dims), mask, tile_type(shape, element), memref(len(array), element))
    value = random_values(rng, shape, element)
    chosen = rng.random(shape) < 0.6
    before = random_values(rng, array, element)
    expected = before.copy()
    put_box(expected, offsets, dims, value, chosen if masked else None)
    same(run(program, "f", value, chosen, InOut(before)), expected, program)


# Tokens, heads, columns: a head of some tokens.
load((70, 3, 64), (0, 1, 0), (0, 2), (64, 64))
load((70, 3, 64), (32, 2, 16), (0, 2), (64, 64), "f16")
load((13, 5, 33), (-3, 4, 5), (0, 2), (9, 31))
load((13, 5, 33), (2, 5, 0), (0, 2), (9, 31), words=" pad %p", pad=7)
load((13, 5, 33), (2, 4, 0), (0, 2), (9, 31), words=" in_bounds")
# The dimensions in another order, only one dimension, no dimension.
load((13, 5, 33), (1, 2, 3), (2, 0), (30, 7))
load((13, 5, 33), (1, 2, 3), (1,), (3,), "bf16")
load((13, 5, 33), (1, 2, 3), (), (), "f64")
load((13, 5, 33), (0, 0, 0), (1, 2, 0), (5, 33, 13), "i8")
load((6, 5, 4), (1, 1, 1), (0, 1, 2), (5, 4, 3), "complex<f32>")
# Ranks above 4.
load((3, 4, 5, 6, 7), (1, 2, 0, 3, 0), (2, 4), (5, 7))
load((2, 3, 2, 3, 4, 3, 2, 9), (1, 2, 1, 0, 2, 0, 1, 0), (3, 7), (3, 9), "f16")
store((70, 3, 64), (0, 1, 0), (0, 2), (64, 64), "f16")
store((13, 5, 33), (-3, 4, 5), (0, 2), (9, 31))
store((13, 5, 33), (-3, 4, 5), (2, 0), (31, 9), masked=True)
store((3, 4, 5, 6, 7), (1, 2, 0, 3, 0), (2, 4), (5, 9), "i32", masked=True)

# A matmul of attention heads, in a loop that copies ahead.
MATMUL = """tile.kernel @f(%q: memref<?x?x?xf16>, %k: memref<?x?x?xf16>, %r: memref<?x?x?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %step = arith.constant 32 : index
  %two = arith.constant 2 : index
  %depth = memref.dim %q, %two : memref<?x?x?xf16>
  %none = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %sum = scf.for %i = %zero to %depth step %step iter_args(%acc = %none) -> !tile.tile<64x64xf32> {
    %a = tile.load %q[%zero, %one, %i] dims [0, 2] : memref<?x?x?xf16> -> !tile.tile<64x32xf16>
    %b = tile.load %k[%zero, %one, %i] dims [2, 0] : memref<?x?x?xf16> -> !tile.tile<32x64xf16>
    %next = tile.matmul %a, %b, %acc : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
    scf.yield %next : !tile.tile<64x64xf32>
  }
  tile.store %sum, %r[%zero, %one, %zero] dims [0, 2] : !tile.tile<64x64xf32>, memref<?x?x?xf32>
  tile.return
}
"""
for tokens, depth in [(64, 128), (61, 101)]:
    q = rng.standard_normal((tokens, 3, depth)).astype(np.float16)
    k = rng.standard_normal((tokens, 3, depth)).astype(np.float16)
    before = np.zeros((tokens, 3, tokens), np.float32)
    found = run(MATMUL, "f", q, k, InOut(before))
    x, y = q[:, 1].astype(np.float64), k[:, 1].astype(np.float64)
    error = abs(found[:, 1] - x @ y.T)
    if not np.all(error <= depth * 2.0 ** -24 * (abs(x) @ abs(y.T))):
        raise SystemExit("product of heads: error %g" % error.max())
    if found[:, 0].any() or found[:, 2].any():
        raise SystemExit("expected the other heads as they were")

# An update, and gathers of rows.
UPDATE = """tile.kernel @f(%v: memref<9x31xf32>, %r: memref<?x?x?xf32>) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %t = tile.load %v[%zero, %zero] : memref<9x31xf32> -> !tile.tile<9x31xf32>
  %old = tile.atomic_rmw add %t, %r[%two, %two, %zero] dims [0, 2] : !tile.tile<9x31xf32>, memref<?x?x?xf32>
  tile.return
}
"""
value = rng.standard_normal((9, 31)).astype(np.float32)
before = rng.standard_normal((10, 3, 33)).astype(np.float32)
expected = before.copy()
expected[2:, 2, :31] += value[:8]
same(run(UPDATE, "f", value, InOut(before)), expected, UPDATE)
ROWS = """tile.kernel @f(%a: memref<?x?x?xf32>, %n: memref<8x1xi32>, %r: memref<8x33xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %i = tile.load %n[%zero, %zero] : memref<8x1xi32> -> !tile.tile<8x1xi32>
  %t = tile.gather %a[%zero, %one, %zero] dims [0, 2] at %i axis 0 : memref<?x?x?xf32>, !tile.tile<8x1xi32> -> !tile.tile<8x33xf32>
  tile.store %t, %r[%zero, %zero] : !tile.tile<8x33xf32>, memref<8x33xf32>
  tile.return
}
"""
array = rng.standard_normal((10, 3, 33)).astype(np.float32)
rows = rng.integers(0, 10, (8, 1)).astype(np.int32)
same(run(ROWS, "f", array, rows, Out()), array[rows[:, 0], 1], ROWS)
