# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results of operations, on the emulator and on the CPU path, against NumPy in
float64."""

import operator

import numpy as np
import pytest

import tile_mlir as tile
from checking import SHAPE, check, compute, make, of_three
from tile_mlir.tracing import values

MACHINES = ["emulator", "cpu"]

# ----------------------------------------------------------------------------
# Operators
# ----------------------------------------------------------------------------

ARITHMETIC = ["add", "sub", "mul", "truediv"]
INTEGERS = ["add", "sub", "mul", "floordiv", "mod", "and_", "or_", "xor"]
COMPARISONS = ["lt", "le", "gt", "ge", "eq", "ne"]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ARITHMETIC)
@pytest.mark.parametrize("dtype, tolerance", [
    (np.float32, 3e-7), (np.float64, 3e-16), (np.float16, 1e-3),
    (np.complex64, 1e-6)])
def test_arithmetic(rng, machine, name, dtype, tolerance):
    a, b = make(rng, dtype), make(rng, dtype)
    check(lambda xp, x, y: getattr(operator, name)(x, y), a, b, dtype=dtype,
          tolerance=tolerance, machine=machine)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.int8, np.uint32,
                                   np.uint8])
def test_integers(rng, machine, name, dtype):
    a, b = make(rng, dtype), make(rng, dtype)
    b[b == 0] = 3
    with np.errstate(over="ignore"):
        check(lambda xp, x, y: getattr(operator, name)(x, y), a, b, dtype=dtype,
              machine=machine)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", COMPARISONS)
@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.uint8])
def test_comparisons(rng, machine, name, dtype):
    a, b = make(rng, dtype), make(rng, dtype)
    b[0] = a[0]
    if a.dtype.kind == "f":
        a[1, 1] = b[2, 2] = np.nan
    if dtype == np.uint8:
        a[3] += 150  # beyond the signed range
    check(lambda xp, x, y: getattr(operator, name)(x, y), a, b, dtype=np.int32,
          machine=machine)


@pytest.mark.parametrize("number", [3, 2.5, -1])
def test_python_numbers(rng, number):
    """Python values take the tile's type, on either side."""
    x = make(rng, np.float16)
    check(lambda xp, x: number - x * number, x, dtype=np.float16, tolerance=2e-3)
    n = make(rng, np.int32)
    if isinstance(number, int):
        check(lambda xp, x: number * x - 7 // x, np.where(n == 0, 5, n),
              dtype=np.int32)


def test_floor_division_and_remainder_have_pythons_signs():
    a = np.array([7, -7, 7, -7, 8, -8], np.int32)
    b = np.array([2, 2, -2, -2, 4, 4], np.int32)
    check(lambda xp, x, y: x // y, a, b, dtype=np.int32)
    check(lambda xp, x, y: x % y, a, b, dtype=np.int32)
    f = a.astype(np.float32)
    check(lambda xp, x, y: x // y, f, b.astype(np.float32))
    check(lambda xp, x, y: x % y, f, b.astype(np.float32))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("dtype, tolerance", [
    (np.float32, 2 ** -24), (np.float64, 2 ** -53), (np.float16, 2 ** -11)])
def test_remainders_of_great_quotients(rng, machine, dtype, tolerance):
    """Remainders are as exact as their type, and have the sign of the divisor, as in
    NumPy."""
    a = 1000 * make(rng, dtype)
    b = make(rng, dtype)
    b[abs(b) < 0.05] = 0.3
    wide, by = a.astype(np.longdouble), b.astype(np.longdouble)
    check(lambda xp, x, y: x % y, a, b, dtype=dtype, tolerance=tolerance,
          machine=machine, expected=np.remainder(wide, by).astype(np.float64))
    check(lambda xp, x, y: x // y, a, b, dtype=dtype, tolerance=tolerance,
          machine=machine, expected=np.floor_divide(wide, by).astype(np.float64))


def test_floor_division_of_special_numbers():
    a = np.array([1, 1, -1, -1, 3, -3, np.inf, 0, np.nan], np.float32)
    b = np.array([0.1, np.inf, np.inf, 0, 0, 0.3, 2, -5, 1], np.float32)
    with np.errstate(all="ignore"):
        check(lambda xp, x, y: x // y, a, b, expected=a // b, tolerance=0)
        check(lambda xp, x, y: x % y, a, b, expected=a % b, tolerance=0)


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 7, -2, 0.5])
def test_power(rng, exponent):
    x = np.abs(make(rng, np.float32)) + np.float32(0.5)
    check(lambda xp, x: x ** exponent, x)


def test_power_of_zero():
    """x ** 0 is one, also for NaN and infinity."""
    x = np.array([2, 0, np.nan, np.inf], np.float32)
    check(lambda xp, x: x ** 0, x)
    check(lambda xp, x: x ** 0, np.array([3, 0], np.int32), dtype=np.int32)


def test_shifts_and_not(rng):
    a = make(rng, np.int32)
    check(lambda xp, x: (x << 3) ^ (x >> 2) ^ ~x, a, dtype=np.int32)
    u = make(rng, np.uint32) + np.uint32(2 ** 31)
    check(lambda xp, x: x >> 5, u, dtype=np.uint32)
    b = make(rng, np.bool_)
    check(lambda xp, x: ~x, b, dtype=np.int32)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", [
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan",
    "sinh", "cosh", "tanh", "sqrt", "floor", "ceil", "trunc", "cbrt"])
