# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values that the estimate chooses for keyword parameters, `tile.auto`."""

import pickle

import numpy as np
import pytest

import tile_mlir as tile


@tile.kernel(grid=lambda c, m, n: (tile.cdiv(c.shape[0], m), tile.cdiv(c.shape[1], n)))
def gemm(a, b, c, *, m=tile.auto, n=tile.auto, k=tile.auto):
    i, j = tile.program_id(0) * m, tile.program_id(1) * n
    acc = tile.zeros((m, n))
    for p in range(0, a.shape[1], k):
        acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
    tile.store(c, (i, j), acc)


@tile.kernel(grid=lambda y, m: tile.cdiv(y.shape[0], m), fixed={"x": 1})
def softmax(x, y, *, m=tile.auto):
    i = tile.program_id(0) * m
    row = tile.load(x, (i, 0), (m, x.shape[1]))
    e = tile.exp(row - row.max(1, keepdims=True))
    tile.store(y, (i, 0), e / e.sum(1, keepdims=True))


def make(*shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float16)


def choose(*sizes, arch="sm_90a", **tiles):
    m, n, k = sizes
    arrays = (np.empty(shape, np.float16) for shape in ((m, k), (k, n), (m, n)))
    return gemm.choose(*arrays, arch=arch, **tiles)


@tile.kernel(grid=lambda y, m: tile.cdiv(len(y), m))
def double(x, y, *, m=tile.auto):
    i = tile.program_id(0) * m
    tile.store(y, i, 2 * tile.load(x, i, m))


MACHINES = {"sm_90a": lambda: tile.emulator("sm_90a"),
            "sm_80": lambda: tile.emulator("sm_80"), "cpu": tile.cpu}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("sizes", [(70, 90, 45), (1, 8, 333), (129, 257, 64)])
def test_gemm(machine, sizes):
    m, n, k = sizes
    a, b = make(m, k), make(k, n, seed=2)
    c = np.full((m, n), np.nan, np.float32)
    with MACHINES[machine]():
        gemm(a, b, c)
    assert np.abs(c - a.astype(np.float64) @ b.astype(np.float64)).max() < 1e-3 * k


@pytest.mark.parametrize("machine", MACHINES)
def test_softmax(machine):
    x = make(37, 301).astype(np.float32)
    y = np.full_like(x, np.nan)
    with MACHINES[machine]():
        softmax(x, y)
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    assert np.abs(y - e / e.sum(1, keepdims=True)).max() < 1e-6


def test_a_grid_takes_the_arrays_themselves():
    x, y = np.arange(1000, dtype=np.float32), np.full(1000, np.nan, np.float32)
    double(x, y)
    assert (y == 2 * x).all()
    double(x[:7], y[:7])
    assert double.choose(x[:7], y[:7]).values["m"] <= 16


def test_few_rows_get_smaller_tiles_than_many():
    few, many = choose(16, 4096, 4096).values, choose(8192, 8192, 8192).values
    assert few["m"] <= 64 and few["m"] * few["n"] < many["m"] * many["n"]
    assert many["m"] * many["n"] >= 128 * 128


def test_a_choice_has_its_rivals():
    found = choose(3000, 5000, 7000)
    assert found.arch == "sm_90a" and list(found.values) == ["m", "n", "k"]
    times = [rival.microseconds for rival in found.rivals if rival.error is None]
    assert times == sorted(times) and times[0] == found.microseconds
    assert found.rivals[0].values == found.values
    assert found.microseconds == gemm.estimate(
        *(np.empty(s, np.float16) for s in ((3000, 7000), (7000, 5000), (3000, 5000))),
        arch="sm_90a", **found.values).microseconds


def test_a_choice_does_not_depend_on_earlier_ones_or_on_addresses():
    first = choose(1000, 1000, 1000)
    gemm.definition._choices.clear()
    choose(64, 64, 64)
    memory = np.empty(1000 * 1000 + 1, np.float16)
    shifted = memory[1:].reshape(1000, 1000)
    assert gemm.choose(shifted, shifted, shifted, arch="sm_90a").values == first.values


def test_given_values_are_kept():
    assert choose(3000, 3000, 3000, m=32, n=16, k=16) is None
    found = choose(3000, 3000, 3000, m=32)
    assert list(found.values) == ["n", "k"]
    arrays = [np.empty((3000, 3000), np.float16)] * 3
    assert gemm.specialize(*arrays, m=32, arch="sm_90a").ir["traced"].count("<32x") > 0


