# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fixed extents, and prepared launches."""

import collections
import gc
import types
import weakref

import numpy as np
import pytest

import tile_mlir as tile
from checking import MACHINES
from tile_mlir import ir


@tile.kernel(grid=lambda x: x.shape[0], fixed={"x": 1, "y": -1})
def normalize(x, y):
    row = tile.load(x, (tile.program_id(0), 0), x.shape[1])
    d = row - row.mean()
    tile.store(y, (tile.program_id(0), 0), d / tile.sqrt((d * d).mean()))


def normal(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape, np.float32)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("shape", [(3, 77), (5, 77), (2, 1000), (1, 2)])
def test_extents_of_tiles(machine, shape):
    x = normal(*shape)
    y = np.full_like(x, np.nan)
    with MACHINES[machine]():
        normalize(x, y)
    wide = x.astype(np.float64)
    d = wide - wide.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(y, d / np.sqrt((d * d).mean(axis=1, keepdims=True)),
                               rtol=1e-4, atol=1e-5)


def test_programs():
    traced = collections.deque()  # its change is not noticed, unlike a list's

    @tile.kernel(grid=1, fixed="x")
    def kernel(x, y):
        traced.append(x.shape)
        tile.store(y, (0, 0), tile.load(x, (0, 0), x.shape))

    for shape in [(3, 5), (3, 5), (3, 6), (3, 5)]:
        kernel(normal(*shape), np.empty((9, 9), np.float32))
    assert list(traced) == [(3, 5), (3, 6)]
    assert "memref<3x6xf32>, %y: memref<?x?xf32>" in kernel.trace(
        normal(3, 6), np.empty((9, 9), np.float32))


@pytest.mark.parametrize("fixed, expected", [
    ("x", "3x4"), (["x", "y"], "3x4"), ("x, y", "3x4"), ({"x": 0}, "3x?"),
    ({"x": (0, 1)}, "3x4"), ({"x": [-1]}, "?x4"), ({"x": ()}, "?x?"), ((), "?x?")])
def test_which(fixed, expected):
    @tile.kernel(fixed=fixed)
    def kernel(x, y):
        tile.store(y, (0, 0), tile.load(x, (0, 0), (3, 4)))

    array = np.empty((3, 4), np.float32)
    assert f"%x: memref<{expected}xf32>" in kernel.trace(array, array)
    strided = np.empty((4, 3), np.float32).T
    assert f"%x: memref<{expected}xf32, strided<" in kernel.trace(strided, array)
    known = ir.ArrayType((3, 4), tile.f32)
    assert "%x: memref<3x4xf32>" in kernel.trace(known, known)


@pytest.mark.parametrize("fixed, text", [
    ("z", "expected names of positional parameters as fixed, 'x', 'y', got 'z'"),
    ({"n": 0}, "expected names of positional parameters as fixed, 'x', 'y', got 'n'"),
    ({"x": "a"}, "expected a dimension of 'x' or several as fixed, got 'a'"),
    ({"x": 0.5}, "expected a dimension of 'x' or several as fixed, got 0.5"),
    ({"x": (0, True)}, "expected a dimension of 'x' or several as fixed, got "
                       "(0, True)")])
def test_wrong_names(fixed, text):
    with pytest.raises(tile.ArgumentError) as caught:
        @tile.kernel(fixed=fixed)
        def kernel(x, y, *, n=1):
            pass

    assert str(caught.value) == text


@pytest.mark.parametrize("fixed, argument, text", [
    ({"x": 2}, np.empty((3, 4)),
     "expected dimensions of 'x' from -2 to 1 as fixed, got 2"),
    ({"x": -3}, np.empty((3, 4)),
     "expected dimensions of 'x' from -2 to 1 as fixed, got -3"),
    ("x", 3, "expected an array for 'x', whose extents are fixed, got 3"),
    ({"x": 1}, ir.ArrayType((3, None), tile.f32),
     "expected extent 1 of 'x', which is fixed, got an array of 3x? f32")])