def test_functions(rng, machine, name):
    x = make(rng, np.float32)
    if name in ("log", "log2", "log10", "log1p", "sqrt"):
        x = np.abs(x) + np.float32(0.1)
    check(lambda xp, x: getattr(xp, name)(x), x, machine=machine)


def test_other_functions(rng):
    x, y = make(rng, np.float32), make(rng, np.float32)
    u = np.clip(x / 4, -1, 1)
    names = {"asin": "arcsin", "acos": "arccos", "atan": "arctan",
             "round": "rint"}
    for ours, theirs in names.items():
        check(lambda xp, x: getattr(tile, ours)(x) if xp is tile else
              getattr(np, theirs)(x), u)
    check(lambda xp, x, y: tile.atan2(x, y) if xp is tile else
          np.arctan2(x, y), x, y)
    check(lambda xp, x, y: xp.copysign(x, y), x, y)
    check(lambda xp, x: tile.rsqrt(x) if xp is tile else 1 / np.sqrt(x),
          np.abs(x) + np.float32(0.1))
    check(lambda xp, x: tile.sigmoid(x) if xp is tile else 1 / (1 + np.exp(-x)),
          x)
    check(lambda xp, x, y: tile.fma(x, y, 2.0) if xp is tile else x * y + 2, x, y)
    check(lambda xp, x: xp.clip(x, -0.5, 0.75), x)
    check(lambda xp, x, y: xp.maximum(x, y) - xp.minimum(x, y), x, y)
    check(lambda xp, x: abs(x) - (-x), x)


def test_where_and_nan(rng):
    x, y = make(rng, np.float32), make(rng, np.float32)
    check(lambda xp, x, y: xp.where(x < y, x, y * 2), x, y)
    x[2] = np.nan
    check(lambda xp, x: xp.where(xp.isnan(x), 7.0, x), x)
    c = make(rng, np.complex64)
    check(lambda xp, x: xp.where(x == x, x.real if xp is np else tile.real(x),
                                 0.0), c)


# ----------------------------------------------------------------------------
# Types
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("of", [np.float32, np.float16, np.float64, np.int32,
                                np.int8, np.uint8, np.uint32, np.bool_])
@pytest.mark.parametrize("to", [np.float32, np.float16, np.float64, np.int32,
                                np.int64, np.uint8, np.int8])
def test_conversions(rng, of, to):
    x = make(rng, of, low=-40)
    if np.dtype(to).kind == "u":
        x = np.abs(x)
    check(lambda xp, x: x.astype(to), x, dtype=to, tolerance=1e-3)


@pytest.mark.parametrize("a, b, result", [
    (np.float16, np.float32, tile.f32), (np.int32, np.float16, tile.f16),
    (np.int32, np.float32, tile.f32), (np.int8, np.int32, tile.i32),
    (np.uint8, np.int8, tile.i16), (np.uint32, np.int32, tile.i64),
    (np.bool_, np.int8, tile.i8), (np.float32, np.complex64, tile.complex64),
    (np.float64, np.complex64, tile.complex128)])
def test_promotion(rng, a, b, result):
    found = []

    def add(xp, x, y):
        z = x + y
        found.append(z.dtype)
        return z

    x, y = make(rng, a), make(rng, b)
    dtype = np.complex128 if result.kind == "complex" else np.float64
    out = compute(add, x, y, shape=SHAPE, dtype=dtype)
    assert found[0] == result
    expected = x.astype(np.complex128) + y
    np.testing.assert_allclose(out, expected, rtol=1e-3, atol=1e-3)


def test_elements_of_names():
    for name in ("bool_", "u8", "f16", "f8e4m3", "f8e5m2", "complex128", "index"):
        assert repr(getattr(tile, name)) == f"tile.{name}"
    assert tile.element("bfloat16") == tile.bf16
    assert tile.element(np.uint8) == tile.u8
    assert tile.element(float) == tile.f32
    with pytest.raises(tile.ArgumentError, match="expected an element type"):
        tile.element("float128")


# ----------------------------------------------------------------------------
# Shapes
# ----------------------------------------------------------------------------


def test_broadcast(rng):
    row, column = make(rng, np.float32, (13,)), make(rng, np.float32, (5, 1))
    check(lambda xp, x, y: x * y + 1, row, column)
    cube = make(rng, np.float32, (3, 1, 13))
    check(lambda xp, x, y: x - y, cube, column)


def test_shapes(rng):
    x = make(rng, np.float32, (4, 6, 5))
    check(lambda xp, x: x.reshape(8, -1), x)
    check(lambda xp, x: x.transpose(2, 0, 1), x)
    check(lambda xp, x: x.T, x)
    check(lambda xp, x: xp.expand_dims(x, 1)[:, 0], x)
    check(lambda xp, x: xp.squeeze(x[:, :1], 1), x)
    check(lambda xp, x: xp.stack([x, x * 2], 1), x)
    check(lambda xp, x: xp.concatenate([x, x[:, :2]], 1), x)


