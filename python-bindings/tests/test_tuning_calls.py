# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of tuned kernels: the choice that each call makes, and that measuring
candidates does not change arrays."""

import concurrent.futures
import ctypes
import inspect

import numpy as np
import pytest

import tile_mlir as tile
from tile_mlir.launching.arrays import Description, describe
from tile_mlir.tuning import driver, measuring
from tuning_kernels import (SIZES, FakeTimer, check_scale, make_arrays, make_scale,
                            scale_function)


# ----------------------------------------------------------------------------
# Choices
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
    kernel[26](x, y, 3.0)  # enough blocks for the least n
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
    """Checks that the copies on which candidates are measured have the alignment that
    the kernel assumes."""
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
