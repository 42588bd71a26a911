# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python ints, floats and scalars with tiles of other types, against Python's own
arithmetic, whose ints are unbounded."""

import functools
import math
import operator

import numpy as np
import pytest

import tile_mlir as tile
from checking import MACHINES, check, make
from number_kernels import (check_comparisons, check_order, check_words, compare,
                            compare_in_program, compare_with_scalar, list_limits,
                            list_numbers)
from tile_mlir.language import promotion

INTEGERS = [np.int8, np.int16, np.int32, np.int64,
            np.uint8, np.uint16, np.uint32, np.uint64]


def run_on(machine, kernel, *arguments, **constants):
    with MACHINES[machine]():
        kernel[1](*arguments, **constants)


def run(kernel, machine, *arguments, **constants):
    run_on(machine, kernel, *arguments, **constants)


# ----------------------------------------------------------------------------
# Comparisons
# ----------------------------------------------------------------------------


@tile.kernel
def compare_with_numbers(x, out, *, numbers):
    for row, number in enumerate(numbers):
        t = tile.load(x, 0, 7)
        tile.store(out, (row, 0, 0), compare_in_program(t, number)[None, None])
        tile.store(out, (row, 1, 0), compare_in_program(number, t)[None, None])


@tile.kernel
def compare_scalars(x, n, out):
    for at in range(7):
        e = tile.load(x, at, ())
        tile.store(out, (0, 0, at), compare_in_program(e, n))
        tile.store(out, (0, 1, at), compare_in_program(n, e))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge", "eq", "ne"])
def test_restated_comparisons(dtype, name):
    """Checks that a comparison with any Python value is restated as an equivalent
    comparison with an integer of the type, or as its result."""
    names = {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
             "eq": "equal", "ne": "not_equal"}
    short = {long: short for short, long in names.items()}
    numbers = (*list_numbers(dtype), 2 ** 70, -2 ** 70, 0.5, -0.5, 1.0, 1e30,
               -math.inf, math.inf, math.nan, True)
    for number in numbers:
        restated = promotion.restate(names[name], tile.element(dtype), number)
        for e in list_limits(dtype).tolist():
            found = restated if isinstance(restated, bool) else \
                getattr(operator, short[restated[0]])(e, restated[1])
            assert found == getattr(operator, name)(e, number), (e, number)
        if not isinstance(restated, bool):
            assert np.iinfo(dtype).min <= restated[1] <= np.iinfo(dtype).max


@pytest.mark.parametrize("machine, dtype, numbers", [
    ("emulator", np.uint8, (-1, 256, 0.5, math.inf, 255)),
    ("cpu", np.int8, (200, -1000, math.nan, 2 ** 70)),
    ("cpu", np.int64, (2 ** 63, -0.5)),
    ("cpu", np.bool_, (-1, 1, 2, 2 ** 40, 0.5, True))])
def test_comparisons_with_numbers_that_a_type_does_not_have(machine, dtype, numbers):
    x = np.arange(7) % 2 == 0 if dtype == np.bool_ else list_limits(dtype)
    out = np.full((len(numbers), 2, 7), -1, np.int32)
    run(compare_with_numbers, machine, x, out, numbers=numbers)
    check_words(out, x, numbers)


@pytest.mark.parametrize("machine, dtype", [
    ("emulator", np.uint8), ("emulator", np.int32), ("cpu", np.int8), ("cpu", np.uint32),
    ("cpu", np.uint64)])
def test_comparisons_with_an_index(machine, dtype):
    x = list_limits(dtype)
    for n in {*list_numbers(dtype), -2 ** 40, 2 ** 40}:
        if -2 ** 63 <= n < 2 ** 63:
            check_comparisons(functools.partial(run_on, machine), compare_with_scalar, x, n)


@pytest.mark.parametrize("dtype, other", [
    (np.int8, np.uint8), (np.uint8, np.int8), (np.int32, np.uint64), (np.uint16, np.int64),
    (np.int64, np.uint64), (np.uint64, np.int32)])
def test_comparisons_with_scalars_of_other_integers(dtype, other):
    x = list_limits(dtype)
    for n in list_limits(other):
        check_comparisons(functools.partial(run_on, "cpu"), compare_with_scalar, x, n)


@pytest.mark.parametrize("machine, dtype, other", [
    ("cpu", np.int8, np.float16), ("emulator", np.int32, np.float32),
    ("cpu", np.int64, np.float32), ("cpu", np.uint64, np.float64)])
def test_comparisons_with_scalars_of_floating_point(machine, dtype, other):
    x = list_limits(dtype)
    with np.errstate(over="ignore"):
        numbers = [other(n) for n in (*list_numbers(dtype), 0.5, -0.5, 1e30, -1e30,
                                      math.inf, -math.inf, math.nan)]
    for n in numbers:
        check_comparisons(functools.partial(run_on, machine), compare_with_scalar, x, n)


@pytest.mark.parametrize("dtype, numbers", [
    (np.int32, [2 ** 40, -2 ** 40, 2 ** 31 - 1]), (np.int32, [np.float32(0.5)]),
    (np.uint64, [-1, 1]), (np.uint64, [np.float64(2.0 ** 64)])])
def test_comparisons_of_scalars(dtype, numbers):
    for n in numbers:
        check_comparisons(functools.partial(run_on, "cpu"), compare_scalars, list_limits(dtype), n)


def test_comparisons_of_u64_with_signed_tiles():
    """No type has the values of both, so the true values are compared."""
    x, y = list_limits(np.uint64), list_limits(np.int64)[::-1].copy()
    pairs = list(zip(x.tolist(), y.tolist()))
    check(lambda xp, x, y: compare_in_program(x, y), x, y, dtype=np.int32,
          machine="cpu", expected=np.array([compare(a, b) for a, b in pairs]))
    check(lambda xp, x, y: compare_in_program(y, x), x, y, dtype=np.int32,
          expected=np.array([compare(b, a) for a, b in pairs]))


def test_comparisons_of_f16_with_numbers_beyond_it():
    x = np.array([0, 65504, -65504, np.inf, -np.inf, np.nan, 1], np.float16)
    numbers = (65520, 1e10, -1e300, math.inf)
    out = np.full((len(numbers), 2, 7), -1, np.int32)
    run(compare_with_numbers, "emulator", x, out, numbers=numbers)
    check_words(out, x, numbers)
    for n in (2049, 65519, 100000, -100000, 2 ** 40):
        check_comparisons(functools.partial(run_on, "emulator"), compare_with_scalar, x, n)


def test_indices_below_a_size_that_the_type_of_indices_does_not_have():
    x = np.lib.stride_tricks.as_strided(np.zeros(1, np.int8), (2 ** 31,), (0,))

    @tile.kernel
    def find(x, out):
        tile.store(out, (0, 0), (tile.arange(4) < x.shape[0])[None])
        tile.store(out, (1, 0), (tile.arange(4) + (x.shape[0] - 2) < x.shape[0])[None])

    out = np.zeros((2, 4), np.bool_)
    run(find, "emulator", x, out)
    np.testing.assert_array_equal(out, [[1, 1, 1, 1], [1, 1, 0, 0]])


# ----------------------------------------------------------------------------
# Bounds
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("machine, dtype", [
    ("emulator", np.uint8), ("cpu", np.int32), ("cpu", np.uint64)])
def test_bounds_that_are_an_index(machine, dtype):
    """The tile keeps its type; the index becomes the nearest value of this type."""
    @tile.kernel
    def bound(x, n, out):
        t = tile.load(x, 0, 7)
        for row, result in enumerate([tile.maximum(t, n), tile.minimum(n, t),
                                      tile.clip(t, -n, n)]):
            assert result.dtype == t.dtype
            tile.store(out, (row, 0), result[None])

    x, info = list_limits(dtype), np.iinfo(dtype)
    for n in (-2 ** 40, -1, 0, 1, 100, 300, 2 ** 40):
        out = np.full((3, 7), 77, dtype)
        run(bound, machine, x, n, out)
        low, high = (min(max(b, info.min), info.max) for b in (-n, n))
        whole = x.tolist()
        expected = [[max(e, high) for e in whole], [min(e, high) for e in whole],
                    [min(max(e, low), high) for e in whole]]
        np.testing.assert_array_equal(out, np.array(expected, dtype), err_msg=str(n))


@pytest.mark.parametrize("machine", MACHINES)
def test_bounds_that_a_type_does_not_have(machine):
    """Bounds beyond the type change nothing."""
    u, s = list_limits(np.uint8), list_limits(np.int8)
    for function in (lambda xp, x: tile.maximum(x, -1), lambda xp, x: tile.minimum(300, x),
                     lambda xp, x: tile.clip(x, -2 ** 40, 2 ** 40)):
        check(function, u, dtype=np.uint8, machine=machine, expected=u)
    check(lambda xp, x: tile.clip(x, -2, 2), u, dtype=np.uint8, machine=machine,
          expected=np.minimum(u, 2))
    check(lambda xp, x: tile.clip(x, -1000, 5), s, dtype=np.int8, machine=machine,
          expected=np.minimum(s, 5))
    f = np.array([65504, -3, np.inf, np.nan], np.float16)
    check(lambda xp, x: tile.clip(x, -1e9, 1e9), f, dtype=np.float16, machine=machine,
          expected=f)


def test_bounds_of_bools_are_bools(rng):
    a, b = make(rng, np.bool_), make(rng, np.bool_)
    for name in ("maximum", "minimum"):
        def bound(xp, x, y):
            result = getattr(xp, name)(x, y)
            assert result.dtype == np.bool_
            return result

        check(bound, a, b, dtype=np.bool_)


# ----------------------------------------------------------------------------
# Arithmetic
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("machine, dtype", [
    ("emulator", np.int32), ("cpu", np.uint8), ("cpu", np.bool_)])
def test_arithmetic_with_an_index_is_of_64_bits(machine, dtype):
    @tile.kernel
    def combine(x, n, out):
        t = tile.load(x, 0, 7)
        results = [t + n, n - t, t * n, t // n, t % n, tile.where(t > 0, n, t)]
        for row, result in enumerate(results):
            assert result.dtype == tile.i64
            tile.store(out, (row, 0), result[None])

    x = make(np.random.default_rng(1), dtype, (7,)) if dtype == np.bool_ else \
        np.array([0, 1, 2, 5, 100, 7, 3], dtype)
    for n in (2 ** 31 - 1, 2 ** 40 + 3, -300):
        out = np.zeros((6, 7), np.int64)
        run(combine, machine, x, n, out)
        e = x.astype(np.int64)
        expected = [e + n, n - e, e * n, e // n, e % n, np.where(e > 0, n, e)]
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("machine", MACHINES)
def test_tiles_of_an_index(machine):
    @tile.kernel
    def fill(n, out):
        tiles = [tile.full(4, n), tile.arange(4) + n, tile.iota(4, 0, start=n),
                 tile.iota(4, 0, step=n), tile.where(tile.arange(4) < 2, n, 0),
                 tile.map(lambda a, b: a + b, tile.arange(4), n),
                 tile.full_like(tile.zeros(4, tile.i64), n)]
        for row, t in enumerate(tiles):
            assert t.dtype == tile.i64
            tile.store(out, (row, 0), t[None])

    n, at = 2 ** 40 + 7, np.arange(4)
    out = np.zeros((7, 4), np.int64)
    run(fill, machine, n, out)
    np.testing.assert_array_equal(out, [0 * at + n, at + n, at + n, at * n,
                                        np.where(at < 2, n, 0), at + n, 0 * at + n])


def test_scalars_of_32_bits_with_an_index():
    """A loaded i32 scalar is widened to 64 bits if it is combined with an index, or
    compared with one."""
    @tile.kernel
    def combine(x, n, out):
        e = tile.load(x, 0, ())
        tile.store(out, 0, e + n)
        tile.store(out, 1, tile.maximum(e, n))
        tile.store(out, 2, tile.where(e < n, n, e))
        tile.store(out, 3, tile.minimum(n, e))

    out = np.zeros(4, np.int64)
    run(combine, "emulator", np.array([5], np.int32), 2 ** 40, out)
    np.testing.assert_array_equal(out, [2 ** 40 + 5, 2 ** 40, 2 ** 40, 5])


@pytest.mark.parametrize("machine", MACHINES)
def test_tiles_that_an_index_widens_in_a_loop(machine):
    """A tile that an index widens in a loop has 64 bits before the loop, too."""
    @tile.kernel
    def find(x, out):
        least, at = tile.full(4, 100), tile.zeros(4, tile.i32)
        for i in range(x.shape[0]):
            row = tile.load(x, (i, 0), 4)
            at = tile.where(row < least, i + 2 ** 40, at)
            least = tile.minimum(least, row)
        assert at.dtype == tile.i64
        tile.store(out, 0, at)

    x = np.array([[9, 100, 200, 7], [5, 300, 99, 8], [6, 400, 98, 7]], np.int32)
    out = np.full(4, -1, np.int64)
    run(find, machine, x, out)
    np.testing.assert_array_equal(out, [2 ** 40 + 1, 0, 2 ** 40 + 2, 2 ** 40])


@pytest.mark.parametrize("machine, dtype", [
    ("cpu", np.int32), ("emulator", np.int8), ("emulator", np.uint32)])
def test_shifts(machine, dtype):
    """The tile keeps its type; bits that are shifted out are lost."""
    @tile.kernel
    def shift(x, n, out, *, counts):
        t = tile.load(x, 0, 7)
        for row, count in enumerate((*counts, n)):
            tile.store(out, (2 * row, 0), (t << count)[None])
            tile.store(out, (2 * row + 1, 0), (t >> count)[None])

    x, bits = list_limits(dtype), np.iinfo(dtype).bits
    counts = (0, 3, bits - 1, bits, 200, 2 ** 40)
    for n in (1, bits - 1) if machine == "cpu" else (1, bits, 2 ** 32, 2 ** 40 + 1):
        out = np.full((14, 7), 77, dtype)
        run(shift, machine, x, n, out, counts=counts)
        expected = [[side(e, min(count, 64)) % 2 ** bits for e in x.tolist()]
                    for count in (*counts, n)
                    for side in (operator.lshift, operator.rshift)]
        np.testing.assert_array_equal(out.astype(object) % 2 ** bits, expected)


def test_f16_with_integers_that_it_does_not_have():
    """The result is computed from the true values, and rounded once."""
    x = np.array([1, 2, 500, 60000, -3, 0.5, 7], np.float16)

    @tile.kernel
    def combine(x, k, n, out):
        t, m = tile.load(x, 0, 7), tile.load(k, 0, ())
        for row, result in enumerate([t / n, t * m, m / t, t // m]):
            assert result.dtype == tile.f16
            tile.store(out, (row, 0), result[None])

    n = 100000
    out = np.full((4, 7), np.nan, np.float32)
    run(combine, "emulator", x, np.array([n], np.int32), n, out)
    wide = x.astype(np.float64)
    with np.errstate(over="ignore"):
        expected = [(wide / n).astype(np.float16), (wide * n).astype(np.float16),
                    (n / wide).astype(np.float16), (wide // n).astype(np.float16)]
    np.testing.assert_allclose(out, expected, rtol=1e-3)


@pytest.mark.parametrize("bounds, dtype", [
    ((-100, 100), np.int8), ((0, 256), np.uint8), ((5, -1, -1), np.uint8),
    ((200, 100, -50), np.uint8), ((2 ** 40, 2 ** 40 + 3), np.int64)])
def test_progressions_up_to_a_type_s_limits(bounds, dtype):
    expected = np.array(range(*bounds), dtype)
    check(lambda xp, x: tile.arange(*bounds, dtype=dtype), np.zeros(1, np.float32),
          dtype=dtype, expected=expected)


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint64])
def test_roll_by_scalars(dtype):
    """Rolls by any number of elements, also of a type that does not have the extent."""
    x = np.arange(300, dtype=np.float32)

    @tile.kernel
    def move(x, n, out):
        tile.store(out, 0, tile.roll(tile.load(x, 0, 300), n, 0))

    for n in (1, 100, 127):
        out = np.full_like(x, np.nan)
        run(move, "cpu", x, dtype(n), out)
        np.testing.assert_array_equal(out, np.roll(x, n))
    run(move, "cpu", x, 2 ** 40 + 1, out)
    np.testing.assert_array_equal(out, np.roll(x, (2 ** 40 + 1) % 300))


def test_signs_and_not_of_unsigned_numbers():
    for dtype in (np.uint8, np.uint64):
        x = list_limits(dtype)
        check(lambda xp, x: xp.sign(x), x, dtype=dtype)
        check(lambda xp, x: ~x, x, dtype=dtype)


# ----------------------------------------------------------------------------
# Bools
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("machine", MACHINES)
def test_order_of_bools(rng, machine):
    check_order(functools.partial(run_on, machine),
                rng.integers(0, 2, (3, 21)).astype(bool))


@pytest.mark.parametrize("machine", MACHINES)
def test_sums_of_bools_count(rng, machine):
    @tile.kernel
    def count(x, out):
        t = tile.load(x, 0, 21)
        totals = [t.sum(), tile.reduce("add", t), tile.cumsum(t)[-1],
                  tile.scan("add", t)[-1], tile.reduce("mul", t), tile.reduce("xor", t)]
        for at, total in enumerate(totals):
            tile.store(out, at, total.astype(tile.i32))

    x = rng.integers(0, 2, 21).astype(bool)
    out = np.full(6, -1, np.int32)
    run(count, machine, x, out)
    np.testing.assert_array_equal(out, [x.sum()] * 4 + [x.all(), x.sum() % 2])


@pytest.mark.parametrize("machine", MACHINES)
def test_histogram_and_put_of_bools(rng, machine):
    x = rng.integers(0, 2, 9).astype(bool)
    values = rng.integers(0, 2, 24).astype(bool)
    at = np.repeat(np.arange(8, dtype=np.int32), 3)
    kinds = {"or": np.logical_or, "and": np.logical_and, "xor": np.logical_xor,
             "max": np.logical_or, "min": np.logical_and, "add": np.logical_or}

    @tile.kernel
    def put(x, values, at, out, counts):
        t, v, to = tile.load(x, 0, 9), tile.load(values, 0, 24), tile.load(at, 0, 24)
        for row, kind in enumerate(kinds):
            result = tile.put(t, to, v, 0, kind=kind)
            assert result.dtype == tile.bool_
            tile.store(out, (row, 0), result[None])
        tile.store(counts, (0, 0), tile.histogram(v, 3)[None])
        tile.store(counts, (1, 0), tile.histogram(v, 3, mask=~v)[None])

    out = np.zeros((len(kinds), 9), np.bool_)
    counts = np.full((2, 3), 77, np.int32)
    run(put, machine, x, values, at, out, counts)
    for row, combine in zip(out, kinds.values()):
        expected = x.copy()
        combine.at(expected, at, values)
        np.testing.assert_array_equal(row, expected)
    np.testing.assert_array_equal(counts, [np.bincount(values, minlength=3),
                                           [(~values).sum(), 0, 0]])


# ----------------------------------------------------------------------------
# Narrow floating point
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("exponent", [-3, -2, -1, 0, 1, 2, 3])
def test_powers_of_f16_are_rounded_once(machine, exponent):
    x = np.array([300, -250, 0.001, 3, 17, 1.5], np.float16)
    with np.errstate(over="ignore"):
        expected = (x.astype(np.float64) ** exponent).astype(np.float16)
    check(lambda xp, x: x ** exponent, x, dtype=np.float16, expected=expected,
          tolerance=2.0 ** -11, machine=machine)


def test_negative_powers_of_integers_do_not_wrap():
    x = np.array([100000, -70000, 3], np.int32)
    check(lambda xp, x: x ** -2, x, expected=x.astype(float) ** -2)


def test_functions_of_f16_that_would_overflow_in_between():
    x = np.array([-12, -14, 300, 0.5], np.float16)
    wide = x.astype(np.float64)
    with np.errstate(over="ignore"):
        check(lambda xp, x: tile.sigmoid(x), x, dtype=np.float16, tolerance=1e-3,
              expected=1 / (1 + np.exp(-wide)))
    many = np.full(1 << 17, 0.25, np.float16)

    @tile.kernel
    def find(x, out):
        tile.store(out, 0, tile.softmax(tile.load(x, 0, 1 << 17))[:4])

    out = np.full(4, np.nan, np.float16)
    run(find, "cpu", many, out)
    np.testing.assert_array_equal(out, np.float16(2.0 ** -17))


# ----------------------------------------------------------------------------
# Complex values
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("machine", MACHINES)
def test_functions_of_complex_elements(rng, machine):
    @tile.kernel
    def combine(x, out):
        t = tile.load(x, 0, 8)
        tile.store(out, 0, tile.map(
            lambda a, b: tile.where(a == b, 0, (a - b) / a + abs(a) * tile.conj(b) - 2j),
            t, t[::-1]))
        tile.store(out, 8, tile.reduce(lambda a, b: a * b, t, 1))
        tile.store(out, 9, tile.scan(lambda a, b: a + b, t, 0.0))

    x = make(rng, np.complex64, (8,))
    out = np.full(17, np.nan, np.complex64)
    run(combine, machine, x, out)
    b = x[::-1]
    np.testing.assert_allclose(out, [*((x - b) / x + abs(x) * np.conj(b) - 2j), x.prod(),
                                     *np.cumsum(x)], rtol=1e-5)


@pytest.mark.parametrize("machine, dtype", [
    ("emulator", np.complex64), ("cpu", np.complex128)])
def test_numbers_in_tiles_of_complex_ones(rng, machine, dtype):
    @tile.kernel
    def combine(x, out):
        t = tile.load(x, (0, 0), (4, 4))
        results = [tile.add_diagonal(t, 1), tile.add_diagonal(t, 2j),
                   tile.insert(t, (0, 0), 5), tile.where(tile.real(t) > 0, t, 1),
                   tile.full_like(t, 3 - 1j), tile.pad(t[1:3, 1:3], 1, 1j),
                   t.mean(axis=0)[None] + 0 * t, t.mean() + 0 * t, t.prod() + 0 * t]
        for at, result in enumerate(results):
            assert result.dtype == x.dtype
            tile.store(out, (at, 0, 0), result[None])

    x = make(rng, dtype, (4, 4))
    inserted = x.copy()
    inserted[0, 0] = 5
    expected = [x + np.eye(4), x + 2j * np.eye(4), inserted, np.where(x.real > 0, x, 1),
                np.full_like(x, 3 - 1j), np.pad(x[1:3, 1:3], 1, constant_values=1j),
                np.broadcast_to(x.mean(axis=0), x.shape), np.full_like(x, x.mean()),
                np.full_like(x, x.prod())]
    out = np.full((len(expected), 4, 4), np.nan, dtype)
    run(combine, machine, x, out)
    np.testing.assert_allclose(out, expected, rtol=1e-5)


@pytest.mark.parametrize("machine", MACHINES)
def test_complex_scalars(machine):
    """Complex scalars have the same arithmetic as tiles."""
    @tile.kernel
    def combine(x, z, n, out, parts):
        c = tile.load(x, 0, ())
        results = [2 * c, c * 2.5, c + z, z - 1, c * z, z / c, -c, c / n, 1j * c,
                   tile.conj(z), tile.exp(c), c ** 3, 1 / c, c.astype(tile.complex128),
                   tile.where(c == z, c, z), tile.make_complex(abs(c), 1.0),
                   tile.real(c).astype(tile.complex64)]
        for at, result in enumerate(results):
            tile.store(out, at, result)
        for at, part in enumerate([abs(c), tile.real(z), tile.imag(z), c == 1.5 - 2j,
                                   c != z, tile.isfinite(z), tile.isnan(c)]):
            tile.store(parts, at, part)
        if abs(c) > 1:
            z = c
        tile.store(out, len(results), z)

    c, z, n = np.complex64(1.5 - 2j), np.complex64(-0.25 + 3j), 3
    expected = [2 * c, c * 2.5, c + z, z - 1, c * z, z / c, -c, c / n, 1j * c, np.conj(z),
                np.exp(c), c ** 3, 1 / c, c, z, abs(c) + 1j, c.real, c]
    out = np.full(len(expected), np.nan, np.complex64)
    parts = np.full(7, np.nan, np.float32)
    run(combine, machine, np.array([c]), z, n, out, parts)
    np.testing.assert_allclose(out, expected, rtol=1e-6)
    np.testing.assert_allclose(parts, [abs(c), z.real, z.imag, 1, 1, 1, 0], rtol=1e-6)


def test_pads_of_complex_numbers():
    @tile.kernel
    def read(x, out):
        for row, pad in enumerate((0, 1, 2.5, 1j, tile.load(x, 0, ()))):
            tile.store(out, (row, 0), tile.load(x, 1, 4, pad=pad)[None])

    x = np.array([1 + 2j, 3, 4j], np.complex64)
    out = np.full((5, 4), np.nan, np.complex64)
    run(read, "emulator", x, out)
    np.testing.assert_array_equal(out[:, :2], np.tile(x[1:], (5, 1)))
    np.testing.assert_array_equal(out[:, 2], [0, 1, 2.5, 1j, 1 + 2j])


@pytest.mark.parametrize("machine", MACHINES)
def test_comparisons_with_complex_numbers(machine):
    @tile.kernel
    def compare(x, y, out):
        t, r = tile.load(x, 0, 4), tile.load(y, 0, 4)
        results = [t == 1.5 - 2j, 2j != t, t == 1, t[0] == 1.5 - 2j, r == 1 + 0j, 2j == r]
        for row, result in enumerate(results):
            tile.store(out, (row, 0), tile.broadcast_to(result, 4)[None] if result.shape
                       else tile.full((1, 4), result))

    x, y = np.array([1.5 - 2j, 1, 2j, 3], np.complex64), np.arange(4, dtype=np.int32)
    out = np.zeros((6, 4), np.bool_)
    run(compare, machine, x, y, out)
    np.testing.assert_array_equal(out, [x == 1.5 - 2j, x != 2j, x == 1, [True] * 4, y == 1,
                                        [False] * 4])


@pytest.mark.parametrize("machine", MACHINES)
def test_a_divisor_is_rounded_to_the_type_of_the_tile(rng, machine):
    """All Python floats are rounded: 0.1 becomes 0.09998 in f16."""
    @tile.kernel
    def divide(x, out):
        t = tile.load(x, 0, 32)
        for row, result in enumerate((t % 0.1, t // 0.1, 0.1 % t, t % 1e-3)):
            tile.store(out, (row, 0), result[None])

    x = make(rng, np.float16, (32,))
    out = np.full((4, 32), np.nan, np.float16)
    run(divide, machine, x, out)
    wide, tenth = x.astype(np.float64), float(np.float16(0.1))
    expected = [wide % tenth, wide // tenth, tenth % wide, wide % float(np.float16(1e-3))]
    np.testing.assert_array_equal(out, np.array(expected, np.float16))