def test_wrong_arguments(fixed, argument, text):
    @tile.kernel(fixed=fixed)
    def kernel(x):
        pass

    with pytest.raises(tile.ArgumentError) as caught:
        kernel.trace(argument)
    assert str(caught.value) == text


@pytest.mark.parametrize("machine", MACHINES)
def test_prepared(machine):
    @tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
    def double(x, y, *, n=10):
        first = tile.program_id(0) * n
        tile.store(y, first, 2 * tile.load(x, first, n))

    x, y = normal(77), np.full(77, np.nan, np.float32)
    with MACHINES[machine]():
        launch = double.prepare(x, y, n=7)
        assert np.isnan(y).all()
        for factor in (1, 3):
            x *= factor
            y[:] = np.nan
            launch()
            np.testing.assert_array_equal(y, 2 * x)
        launch = double.prepare(x, y, grid=2)
        y[:] = np.nan
        launch()
    np.testing.assert_array_equal(y[:20], 2 * x[:20])
    assert np.isnan(y[20:]).all()


@pytest.mark.parametrize("alignment", [1, 16, {"y": 128}])
def test_alignment(alignment):
    @tile.kernel(alignment=alignment, grid=1)
    def kernel(x, s, y):
        tile.store(y, 0, tile.load(x, 0, 33) * s)

    space = np.full(200, np.nan, np.float32)
    first = -space.ctypes.data // 4 % 32  # the first element aligned to 128 bytes
    given, out = normal(33), space[first:first + 33]
    kernel(given, 2.0, out)
    np.testing.assert_array_equal(out, 2 * given)
    if alignment == 1:
        return
    with pytest.raises(tile.ArgumentError, match="aligned to|multiple of"):
        kernel(given, 2.0, space[first + 1:first + 34])


@pytest.mark.parametrize("alignment, text", [
    (24, "expected a power of two up to 65536 as the alignment of 'x', got 24"),
    (0, "expected a power of two up to 65536 as the alignment of 'x', got 0"),
    (1 << 17, "expected a power of two up to 65536 as the alignment of 'x', got 131072"),
    ({"x": 2.0}, "expected a power of two up to 65536 as the alignment of 'x', got 2.0"),
    ({"n": 2}, "expected names of positional parameters with an alignment, 'x', got "
               "'n'")])
def test_wrong_alignments(alignment, text):
    with pytest.raises(tile.ArgumentError) as caught:
        @tile.kernel(alignment=alignment)
        def kernel(x, *, n):
            pass

    assert str(caught.value) == text


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("number", [2 - 3j, np.complex64(2 - 3j), np.complex128(-1j)])
def test_complex_numbers(machine, number):
    @tile.kernel(grid=1)
    def kernel(x, s, y):
        tile.store(y, 0, tile.load(x, 0, 33) * s + s)

    x = (normal(33) + 1j * normal(34)[:33]).astype(np.complex64)
    y = np.full(33, np.nan, np.complex128)
    with MACHINES[machine]():
        kernel(x, number, y)
    np.testing.assert_allclose(y, x.astype(np.complex128) * number + number, rtol=1e-5)


@tile.kernel(grid=1)
def double(x, y):
    tile.store(y, (0, 0), 2 * tile.load(x, (0, 0), (8, 8)))


BYTES = normal(40, 40)


@pytest.mark.parametrize("x, y", [
    (BYTES, BYTES), (BYTES[:8], BYTES[7:]), (BYTES[:, :9], BYTES[:, 8:]),
    (BYTES[::2], BYTES[::4]), (BYTES.T, BYTES), (BYTES[:8, :8], BYTES[5:6, 7:9]),
    (BYTES.view(np.float64)[:, :1], BYTES[:, 1:])])
def test_what_is_written_shares_no_memory(x, y):
    text = ("expected 'y', which the kernel writes, to share no memory with 'x', got "
            "arrays that do; what is updated in place is one argument, read and "
            "written")
    with pytest.raises(tile.ArgumentError) as caught:
        double(x, y)
    assert str(caught.value) == text


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("x, y", [
    (BYTES[:8, ::2], BYTES[:8, 1::2]), (BYTES[::2], BYTES[1::2]),
    (BYTES[:, :9], BYTES[:, 9:]), (BYTES[:0], BYTES), (BYTES[8:], BYTES[:8])])
