# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuning with timers that get the time of each candidate: the choice, how often
each is measured, that arrays stay as they are, files, processes, and the
sequence of calls of CUDA's driver."""

import concurrent.futures
import ctypes
import inspect
import io
import json
import logging
import math
import multiprocessing
import os
import re
import sys
import types
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

import tile_mlir as tile
from tile_mlir import elements
from tile_mlir.launching import cache, plans, runtime
from tile_mlir.launching.arrays import Description, describe
from tile_mlir.tracing import captured
from tile_mlir.tuning import driver, timing
from tile_mlir.tuning import candidates, measuring, progress, search, tuning_file
from tile_mlir.tuning.timing import Target

H100 = Target("sm_90a", "NVIDIA H100")
A100 = Target("sm_80", "NVIDIA A100")


# ----------------------------------------------------------------------------
# Tuned kernels and timers
# ----------------------------------------------------------------------------


def take(candidate):
    """Returns seconds: the least for n = 32, more with the distance from it."""
    factor = 1 + abs(math.log2(candidate["n"] / 32))
    return 1e-4 * factor * (1.3 if candidate.get("tiling") else 1)


@dataclass
class FakeTimer:
    """Has its own clock, which measurements advance, and noise. With `runs` it makes
    each launch."""

    take: object = take
    target: Target = H100
    noise: float = 0.03
    runs: bool = False
    now: float = 100.0
    measured: list = field(default_factory=list)

    def find_target(self):
        return self.target

    def measure(self, candidate, launch, count):
        self.measured.append((dict(candidate), count))
        rng = np.random.default_rng(len(self.measured))
        for _ in range(count if self.runs else 0):
            launch.restore()
            launch.run()
        seconds = self.take(candidate) * (
            1 + self.noise * abs(rng.standard_normal(count)))
        self.now += float(seconds.sum())
        return list(seconds)

    def get_time(self):
        return self.now

    def pause(self, seconds):
        self.now += seconds

    def count_bursts(self, **values):
        return sum(candidate == values for candidate, _ in self.measured)


def scale_function(x, y, s, *, n=16, add=0):
    first = tile.program_id(0) * n
    tile.store(y, first, tile.load(x, first, n) * s + add)


SIZES = {"n": [8, 16, 32, 64, 128]}


def make_scale(space=SIZES, **options):
    kernel = tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
    options.setdefault("timer", FakeTimer())
    return tile.autotune(space, **options)(kernel(scale_function))


def make_arrays(rng, size=201):
    x = rng.standard_normal(size).astype(np.float32)
    return x, np.full_like(x, np.nan)


def check_scale(scale, rng, size=201, **constants):
    x, y = make_arrays(rng, size)
    before = x.copy()
    scale(x, y, 1.5, **constants)
    np.testing.assert_array_equal(x, before)
    np.testing.assert_allclose(
        y, x.astype(np.float64) * 1.5 + constants.get("add", 0), rtol=1e-6,
        atol=1e-6)
    return x, y


# ----------------------------------------------------------------------------
# Candidates
# ----------------------------------------------------------------------------


def test_product_and_rows():
    made = candidates.make_candidates(
        {"m": [1, 2], "tiling": [None, "warps=2,4"]}, ["m", "n"])
    assert [c.values for c in made] == [
        {"m": 1, "tiling": None}, {"m": 1, "tiling": "warps=2,4"},
        {"m": 2, "tiling": None}, {"m": 2, "tiling": "warps=2,4"}]
    assert made[1].constants == (("m", 1),)
    assert made[1].options == (("tiling", "warps=2,4"),)
    assert str(made[1]) == "m=1, tiling='warps=2,4'"
    rows = [{"m": 1}, {"m": 2, "n": 3}, {"m": 1}]
    made = candidates.make_candidates(rows, ["m", "n"])
    assert [c.values for c in made] == rows[:2]
    # A parameter of the kernel is that, whatever its name.
    [made] = candidates.make_candidates({"block": [64]}, ["block"])
    assert made.constants == (("block", 64),) and not made.options


@pytest.mark.parametrize("space, text", [
    ({"n": []}, "expected at least one candidate, got none"),
    ([], "expected at least one candidate, got none"),
    ({"m": 3}, "expected a list of values of 'm', got 3"),
    ({"m": "64"}, "expected a list of values of 'm', got '64'"),
    ([3], "expected a dictionary of lists, or a list of dictionaries, got"),
    ({"x": [1]}, "expected keyword parameters of the kernel, n, add, or tiling, "
                 "block, blocks_per_processor, got 'x'"),
    ({"n": [[1]]}, "expected values that can be hashed, got n=")])
def test_wrong_spaces(space, text):
    with pytest.raises(tile.ArgumentError) as error:
        make_scale(space)
    assert text in str(error.value)


@pytest.mark.parametrize("options, text", [
    ({"budget": 0}, "expected a budget of seconds above 0, got 0"),
    ({"budget": "1"}, "expected a budget of seconds above 0, got '1'"),
    ({"tune": "always"}, "expected tune of 'missing', 'never', got 'always'")])
def test_wrong_options(options, text):
    with pytest.raises(tile.ArgumentError, match=text):
        make_scale(**options)


def test_not_a_kernel():
    with pytest.raises(tile.ArgumentError, match="above @tile.kernel, got <func"):
        tile.autotune(SIZES)(scale_function)


@pytest.mark.parametrize("value, expected", [
    (3, 3), (True, True), (None, None), ("a", "a"), (0.5, 0.5),
    (np.int64(3), 3), (np.float32(0.5), 0.5), (float("inf"), "inf"),
    ((1, (2, "x")), [1, [2, "x"]]), (tile.f16, "tile.f16"),
    (tile.exp, "tile_mlir.exp"), (np.float32, "numpy.float32")])
def test_constants_as_json(value, expected):
    found = candidates.describe(value)
    assert found == expected and type(found) is type(expected)
    json.dumps(found)


# ----------------------------------------------------------------------------
# The search
# ----------------------------------------------------------------------------


class Table:
    """Draws times, each with noise."""

    def __init__(self, times, noise, seed, failing=()):
        self.times, self.noise, self.failing = times, noise, failing
        self.rng = np.random.default_rng(seed)
        self.bursts = np.zeros(len(times), int)
        self.runs = np.zeros(len(times), int)

    def sample(self, runs, bursts):
        found = {}
        for index, count in runs.items():
            self.bursts[index] += bursts
            self.runs[index] += bursts * count
            noise = self.noise * abs(self.rng.standard_normal(bursts))
            found[index] = search.Outcome(
                tuple(self.times[index] * (1 + noise)),
                "does not fit" if index in self.failing else "")
        return found


def run_search(table, is_over=lambda: False):
    records = [search.Record(n, f"n={n}") for n in range(len(table.times))]
    best = search.search(records, table, is_over, progress.show_progress("", 1))
    return best, records


