# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops and branches: those on Python values, which run while a kernel is traced, those
on values of the program, which run when it runs, and the variables that they carry."""

import linecache
from dataclasses import dataclass

import numpy as np
import pytest

import tile_mlir as tile

SIZES = (0, 1, 2, 5, 8, 13)


@dataclass
class State:
    top: object
    sum: object


@tile.function
def double_if(x, flag):
    if flag > 3:
        return x * 2
    return x


def triple(x):
    for _ in range(2):
        x = x + x / 2 * 0 + x / (2 - _)
    return x


@tile.kernel
def everything(x, out, k, *, n=16):
    v = tile.load(x, 0, n)
    count = 0
    state = State(v, 0.0)
    i = 0
    while i < k and i < 10:
        if i % 2 == 1:
            v = v + 1
            count += 2
        elif i == 4:
            v = v * 2
        else:
            pass
        state = State(tile.maximum(state.top, v), state.sum + v.sum())
        i += 1
    for a in tile.static_range(3):
        v += a
    for q in range(k):
        half = v * 0.5
        v = half + q
    w = v if k > 2 else -v
    if 1 < k <= 5 or k == 13:
        w = double_if(w, 4) + double_if(w, 2)
    tile.store(out, 0, w + state.top + state.sum + count)


def compute_everything(x, k):
    v, count, top, total, i = x.astype(np.float64), 0, x, 0.0, 0
    while i < k and i < 10:
        if i % 2 == 1:
            v, count = v + 1, count + 2
        elif i == 4:
            v = v * 2
        top, total, i = np.maximum(top, v), total + v.sum(), i + 1
    v = v + 3
    for q in range(k):
        v = v * 0.5 + q
    w = v if k > 2 else -v
    if 1 < k <= 5 or k == 13:
        w = w * 2 + w
    return w + top + total + count


@pytest.mark.parametrize("k", SIZES)
def test_everything(rng, machine, k):
    x = rng.standard_normal(16).astype(np.float32)
    out = np.full_like(x, np.nan)
    everything[1](x, out, k)
    np.testing.assert_allclose(out, compute_everything(x, k), rtol=1e-5,
                               atol=1e-5)


def test_one_program_serves_all_numbers(rng):
    """A Python int that is passed by position is a value of the program, so one program
    serves all ints."""
    x = np.zeros(16, np.float32)
    assert everything.trace(x, x, 3) is everything.trace(x, x, 4)
    assert everything.trace(x, x, 3).count("scf.while") == 1


@tile.kernel
def halve(x, out, limit):
    t, is_done = tile.load(x, 0, 4), False
    while not is_done:
        t = t * 0.5
        is_done = t.max() < limit
    tile.store(out, 0, t)


@pytest.mark.parametrize("limit", [0.3, 100.0])
def test_condition_of_the_body(machine, limit):
    """The condition is a Python value before the loop, and a value of the program after
    its body."""
    x = np.arange(4, dtype=np.float32)
    out = np.full_like(x, np.nan)
    halve[1](x, out, limit)
    np.testing.assert_array_equal(out, x * 0.5 if limit > 3 else x / 16)


@tile.kernel
def nested(x, out, rows, columns):
    total = tile.zeros((4,))
    for i in range(rows):
        part = 0.0
        for j in tile.range(1, columns, 2):
            if j > i:
                part = part + j
        total = total + part * tile.load(x, 0, 4)
    tile.store(out, 0, total)


@pytest.mark.parametrize("rows, columns", [(0, 3), (3, 0), (4, 9)])
def test_nested_loops(rng, machine, rows, columns):
    x = rng.standard_normal(4).astype(np.float32)
    out = np.full_like(x, np.nan)
    nested[1](x, out, rows, columns)
    factor = sum(j for i in range(rows) for j in range(1, columns, 2) if j > i)
    np.testing.assert_allclose(out, factor * x, rtol=1e-6, atol=1e-6)


@tile.kernel
def structures(x, out, k):
    t = tile.load(x, 0, 4)
    pair, table, parts = (t, t * 2), {"a": t, "b": 1}, [t, (t, 3)]
    for i in range(k):
        first, second = pair
        pair = (second, first + 1)
        table = {"a": table["a"] + pair[0], "b": 1}
        parts = [parts[0] * 0.5, (parts[1][0] + i, 3)]
    tile.store(out, 0, pair[0] + pair[1] * 10 + table["a"] * table["b"] +
               parts[0] + parts[1][0] * parts[1][1])


@pytest.mark.parametrize("k", [0, 1, 4])
def test_structures_are_carried(rng, machine, k):
    x = rng.standard_normal(4).astype(np.float32)
    out = np.full_like(x, np.nan)
    structures[1](x, out, k)
    a, b, s, h, p = x, x * 2, x, x, x
    for i in range(k):
        a, b = b, a + 1
        s, h, p = s + a, h * 0.5, p + i
    np.testing.assert_allclose(out, a + b * 10 + s + h + p * 3, rtol=1e-5)


@tile.kernel
def parts_of_copies(x, out, k):
    t = tile.load(x, 0, 4)
    pair = [t, t]
    if k > 2:
        pair[0] = t * 3
        pair = [pair[0], pair[1]]
    for i in range(k):
        pair = [pair[1], pair[0]]
        pair[0] += i
    tile.store(out, 0, pair[0] - pair[1])


@pytest.mark.parametrize("k", [0, 1, 4])
def test_parts_of_what_is_assigned(rng, machine, k):
    x = rng.standard_normal(4).astype(np.float32)
    out = np.full_like(x, np.nan)
    parts_of_copies[1](x, out, k)
    a, b = (x * 3 if k > 2 else x), x
    for i in range(k):
        a, b = b + i, a
    np.testing.assert_allclose(out, a - b, rtol=1e-6, atol=1e-6)


@tile.kernel
def static(x, out, *, factors, negate):
    t = tile.load(x, 0, 4)
    for factor in factors:
        if factor is None:
            break
        if factor < 0:
            continue
        t = t * factor
    names = [name for name in ("a", "b") if name != "b"]
    if negate and len(names) == 1:
        t = -t
    for index, factor in enumerate(factors[:2]):
        t += index
    tile.store(out, 0, t)


def test_python_values_take_pythons_way(rng, machine):
    x = rng.standard_normal(4).astype(np.float32)
    out = np.full_like(x, np.nan)
    static[1](x, out, factors=(2.0, -5.0, 3.0, None, 7.0), negate=True)
    np.testing.assert_allclose(out, -6 * x + 1, rtol=1e-6)
    static[1](x, out, factors=(2.0,), negate=False)
    np.testing.assert_allclose(out, 2 * x, rtol=1e-6)


def make_kernel(scale):
    def helper(x):
        return x * scale

    @tile.kernel
    def scaled(x, out):
        for i in range(2):
            tile.store(out, 0, helper(tile.load(x, 0, 4)))

    return scaled


@tile.kernel
def scaled_by(x, out, *, by):
    tile.store(out, 0, tile.load(x, 0, 4) / tile.full((4,), by))


def test_constants_that_are_equal_and_not_the_same(rng):
    """1, 1.0 and True are equal in Python, and so are 0.0 and -0.0, but each of these
    constants has its own program."""
    x = np.ones(4, np.int32)
    texts = {scaled_by.trace(x, x, by=by) for by in (1, 1.0, True)}
    assert len(texts) == 3
    out = np.empty(4, np.float32)
    for by in (0.0, -0.0, (0.0,)[0]):
        scaled_by[1](x, out, by=by)
        assert (np.signbit(out) == np.signbit(by)).all()


def test_closures(rng):
    x = rng.standard_normal(4).astype(np.float32)
    out = np.full_like(x, np.nan)
    for scale in (2.0, 3.0):
        make_kernel(scale)[1](x, out)
        np.testing.assert_allclose(out, scale * x, rtol=1e-6)


@tile.kernel
def branches(x, out, k):
    t = tile.load(x, 0, 4)
    if k > 2:
        scale = 3
        t = t + 1
    else:
        scale = 4
    both = k > 1 and k < 6 and not k == 3
    tile.store(out, 0, t * scale + tile.where(both, 100.0, 0.0))


@pytest.mark.parametrize("k", [0, 2, 3, 5, 9])
def test_branches(rng, machine, k):
    x = rng.standard_normal(4).astype(np.float32)
    out = np.full_like(x, np.nan)
    branches[1](x, out, k)
    expected = (x + 1) * 3 if k > 2 else x * 4
    np.testing.assert_allclose(
        out, expected + (100 if k > 1 and k < 6 and not k == 3 else 0),
        rtol=1e-6)


# ----------------------------------------------------------------------------
# Ranges
# ----------------------------------------------------------------------------


@tile.kernel
def count_by(x, out, start, stop, step):
    n, digits = 0, 0
    for i in range(start, stop, step):
        n, digits = n + 1, (digits * 7 + i) % 1009
    tile.store(out, 0, n)
    tile.store(out, 1, digits)
    for i in reversed(range(start, stop, step)):
        n, digits = n - 1, (digits * 7 + i) % 1009
    tile.store(out, 2, n)
    tile.store(out, 3, digits)


def compute_count_by(values):
    n, digits = len(values), 0
    for i in values:
        digits = (digits * 7 + i) % 1009
    result = [n, digits]
    for i in reversed(values):
        digits = (digits * 7 + i) % 1009
    return [*result, 0, digits]


RANGES = [(0, 20, 3), (20, 0, -3), (0, 5, -1), (5, 0, -1), (5, 5, -2), (5, 5, 2),
          (-3, -9, -2), (-3, 9, 1), (9, -3, 4), (0, 2, 5), (2, 0, -5)]


@pytest.mark.parametrize("bounds", RANGES)
def test_ranges_of_the_program(machine, bounds):
    out = np.full(4, np.nan, np.float32)
    count_by[1](np.zeros(1, np.float32), out, *bounds)
    np.testing.assert_array_equal(out, compute_count_by(range(*bounds)))


@tile.kernel
def count_by_constants(x, out, *, bounds):
    n, digits = 0, 0
    for i in range(*bounds):
        n, digits = n + 1, (digits * 7 + i) % 1009
    tile.store(out, 0, n)
    tile.store(out, 1, digits)
    for i in reversed(range(*bounds)):
        n, digits = n - 1, (digits * 7 + i) % 1009
    tile.store(out, 2, n)
    tile.store(out, 3, digits)


@pytest.mark.parametrize("bounds", RANGES)
def test_ranges_that_are_known(bounds):
    out = np.full(4, np.nan, np.float32)
    count_by_constants[1](np.zeros(1, np.float32), out, bounds=bounds)
    np.testing.assert_array_equal(out, compute_count_by(range(*bounds)))


@pytest.mark.parametrize("type, bounds", [
    (np.int8, (0, 120, 50)), (np.int8, (100, 0, -7)), (np.uint8, (3, 250, 100)),
    (np.int64, (100, 0, -7))])
def test_ranges_of_integers_of_numpy(type, bounds):
    """Checks that ranges with bounds of narrow NumPy types do not wrap around."""
    out = np.full(4, np.nan, np.float32)
    count_by_constants[1](np.zeros(1, np.float32), out, bounds=tuple(map(type, bounds)))
    np.testing.assert_array_equal(out, compute_count_by(range(*bounds)))


@tile.kernel
def fill_backwards(x, out, n, *, step):
    for i in range(n - 1, -1, step):
        tile.store(out, i, tile.load(x, i, ()) + i)


def test_indices_of_a_loop_backwards(machine, rng):
    x = rng.standard_normal(11).astype(np.float32)
    for step in (-1, -4):
        out = np.full_like(x, np.nan)
        fill_backwards[1](x, out, 11, step=step)
        expected = np.full_like(x, np.nan)
        for i in range(10, -1, step):
            expected[i] = x[i] + i
        np.testing.assert_array_equal(out, expected)


def test_steps_of_zero(machine):
    """Checks a step that is a value of the program: the error is raised when the
    program runs, at the line of the range."""
    out = np.zeros(4, np.float32)
    with pytest.raises(tile.EmulatorError) as caught:
        count_by[1](np.zeros(1, np.float32), out, 0, 5, 0)
    line = count_by.__wrapped__.__code__.co_firstlineno + 3
    assert f"{__file__}:{line}:14: error: assertion failed: expected a step of a range " \
        "that is not zero, got 0" in str(caught.value)


def test_loops_by_the_grid_need_no_sign():
    """A step that is the number of blocks is known to be positive."""
    @tile.kernel
    def kernel(x, n):
        for i in range(tile.program_id(0), n, tile.num_programs(0)):
            tile.store(x, i, 1.0)

    text = kernel.trace(np.zeros(4, np.float32), 3)
    assert "tile.assert" not in text and "arith.select" not in text


# ----------------------------------------------------------------------------
# Forms of Python
# ----------------------------------------------------------------------------


@tile.kernel
def extremes(x, out, k):
    t = tile.load(x, 0, 4)
    tile.store(out, 0, max(k, 3))
    tile.store(out, 1, min(k, 3, k * 2 - 8))
    tile.store(out, 2, max([t.sum(), k, 1.5]))
    tile.store(out, 3, max(2, 7) + min([4, 5], key=lambda v: -v))
    tile.store(out, 4, max(t, min(t, 0.0) + k))


@pytest.mark.parametrize("k", [0, 4, 9])
def test_min_and_max(machine, rng, k):
    x = rng.standard_normal(4).astype(np.float32)
    out = np.full(8, np.nan, np.float32)
    extremes[1](x, out, k)
    expected = [max(k, 3), min(k, 3, k * 2 - 8), max(x.sum(), k, 1.5), 12]
    np.testing.assert_allclose(out[:4], expected, rtol=1e-6)
    np.testing.assert_allclose(out[4:], np.maximum(x, np.minimum(x, 0) + k), rtol=1e-6)


@tile.kernel
def chains(x, out, k):
    t = tile.load(x, 0, 4)
    if 0 < t.sum() < 10:
        tile.store(out, 0, 1.0)
    if 0 < k < 20 // k <= 10 != 7:
        tile.store(out, 1, 1.0)
    if k != 0 and 20 // k > 3 or k == 0:
        tile.store(out, 2, 1.0)
    tile.store(out, 3, tile.where(-1 < t < 1, 1.0, 0.0).sum())


@pytest.mark.parametrize("k", [0, 1, 2, 5])
def test_chains(machine, k):
    """Operands after one that is false are not computed: there is no division by zero."""
    x = np.asarray([0.5, -3, 2, 4], np.float32)
    out = np.zeros(4, np.float32)
    chains[1](x, out, k)
    expected = [0 < x.sum() < 10, k > 0 and 0 < k < 20 // k <= 10 != 7,
                k == 0 or 20 // k > 3, 1]
    np.testing.assert_array_equal(out, np.asarray(expected, np.float32))


@tile.function
def note(out, index):
    tile.store(out, index, 1.0)
    return index > 0


@tile.kernel
def operands_with_effects(out, k):
    if k > 1 and note(out, 1):
        tile.store(out, 0, 1.0)
    if k > 1 or note(out, 2):
        tile.store(out, 3, 1.0)
    if 0 < k < 3 and note(out, 4) and not note(out, 5):
        tile.store(out, 6, 1.0)


@pytest.mark.parametrize("k", [0, 1, 2])
def test_operands_with_effects(machine, k):
    out = np.zeros(8, np.float32)
    operands_with_effects[1](out, k)
    expected = np.zeros(8)
    expected[[1, 0]] = k > 1
    expected[2], expected[3] = not k > 1, 1
    expected[[4, 5]] = 0 < k < 3
    np.testing.assert_array_equal(out, expected)


@tile.kernel
def integers_of_two_widths(x, out, k):
    d = tile.load(x, 0, ())
    e = d
    for i in range(k):
        for j in range(i):
            d = i
        e = e + 1
        if i > 1:
            e = i
    tile.store(out, 0, d)
    tile.store(out, 1, e)


@pytest.mark.parametrize("element", [np.int8, np.uint16, np.int32, np.int64])
@pytest.mark.parametrize("k", [0, 1, 4])
def test_integers_of_two_widths(machine, element, k):
    """A variable that is loaded from an array, and is assigned a counter in a loop, has
    the wider type of the two."""
    out = np.full(2, -7, np.int64)
    integers_of_two_widths[1](np.full(1, 100, element), out, k)
    d = e = 100
    for i in range(k):
        for j in range(i):
            d = i
        e = i if i > 1 else e + 1
    np.testing.assert_array_equal(out, [d, e])


class Owner:
    __factor = 3

    def __init__(self):
        self.__sum = 1

    def run(self, x):
        @tile.kernel
        def kernel(x, k):
            for i in range(k):
                __by = i * Owner.__factor
                self.__sum += __by
            self.__gone = 1
            del self.__gone
            tile.store(x, 0, self.__sum)

        kernel[1](x, 4)

    @tile.function
    def __add(t, k):
        for i in range(k):
            t = t + i
        return t

    @staticmethod
    @tile.kernel
    def method(x, k):
        tile.store(x, 0, Owner.__add(tile.load(x, 0, 4), k))


@tile.kernel(grid=1)
def take_the_last(x, y, out, count):
    t = tile.load(x, 0, 4)
    for _ in range(count):
        t = tile.load(y, 0, 4)
    tile.store(out, 0, t)


@pytest.mark.parametrize("count", [0, 1])
def test_tiles_of_both_signs(machine, count):
    """A variable that is an i32 tile or a u32 tile is carried as i64, which has the
    values of both."""
    x = np.array([-2**31, -1, 0, 2**31 - 1], np.int32)
    y = np.array([0, 1, 2**31, 2**32 - 1], np.uint32)
    out = np.full(4, 77, np.int64)
    take_the_last(x, y, out, count)
    np.testing.assert_array_equal(out, y if count else x)


def test_private_names(machine):
    x = np.zeros(4, np.float32)
    Owner().run(x)
    assert x[0] == 1 + 3 * 6
    Owner.method[1](x, 3)
    np.testing.assert_array_equal(x, [22, 3, 3, 3])


# ----------------------------------------------------------------------------
# Names with a value and without
# ----------------------------------------------------------------------------


class Case:
    first, second = 1, 2


@tile.kernel
def with_words(out, k):
    """Annotations and patterns, which stay as they are."""
    @dataclass
    class Pair:
        first: int
        second: np.ndarray = None

    kind: int = 2
    for i in tile.static_range(2):
        kind: int = Case.second
    assert str(Pair.__annotations__["second"]) in ("np.ndarray", str(np.ndarray))
    match kind, Pair(3):
        case Case.first, _:
            tile.store(out, 0, 1.0)
        case Case.second, Pair(first=number) if number == 3:
            tile.store(out, 0, k + number)


def test_annotations_and_patterns(machine):
    out = np.zeros(1, np.float32)
    with_words[1](out, 2)
    assert out[0] == 5


@tile.function
def find_last(values):
    for value in values:
        last = value
    return last


def test_functions_that_python_calls():
    """In a function that Python calls, outside of a kernel, a variable without a value
    raises Python's own error."""
    assert find_last([1, 2]) == 2
    with pytest.raises(UnboundLocalError, match="expected a variable with a value"):
        find_last([])


