# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Repeated calls of derivatives, which the extension launches by plans, on a fake of CUDA's
driver (test/unit/Runtime/Fakes), with a stand-in for PyTorch. The fake driver runs no
compiled code: metadata makes it run copies in place of the kernels of `copy` and of its
derivative, which copies the cotangent to memory and from there to the gradient."""

import contextlib
import json
import sys
import threading
import types

import numpy as np
import pytest

import tile_mlir as tile
from test_launch import Tensor as Described
from tile_mlir import elements
from tile_mlir.launching import cache, extension, runtime
from wrong_calls import devices

_launch = pytest.importorskip("tile_mlir._launch")
SHAPE = (4, 5)


@tile.kernel(grid=lambda x: x.shape[0])
def copy(x, y, *, n=8):
    i = tile.program_id(0)
    tile.store(y, (i, 0), tile.load(x, (i, 0), (1, n)))


# ----------------------------------------------------------------------------
# The stand-in for PyTorch
# ----------------------------------------------------------------------------


class Tensor(Described):
    """A tensor on a GPU, whose memory is that of an array of NumPy."""

    made = 0
    device = types.SimpleNamespace(type="cuda", index=0)

    def __init__(self, array):
        super().__init__(array.ctypes.data, array.shape, code=2 if array.itemsize > 1
                         else 1, bits=8 * array.itemsize)
        self.array, self.dtype = array, array.dtype

    def data_ptr(self):
        return self.array.ctypes.data

    def stride(self):
        return tuple(n // self.array.itemsize for n in self.array.strides)

    def fill_(self, value):
        self.array[...] = value


Tensor.__module__ = "torch"


def empty(shape, dtype, device):
    """Returns a tensor at a multiple of 256 bytes, all of whose bytes are 255."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    room = np.full(size + 256, 0xff, np.uint8)
    first = -room.ctypes.data % 256
    Tensor.made += 1
    return Tensor(room[first:first + size].view(dtype).reshape(shape))


@pytest.fixture
def torch(monkeypatch):
    stream = types.SimpleNamespace(cuda_stream=0)
    found = types.SimpleNamespace(
        empty=empty, Tensor=Tensor, float32=np.dtype(np.float32),
        uint8=np.dtype(np.uint8), cuda=types.SimpleNamespace(
            current_stream=lambda device=None: stream,
            ExternalStream=lambda *handle: handle,
            stream=lambda stream: contextlib.nullcontext()))
    monkeypatch.setitem(sys.modules, "torch", found)
    return found


# ----------------------------------------------------------------------------
# The stand-in for compiled programs
# ----------------------------------------------------------------------------


def view(kind, index, of):
    return {"array": kind, "index": index, "offset": 0,
            "shape": [["size", of, 0], ["size", of, 1]],
            "strides": [["stride", of, 0], ["stride", of, 1]]}


def describe_function(name, arguments):
    """Returns the metadata of a function that copies the cotangent to memory and then to
    the gradient, and `x` to `y` if it has these."""
    names = [argument["name"] for argument in arguments]
    seed, result = names.index("y__cotangent"), names.index("x__gradient")
    memory = {**view("temporary", 0, seed), "strides": [["size", seed, 1], 1]}
    grid = {"grid": [1, 1, 1]}
    outputs = [{"kernel": "step", **grid, "arguments": [
        view("argument", names.index(name), names.index(name)) for name in "xy"]}
    ] if "y" in names else []
    return {
        "name": name, "arguments": arguments,
        "temporaries": [{"type": "f32", "shape": [["size", seed, 0], ["size", seed, 1]]}],
        "launches": [
            *outputs,
            {"kernel": "step", **grid, "arguments": [view("argument", seed, seed), memory]},
            {"kernel": "step", **grid,
             "arguments": [memory, view("argument", result, result)]}]}