def test_prepared_launches_and_checks_take_the_choice():
    a = make(40, 40)
    c = np.full((40, 40), np.nan, np.float32)
    with tile.emulator("sm_90a"):
        gemm.prepare(a, a, c)()
        assert np.isfinite(c).all()
    assert "nothing found" in str(tile.check(gemm, (a, a, c), arch="sm_90a"))


def test_its_name():
    assert repr(tile.auto) == "tile.auto"
    assert pickle.loads(pickle.dumps(tile.auto)) is tile.auto


@tile.kernel
def without_grid(x, *, n):
    tile.store(x, 0, tile.zeros(n))


@tile.kernel(grid=1)
def with_static_rows(x, *, n):
    tile.store(x, 0, tile.load(x, 0, 3 * n) + tile.zeros(300))


@tile.kernel(grid=1)
def wrong(x, *, n):
    tile.store(x, 0, tile.zeros(3) + tile.zeros(300))


@tile.kernel(grid=1)
def sum_parts(x, y, count, *, n):
    assert 16 <= n <= 64, "n is from 16 to 64"
    total = tile.zeros(n)
    for p in range(0, count, n):
        total += tile.load(x, p, n)
    tile.store(y, 0, total)


def test_a_choice_depends_on_integers_of_all_types():
    x = np.zeros(1000, np.float32)
    few, many = (sum_parts.choose(x, x, np.int64(count), n=tile.auto, arch="sm_90a")
                 for count in (1, 100000))
    assert many.microseconds > 10 * few.microseconds


def test_a_grid_of_the_call_is_refused():
    x = np.zeros(100, np.float32)
    with pytest.raises(tile.LaunchError, match="expected a call of 'double' without a grid, "
                       "since the kernel's own follows from m=tile.auto, got 4"):
        double[4](x, x.copy())


@tile.kernel(grid=lambda y, m: tile.cdiv(y.shape[0], m), fixed={"x": 1})
def sort_rows(x, y, *, m=tile.auto):
    i = tile.program_id(0) * m
    tile.store(y, (i, 0), tile.sort(tile.load(x, (i, 0), (m, x.shape[1]))))


def test_buffers_that_do_not_fit_are_not_chosen():
    x = np.empty((4096, 1024), np.float32)
    found = sort_rows.choose(x, x, arch="sm_90a")
    assert sort_rows.compile(x, x, arch="sm_90a", outputs=("ptx",), **found.values)


least = 1


@tile.kernel(grid=1)
def depends_on_a_global(x, *, n=tile.auto):
    tile.store(x, 0, tile.load(x, 0, n) if n >= least else tile.zeros(3) + tile.zeros(5))


def test_a_choice_follows_variables():
    global least
    x = np.zeros(1000, np.float32)
    assert depends_on_a_global.choose(x, arch="sm_90a").values["n"] < 64
    least = 64
    assert depends_on_a_global.choose(x, arch="sm_90a").values["n"] >= 64


def test_the_function_may_refuse_values():
    x = np.zeros(1000, np.float32)
    found = sum_parts.choose(x, x, 1000, n=tile.auto, arch="sm_90a")
    assert 16 <= found.values["n"] <= 64
    assert any(isinstance(rival.error, AssertionError) for rival in found.rivals)


def test_errors():
    x = np.zeros(8, np.float32)
    with pytest.raises(tile.LaunchError, match="expected a grid of the kernel "
                       r"'without_grid' that follows from n=tile.auto, by "
                       r"@tile.kernel\(grid=...\), got none"):
        without_grid.choose(x, n=tile.auto)
    with pytest.raises(tile.ArgumentError, match="expected an array or a number for 'a', "
                       "on whose size the choice for m=tile.auto depends, got the type"):
        gemm.choose(tile.ir.ArrayType((None, None), tile.f16), x, x)
    with pytest.raises(tile.TileError, match="expected values of n for which the kernel "
                       "'with_static_rows' compiles, found none:(\n  n=[0-9]+: .*)+"):
        with_static_rows(x, n=tile.auto)
    with pytest.raises(tile.CompileError) as error:
        wrong(x, n=tile.auto)
    assert "found none" not in str(error.value) and "zeros(300)" in str(error.value)