def test_views_beside_each_other(machine, x, y):
    m, n = (min(8, a, b) for a, b in zip(x.shape, y.shape))
    expected = 2 * x[:m, :n]
    with MACHINES[machine]():
        double(x, y)
    np.testing.assert_array_equal(y[:m, :n], expected)


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_read_may_share_memory(machine):
    @tile.kernel(grid=1)
    def add(x, y, out):
        tile.store(out, 0, tile.load(x, 0, 7) + tile.load(y, 0, 7))

    x, out = normal(7), np.full(7, np.nan, np.float32)
    with MACHINES[machine]():
        add(x, x, out)
    np.testing.assert_array_equal(out, 2 * x)


def test_wrong_preparations():
    @tile.kernel
    def kernel(x):
        tile.store(x, 0, 1.0)

    x = normal(5)
    with pytest.raises(tile.LaunchError, match="expected a grid of the kernel"):
        kernel.prepare(x)
    with pytest.raises(tile.LaunchError, match="not negative, got -1"):
        kernel.prepare(x, grid=-1)
    x.flags.writeable = False
    with pytest.raises(tile.ArgumentError, match="expected 'x' to be writable"):
        kernel.prepare(x, grid=1)
    kernel.prepare(np.empty(0, np.float32), grid=0)()


# ----------------------------------------------------------------------------
# Launchers of grids
# ----------------------------------------------------------------------------


@tile.kernel
def write_blocks(out):
    tile.store(out, tile.program_id(0), tile.num_programs(0))


def test_launchers_of_many_grids():
    assert write_blocks[3] is write_blocks[3]
    for count in range(1, 2000):
        write_blocks[count]
    assert len(write_blocks._launchers) <= 256
    out = np.full(5, 77, np.int64)
    write_blocks[5](out)
    np.testing.assert_array_equal(out, 5)


# ----------------------------------------------------------------------------
# Complex scalars
# ----------------------------------------------------------------------------


def test_size_of_a_complex_number():
    @tile.kernel(grid=1)
    def size(x, k):
        tile.store(x, 0, tile.load(x, 0, 32) + abs(k))

    x = np.zeros(32, np.float32)
    size(x, np.complex64(3 - 4j))
    np.testing.assert_array_equal(x, 5)


# ----------------------------------------------------------------------------
# Programs
# ----------------------------------------------------------------------------


def test_programs_of_functions_that_are_made_anew(monkeypatch, rng):
    """Checks that a kernel keeps a limited number of programs, the latest ones."""
    monkeypatch.setattr("tile_mlir.launching.programs._MOST_PROGRAMS", 3)

    @tile.kernel(grid=1)
    def apply(x, *, f):
        tile.store(x, 0, f(tile.load(x, 0, 8)))

    functions = [lambda t, by=by: t * by for by in range(2, 7)]
    for by, function in enumerate(functions, 2):
        x = rng.standard_normal(8)
        expected = x * by
        apply(x, f=function)
        np.testing.assert_array_equal(x, expected)
    assert [dict(key.constants)["f"] for key in apply.definition._programs] == \
        functions[-3:]


class OnGpu:
    """An array in host memory that claims to be on a GPU."""

    def __init__(self, array):
        self.kept = array
        self.__cuda_array_interface__ = array.__array_interface__


@pytest.fixture
def loaded(monkeypatch):
    """Fakes a GPU. Returns weak references to the modules that are loaded on it."""
    class Loaded:
        def launch(self, arguments, blocks, stream):
            pass

        def prepare(self, arguments, blocks):
            return 7

    made = []

    def load(cubin, metadata, name):
        loaded = Loaded()
        made.append(weakref.ref(loaded))
        return loaded

    device = types.SimpleNamespace(arch="sm_90a", load=load)
    monkeypatch.setattr("tile_mlir.launching.runtime.get_device", lambda ordinal: device)
    monkeypatch.setattr("tile_mlir.launching.runtime.find_device", lambda address: 0)
    monkeypatch.setattr("tile_mlir.launching.plans.add_plan", lambda *arguments: None)
    return made


