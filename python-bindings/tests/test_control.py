# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops and branches: of Python's values while a kernel is traced, of the
program's when it runs, and what they carry."""

import linecache
from dataclasses import dataclass

import numpy as np
import pytest

import tile_mlir as tile

SIZES = (0, 1, 2, 5, 8, 13)


@pytest.fixture(params=["emulator", "cpu"])
def machine(request):
    with getattr(tile, request.param)():
        yield


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
    """A Python int of a call is the program's, so there is one text."""
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
    """It is Python's before the loop, and the program's from the body on."""
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
    for number, factor in enumerate(factors[:2]):
        t += number
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
    """1, 1.0 and True are equal, as are zeros of either sign."""
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


def test_without_source(rng):
    """What exec makes is traced as it is, if it has neither loops nor branches."""
    scope = {"tile": tile}
    exec("def f(x, out):\n"
         "    t = tile.load(x, 0, 4)\n"
         "    tile.store(out, 0, 2 * t)\n", scope)
    x = rng.standard_normal(4).astype(np.float32)
    out = np.full_like(x, np.nan)
    tile.kernel(scope["f"])[1](x, out)
    np.testing.assert_allclose(out, 2 * x, rtol=1e-6)


def test_source_in_linecache(rng):
    """As notebooks and doctest keep it."""
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