def compile_copies(text, arch, name, tiling):
    """Compiles a program to copies, with its own names of arguments."""
    given = json.loads((devices.INPUTS / "fake.json").read_text())
    [step] = [dict(kernel) for kernel in given["kernels"] if kernel["name"] == "copy"]
    name = name.strip("<>")
    if not name.endswith("__adjoint"):
        given["kernels"], given["functions"] = [{**step, "name": name}], []
    else:
        make = tile.value_and_grad if 'tile.name = "y"' in text else tile.vjp
        own = make(copy).bind((Tensor(np.zeros(SHAPE, np.float32)),) * 2, {})
        arguments = [
            {"name": part.name, "kind": "scalar", "type": "index", "access": "read"}
            if part.type == elements.index else
            {"name": part.name, "kind": "array", "type": "f32", "access": part.access,
             "shape": [None, None], "strides": [None, None]}
            for part in own.derived.parts]
        given["kernels"] = [{**step, "name": "step"}]
        given["functions"] = [describe_function(name, arguments)]
    return cache.Compiled((devices.INPUTS / "fake.cubin").read_bytes(),
                          json.dumps(given).encode())


@pytest.fixture
def device(monkeypatch, torch):
    """Makes programs run on the fake driver; returns the list of the calls without a
    plan."""
    assert extension.connect() is _launch
    opened = devices.open_device()
    monkeypatch.setattr(runtime, "get_device", lambda ordinal: opened)
    monkeypatch.setattr(cache, "compile_kernel", compile_copies)
    with tile.stream(0):
        yield opened


def draw(seed):
    return Tensor(np.random.default_rng(seed).standard_normal(SHAPE, np.float32))


def make_counted(derivative, monkeypatch):
    """Returns the list of the grids of later calls that no plan launches."""
    slow, run = [], derivative.run
    monkeypatch.setattr(derivative, "run", lambda launcher, grid, *rest: (
        slow.append(grid), run(launcher, grid, *rest))[1])
    return slow


# ----------------------------------------------------------------------------
# Tests
# ----------------------------------------------------------------------------


def test_vjp(device, monkeypatch):
    derivative = tile.vjp(copy)
    slow = make_counted(derivative, monkeypatch)
    for seed in range(4):
        x, dy = draw(seed), draw(seed + 9)
        made = Tensor.made
        dx = derivative(x, dy)
        assert isinstance(dx, Tensor)
        np.testing.assert_array_equal(dx.array, dy.array)
    assert slow == [None]
    assert Tensor.made == made + 2  # the gradient, and memory
    derivative(x, dy, n=16)
    derivative[7](x, dy)
    derivative[7](x, dy)
    assert slow == [None, None, 7]


def test_gradients_that_are_given(device, monkeypatch):
    derivative = tile.vjp(copy)
    slow = make_counted(derivative, monkeypatch)
    for seed in range(3):
        x, dy, dx = draw(seed), draw(seed + 9), draw(7)
        assert derivative(x, dy, gradients=dx) is dx
        np.testing.assert_array_equal(dx.array, dy.array)
        assert derivative(x, dy, gradients=[dx]) is dx
    assert len(slow) == 1
    with pytest.raises(tile.ArgumentError, match="to share no memory"):
        derivative(x, dy, gradients=dy)
    assert derivative(x, dy, gradients={"x": dx}) is dx
    assert len(slow) == 3


def test_value_and_grad(device, monkeypatch):
    derivative = tile.value_and_grad(copy)
    slow = make_counted(derivative, monkeypatch)
    for seed in range(3):
        x, y = draw(seed), draw(seed + 9)
        value, dx = derivative(x, y)
        assert value is y
        np.testing.assert_array_equal(y.array, x.array)
        np.testing.assert_array_equal(dx.array, np.ones(SHAPE, np.float32))
    assert len(slow) == 1


def test_threads(device):
    derivative, done = tile.vjp(copy), []

    def run(seed):
        with tile.stream(0):
            for _ in range(20):
                x, dy = draw(seed), draw(seed + 9)
                np.testing.assert_array_equal(derivative(x, dy).array, dy.array)
        done.append(seed)

    run(0)
    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(1, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [0, 1, 2, 3]