@tile.kernel(grid=np.int64(1), fixed={"x": np.int64(1)})
def count_by_numpy(x, out, *, n):
    i = np.int32(1)
    rows = tile.load(x, (i, n - n), (np.uint8(2), n))
    row = rows.sum(axis=np.int64(0)) + tile.arange(n) * x[i, i] + tile.zeros((n,))[i]
    row += tile.flip(tile.zeros(n).reshape(n), i - i) + tile.program_id(i - i)
    tile.store(out, i, tile.concatenate([row[i:n], tile.full(i, 5.0)], i - 1))


def test_integers_of_numpy(rng):
    """NumPy integers can be indices, extents, axes and values, as Python ints can."""
    x, n = make(rng, np.float32, (3, 5)), np.int64(5)
    out = np.full(6, 7, np.float32)
    count_by_numpy(x, out, n=n)
    expected = x[1:3].sum(0) + np.arange(5) * x[1, 1]
    np.testing.assert_allclose(out, [7, *expected[1:], 5], rtol=1e-5)


@pytest.mark.parametrize("machine", MACHINES)
def test_stack_of_scalars(rng, machine):
    x = make(rng, np.float32, (5,))
    check(lambda xp, x: xp.stack([x[3], x[0], x.sum(), 2.5]), x, machine=machine)
    check(lambda xp, x: xp.stack([x.max()], 0), x, machine=machine)
    check(lambda xp, x: xp.stack([3, True, x.argmax()], -1), x, dtype=np.int32,
          machine=machine)


@pytest.mark.parametrize("items", [
    np.s_[1], np.s_[-1, 2:5], np.s_[:, 1:4], np.s_[..., 3], np.s_[::2, ::3],
    np.s_[None, 2], np.s_[:, None, 4:], np.s_[1:3, :, -2]])
def test_slices(rng, items):
    x = make(rng, np.float32, (4, 6, 5))
    check(lambda xp, x: x[items], x)


def test_element(rng):
    x = make(rng, np.float32)
    check(lambda xp, x: x - x[2, -3], x)


def test_insert_take_put(rng):
    x = make(rng, np.float32, (6, 8))
    i = np.array([3, 0, 5, 5], np.int32)

    def insert(xp, x):
        if xp is tile:
            return tile.insert(x, (1, 2), x[:2, :3] * 2)
        y = x.copy()
        y[1:3, 2:5] = x[:2, :3] * 2
        return y

    check(insert, x)
    check(lambda xp, x, i: tile.take(x, i, 0) if xp is tile else x[i], x, i)
    out = compute(lambda xp, x, i: tile.put(x, i, 1.0, 0, kind="add"), x, i,
                  shape=x.shape)
    expected = x.astype(np.float64)
    np.add.at(expected, i, 1.0)
    np.testing.assert_allclose(out, expected, rtol=1e-6)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_unsigned_indices(rng, machine, dtype):
    i = np.array([3, 200, 255, 130], dtype)
    x = make(rng, np.float32, (256,))
    check(lambda xp, x, i: tile.take(x, i, 0) if xp is tile else x[i], x, i,
          machine=machine)
    check(lambda xp, x, i: tile.put(tile.zeros(256), i, 1.0, 0), x, i,
          machine=machine, expected=np.isin(np.arange(256), i))
    check(lambda xp, i: tile.histogram(i, 256), i, dtype=np.int32,
          machine=machine, expected=np.bincount(i, minlength=256))


def test_new_tiles():
    x = np.zeros((3, 7), np.float32)
    check(lambda xp, x: x + xp.arange(7), x)
    check(lambda xp, x: x + xp.arange(-2, 5), x)
    check(lambda xp, x: x[:, :3] + xp.eye(3), x)
    check(lambda xp, x: x + xp.full((3, 1), 2.5), x)
    check(lambda xp, x: x + xp.ones((3, 7)) + xp.zeros(7), x)
    check(lambda xp, x: x + tile.iota((3, 7), 0) if xp is tile else
          x + np.arange(3)[:, None], x)


def test_progressions():
    x = np.zeros((3, 7), np.float32)
    check(lambda xp, x: x + tile.iota((3, 7), 1, tile.f32, start=x[0, 0] - 2.0,
                                      step=0.25) if xp is tile else
          x - 2 + 0.25 * np.arange(7), x)
    check(lambda xp, x: x + tile.iota((3, 7), 0, start=5) if xp is tile else
          x + 5 + np.arange(3)[:, None], x)
    check(lambda xp, x: x + tile.iota((7,), 0, step=-3) if xp is tile else
          x - 3 * np.arange(7), x)


def test_broadcast_along_dimensions(rng):
    x = make(rng, np.float32, (4, 1))
    check(lambda xp, x: tile.broadcast_to(x, (4, 3, 5), dims=(0, 2))
          if xp is tile else np.broadcast_to(x[:, None], (4, 3, 5)), x)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("of, to", [
    (np.float32, np.int32), (np.int32, np.float32), (np.float16, np.uint16),
    (np.uint8, np.int8), (np.float64, np.int64)])
