# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The candidates of a tuned kernel: the candidates that a space has, the options and
tilings that they are compiled with, and candidates that fail."""

import json
import logging
import os

import numpy as np
import pytest

import tile_mlir as tile
from tile_mlir.launching import cache
from tile_mlir.tuning import candidates
from tuning_kernels import (SIZES, FakeTimer, make_arrays, make_matrices, make_multiply,
                            make_scale, multiply_function, scale_function)


# ----------------------------------------------------------------------------
# Spaces
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
    # A parameter of the kernel has precedence over an option of the same name.
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
    assert "test_tuning_candidates.py" in tuning.records[0].reason
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
    """A candidate that fails on the emulator is recorded as failed, and another one is
    chosen."""
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
