# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels checked on copies of their arguments."""

import numpy as np
import pytest

import tile_mlir as tile
from tile_mlir.checking import checks


@tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
def scale(x, y, by, *, n=64):
    first = tile.program_id(0) * n
    tile.store(y, first, tile.load(x, first, n) * by)


@tile.kernel
def shift(x, y):
    first = tile.program_id(0) * 64
    tile.store(y, first, tile.load(x, first, 64))


def test_clean(rng):
    x = rng.standard_normal(1003).astype(np.float32)
    y = np.full_like(x, np.nan)
    checked = tile.check(scale, (x, y, 3.0), {"n": 100}, schedules=3, seed=5)
    assert np.isnan(y).all()
    np.testing.assert_array_equal(checked.arguments[0], x)
    np.testing.assert_allclose(checked.arguments[1], 3 * x.astype(np.float64),
                               rtol=1e-6)
    assert checked.arguments[2] == 3.0
    assert (checked.kernel, checked.arch) == ("scale", "sm_80")
    assert (checked.blocks, checked.seeds) == ((11, 1, 1), range(5, 8))
    assert str(checked) == (
        "scale: nothing found on the emulator of sm_80, grid 11 x 1 x 1, equal results "
        "under the schedules of seeds 5 to 7")


def test_machines(rng):
    """tile.check runs on the emulator, even if another machine is selected. `arch` is
    by default the architecture of this thread's emulator."""
    x = rng.standard_normal(100).astype(np.float32)
    with tile.cpu():
        assert tile.check(scale, [x, x.copy(), 2.0]).arch == "sm_80"
    with tile.emulator("sm_90a"):
        assert tile.check(scale, [x, x.copy(), 2.0]).arch == "sm_90a"
        assert tile.check(scale, [x, x.copy(), 2.0], arch="sm_89").arch == "sm_89"
    assert scale.definition.last[1] == "sm_89"


def test_the_schedules_that_run(monkeypatch, rng):
    asked = []
    run = checks.machines.emulator

    def note(*arguments, **options):
        asked.append(options)
        return run(*arguments, **options)

    monkeypatch.setattr(checks.machines, "emulator", note)
    x = rng.standard_normal(10).astype(np.float32)
    tile.check(scale, (x, x.copy(), 2.0), tolerance=0.5, threads=1)
    assert asked == [dict(schedules=8, seed=0, tolerance=0.5, threads=1,
                          timeout=None)]


@tile.kernel
def race(x):
    first = tile.program_id(0) * 63
    tile.store(x, first, tile.load(x, first, 64))


def test_race():
    x = np.arange(200, dtype=np.float32)
    before = x.copy()
    with pytest.raises(tile.EmulatorError) as caught:
        tile.check(race, (x,), grid=3)
    assert {finding.kind for finding in caught.value.findings} == {"race"}
    assert caught.value.findings[0].file == __file__
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("make", [lambda x: (x, x[1:]), lambda x: (x[64:], x)],
                         ids=["up", "down"])
def test_arrays_that_overlap(make):
    """tile.check refuses the arguments that a call refuses."""
    x = np.arange(264, dtype=np.float32)
    for run in (lambda *arrays: tile.check(shift, arrays, grid=3), shift[3]):
        with pytest.raises(tile.ArgumentError, match="'y', which the kernel writes"):
            run(*make(x))
    apart = tile.check(shift, (x, x.copy()), grid=3)
    np.testing.assert_array_equal(apart.arguments[1][:192], x[:192])


@tile.kernel(grid=8)
def add_up(x, total):
    values = tile.load(x, tile.program_id(0) * 64, 64)
    tile.atomic_add(total, 0, values.sum(axis=0, keepdims=True))


def test_results_that_differ(rng):
    """Sums floats in the order of the blocks."""
    x = rng.standard_normal(512).astype(np.float32)
    total = np.zeros(1, np.float32)
    with pytest.raises(tile.EmulatorError, match="expected equal results"):
        tile.check(add_up, (x, total), schedules=16)
    checked = tile.check(add_up, (x, total), schedules=16, tolerance=1e-5)
    assert total[0] == 0
    np.testing.assert_allclose(checked.arguments[1][0], x.astype(np.float64).sum(),
                               atol=1e-4)


def test_arrays_by_name(rng):
    """tile.check also copies arrays that are passed by name."""
    x = rng.standard_normal(64).astype(np.float32)
    y = np.full_like(x, np.nan)
    tile.check(scale, (x,), {"y": y, "by": 2.0})
    assert np.isnan(y).all()


# ----------------------------------------------------------------------------
# Copies
# ----------------------------------------------------------------------------


