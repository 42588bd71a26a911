# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The extension that launches plans, with the runtime's library, on a fake of CUDA's
driver (test/unit/Runtime/Fakes). The fake refuses the same calls as CUDA's driver, and
uses host memory as the memory of a GPU."""

import ctypes
import threading

import numpy as np
import pytest

import tile_mlir as tile
from test_launch import Tensor
from tile_mlir import library
from tile_mlir.launching import extension, runtime
from wrong_calls import devices

_launch = pytest.importorskip("tile_mlir._launch")

SHAPE = (4, 5)
# The error for a stream that arrays report, but that does not belong to the device.
FOREIGN = "cuLaunchKernel: CUDA_ERROR_INVALID_HANDLE (destroyed, or of another context)"


def count_misuses():
    return ctypes.CDLL(str(devices.DRIVER)).fakeCudaCountMisuses()


@pytest.fixture
def misuses():
    """Returns a function that counts the calls of this test that the driver has
    refused."""
    before = count_misuses()
    return lambda: count_misuses() - before


def pack(array):
    pair = ctypes.c_int64 * 2
    return library.Argument(data=array.ctypes.data, rank=2, type=b"f32",
                            sizes=pair(*array.shape), strides=pair(5, 1))


def make_arrays(seed):
    x = np.random.default_rng(seed).standard_normal(SHAPE, np.float32)
    return x, np.full_like(x, np.nan)


def tensors(*arrays):
    return tuple(Tensor(array.ctypes.data, SHAPE) for array in arrays)


@pytest.fixture
def plan():
    """Makes a plan of copy(a: f32[?,?], out: f32[?,?])."""
    kernel = devices.load("copy")
    assert extension.connect() is _launch
    return kernel.prepare([pack(array) for array in make_arrays(0)], (1, 1, 1))


@pytest.fixture
def launcher(plan):
    """Returns a launcher, and the list of calls that took the slow path."""
    slow = []
    made = _launch.Launcher(lambda *arguments: slow.append(arguments))
    assert made.add(plan, tensors(*make_arrays(0)), {}, (), 0b10)
    return made, slow


def test_arrays_and_threads(launcher, misuses):
    launch, slow = launcher

    def run(seed):
        x, y = make_arrays(seed)
        with tile.stream(0):
            launch(*tensors(x, y))
        np.testing.assert_array_equal(x, y)

    for seed in range(3):
        run(seed)
    thread = threading.Thread(target=run, args=(3,))
    thread.start()
    thread.join()
    assert not slow and misuses() == 0


def test_stream_of_another_context(launcher, misuses):
    launch, slow = launcher
    x, y = make_arrays(1)
    launch(*tensors(x, y))
    assert len(slow) == 1 and np.isnan(y).all() and misuses() == 1


def test_prepared(plan, misuses):
    made = tensors(*make_arrays(1))
    launch = _launch.Prepared(plan, made, runtime.check)
    with tile.stream(0):
        launch()
    assert misuses() == 0
    with pytest.raises(tile.DeviceError) as raised:
        launch()
    assert str(raised.value) == FOREIGN and misuses() == 1