@tile.kernel
def with_less(x, out, k):
    """Deletes names and parts of each kind."""
    a, b, c = 1, 2, [3, 4]
    for i in range(k):
        t = tile.load(x, i, 4) + b
        tile.store(out, 0, t + a)
        del t
    del (a, [b]), c[0]
    for a in tile.static_range(2):
        b = a
    tile.store(out, 4, c[0] + float(b))


def test_deleted_names(machine):
    x, out = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    with_less[1](x, out, 3)
    np.testing.assert_array_equal(out, [5, 6, 7, 8, 5, 0, 0, 0])


@tile.function
def power(t, exponent):
    return t if exponent == 0 else t * power(t, exponent - 1)


@tile.function
def power_by_parity(t, exponent):
    result = t
    if exponent > 1:
        result = t * power_by_parity(t, exponent - 1)
    return result


def test_recursion_that_ends_while_it_is_traced(machine, rng):
    @tile.kernel
    def kernel(x, out):
        t = tile.load(x, 0, 4)
        tile.store(out, 0, power(t, 2) + power_by_parity(t, 3))

    x = rng.standard_normal(4).astype(np.float32)
    out = np.full_like(x, np.nan)
    kernel[1](x, out)
    np.testing.assert_allclose(out, 2 * x ** 3, rtol=1e-5)


def test_without_source(rng):
    """A function made by exec is traced as it is, if it has no loops or branches."""
    scope = {"tile": tile}
    exec("def f(x, out):\n"
         "    t = tile.load(x, 0, 4)\n"
         "    tile.store(out, 0, 2 * t)\n", scope)
    x = rng.standard_normal(4).astype(np.float32)
    out = np.full_like(x, np.nan)
    tile.kernel(scope["f"])[1](x, out)
    np.testing.assert_allclose(out, 2 * x, rtol=1e-6)


def test_source_in_linecache(rng):
    """Checks a function whose source is only in linecache, as for notebooks and
    doctest."""
    text = ("def f(x, out, k):\n"
            "    t = tile.load(x, 0, 4)\n"
            "    for i in range(k):\n"
            "        t = t * 2\n"
            "    tile.store(out, 0, t)\n")
    linecache.cache["<made>"] = len(text), None, text.splitlines(True), "<made>"
    scope = {"tile": tile}
    exec(compile(text, "<made>", "exec"), scope)
    x = rng.standard_normal(4).astype(np.float32)
    out = np.full_like(x, np.nan)
    tile.kernel(scope["f"])[1](x, out, 3)
    np.testing.assert_allclose(out, 8 * x, rtol=1e-6)