@pytest.mark.parametrize("seed", range(20))
def test_search_finds_the_fastest(seed):
    rng = np.random.default_rng(seed)
    times = 1e-4 * np.exp(rng.uniform(0, 2, 40))
    table = Table(times, 0.05, seed)
    best, records = run_search(table)
    assert times[best.number] <= 1.02 * times.min()
    assert best.state == "chosen"
    assert {r.state for r in records} <= {"chosen", "slower", "measured"}
    # Far slower candidates are measured once, and most of the time goes to few.
    assert (table.bursts[times > 2.5 * times.min()] == 1).all()
    assert np.count_nonzero(table.bursts > 7) <= 10


@pytest.mark.parametrize("times, noise, reason, bursts", [
    ([1.0, 2.5], 0.01, "twice as slow as the best one", 1),
    ([1.0, 1.1, 1.6, 1.7], 0.001, "in the slower half", 1),
    ([1.0, 1.03], 0.001, "above the best one's interval", 7)])
def test_why_a_candidate_goes(times, noise, reason, bursts):
    table = Table(1e-4 * np.array(times), noise, 1)
    best, records = run_search(table)
    assert best.number == 0
    assert (records[-1].state, records[-1].reason) == ("slower", reason)
    assert table.bursts[-1] == bursts


def test_search_of_equals_ends():
    table = Table(np.full(10, 1e-4), 0.01, 1)
    best, records = run_search(table)
    assert best.state == "chosen"
    assert table.bursts.max() <= 31


def test_search_has_more_runs_of_short_kernels():
    table = Table(np.array([1e-6, 1.01e-6]), 0.0, 1)
    run_search(table)
    assert table.runs[0] == 1 + 50 * (table.bursts[0] - 1)
    table = Table(np.array([1.0, 1.01]), 0.0, 1)
    run_search(table)
    assert table.runs[0] == table.bursts[0]


def test_search_with_failures():
    times = np.array([1e-5, 3e-4, 2e-4])
    best, records = run_search(Table(times, 0.01, 1, failing=[0]))
    assert best.number == 2
    assert (records[0].state, records[0].reason) == ("failed", "does not fit")
    best, records = run_search(Table(times, 0.01, 1, failing=[0, 1, 2]))
    assert best is None
    assert all(record.state == "failed" for record in records)


def test_search_ends_when_time_is_over():
    table = Table(np.array([2e-4, 1e-4]), 0.01, 1)
    best, records = run_search(table, lambda: True)
    assert best.number == 1 and table.bursts.tolist() == [1, 1]


def test_interval():
    """It contains the median of at least 95 % of many samples."""
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(400):
        record = search.Record(0, "", seconds=list(rng.exponential(1.0, 15)))
        low, high = record.interval
        hits += low <= math.log(2) <= high
    assert hits >= 0.93 * 400
    record.seconds = record.seconds[:5]
    assert record.interval == (0.0, math.inf)


# ----------------------------------------------------------------------------
# Calls
# ----------------------------------------------------------------------------


def test_a_call_measures_once(rng):
    scale = make_scale()
    check_scale(scale, rng)
    count = len(scale.timer.measured)
    assert count >= len(SIZES["n"])
    check_scale(scale, rng)
    assert len(scale.timer.measured) == count
    x, y = make_arrays(rng)
    choice = scale.choose(x, y, 1.5)
    assert choice.values == {"n": 32} and choice.source == "measured"
    assert 1e-4 <= choice.seconds <= 1.1e-4
    # Sizes are the key.
    check_scale(scale, rng, 202)
    assert len(scale.timer.measured) > count


def test_a_key_of_calls_with_other_candidates(rng):
    """Checks that `when` also restricts calls that share a key."""
    scale = make_scale(key=lambda x: 0, when=lambda x, n: x.shape[0] % n == 0)
    pairs = {size: make_arrays(rng, size) for size in (128, 80)}
    for _ in range(2):
        for size, n in ((128, 32), (80, 16)):
            assert scale.choose(*pairs[size], 1.5).values == {"n": n}
    count = len(scale.timer.measured)
    check_scale(scale, rng, 128)
    check_scale(scale, rng, 80)
    assert len(scale.timer.measured) == count


def test_bounds_of_many_grids():
    scale = make_scale()
    for count in range(1, 1000):
        scale[count]
    assert len(scale._bounds) <= 256


def test_what_makes_another_key(rng):
    scale = make_scale(key=lambda x: x.shape[0] // 100)
    check_scale(scale, rng, 201)
    count = len(scale.timer.measured)
    check_scale(scale, rng, 250)
    assert len(scale.timer.measured) == count
    check_scale(scale, rng, 301)
    assert len(scale.timer.measured) > count
    count = len(scale.timer.measured)
    check_scale(scale, rng, 201, add=1)  # another constant
    assert len(scale.timer.measured) > count
    count = len(scale.timer.measured)
    x, y = rng.standard_normal(201), np.empty(201)  # another type
    scale(x, y, 1.5)
    assert len(scale.timer.measured) > count


def test_grids(rng):
    scale = make_scale()
    x, y = make_arrays(rng)
    scale[lambda x, n: -(-x.shape[0] // n)](x, y, 2.0)
    np.testing.assert_array_equal(y, x * 2)
    kernel = tile.autotune(SIZES, timer=FakeTimer())(tile.kernel(scale_function))
    y[:] = np.nan
    kernel[26](x, y, 3.0)  # enough for the least n
    np.testing.assert_array_equal(y, x * 3)
    assert kernel[26] is kernel[26]
    with pytest.raises(tile.LaunchError, match="expected a grid of the kernel"):
        kernel(x, y, 2.0)
    with pytest.raises(tile.LaunchError, match="one to three numbers that are not"):
        kernel[-1]


def test_check_of_what_is_chosen(rng):
    scale = make_scale()
    x, y = make_arrays(rng)
    checked = tile.check(scale, (x, y, 1.5), {"add": 2}, arch="sm_90a")
    assert scale.timer.measured and np.isnan(y).all()
    np.testing.assert_allclose(checked.arguments[1], x * 1.5 + 2, rtol=1e-6, atol=1e-6)
    assert (checked.kernel, checked.blocks) == ("scale_function", (7, 1, 1))
    with tile.profile() as profile:
        scale(x, y, 1.5, add=2)
        scale.timer.runs = True
        scale.tune(x, y, 1.5)  # which is not what the user runs
    assert [launch.blocks for launch in profile.launches] == [(7, 1, 1)]


def test_prepare_of_what_is_chosen(rng):
    x, y = make_arrays(rng)
    scale = make_scale()
    launch = scale.prepare(x, y, 1.5, add=1)
    assert scale.timer.measured and np.isnan(y).all()
    launch()
    np.testing.assert_allclose(y, x * 1.5 + 1, rtol=1e-6, atol=1e-6)
    x[:] = rng.standard_normal(201)
    launch()
    np.testing.assert_allclose(y, x * 1.5 + 1, rtol=1e-6, atol=1e-6)
    kernel = tile.autotune(SIZES, timer=FakeTimer())(tile.kernel(scale_function))
    kernel.prepare(x, y, 3.0, grid=26)()
    np.testing.assert_array_equal(y, x * 3)


def test_a_promised_alignment(rng):
    """Checks that copies have it too."""
    kernel = tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n), alignment=4096)
    timer = FakeTimer(runs=True)
    scale = tile.autotune(SIZES, timer=timer)(kernel(scale_function))
    room = np.empty(2 * 4096, np.float32)
    start = -room.ctypes.data % 4096 // 4
    x, y = room[start:start + 201], room[start + 1024:start + 1225]
    x[:], y[:] = rng.standard_normal(201), np.nan
    scale(x, y, 1.5)
    np.testing.assert_array_equal(y, x * np.float32(1.5))
    assert scale.choose(x, y, 1.5).source == "measured"
    y[:] = np.nan
    checked = tile.check(scale, (x, y, 1.5))
    np.testing.assert_array_equal(checked.arguments[1], x * np.float32(1.5))


def test_a_candidate_of_too_many_blocks(rng):
    def rows(x, y, *, n):
        row = tile.program_id(1) * n
        tile.store(y, row, tile.load(x, row, n) * 2)

    kernel = tile.autotune({"n": [64, 1]}, timer=FakeTimer())(
        tile.kernel(grid=lambda x, n: (1, tile.cdiv(x.shape[0], n)))(rows))
    x, y = make_arrays(rng, 70000)
    tuning = kernel.tune(x, y)
    assert tuning.choice.values == {"n": 64}
    assert [record.state for record in tuning.records] == ["chosen", "failed"]
    assert "expected a grid of at most" in tuning.records[1].reason


def test_calls_of_several_threads(rng):
    scale = make_scale()
    arrays = [make_arrays(rng) for _ in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda pair: scale(*pair, 1.5), arrays))
    assert scale.timer.count_bursts(n=8) == 1  # too slow for a second round
    for x, y in arrays:
        np.testing.assert_array_equal(y, x * np.float32(1.5))