def test_bits_as_another_type(rng, machine, of, to):
    if np.dtype(to).kind == "u":
        to = np.int16
    x = rng.integers(0, 2 ** 7, 64, np.uint8)
    x = np.tile(x, np.dtype(of).itemsize).view(of)
    check(lambda xp, x: tile.bitcast(x, to), x, dtype=to, machine=machine,
          expected=x.view(to), tolerance=0)
    check(lambda xp, x: tile.zeros(1, to) + tile.bitcast(x[3], to), x, dtype=to,
          machine=machine, expected=x[3:4].view(to), tolerance=0)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("bits", [1, 2, 4])
@pytest.mark.parametrize("unsigned", [False, True])
@pytest.mark.parametrize("dtype", [np.uint8, np.int32])
def test_packed_integers(rng, machine, bits, unsigned, dtype):
    wide = 8 * np.dtype(dtype).itemsize
    values = rng.integers(0, 2 ** bits, (5, 3, wide // bits), np.uint64)
    shifts = (np.arange(wide // bits) * bits).astype(np.uint64)
    words = np.sum(values << shifts, axis=2, dtype=np.uint64)
    expected = values.reshape(5, -1).astype(np.int64)
    if not unsigned:
        expected = np.where(expected >> (bits - 1), expected - 2 ** bits, expected)
    words = words.astype(f"u{wide // 8}").view(dtype)
    check(lambda xp, w: tile.unpack(w, bits, unsigned=unsigned), words,
          dtype=np.int8, machine=machine, expected=expected)


def test_random_numbers():
    x = np.zeros((64, 33), np.float32)
    u = compute(lambda xp, x: tile.random("uniform", 5, 100, (64, 33)), x,
                shape=x.shape)
    assert 0 <= u.min() and u.max() < 1 and abs(u.mean() - 0.5) < 0.02
    n = compute(lambda xp, x: tile.random("normal", 5, 0, (64, 33)), x,
                shape=x.shape)
    assert abs(n.mean()) < 0.06 and abs(n.std() - 1) < 0.06


# ----------------------------------------------------------------------------
# Memory
# ----------------------------------------------------------------------------


@tile.kernel(grid=1)
def count_elements(x, counts, *, n):
    tile.scatter(counts, 0, tile.load(x, 0, n), 1, atomic="add")


def test_scatter_of_a_number(rng):
    x = rng.integers(0, 9, 200).astype(np.int32)
    counts = np.zeros(9, np.int32)
    count_elements(x, counts, n=200)
    np.testing.assert_array_equal(counts, np.bincount(x, minlength=9))


@tile.kernel(grid=1)
def access_atomically(x, state, out):
    before = tile.atomic_add(state, 0, 2)
    tile.atomic_store(state, before + 1, 7, order="release", scope="gpu")
    tile.fence("acq_rel", "gpu")
    words = tile.atomic_load(state, 0, 8, order="acquire", scope="gpu")
    tile.store(out, 0, words + tile.load(x, before, ()))


@pytest.mark.parametrize("machine", MACHINES)
def test_atomic_accesses(machine):
    """Atomic accesses to one element take and return scalars, as loads of shape ()
    do."""
    x, state = np.arange(8, dtype=np.int32), np.full(8, 3, np.int32)
    out = np.empty_like(x)
    with getattr(tile, machine)():
        access_atomically(x, state, out)
    np.testing.assert_array_equal(state, [5, 3, 3, 3, 7, 3, 3, 3])
    np.testing.assert_array_equal(out, state + 3)


def test_read_only_inputs():
    x, counts = np.broadcast_to(np.int32(3), 200), np.zeros(9, np.int32)
    assert not x.flags.writeable
    count_elements(x, counts, n=200)
    assert counts[3] == 200


@tile.kernel(grid=lambda n, x: tile.cdiv(x.size, n))
def double(x, y, *, n):
    first = tile.program_id(0) * n
    tile.store(y, first, 2 * tile.load(x, first, n))


@tile.kernel(grid=1)
def measure(x, sizes):
    rows, columns = x.shape
    for index, size in enumerate((rows, columns, x.size)):
        tile.store(sizes, index, size)


def test_sizes(rng):
    sizes = np.zeros(3, np.int64)
    measure(make(rng, np.float32), sizes)
    np.testing.assert_array_equal(sizes, [5, 13, 65])


def test_grid_of_arguments_by_name(rng):
    x = make(rng, np.float32, (37,))
    y = np.full_like(x, np.nan)
    double(x, y, n=8)
    np.testing.assert_array_equal(y, 2 * x)
    z = np.full_like(x, np.nan)
    double[lambda **rest: tile.cdiv(rest["y"].size, rest["n"])](y, z, n=8)
    np.testing.assert_array_equal(z, 4 * x)


# ----------------------------------------------------------------------------
# Reductions
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "var"])
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize("keepdims", [False, True])
def test_reductions(rng, machine, name, axis, keepdims):
    x = make(rng, np.float32)
    check(lambda xp, x: getattr(xp, name)(x, axis=axis, keepdims=keepdims), x,
          machine=machine)


def test_sum_of_f16_is_rounded_once(rng):
    x = make(rng, np.float16, (4, 999))
    check(lambda xp, x: xp.sum(x, axis=1), x, dtype=np.float16, tolerance=6e-4)
    check(lambda xp, x: xp.sum(x, axis=1, dtype=np.float32), x, tolerance=1e-5)


def test_truth(rng):
    x = make(rng, np.float32, (6, 4))
    x[2] = 0
    check(lambda xp, x: xp.any(x, axis=1), x, dtype=np.int32)
    check(lambda xp, x: xp.all(x, axis=1), x, dtype=np.int32)
    check(lambda xp, x: xp.sum(x > 0, axis=0), x, dtype=np.int32)
    u = (x * 100).astype(np.int8).view(np.uint8)
    check(lambda xp, x: xp.max(x, axis=0), u, dtype=np.uint8)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("dtype", [np.int32, np.uint8])
@pytest.mark.parametrize("kind, function", [
    ("add", np.add), ("mul", np.multiply), ("min", np.minimum),
    ("max", np.maximum), ("and", np.bitwise_and), ("or", np.bitwise_or),
    ("xor", np.bitwise_xor)])
def test_kinds(rng, machine, dtype, kind, function):
    x = rng.integers(0, 256, (4, 6)).astype(dtype)
    check(lambda xp, x: tile.reduce(kind, x, axis=1), x, dtype=dtype,
          machine=machine, expected=function.reduce(x, 1, dtype=dtype))
    check(lambda xp, x: tile.scan(kind, x, axis=0, reverse=True), x, dtype=dtype,
          machine=machine,
          expected=function.accumulate(x[::-1], 0, dtype=dtype)[::-1])


def test_indices_of_extremes(rng):
    x = make(rng, np.float32)
    check(lambda xp, x: xp.argmax(x, axis=1), x, dtype=np.int32)
    check(lambda xp, x: xp.argmin(x, axis=0), x, dtype=np.int32)
    check(lambda xp, x: xp.argmax(x), x, dtype=np.int32)
    check(lambda xp, x: tile.find_min(x, 1)[0] if xp is tile else
          x.min(1), x)
    check(lambda xp, x: x.argmax(axis=1) - x.argmin(axis=1), x, dtype=np.int32)


def test_scans(rng):
    x = make(rng, np.float32)
    check(lambda xp, x: xp.cumsum(x, axis=1), x)
    check(lambda xp, x: xp.cumprod(x, axis=0), x)
    check(lambda xp, x: xp.cumsum(x > 0, axis=1), x, dtype=np.int32)
    check(lambda xp, x: tile.cummax(x, 1) if xp is tile else
          np.maximum.accumulate(x, 1), x)
    check(lambda xp, x: tile.cumsum(x, 1, exclusive=True, reverse=True)
          if xp is tile else np.cumsum(x[:, ::-1], 1)[:, ::-1] - x, x)


def test_sorts(rng):
    x = make(rng, np.float32)
    check(lambda xp, x: xp.sort(x, axis=1), x)
    check(lambda xp, x: tile.sort(x, 0, descending=True) if xp is tile else
          -np.sort(-x, 0), x)
    check(lambda xp, x: tile.top_k(x, 3, 1)[0] if xp is tile else
          -np.sort(-x, 1)[:, :3], x)
    check(lambda xp, x: tile.sort_by_key(x, tile.iota(SHAPE, 1), axis=1)[1]
          if xp is tile else np.argsort(x, 1), x, dtype=np.int32)
    n = rng.integers(0, 9, 200).astype(np.int32)
    check(lambda xp, n: tile.histogram(n, 9) if xp is tile else
          np.bincount(n, minlength=9), n, dtype=np.int32)


def test_softmax(rng):
    def softmax(xp, x):
        if xp is tile:
            return tile.softmax(x)
        p = np.exp(x - x.max(-1, keepdims=True))
        return p / p.sum(-1, keepdims=True)

    check(softmax, make(rng, np.float32) * 30)


def test_functions_of_elements(rng):
    x, y = make(rng, np.float32), make(rng, np.float32, (13,))

    def step(a, b):
        return tile.where(a > b, a * b, a - b)

    check(lambda xp, x, y: tile.map(step, x, y) if xp is tile else
          np.where(x > y, x * y, x - y), x, y)

    def larger(a, i, b, j):
        wins = b > a
        return tile.where(wins, b, a), tile.where(wins, j, i)

    def find(xp, x):
        if xp is not tile:
            return np.argmax(x, 1)
        indices = tile.iota(SHAPE, 1)
        return tile.reduce(larger, (x, indices), (float("-inf"), 0), 1)[1]

    check(find, x, dtype=np.int32)
    check(lambda xp, x: tile.scan(lambda a, b: a * b, x, 1.0, 1)
          if xp is tile else np.cumprod(x, 1), x)


# ----------------------------------------------------------------------------
# Linear algebra and transforms
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("dtype, out, tolerance", [
    (np.float16, np.float32, 1e-6), (np.float32, np.float32, 3e-6),
    (np.float64, np.float64, 3e-15), (np.int8, np.int32, 0),
    (np.complex64, np.complex64, 3e-6)])
def test_matmuls(rng, machine, dtype, out, tolerance):
    a, b, c = (make(rng, dtype, (37, 24)), make(rng, dtype, (24, 19)),
               make(rng, out, (37, 19)))
    if np.dtype(dtype).kind == "i":
        expected = a.astype(np.int32) @ b.astype(np.int32) + c
        check(lambda xp, a, b, c: a @ b + c, a, b, c, dtype=out, machine=machine,
              expected=expected)
    else:
        check(lambda xp, a, b, c: a @ b + c, a, b, c, dtype=out,
              tolerance=tolerance, machine=machine)


@pytest.mark.parametrize("machine", MACHINES)
def test_matmuls_of_unsigned_numbers_and_bools(rng, machine):
    a, b = (rng.integers(0, 256, shape).astype(np.uint8)
            for shape in ((17, 9), (9, 5)))
    check(lambda xp, a, b: a @ b, a, b, dtype=np.int32, machine=machine,
          expected=a.astype(np.int32) @ b)
    check(lambda xp, a, b: (a > 128) @ (b > 128), a, b, dtype=np.int32,
          machine=machine,
          expected=(a > 128).astype(np.int32) @ (b > 128))


def test_matmuls_in_batches_and_twice(rng):
    a, b = make(rng, np.float32, (3, 8, 5)), make(rng, np.float32, (3, 5, 9))
    check(lambda xp, a, b: a @ b, a, b)
    check(lambda xp, a, b: a @ b[0], a, b)

    def use_twice(xp, a, b):
        p = a @ b
        return p * 2 + p.sum(axis=1, keepdims=True)

    check(use_twice, a[0], b[0])


@pytest.mark.parametrize("machine, dtype, out, tolerance", [
    ("emulator", np.float32, np.float32, 1e-6),
    ("emulator", np.float16, np.float32, 1e-6),
    ("emulator", np.int8, np.int32, 0), ("cpu", np.uint8, np.int32, 0),
    ("cpu", np.float64, np.float64, 1e-15), ("cpu", np.complex64, np.complex64, 1e-6)])
@pytest.mark.parametrize("shapes", [
    ((7, 13), (13,)), ((13,), (13, 5)), ((13,), (13,)), ((3, 7, 13), (13,)),
    ((13,), (2, 13, 5))], ids=str)
def test_matmuls_with_vectors(rng, machine, dtype, out, tolerance, shapes):
    a, b = (make(rng, dtype, shape) for shape in shapes)
    wide = np.complex128 if out == np.complex64 else np.float64
    check(lambda xp, a, b: a @ b, a, b, dtype=out, tolerance=tolerance,
          machine=machine, expected=np.atleast_1d(a.astype(wide) @ b.astype(wide)))


@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
@pytest.mark.parametrize("function", [
    lambda xp, a, b, c: a @ b + c, lambda xp, a, b, c: c - a @ b,
    lambda xp, a, b, c: a @ b + c[0], lambda xp, a, b, c: c[:, :1] - a @ b])
def test_accumulators_of_matmuls(rng, dtype, function):
    """A tile that is added to a matmul, or from which a matmul is subtracted, becomes
    the initial value of the accumulator, also if it must be broadcast."""
    a, b, c = (make(rng, dtype, s) for s in ((7, 4), (4, 5), (7, 5)))
    check(function, a, b, c, dtype=dtype)
    text = of_three.trace(a, b, c, c, function=function,
                          shapes=(a.shape, b.shape, c.shape))
    assert text.count("tile.matmul") == 1
    for name in ("arith.addf", "arith.subf", "complex_kind add",
                 "complex_kind sub"):
        assert name not in text


@pytest.mark.parametrize("machine, a, b", [
    ("emulator", (2, 3, 7, 5), (2, 3, 5, 4)), ("cpu", (2, 3, 7, 5), (2, 3, 5, 4)),
    ("emulator", (2, 3, 7, 5), (5, 4)), ("cpu", (7, 5), (2, 3, 5, 4)),
    ("emulator", (2, 1, 7, 5), (3, 5, 4)), ("emulator", (1, 7, 5), (3, 5, 4)),
    ("cpu", (3, 7, 5), (1, 1, 5, 4)), ("emulator", (1, 1, 7, 5), (1, 5, 4)),
    ("emulator", (2, 3, 7, 5), (5,)), ("emulator", (5,), (2, 3, 5, 4)),
    ("emulator", (13, 6, 6), (13, 6, 18)), ("emulator", (13, 6, 18), (18, 6)),
    ("emulator", (37, 3, 4), (37, 4, 2)), ("emulator", (3, 5), (70, 5, 1))])
def test_matmuls_of_batches(rng, machine, a, b):
    """Batch dimensions of operands and of an accumulator are broadcast as in NumPy."""
    a, b = make(rng, np.float32, a), make(rng, np.float32, b)
    c = make(rng, np.float32, ((a @ b).shape[-1],))
    check(lambda xp, a, b, c: (a @ b + c) * (c - a @ b), a, b, c, machine=machine,
          tolerance=1e-5)


def test_matmuls_of_batches_with_options(rng):
    a, b = make(rng, np.float16, (2, 1, 7, 5)), make(rng, np.float16, (3, 5, 4))
    acc = make(rng, np.float32, (2, 1, 1, 4))
    check(lambda xp, a, b, c: tile.matmul(a, b, c), a, b, acc,
          expected=a.astype(np.float64) @ b.astype(np.float64) + acc)
    check(lambda xp, a, b: tile.matmul(a, b, 2.5, dtype=tile.f16), a, b,
          dtype=np.float16, tolerance=2e-3,
          expected=a.astype(np.float64) @ b.astype(np.float64) + 2.5)


def test_matmul_less_itself(rng):
    a, b = make(rng, np.float32, (7, 40)), make(rng, np.float32, (40, 5))
    out = compute(lambda xp, a, b: (lambda p: p - p)(a @ b), a, b)
    np.testing.assert_array_equal(out, 0)


def test_integer_matmul_is_subtracted(rng):
    a, b = make(rng, np.int8, (7, 4)), make(rng, np.int8, (4, 5))
    a[0], c = -128, make(rng, np.int32, (7, 5))
    check(lambda xp, a, b, c: c - a @ b, a, b, c, dtype=np.int32,
          expected=c - a.astype(np.int32) @ b.astype(np.int32))


def test_factorisations(rng):
    x = make(rng, np.float32, (3, 7, 7))
    spd = x @ x.swapaxes(1, 2) + 7 * np.eye(7, dtype=np.float32)
    b = make(rng, np.float32, (3, 7, 2))
    check(lambda xp, a: tile.cholesky(a) if xp is tile else
          np.linalg.cholesky(a), spd, tolerance=2e-5)
    factor = np.linalg.cholesky(spd.astype(np.float64))
    change = np.tril(make(rng, np.float64, (3, 7, 7)))
    step = 1e-6

    def differ(x):
        whole = np.tril(x) + np.tril(x, -1).swapaxes(1, 2)
        source = factor @ factor.swapaxes(1, 2)
        return (np.linalg.cholesky(source + step * whole)
                - np.linalg.cholesky(source - step * whole)) / (2 * step)

    check(lambda xp, f, x: tile.cholesky_derivative(f, x) if xp is tile else differ(x),
          factor, change, dtype=np.float64, tolerance=1e-8)
    # The inner products <J x, g> and <x, J' g> are the same.
    gradient = make(rng, np.float64, (3, 7, 7))
    check(lambda xp, f, x, g:
          (tile.cholesky_derivative(f, g, transposed=True) * x).sum((1, 2))
          if xp is tile else (differ(x) * g).sum((1, 2)), factor, change, gradient,
          dtype=np.float64, tolerance=1e-8)
    check(lambda xp, a: tile.cholesky(a, status=True)[1] if xp is tile else
          np.zeros(3), spd, dtype=np.int32)
    check(lambda xp, a, b: (tile if xp is tile else np.linalg).solve(a, b), spd, b,
          tolerance=2e-5)
    check(lambda xp, a: tile.inverse(a) if xp is tile else np.linalg.inv(a), spd,
          tolerance=2e-5)
    check(lambda xp, a: tile.determinant(a) if xp is tile else np.linalg.det(a),
          spd, tolerance=2e-5)
    check(lambda xp, a: tile.logdet(a)[1] if xp is tile else
          np.linalg.slogdet(a)[1], spd)
    check(lambda xp, a: tile.eigh(a)[0] if xp is tile else np.linalg.eigh(a)[0],
          spd, tolerance=2e-5)
    check(lambda xp, a: tile.svd(a)[1] if xp is tile else
          np.linalg.svd(a, compute_uv=False), x, tolerance=2e-5)
    check(lambda xp, a: (lambda q, r: q @ r)(*tile.qr(a)) if xp is tile else a, x,
          tolerance=2e-5)
    check(lambda xp, a: tile.diagonal(tile.add_diagonal(a, 3.0)) if xp is tile
          else np.diagonal(a, axis1=1, axis2=2) + 3, x)
    check(lambda xp, a, b: tile.triangular_solve(tile.cholesky(a), b)
          if xp is tile else np.linalg.solve(np.linalg.cholesky(a), b), spd, b,
          tolerance=2e-5)
    tall = make(rng, np.float32, (9, 4))
    check(lambda xp, a, b: tile.least_squares(a, b) if xp is tile else
          np.linalg.lstsq(a, b, rcond=None)[0], tall,
          make(rng, np.float32, (9, 2)), tolerance=2e-5)


def test_parts_of_factorisations(rng):
    """Checks parts of factorisations that NumPy does not have against their
    definitions."""
    x, b = make(rng, np.float32, (9, 4)), make(rng, np.float32, (9, 2))
    check(lambda xp, a, b: tile.apply_householder(*tile.householder(a), b)[:4],
          x, x, expected=np.linalg.qr(x, "complete")[0].dot(x)[:4], tolerance=2e-5)

    def there_and_back(xp, a, b):
        factors, scales = tile.householder(a)
        turned = tile.apply_householder(factors, scales, b, transposed=True)
        return tile.apply_householder(factors, scales, turned)

    check(there_and_back, x, b, expected=b, tolerance=2e-5)
    square = make(rng, np.float32, (2, 6, 6))
    check(lambda xp, a: tile.sort(tile.one_sided_jacobi(a)[1]), square,
          expected=np.sort(np.linalg.svd(square, compute_uv=False)),
          tolerance=2e-5)
    check(lambda xp, a: tile.one_sided_jacobi(a, status=True)[2], square,
          expected=np.zeros(2), dtype=np.int32)

    def restore(xp, a):
        """Returns A from its factors, whose rows are in the order of A."""
        factors, order = tile.lu(a, unordered=True)
        moved = tile.take(factors, order, 0)
        diagonal = tile.iota((6, 6), 1) - tile.iota((6, 6), 0)
        lower = tile.where(diagonal < 0, moved, tile.where(diagonal == 0, 1.0, 0.0))
        upper = tile.where(diagonal >= 0, moved, 0.0)
        return tile.put(tile.zeros((6, 6)), order, lower @ upper, 0)

    check(restore, square[0], expected=square[0], tolerance=2e-5)


@pytest.mark.parametrize("norm", ["backward", "forward", "ortho"])
@pytest.mark.parametrize("length", [12, 17])
def test_transforms(rng, norm, length):
    c, x = make(rng, np.complex64, (3, length)), make(rng, np.float32,
                                                      (3, length))

    def get(xp):
        return tile if xp is tile else np.fft

    check(lambda xp, x: get(xp).fft(x, norm=norm), c, dtype=np.complex64)
    check(lambda xp, x: get(xp).ifft(x, norm=norm), c, dtype=np.complex64)
    check(lambda xp, x: get(xp).rfft(x, norm=norm), x, dtype=np.complex64)
    half = np.fft.rfft(x).astype(np.complex64)
    check(lambda xp, x: get(xp).irfft(x, length, norm=norm), half)


@pytest.mark.parametrize("machine, axis, norm", [
    ("emulator", 0, "ortho"), ("emulator", 1, "backward"), ("cpu", -2, "ortho")])
def test_transforms_along_axes(rng, machine, axis, norm):
    shape = (5, 6, 2)
    c, x = make(rng, np.complex64, shape), make(rng, np.float32, shape)
    half = np.fft.rfft(x, axis=axis).astype(np.complex64)
    for name, array, words, dtype in [
            ("fft", c, {}, np.complex64), ("ifft", c, {}, np.complex64),
            ("rfft", x, {}, np.complex64), ("irfft", half, {"n": shape[axis]},
                                            np.float32)]:
        expected = getattr(np.fft, name)(array, axis=axis, norm=norm, **words)
        check(lambda xp, x: getattr(tile, name)(x, *words.values(), axis=axis,
                                                norm=norm), array,
              expected=expected, dtype=dtype, machine=machine)


@pytest.mark.parametrize("machine, axes", [
    ("emulator", (-2, -1)), ("emulator", [2, 0]), ("cpu", (1, 2))])
def test_transforms_of_planes(rng, machine, axes):
    shape = (2, 3, 5)
    c, x = make(rng, np.complex64, shape), make(rng, np.float32, shape)
    half = np.fft.rfft2(x, axes=axes).astype(np.complex64)
    sizes = [shape[axis] for axis in axes]
    for name, array, words, dtype in [
            ("fft2", c, [], np.complex64), ("ifft2", c, [], np.complex64),
            ("rfft2", x, [], np.complex64), ("irfft2", half, [sizes], np.float32)]:
        expected = getattr(np.fft, name)(array, *words, axes=axes)
        check(lambda xp, x: getattr(tile, name)(
            x, *(size[-1] for size in words), axes=axes), array, expected=expected,
            dtype=dtype, machine=machine)


def test_plan_of_a_transform(rng):
    c = make(rng, np.complex64, (3, 64))
    plan = "#tile.fft_plan<radices = [8, 8], threads = 8>"
    check(lambda xp, x: tile.fft(x, plan=plan) if xp is tile else np.fft.fft(x), c,
          dtype=np.complex64)


def test_complex_numbers(rng):
    c, x = make(rng, np.complex64), make(rng, np.float32)
    check(lambda xp, c: xp.exp(c), c, dtype=np.complex64)
    check(lambda xp, c: xp.conj(c) * xp.abs(c) if xp is np else
          tile.conj(c) * abs(c), c, dtype=np.complex64)
    check(lambda xp, c: c.imag if xp is np else tile.imag(c), c)
    check(lambda xp, c, x: c * x + 2j, c, x, dtype=np.complex64)
    check(lambda xp, c, x: 2 * c / x, c, x, dtype=np.complex64)
    # A real factor multiplies each part.
    out = compute(lambda xp, c: c * float("inf"), c, dtype=np.complex64)
    assert np.isinf(out.real).all() and np.isinf(out.imag).all()
    check(lambda xp, x: tile.make_complex(x, 2 * x) if xp is tile else
          x + 2j * x, x, dtype=np.complex64)


def test_methods_of_values_have_functions():
    """Checks that all methods and operators of a value have their functions."""
    assert vars(values.methods).keys() == values.Methods.__annotations__.keys()