def test_what_is_loaded_stays(loaded):
    """Checks that modules stay loaded, for a graph that was captured with them."""
    def make():
        @tile.kernel(grid=1)
        def clear(x):
            tile.store(x, 0, tile.zeros(8))

        return clear

    make()(OnGpu(np.ones(8, np.float32)))
    gc.collect()
    assert len(loaded) == 1 and loaded[0]() is not None


def test_what_a_prepared_launch_holds(loaded, monkeypatch):
    """A prepared launch holds references to all arrays, whether they are passed by
    position or by keyword."""
    @tile.kernel(grid=1)
    def copy(x, y, s):
        tile.store(y, 0, tile.load(x, 0, 8) * s)

    held = []
    extension = types.SimpleNamespace(
        Prepared=lambda plan, arguments, fail: held.append(arguments))
    monkeypatch.setattr("tile_mlir.launching.extension.connect", lambda: extension)
    x, y = (OnGpu(np.ones(8, np.float32)) for _ in range(2))
    copy.prepare(x, s=2.0, y=y)
    assert held == [(x, y, 2.0)]


# ----------------------------------------------------------------------------
# None
# ----------------------------------------------------------------------------


@tile.kernel(grid=lambda x, bias: 1 if bias is None else 2, fixed={"bias": 0},
             alignment={"bias": 4})
def add_bias(x, bias, scale, y, rest=None):
    t = tile.load(x, 0, 7)
    if bias is not None:
        t += tile.load(bias, 0, bias.shape[0])
    if scale is not None:
        t = t * scale
    y[tile.program_id(0), 0:7] = t
    if rest is not None:
        rest[tile.program_id(0)] = 5.0


@pytest.mark.parametrize("machine", MACHINES)
def test_arguments_that_are_none(machine):
    """Checks that each combination of arguments that are None has its own program,
    which lacks these arguments."""
    x, bias, rest = normal(7), normal(8)[:7], np.zeros(2, np.float32)
    with MACHINES[machine]():
        for b in (None, bias):
            for scale in (None, 3.0):
                for r in (None, rest):
                    y = np.full((2, 7), np.nan, np.float32)
                    rest[:] = 0
                    add_bias(x, b, scale, y, *([] if r is None else [r]))
                    expected = (x + (0 if b is None else b)) * (scale or 1)
                    np.testing.assert_allclose(y[0], expected, rtol=1e-6)
                    np.testing.assert_array_equal(np.isnan(y[1]), b is None)
                    assert rest.tolist() == [5 * (r is not None),
                                             5 * (r is not None and b is not None)]
    text = add_bias.trace(x, None, None, np.empty((1, 7), np.float32))
    assert "(%x: memref<?xf32>, %y: memref<?x?xf32>)" in " ".join(
        line.partition("^bb0")[2].rstrip(":") for line in text.splitlines()[:2])


@tile.autotune({"n": [7, 9]})
@tile.kernel(grid=1)
def tuned(x, bias, y, *, n):
    t = tile.load(x, 0, n)
    tile.store(y, 0, t if bias is None else t + bias[()])


@pytest.mark.parametrize("bias", [None, np.array(1.5, np.float32)])
def test_none_for_a_tuned_kernel(bias):
    x, y = normal(7), np.full(7, np.nan, np.float32)
    with tile.cpu():
        tuned(x, bias, y)
    np.testing.assert_array_equal(y, x + (0 if bias is None else bias))


def test_none_in_checks_and_preparations():
    x, y = normal(7), np.full((2, 7), np.nan, np.float32)
    add_bias.prepare(x, None, 2.0, y)()
    np.testing.assert_allclose(y[0], 2 * x)
    found = tile.check(add_bias, (x, x.copy(), None, y, None)).arguments
    assert found[2] is found[4] is None
    np.testing.assert_allclose(found[3], np.tile(2 * x, (2, 1)))
    assert add_bias.specialize(x, None, None, y, arch="sm_80").arguments.keys() == \
        {"x", "y"}