def test_signature():
    assert str(inspect.signature(make_scale())) == "(x, y, s, *, add=0)"


def test_call_by_a_kernel(rng):
    scale = make_scale()

    @tile.kernel
    def outer(x, y):
        scale(x, y, 1.5)

    with pytest.raises(tile.CompileError, match="@tile.function to be called by a"):
        outer[1](*make_arrays(rng))


def test_an_empty_grid_measures_nothing(rng):
    scale = make_scale()
    check_scale(scale, rng, 0)
    assert not scale.timer.measured


@pytest.mark.parametrize("constants, text", [
    ({"n": 8}, "without 'n', which is tuned, got 8"),
    ({"k": 8}, "unexpected keyword argument 'k'")])
def test_wrong_calls(rng, constants, text):
    scale = make_scale()
    with pytest.raises(tile.ArgumentError, match=text):
        scale(*make_arrays(rng), 1.5, **constants)
    y = np.empty(201, np.float32)
    y.flags.writeable = False
    with pytest.raises(tile.ArgumentError, match="expected 'y' to be writable"):
        scale(y, y, 1.5)
    X = tile.ir.ArrayType((None,), tile.f32)
    with pytest.raises(tile.ArgumentError, match="number for 'x' of a call, got the"):
        scale.tune(X, X, 1.5)
    assert not scale.timer.measured


def test_when(rng):
    scale = make_scale(when=lambda n, x: n * 2 <= 32 < x.shape[0])
    check_scale(scale, rng)
    assert {c["n"] for c, _ in scale.timer.measured} == {8, 16}
    with pytest.raises(tile.TuningError, match="`when` is true, got none of 5"):
        scale(*make_arrays(rng, 30), 1.5)
    scale = make_scale(when=lambda m: True)
    with pytest.raises(tile.LaunchError, match="a function `when` of parameters"):
        scale(*make_arrays(rng), 1.5)


def test_arrays_on_the_host_alone(rng):
    scale = make_scale(timer=None)
    check_scale(scale, rng)
    assert scale.choose(*make_arrays(rng), 1.5).values == {"n": 8}
    with pytest.raises(tile.ArgumentError, match="a timer or an executor, got arr"):
        scale.tune(*make_arrays(rng), 1.5)


def test_tune_measures_again(rng):
    scale = make_scale()
    check_scale(scale, rng)
    launcher = scale._bound._current  # with a plan of the choice
    scale.timer.take = lambda candidate: 1e-4 * candidate["n"]
    x, y = make_arrays(rng)
    tuning = scale.tune(x, y, 1.5)
    assert np.isnan(y).all()
    assert tuning.choice.values == {"n": 8}
    assert [r.state for r in tuning.records] == ["chosen"] + ["slower"] * 4
    assert [r.name for r in tuning.records][1] == "n=16"
    assert scale.choose(x, y, 1.5).values == {"n": 8}
    check_scale(scale, rng)
    assert scale._bound._current is not launcher


def test_options_of_the_kernel(rng):
    """Checks that a program gets the options of its candidate."""
    timer = FakeTimer(lambda c: {32: 2e-4, 64: 1e-4}[c["block"]] / c[
        "blocks_per_processor"])
    scale = make_scale({"block": [32, 64], "blocks_per_processor": [1, 2]},
                       timer=timer)
    check_scale(scale, rng)
    x, y = make_arrays(rng)
    assert scale.choose(x, y, 1.5).values == {
        "block": 64, "blocks_per_processor": 2}
    kernel = scale._get_kernel(scale._find(scale._ask(None, (x, y, 1.5), {})
                                           ).candidate)
    text = kernel.trace(x, y, 1.5)
    assert "block = 64 : i64" in text
    assert "tile.blocks_per_processor = 2 : i64" in text


# ----------------------------------------------------------------------------
# Arrays that a kernel writes
# ----------------------------------------------------------------------------


@tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
def grow(x, *, n):
    """Updates `x` in place."""
    first = tile.program_id(0) * n
    tile.store(x, first, tile.load(x, first, n) * 3 + 1)


@pytest.mark.parametrize("step", [1, 3, -2])
def test_arrays_in_place(rng, step):
    whole = rng.standard_normal(401).astype(np.float32)
    before = whole.copy()
    x = whole[7:300:step] if step > 0 else whole[300:7:step]
    kernel = tile.autotune(SIZES, timer=FakeTimer(runs=True))(grow)
    with tile.cpu():
        kernel.tune(x)
        np.testing.assert_array_equal(whole, before)
        kernel(x)
    expected = before.copy()
    view = expected[7:300:step] if step > 0 else expected[300:7:step]
    view[:] = view.astype(np.float64) * 3 + 1
    np.testing.assert_allclose(whole, expected, rtol=1e-6, atol=1e-6)
    assert max(count for _, count in kernel.timer.measured) > 10


def test_each_run_has_the_values_of_the_call(rng):
    x = rng.standard_normal(33).astype(np.float32)
    memory = driver.Host()
    copies = measuring.Copies(memory, [describe("x", x), 3], [0])
    assert copies.described[1] == 3
    copy = copies.described[0]
    assert copy.data != x.ctypes.data and copy.data % 65536 == x.ctypes.data % 65536
    for _ in range(2):
        copies.restore()
        seen = np.frombuffer(ctypes.string_at(copy.data, x.nbytes), np.float32)
        np.testing.assert_array_equal(seen, x)
        ctypes.memset(copy.data, 77, x.nbytes)