def make_arrays(rng):
    whole = rng.standard_normal((6, 10)).astype(np.float32)
    locked = np.arange(5)
    locked.flags.writeable = False
    return {
        "whole": whole, "rows": whole[1:3], "column": whole[:, 3],
        "reversed": whole[::-1, ::-2], "transposed": whole.T, "again": whole,
        "between": whole[4:, 7:], "other": rng.standard_normal(3), "locked": locked,
        "empty": np.zeros((0, 4), np.int32), "broadcast": np.broadcast_to(whole[0], (4, 10)),
        "odd": np.frombuffer(bytearray(41), np.int8)[3:], "flags": whole > 0,
        "complex": whole[:, :2].copy().view(np.complex64)}


def test_copies(rng):
    arrays = make_arrays(rng)
    copies = checks.copy_arrays({**arrays, "number": 3})
    assert copies.pop("number") == 3
    for name, array in arrays.items():
        copy = copies[name]
        np.testing.assert_array_equal(copy, array)
        assert (copy.dtype, copy.strides) == (array.dtype, array.strides)
        assert copy.flags.writeable == array.flags.writeable
        if array.size:
            assert not np.shares_memory(copy, array)
            assert (copy.ctypes.data - array.ctypes.data) % 65536 == 0
    for one in arrays:
        for other in arrays:
            assert np.shares_memory(copies[one], copies[other]) == \
                np.shares_memory(arrays[one], arrays[other]), (one, other)
    copies["rows"][1, 3] = 77
    assert copies["whole"][2, 3] == copies["column"][2] == 77
    assert arrays["whole"][2, 3] != 77


def test_strides_stay(rng):
    x = rng.standard_normal((9, 130)).astype(np.float32)
    y = np.full((130, 9), np.nan, np.float32)

    @tile.kernel(grid=1)
    def transpose(x, y):
        tile.store(y, (0, 0), tile.load(x, (0, 0), (130, 16)))

    checked = tile.check(transpose, (x.T[:, ::-1], y))
    np.testing.assert_array_equal(checked.arguments[1], x.T[:, ::-1])


# ----------------------------------------------------------------------------
# Wrong uses
# ----------------------------------------------------------------------------

Z, Y = np.zeros((2, 64), np.float32)
LOCKED = Z.copy()
LOCKED.flags.writeable = False


class OnGpu:
    __cuda_array_interface__ = {"data": (4096, False), "shape": (64,),
                                "typestr": "<f4", "version": 3}


@pytest.mark.parametrize("call, kind, text", [
    (lambda: tile.check(shift[2], (Z, Z)), tile.ArgumentError,
     "expected a kernel, and its grid as grid=, got"),
    (lambda: tile.check(scale, Z), tile.ArgumentError,
     "expected a tuple of the kernel's arguments, got ndarray"),
    (lambda: tile.check(shift, (Z, Z)), tile.LaunchError, "expected a grid"),
    (lambda: tile.check(shift, (Z, Y), grid=(0, 3)), tile.LaunchError,
     "expected a grid with blocks to check, got (0, 3, 1)"),
    (lambda: tile.check(scale, (Z, Z)), tile.ArgumentError, "missing a required"),
    (lambda: tile.check(scale, (Z, Y, 1.0), {"m": 3}), tile.ArgumentError,
     "unexpected keyword"),
    (lambda: tile.check(scale, (Z, LOCKED, 1.0)), tile.ArgumentError,
     "expected 'y' to be writable"),
    (lambda: tile.check(scale, (Z, Y, 1.0), schedules=0), tile.ArgumentError,
     "expected an integer from 1 to 2147483647 as schedules, got 0"),
    (lambda: tile.check(scale, (Z, Y, 1.0), arch="sm_1"), tile.TileError, "sm_1"),
])
def test_wrong_use(call, kind, text):
    with pytest.raises(kind) as caught:
        call()
    assert text in str(caught.value)


def test_array_on_a_gpu(monkeypatch):
    monkeypatch.setattr("tile_mlir.launching.runtime.find_device", lambda address: 1)
    with pytest.raises(tile.ArgumentError,
                       match="expected 'argument 1' on the host, .* on GPU 1"):
        tile.check(scale, (Z, OnGpu(), 1.0))


@tile.kernel
def sum_of_all(x, total):
    tile.atomic("add", total, (0, 1),
                tile.load(x, tile.program_id(0), 1).reshape(1, 1))


def test_message_of_results_that_differ(rng):
    """Checks the message: the element, its line, both values, and the tolerance that
    permits them."""
    x = rng.standard_normal(64).astype(np.float32)
    total = np.zeros((2, 3), np.float32)
    with pytest.raises(tile.EmulatorError) as caught:
        tile.check(sum_of_all, (x, total), grid=64, threads=1)
    text = str(caught.value)
    line = sum_of_all.__wrapped__.__code__.co_firstlineno + 2
    assert text.startswith(f"{__file__}:{line}:5: error: expected equal results under all "
                           "schedules, got different ones with seed=0 and seed=")
    assert ", first at [0, 1] of argument 1 ('total'), " in text
    _, _, tolerance = text.partition("; sums of floating point in another order are "
                                     "permitted by tolerance=")
    tile.check(sum_of_all, (x, total), grid=64, threads=1, tolerance=float(tolerance))
