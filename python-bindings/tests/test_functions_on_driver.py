# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that launch several kernels, with the runtime's library, on a fake of CUDA's
driver (test/unit/Runtime/Fakes), which uses host memory as the memory of a GPU."""

import ctypes
import threading

import numpy as np
import pytest

import tile_mlir as tile
from test_launch import Tensor
from tile_mlir import library
from tile_mlir.launching import extension
from wrong_calls import devices

pytestmark = pytest.mark.skipif(not devices.DRIVER.exists(), reason="no fake driver")


def pack(array):
    """Packs an array, or a scalar of f32."""
    if isinstance(array, float):
        kept = np.array(array, np.float32)
        return library.Argument(data=kept.ctypes.data, rank=library.SCALAR,
                                type=b"f32"), kept
    rank, strides = array.ndim, [n // array.itemsize for n in array.strides]
    numbers = ctypes.c_int64 * rank
    return library.Argument(data=array.ctypes.data, rank=rank, type=b"f32",
                            sizes=numbers(*array.shape),
                            strides=numbers(*strides)), array


def pack_all(*values):
    kept = list(map(pack, values))
    packed = [argument for argument, _ in kept]
    for argument, (_, value) in zip(packed, kept):
        argument.kept = value
    return packed


def load(name="mirror"):
    """Loads mirror(a: f32[?,?], factor: f32, y: f32[?]), which adds to y the rows of a in
    reverse, multiplied by the factor, and half of two of the rows."""
    inputs = devices.INPUTS
    return devices.open_device().load_function(
        (inputs / "fake.cubin").read_bytes(), (inputs / "fake.json").read_bytes(), name)


def call(function, a, factor, y):
    function.launch(pack_all(a, factor, y), (1, 1, 1), 0)


def test_calls():
    """Calls with equal arguments, and then with another scalar and another array."""
    function = load()
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    start = np.array([10, 20, 30, 40, 50, 60], np.float32)
    y = start.copy()
    added = np.array([6.5, 3, 0, 15, 12, 9], np.float32)
    for count in (1, 2, 3):
        call(function, a, 3.0, y)
        np.testing.assert_array_equal(y, start + count * added)
    z = start.copy()
    call(function, a, 3.0, z)
    np.testing.assert_array_equal(z, start + added)
    call(function, np.zeros_like(a), 2.0, z)
    np.testing.assert_array_equal(z, start + added)


def test_memory():
    """The temporaries of calls are freed."""
    driver = ctypes.CDLL(str(devices.DRIVER))
    misuses = driver.fakeCudaCountMisuses()
    function = load()
    y = np.zeros(6, np.float32)
    for rows in (2, 1, 2):
        call(function, np.ones((rows, 3), np.float32), 1.0, y[:3 * rows])
    del function
    assert driver.fakeCudaCountMisuses() == misuses


def make_memory(bytes):
    """Makes memory at a multiple of 256 bytes."""
    room = np.full(bytes + 256, 0xff, np.uint8)
    first = -room.ctypes.data % 256
    return room[first:first + bytes]


def test_memory_of_the_caller():
    """A call needs no other memory than that which it is given."""
    function = load()
    a, y = np.arange(6, dtype=np.float32).reshape(2, 3), np.zeros(6, np.float32)
    packed = pack_all(a, 3.0, y)
    assert function.count_memory(packed) == 256  # a copy of a, rounded up
    memory = make_memory(256)
    function.launch_in(memory.ctypes.data, packed, 0)
    np.testing.assert_array_equal(y, np.array([6.5, 3, 0, 15, 12, 9], np.float32))
    np.testing.assert_array_equal(memory[:24].view(np.float32).reshape(2, 3), a[:, ::-1])


@pytest.fixture
def launcher():
    """Returns a launcher with a plan of mirror(a, 3, y) for a of 2 x 3 elements, which
    makes memory for each call, and the lists of its calls without plan and of its
    memory."""
    launch = pytest.importorskip("tile_mlir._launch")
    assert extension.connect() is launch
    a, y = np.zeros((2, 3), np.float32), np.zeros(6, np.float32)
    plan = load().prepare(pack_all(a, 3.0, y), (1, 1, 1))
    slow, made = [], []

    def make():
        made.append(make_memory(256))
        return Tensor(made[-1].ctypes.data, (256,), code=1, bits=8)

    found = launch.Launcher(lambda *arguments: slow.append(arguments))
    assert found.add_call(((plan, ((0, 0), (2, 2), (3, 3))),), tensors(a, y), {}, None,
                          (), 0b100, ((make, Tensor),), 2, lambda make, array: make())
    return found, slow, made


def tensors(a, y):
    return Tensor(a.ctypes.data, a.shape), 3.0, Tensor(y.ctypes.data, y.shape)


def test_plans(launcher):
    """Each call has its own arrays and memory, whichever threads make the calls."""
    launch, slow, made = launcher

    def run(seed):
        a = np.random.default_rng(seed).standard_normal((2, 3), np.float32)
        y = np.zeros(6, np.float32)
        given = tensors(a, y)
        with tile.stream(0):
            assert launch(*given) is given[2]
        copy = a[:, ::-1].ravel()
        expected = 3 * copy
        expected[:2] += copy[1:3] / 2
        np.testing.assert_allclose(y, expected, rtol=1e-6)
        done.append(seed)

    done = []
    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run(9)
    assert sorted(done) == [0, 1, 2, 3, 9]
    assert not slow and len({memory.ctypes.data for memory in made}) == 5


def test_wrong_calls():
    with pytest.raises(tile.LaunchError, match="'paste'"):
        load("paste")
    function = load()
    a, y = np.zeros((2, 3), np.float32), np.zeros(6, np.float32)
    with pytest.raises(tile.ArgumentError, match="expected 3 arguments"):
        function.prepare([], (1, 1, 1))
    for memory in (0, 128):
        with pytest.raises(tile.ArgumentError, match="expected memory at a multiple"):
            function.prepare(pack_all(a, 1.0, y), (1, 1, 1), memory)
    with pytest.raises(tile.ArgumentError, match="expected 3 arguments"):
        function.launch([], (1, 1, 1), 0)