@pytest.mark.parametrize("shape, strides, size", [
    ((4, 5), (5, 1), 20), ((4, 5), (1, 4), 20), ((4, 5), (-5, 1), 20),
    ((4, 5), (10, 2), 39), ((4, 0), (5, 1), 0), ((3, 1), (0, 7), 1)])
def test_spans(shape, strides, size):
    array = Description(1000, shape, strides, tile.f64, None)
    span = array.span
    assert span.size == 8 * size
    assert span.begin == 1000 + 8 * (-15 if strides[0] < 0 else 0)


# ----------------------------------------------------------------------------
# Candidates that fail
# ----------------------------------------------------------------------------


def refuse_function(x, y, *, n=16, bad=False):
    assert not bad or x.shape[0] > 0, "never"
    first = tile.program_id(0) * n
    t = tile.load(x, first, n)
    tile.store(y, first, t + tile.zeros((n + 1,)) if bad else t)


def make_refuse(bad, **options):
    kernel = tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
    return tile.autotune({"n": [16, 32], "bad": bad}, timer=FakeTimer(),
                         **options)(kernel(refuse_function))


def test_a_candidate_that_fails_is_left_out(rng, caplog):
    caplog.set_level(logging.DEBUG, "tile_mlir.tuning")
    kernel = make_refuse([True, False])
    x, y = make_arrays(rng)
    tuning = kernel.tune(x, y)
    assert tuning.choice.values == {"n": 32, "bad": False}
    assert [r.state for r in tuning.records][::2] == ["failed", "failed"]
    assert "test_tuning.py" in tuning.records[0].reason
    assert "n=16, bad=True: failed (" in caplog.text
    kernel(x, y)
    np.testing.assert_array_equal(x, y)


def test_all_candidates_fail(rng):
    with pytest.raises(tile.TuningError) as error:
        make_refuse([True]).tune(*make_arrays(rng))
    assert str(error.value).startswith(
        "expected a candidate of 'refuse_function' that can be compiled and "
        "launched, got none of 2\nn=16, bad=True: ")
    assert len(error.value.failures) == 2


def test_a_candidate_that_cannot_run(rng):
    """One candidate fails on the emulator."""
    @tile.autotune({"far": [True, False]}, timer=FakeTimer(
        lambda c: 1e-4 if c["far"] else 2e-4, runs=True))
    @tile.kernel(grid=1)
    def kernel(x, *, far):
        assert x.shape[0] > (1000 if far else 0), "too small"
        tile.store(x, 0, tile.load(x, 0, 8))

    x, _ = make_arrays(rng)
    tuning = kernel.tune(x)
    assert tuning.choice.values == {"far": False}
    assert "too small" in tuning.records[0].reason


def test_errors_of_python_are_the_users(rng):
    @tile.autotune(SIZES, timer=FakeTimer())
    @tile.kernel(grid=1)
    def kernel(x, *, n):
        tile.store(x, 0, tile.zeros((n // 0,)))

    with pytest.raises(ZeroDivisionError):
        kernel(*make_arrays(rng)[:1])


# ----------------------------------------------------------------------------
# Budgets
# ----------------------------------------------------------------------------


def test_budget(rng):
    """The time allows some of 100 candidates that take a second each."""
    timer = FakeTimer(lambda c: 1.0)
    scale = make_scale({"n": list(range(1, 101))}, timer=timer, budget=20)
    tuning = scale.tune(*make_arrays(rng), 1.5)
    assert timer.now - 100 <= 20 + 1.2
    states = [record.state for record in tuning.records]
    assert 10 < states.count("not reached") < 90
    assert states.count("chosen") == 1
    assert tuning.choice.source == "measured"


def test_a_budget_for_nothing(rng):
    timer = FakeTimer(lambda c: 1.0)
    scale = make_scale(timer=timer, budget=1e-9)
    tuning = scale.tune(*make_arrays(rng), 1.5)
    assert len(timer.measured) == 1
    assert tuning.choice.source == "measured"


# ----------------------------------------------------------------------------
# The file
# ----------------------------------------------------------------------------


def test_file_of_one_choice(rng, tmp_path):
    file = tmp_path / "scale.tune"
    scale = make_scale({"n": [32, 64], "tiling": [None, "stages=2"]}, file=file,
                       timer=FakeTimer(noise=0.0))
    check_scale(scale, rng)
    assert file.read_text() == (
        '{"format": "tile-tuning", "version": 1}\n'
        '{"kernel": "scale_function", "arch": "sm_90a", "gpu": "NVIDIA H100", '
        '"types": ["memref<?xf32>", "memref<?xf32>", "f32"], "constants": '
        '{"add": 0}, "key": [[201], [201]], "choice": {"n": 32, "tiling": null}, '
        '"microseconds": 100.0}\n')
    again = make_scale({"n": [32, 64], "tiling": [None, "stages=2"]}, file=file)
    check_scale(again, rng)
    assert not again.timer.measured
    choice = again.choose(*make_arrays(rng), 1.5)
    assert choice.source == "file" and choice.seconds == pytest.approx(1e-4)
    # Another GPU has another choice, and the entries are sorted.
    again.timer.target = A100
    check_scale(again, rng)
    assert again.timer.measured
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line.get("gpu") for line in lines] == [None, A100.gpu, H100.gpu]


def make_entry(n, size, target=H100, kernel="scale_function", **members):
    values = dict(
        kernel=kernel, arch=target.arch, gpu=target.gpu,
        types=["memref<?xf32>", "memref<?xf32>", "f32"], constants={"add": 0},
        key=[[size], [size]], choice={"n": n}, microseconds=10.0)
    return tuning_file.Entry(**{**values, **members})


def test_nearest_entries(rng, tmp_path, caplog):
    file = tmp_path / "scale.tune"
    for entry in (make_entry(8, 100), make_entry(16, 1000), make_entry(64, 10000),
                  make_entry(128, 205, A100), make_entry(128, 205, kernel="other"),
                  make_entry(128, 205, constants={"add": 1}),
                  make_entry(256, 205), make_entry(128, 205, types=["f32"]),
                  make_entry(128, 205, key=["small"])):
        tuning_file.add(file, entry)
    scale = make_scale(file=file, tune="never")

    def choose(size):
        choice = scale.choose(*make_arrays(rng, size), 1.5)
        return choice.values["n"], choice.source

    assert choose(100) == (8, "file")
    assert choose(130) == (8, "nearest entry")
    assert choose(900) == (16, "nearest entry")
    assert choose(99999) == (64, "nearest entry")
    # The emulator is of an architecture, and the processor of none.
    scale = make_scale(file=file, timer=None)
    with tile.emulator("sm_90a"):
        assert choose(205) == (8, "nearest entry")
    with tile.emulator("sm_80"):
        assert choose(205) == (128, "nearest entry")
    with tile.emulator("sm_100a"):
        assert choose(205) == (8, "first candidate")
    with tile.cpu():
        assert choose(204) == (128, "nearest entry")
    assert not scale._file.with_suffix(".lock").exists()
    # Types for which sizes are not known.
    X = tile.ir.ArrayType((None,), tile.f32)
    assert scale._guess((X, X, 1.5), {}, "sm_90a").values == {"n": 8}


def test_a_guess_on_a_gpu_is_said(rng, caplog):
    scale = make_scale(tune="never")
    check_scale(scale, rng)
    assert not caplog.records
    question = scale._ask(None, (*make_arrays(rng), 1.5), {})
    scale._fall_back(replace(question, device=0))
    [record] = caplog.records
    assert record.levelname == "WARNING"
    assert record.getMessage() == \
        "scale_function takes n=8 for [[201], [201]]: first candidate"


def test_entries_of_the_past(rng, tmp_path):
    """If the stored choice is no longer a candidate, tuning runs again."""
    file = tmp_path / "scale.tune"
    tuning_file.add(file, make_entry(48, 201))
    scale = make_scale(file=file)
    check_scale(scale, rng)
    assert scale.timer.measured
    assert [e.choice for e in tuning_file.read(file)] == [{"n": 32}]


def test_compile_takes_what_the_file_has(tmp_path):
    file = tmp_path / "scale.tune"
    tuning_file.add(file, make_entry(32, 201))
    scale = make_scale(file=file)
    X = tile.ir.ArrayType((None,), tile.f32)
    assert "tile<32xf32" in scale.specialize(
        X, X, 1.5, arch="sm_90a").ir["tile-assign-layouts"]
    ptx = scale.compile(X, X, 1.5, outputs=("ptx",))["ptx"]
    assert ptx == scale.kernel.compile(X, X, 1.5, n=32, outputs=("ptx",))["ptx"]
    ptx = scale.compile(X, X, 1.5, arch="sm_80", outputs=("ptx",))["ptx"]
    assert ptx == scale.kernel.compile(X, X, 1.5, n=8, arch="sm_80",
                                       outputs=("ptx",))["ptx"]
    with tile.emulator("sm_90a"):
        assert "tile<32xf32" in scale.trace(X, X, 1.5)


HEAD = '{"format": "tile-tuning", "version": 1}\n'
ENTRY = json.dumps(vars(make_entry(8, 100)))


@pytest.mark.parametrize("text, message", [
    ("", ":1: expected an object of JSON, got what is none"),
    ("tile-tuning 1\n", ":1: expected an object of JSON, got what is none"),
    ("[]\n", ":1: expected an object of JSON, got []"),
    ('{"version": 1}\n', ":1: expected a file of the format 'tile-tuning', got null"),
    ('{"format": "tile-tuning", "version": 2}\n',
     ":1: expected version 1, got 2, of another version of this package"),
    ('{"format": "tile-tuning", "version": true}\n', ":1: expected version 1, got t"),
    ('{"format": "tile-tuning"}\n', ":1: expected version 1, got null"),
    (HEAD + ENTRY[:-9] + "\n", ":2: expected an object of JSON, got what is none"),
    (HEAD + "\n" + ENTRY + "\nx", ":4: expected an object of JSON, got what is no"),
    (HEAD + ENTRY.replace('"gpu"', '"card"'), ":2: expected a member 'gpu', got none"),
    (HEAD + ENTRY.replace('{"kernel"', '{"more": 1, "kernel"'),
     ":2: expected members kernel, arch, gpu, types, constants, key, choice, "
     "microseconds, got 'more'"),
    (HEAD + ENTRY.replace('"sm_90a"', "90"), ":2: expected a text as 'arch', got 90"),
    (HEAD + ENTRY.replace('["memref<?xf32>"', "[3"),
     ":2: expected a list of texts as 'types', got [3, "),
    (HEAD + ENTRY.replace("10.0", "true"),
     ":2: expected a number as 'microseconds', got true"),
    (HEAD + ENTRY.replace("10.0", "1e999"), ":2: expected an object of JSON, got"),
    (HEAD + ENTRY.replace("10.0", "NaN"), ":2: expected an object of JSON, got"),
    (HEAD + ENTRY + "\n" + ENTRY.replace("10.0", "11.0"),
     ":3: expected one entry of a kernel, GPU, types, constants and key, got another "
     "one in line 2"),
    (HEAD + "[" * 100000, ":2: expected an object of JSON, got what is none")])
def test_broken_files(rng, tmp_path, text, message):
    file = tmp_path / "scale.tune"
    file.write_text(text)
    with pytest.raises(tile.TuningError) as error:
        make_scale(file=file)(*make_arrays(rng), 1.5)
    assert str(error.value).startswith(f"{file}{message}")
    assert file.read_text() == text


def test_files_that_cannot_be_read(tmp_path):
    assert tuning_file.read(tmp_path / "none.tune") == []
    with pytest.raises(tile.TuningError, match="expected to read .*, got: "):
        tuning_file.read(tmp_path)
    (tmp_path / "bytes.tune").write_bytes(b"\xff\xfe")
    with pytest.raises(tile.TuningError, match="expected to read .*, got: "):
        tuning_file.read(tmp_path / "bytes.tune")


def test_files_that_cannot_be_written(rng, tmp_path, caplog):
    scale = make_scale(file=tmp_path / "no" / "scale.tune")
    check_scale(scale, rng)
    assert "a choice is not kept, since " in caplog.text
    count = len(scale.timer.measured)
    check_scale(scale, rng)
    assert len(scale.timer.measured) == count


def test_writing_keeps_the_file(tmp_path):
    """Keeps the file's mode and its link, and leaves no other file."""
    file, link = tmp_path / "a.tune", tmp_path / "b.tune"
    tuning_file.add(file, make_entry(8, 100))
    mask = tuning_file._get_umask()
    assert file.stat().st_mode & 0o777 == 0o666 & ~mask
    file.chmod(0o640)
    link.symlink_to(file)
    tuning_file.add(link, make_entry(16, 50))
    assert link.is_symlink() and file.stat().st_mode & 0o777 == 0o640
    assert [e.key[0] for e in tuning_file.read(file)] == [[50], [100]]
    assert sorted(os.listdir(tmp_path)) == ["a.tune", "b.tune"]


def test_numbers_are_sorted_as_numbers(tmp_path):
    file = tmp_path / "a.tune"
    for size in (1000, 9, 64, 200):
        tuning_file.add(file, make_entry(8, size))
    assert [e.key[0][0] for e in tuning_file.read(file)] == [9, 64, 200, 1000]
    text = file.read_text()
    tuning_file.add(file, make_entry(8, 64))
    assert file.read_text() == text


def test_a_relative_file_is_beside_the_source():
    scale = make_scale(file="scale.tune")
    assert str(scale._file) == os.path.join(os.path.dirname(__file__), "scale.tune")


def test_the_file_of_the_guide(tmp_path):
    page = Path(__file__).resolve().parents[2] / "docs" / "Tuning.md"
    [text] = re.findall(r"^```json\n(.*?)^```$", page.read_text(),
                        re.MULTILINE | re.DOTALL)
    file = tmp_path / "gemm.tune"
    file.write_text(text)
    [entry] = tuning_file.read(file)
    file.unlink()
    tuning_file.add(file, entry)
    assert file.read_text() == text


@pytest.mark.parametrize("a, b, distance", [
    ([7], [7], 0), ([7], [15], 1), ([[1, 3]], [[3, 1]], 2), ([None], [9], 0),
    (["a", 1], ["a", 1], 0), (["a"], ["b"], math.inf), ([1], [1, 2], math.inf),
    ([True], [1], math.inf), ([-1], [-1], 0), ([-1], [-2], math.inf)])
def test_distances(a, b, distance):
    assert tuning_file.measure_distance(a, b) == pytest.approx(distance)
    assert tuning_file.measure_distance(b, a) == pytest.approx(distance)


def add_entries(path, first):
    for size in range(first, first + 20):
        tuning_file.add(path, make_entry(8, size))


def test_processes_that_write_at_once(tmp_path):
    file = tmp_path / "a.tune"
    with make_pool(3) as pool:
        for future in [pool.submit(add_entries, file, first)
                       for first in (100, 200, 300)]:
            future.result()
    assert len(tuning_file.read(file)) == 60
    assert os.listdir(tmp_path) == ["a.tune"]


# ----------------------------------------------------------------------------
# Executors
# ----------------------------------------------------------------------------


def make_pool(count):
    return concurrent.futures.ProcessPoolExecutor(
        count, mp_context=multiprocessing.get_context("spawn"))


def multiply_function(a, b, c, *, m, n, k):
    acc = tile.zeros((m, n))
    i, j = tile.program_id(0) * m, tile.program_id(1) * n
    for p in range(0, a.shape[1], k):
        acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
    tile.store(c, (i, j), acc)


def take_multiply(candidate):
    return 1e-3 / candidate["m"] / (2 if candidate["tiling"] else 1)


def make_multiply(**options):
    kernel = tile.kernel(grid=lambda c, m, n: (tile.cdiv(c.shape[0], m),
                                               tile.cdiv(c.shape[1], n)))
    return tile.autotune(
        {"m": [32, 64], "n": [32], "k": [32],
         "tiling": [None, "warps=1,1", "sub=3,5"]}, **options)(
             kernel(multiply_function))


def make_matrices(rng):
    a = rng.standard_normal((65, 40)).astype(np.float16)
    b = rng.standard_normal((40, 33)).astype(np.float16)
    return a, b, np.full((65, 33), np.nan, np.float32)


def test_executor(rng, tmp_path):
    """There is no GPU here: only the processes have one."""
    file = tmp_path / "multiply.tune"
    with make_pool(2) as pool:
        multiply = make_multiply(
            file=file, executor=pool, timer=FakeTimer(take_multiply))
        tuning = multiply.tune(*make_matrices(rng))
        states = {record.name: record.state for record in tuning.records}
        multiply.timer = FakeTimer(take_multiply, target=A100)
        other = multiply.tune(*make_matrices(rng))
    assert tuning.choice.values == {"m": 64, "n": 32, "k": 32,
                                    "tiling": "warps=1,1"}
    assert states["m=64, n=32, k=32, tiling='sub=3,5'"] == "failed"
    [reason] = [record.reason for record in tuning.records
                if record.state == "failed" and "m=64" in record.name]
    assert "expected a tiling that divides 64x32 over 4 warps" in reason
    assert "test_tuning.py:" in reason
    assert other.choice.values == tuning.choice.values
    assert [e.gpu for e in tuning_file.read(file)] == [A100.gpu, H100.gpu]
    a, b, c = make_matrices(rng)
    with tile.cpu():
        make_multiply(file=file)(a, b, c)
    np.testing.assert_allclose(c, a.astype(np.float64) @ b, rtol=1e-3, atol=1e-3)


class Elsewhere(FakeTimer):
    """Reports another GPU in any other process."""

    def __getstate__(self):
        return {**vars(self), "target": A100}


def crash(candidate):
    os._exit(3)


def test_executor_of_other_gpus(rng):
    with make_pool(1) as pool:
        scale = make_scale({"n": [8, 16]}, executor=pool, timer=Elsewhere())
        with pytest.raises(tile.TuningError) as error:
            scale.tune(*make_arrays(rng), 1.5)
    assert "n=8: expected a process with NVIDIA H100 (sm_90a), got NVIDIA A100 " \
        "(sm_80)" in str(error.value)


def test_processes_without_a_gpu(rng, monkeypatch):
    """For arrays on the host the processes would choose the GPU."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        scale = make_scale(timer=None, executor=pool)

        def find(device):
            raise tile.DeviceError("expected a driver of CUDA, got none")

        monkeypatch.setattr(timing, "find_target", find)
        with pytest.raises(tile.TuningError, match="with a GPU within 60 s, got "
                           "DeviceError: expected a driver of CUDA, got none"):
            scale.tune(*make_arrays(rng), 1.5)


def test_processes_that_end(rng):
    with make_pool(1) as pool:
        scale = make_scale({"n": [8, 16]}, executor=pool, timer=FakeTimer(crash))
        with pytest.raises(tile.TuningError, match="n=8: BrokenProcessPool: "):
            scale.tune(*make_arrays(rng), 1.5)


class Never:
    """An executor that never finishes."""

    def submit(self, function, *arguments):
        future = concurrent.futures.Future()
        self.last = future
        return future


def test_an_executor_that_is_slow(rng, caplog):
    scale = make_scale(executor=Never(), budget=1e-9)
    check_scale(scale, rng)
    assert "no candidate was measured within 1e-09 s" in caplog.text
    assert scale.executor.last.cancelled()
    assert scale.choose(*make_arrays(rng), 1.5).source == "first candidate"


def test_threads_as_an_executor(rng):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        scale = make_scale(executor=pool)
        check_scale(scale, rng)
        assert scale.choose(*make_arrays(rng), 1.5).values == {"n": 32}


@pytest.mark.parametrize("element", [
    e for e in elements.ELEMENTS if e.kind in ("float", "complex")], ids=repr)
def test_values_that_are_made(element):
    data = measuring.make_values(element, 10000, 3)
    width = element.bits // 8
    assert len(data) == 10000 * width
    assert data != measuring.make_values(element, 10000, 4)
    assert data == measuring.make_values(element, 10000, 3)
    if element == tile.bf16:
        wide = np.frombuffer(data, np.uint16).astype(np.uint32) << 16
        values = wide.view(np.float32)
    elif element.bits == 8:
        bits, mantissa, bias = np.frombuffer(data, np.uint8).astype(int), 3, 7
        if element == tile.f8e5m2:
            mantissa, bias = 2, 15
        fraction = 1 + (bits & (1 << mantissa) - 1) / (1 << mantissa)
        values = fraction * 2.0 ** (((bits & 127) >> mantissa) - bias)
        values *= np.where(bits & 128, -1, 1)
        assert (abs(values) >= 1 / 8).all() and (abs(values) <= 8).all()
    else:
        values = np.frombuffer(data, elements.get_dtype(element))
    assert abs(values.mean()) < 0.1 and 0.5 < values.std() < 4


def test_arrays_that_are_made_elsewhere(rng):
    indices = rng.integers(0, 1000, (7, 5), np.int32)[::2, ::-1]
    values = rng.standard_normal((6, 4)).astype(np.float32).T
    memory = driver.Host()
    specs = measuring.specify([describe("p", indices), describe("v", values), 3.5],
                              memory)
    assert specs[1].data is None and specs[2] == 3.5
    made = measuring.Arrays(memory, specs)
    assert made.described[2] == 3.5
    for array, found in zip((indices, values), made.described):
        assert (found.shape, found.element) == (
            array.shape, elements.element(array.dtype))
        assert [s * array.itemsize for s in found.strides] == list(array.strides)
    span = made.described[0].span
    original = describe("p", indices).span
    assert span.begin % 65536 == original.begin % 65536
    assert memory.download(span.begin, span.size) == memory.download(
        original.begin, original.size)
    span = made.described[1].span
    seen = np.frombuffer(memory.download(span.begin, span.size), np.float32)
    assert np.isfinite(seen).all() and len(set(seen)) == 24


# ----------------------------------------------------------------------------
# CUDA's driver
# ----------------------------------------------------------------------------


class Driver:
    """Functions of CUDA's driver, on host memory. An event has the
    time at which it is recorded."""

    def __init__(self):
        self.calls, self.kept, self.now = [], {}, 0.0
        self.entered = 0
        self.events = {}

    def __getattr__(self, name):
        def call(*arguments):
            self.calls.append(name)
            return getattr(self, "do_" + name)(*arguments) or 0
        return call

    def do_cuDeviceGet(self, device, ordinal):
        device._obj.value = ordinal.value

    def do_cuDevicePrimaryCtxRetain(self, context, device):
        context._obj.value = 4711

    def do_cuDevicePrimaryCtxRelease_v2(self, device):
        pass

    def do_cuCtxPushCurrent_v2(self, context):
        assert context.value == 4711
        self.entered += 1

    def do_cuCtxPopCurrent_v2(self, context):
        self.entered -= 1

    def do_cuDeviceGetAttribute(self, value, attribute, device):
        assert attribute.value == 38
        value._obj.value = 50 << 10

    def do_cuMemAlloc_v2(self, address, size):
        assert self.entered
        kept = ctypes.create_string_buffer(size.value + 256)
        address._obj.value = -(-ctypes.addressof(kept) // 256) * 256
        self.kept[address._obj.value] = kept

    def do_cuMemFree_v2(self, address):
        del self.kept[address.value]

    def do_cuMemcpyDtoDAsync_v2(self, target, source, size, stream):
        assert self.entered and stream.value == 9
        ctypes.memmove(target.value, source.value, size.value)

    def do_cuMemcpyHtoD_v2(self, target, data, size):
        ctypes.memmove(target.value, data, size.value)

    def do_cuMemcpyDtoH_v2(self, data, source, size):
        ctypes.memmove(data, source.value, size.value)

    def do_cuStreamSynchronize(self, stream):
        assert self.entered

    def do_cuMemsetD8Async(self, address, value, size, stream):
        assert size.value == driver._LEAST_SCRAP and stream.value == 9
        self.now += 1.0

    def do_cuEventCreate(self, event, flags):
        event._obj.value = len(self.events) + 1
        self.events[event._obj.value] = None

    def do_cuEventRecord(self, event, stream):
        assert self.entered and stream.value == 9
        self.events[event.value] = self.now

    def do_cuEventSynchronize(self, event):
        assert self.events[event.value] is not None

    def do_cuEventElapsedTime(self, value, begin, end):
        value._obj.value = 1e3 * (self.events[end.value] -
                                  self.events[begin.value])

    def do_cuEventDestroy_v2(self, event):
        self.events[event.value] = "gone"


@pytest.fixture
def fake_driver(monkeypatch):
    made = Driver()
    monkeypatch.setattr(driver, "_LEAST_SCRAP", 1 << 20)
    monkeypatch.setattr(runtime, "get_driver", lambda: made)
    monkeypatch.setattr(runtime, "get_device", lambda ordinal: types.SimpleNamespace(
        arch="sm_90a", name=f"GPU {ordinal}"))
    return made


def test_cuda_timer(fake_driver):
    seconds = iter([9.0, 0.25, 0.5, 0.125])
    seen = []

    def run():
        seen.append(fake_driver.calls[-3:])
        fake_driver.now += next(seconds)

    timer = timing.CudaTimer()
    assert timer.find_target() == Target("sm_90a", "GPU 0")
    launch = timing.Launch(run, lambda: fake_driver.calls.append("restore"), 1, 9)
    assert timer.measure({}, launch, 3) == [0.25, 0.5, 0.125]
    # Before each run come its events and the clearing of the cache.
    assert all(calls[-2:] == ["cuEventRecord", "cuCtxPopCurrent_v2"]
               for calls in seen)
    assert fake_driver.calls.count("restore") == 4
    assert fake_driver.calls.count("cuMemsetD8Async") == 4
    assert fake_driver.calls.count("cuEventDestroy_v2") == 8
    assert fake_driver.entered == 0
    fake_driver.calls.clear()
    seconds = iter([1.0, 2.0])
    cold = timing.CudaTimer(flush=False)
    assert cold.measure({}, launch, 1) == [2.0]
    assert "cuMemsetD8Async" not in fake_driver.calls
    with pytest.raises(tile.DeviceError, match="got arrays on the host"):
        timer.measure({}, timing.Launch(run, run), 1)


def test_memory_of_a_gpu(fake_driver, rng):
    gpu = driver.Gpu(1, 9)
    x = rng.standard_normal(100)
    kept = gpu.allocate(x.nbytes)
    gpu.upload(kept.address, x.tobytes())
    other = gpu.allocate(x.nbytes)
    gpu.copy(other.address, kept.address, x.nbytes)
    assert gpu.download(other.address, x.nbytes) == x.tobytes()
    assert len(fake_driver.kept) == 2
    del kept, other
    assert not fake_driver.kept and fake_driver.entered == 0
    fake_driver.do_cuMemAlloc_v2 = lambda address, size: 2
    with pytest.raises(tile.DeviceError, match="cuMemAlloc_v2 to succeed, got err"):
        gpu.allocate(1)


def test_a_task_on_a_gpu(fake_driver, rng, monkeypatch):
    """Runs as in another process: compiled for its GPU, launched on arrays that
    are made there, and restored before each run."""
    launched = []

    class Kernel:
        def launch(self, arguments, blocks, stream):
            x, y = (np.frombuffer(ctypes.string_at(a.data, 804), np.float32)
                    for a in arguments[:2])
            launched.append((x, y, blocks))
            ctypes.memset(arguments[1].data, 77, 804)

    device = types.SimpleNamespace(arch="sm_90a", name="GPU 0",
                                   load=lambda cubin, metadata, name: Kernel())
    monkeypatch.setattr(runtime, "get_device", lambda ordinal: device)
    fake_driver.do_cuMemcpyDtoDAsync_v2 = lambda target, source, size, stream: \
        ctypes.memmove(target.value, source.value, size.value) and None
    x, y = make_arrays(rng)
    kernel = make_scale().kernel
    call = kernel.definition.bind((x, y, 1.5), {"n": 32})
    program = kernel.definition.get_program(call.key)
    task = measuring.Task(
        {"n": 32}, kernel.__name__, program.text, None, (7, 1, 1), call.key.types,
        measuring.specify(call.described, driver.Host()), program.written,
        FakeTimer(runs=True, target=Target("sm_90a", "GPU 0")),
        Target("sm_90a", "GPU 0"))
    outcome = measuring.run_task(task, 3, 2)
    assert not outcome.failure and len(outcome.seconds) == 2
    assert len(launched) == 6
    for seen_x, seen_y, blocks in launched:
        assert np.isfinite(seen_x).all() and 0.8 < seen_x.std() < 1.2
        assert np.isfinite(seen_y).all() and 0.8 < seen_y.std() < 1.2
        assert blocks == (7, 1, 1)
    assert not fake_driver.kept


class GpuArray:
    """Host memory that presents itself as a GPU's."""

    def __init__(self, array):
        self.array = array
        self.shape = array.shape

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.array.shape, "typestr": self.array.dtype.str,
                "strides": self.array.strides, "version": 3, "stream": 9,
                "data": (self.array.ctypes.data, False)}


class LoadedScale:
    """Adds one to its output; takes longer with more blocks."""

    launches: list = []

    def __init__(self, driver):
        self.driver = driver

    def launch(self, arguments, blocks, stream):
        assert stream == 9
        self.launches.append((arguments[1].data, blocks[0]))
        y = (ctypes.c_float * arguments[1].sizes[0]).from_address(arguments[1].data)
        for index in range(len(y)):
            y[index] += 1
        self.driver.now += 1e-5 * blocks[0]


def test_a_call_on_a_gpu(fake_driver, rng, monkeypatch, tmp_path):
    """Candidates run on a copy, the chosen one once on the arrays."""
    device = types.SimpleNamespace(
        arch="sm_90a", name="A GPU",
        load=lambda cubin, metadata, name: LoadedScale(fake_driver))
    monkeypatch.setattr(LoadedScale, "launches", [])
    monkeypatch.setattr(runtime, "get_device", lambda ordinal: device)
    monkeypatch.setattr(runtime, "find_device", lambda address: 0)
    monkeypatch.setattr(plans, "add_plan", lambda *arguments: None)
    x, y = make_arrays(rng)
    y[:] = 5
    file = tmp_path / "scale.tune"
    scale = make_scale({"n": [16, 64, 32]}, timer=None, file=file)
    scale(GpuArray(x), GpuArray(y), 1.5)
    assert (y == 6).all()
    launches = LoadedScale.launches
    assert launches[-1] == (y.ctypes.data, 4)
    assert {blocks for _, blocks in launches} == {13, 7, 4}
    assert y.ctypes.data not in {address for address, _ in launches[:-1]}
    [entry] = tuning_file.read(file)
    assert (entry.gpu, entry.choice, entry.microseconds) == ("A GPU", {"n": 64}, 40)
    count = len(launches)
    scale(GpuArray(x), GpuArray(y), 1.5)
    assert (y == 7).all() and len(launches) == count + 1
    with pytest.raises(tile.ArgumentError, match="arrays of one device, got 'x' on"):
        scale(GpuArray(x), y, 1.5)


LEAST = {"n": 16}


def test_a_plan_holds_while_the_choice_does(fake_driver, rng, monkeypatch):
    """A plan depends on values that `key`, `when` and the kernel read."""
    device = types.SimpleNamespace(
        arch="sm_90a", name="A GPU",
        load=lambda cubin, metadata, name: LoadedScale(fake_driver))
    guards = []
    monkeypatch.setattr(runtime, "get_device", lambda ordinal: device)
    monkeypatch.setattr(runtime, "find_device", lambda address: 0)
    monkeypatch.setattr(plans, "add_plan",
                        lambda *arguments: guards.extend(arguments[-1]))
    scale = make_scale({"n": [16, 32]}, timer=None, when=lambda n: n >= LEAST["n"])
    x, y = make_arrays(rng)
    scale(GpuArray(x), GpuArray(y), 1.5)
    assert captured.is_current(tuple(guards))
    monkeypatch.setitem(LEAST, "n", 32)
    assert not captured.is_current(tuple(guards))


# ----------------------------------------------------------------------------
# Tilings
# ----------------------------------------------------------------------------


def test_tiling_of_a_compilation(rng):
    multiply = make_multiply().kernel
    matrices = make_matrices(rng)
    sizes = dict(m=64, n=64, k=32, outputs=("ptx",))

    def compile(kernel, **options):
        return kernel.compile(*matrices, **sizes, **options)["ptx"]

    plain, tiled = compile(multiply), compile(multiply, tiling="warps=1,1")
    assert plain != tiled
    assert b".reqntid 32," in tiled and b".reqntid 128," in plain
    with_options = tile.kernel(grid=(1, 1), tiling="warps=1,1")(multiply_function)
    assert compile(with_options) == tiled
    assert "warps = [1, 1]" in with_options.specialize(
        *matrices, m=64, n=64, k=32).ir["tile-warp-tiling"]
    assert compile(with_options, tiling="warps=1,2") not in (plain, tiled)
    with pytest.raises(tile.ArgumentError, match="no such option warp"):
        compile(multiply, tiling="warp=1,1")


def test_cache_of_tilings(tmp_path, monkeypatch, rng):
    monkeypatch.setenv("TILE_CACHE_DIR", str(tmp_path / "cache"))
    text = make_multiply().kernel.trace(*make_matrices(rng), m=32, n=32, k=32)
    made = {tiling: cache.compile_kernel(text, "sm_90a", "<a>", tiling).cubin
            for tiling in (None, "warps=1,2", "warps=2,2")}
    assert len(set(made.values())) == 3
    assert len(os.listdir(tmp_path / "cache")) == 3
    for tiling, cubin in made.items():
        assert cache.compile_kernel(text, "sm_90a", "<a>", tiling).cubin == cubin


# ----------------------------------------------------------------------------
# Progress
# ----------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_no_progress_without_a_terminal(rng, capsys):
    check_scale(make_scale(), rng)
    assert capsys.readouterr() == ("", "")


def test_progress_in_a_line(rng, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr(sys, "stderr", Terminal())
    check_scale(make_scale(), rng)
    text = sys.stderr.getvalue()
    assert "\rtuning scale_function: " in text and " of 5, " in text
    assert "\n" not in text and text.endswith("\r")
    last = text.rstrip("\r").split("\r")[-1]
    assert not last.strip()  # it is wiped out


def test_progress_of_tqdm(rng, monkeypatch):
    bars = []

    class Bar:
        def __init__(self, **options):
            bars.append(self)
            self.options, self.done, self.closed = options, [], False

        def set_postfix_str(self, text, refresh):
            self.text = text

        def refresh(self):
            self.done.append(self.n)

        def close(self):
            self.closed = True

    monkeypatch.setitem(sys.modules, "tqdm", types.SimpleNamespace(tqdm=Bar))
    monkeypatch.setattr(sys, "stderr", Terminal())
    check_scale(make_scale(), rng)
    [bar] = bars
    assert bar.options["total"] == 5 and bar.options["file"] is sys.stderr
    assert bar.done == sorted(bar.done) and bar.done[-1] == 4 and bar.closed
    assert bar.text.endswith(" us")
