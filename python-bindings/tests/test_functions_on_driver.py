# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that launch several kernels, with the runtime's library, on a fake of CUDA's
driver (test/unit/Runtime/Fakes), which uses host memory as the memory of a GPU."""

import ctypes

import numpy as np
import pytest

import tile_mlir as tile
from tile_mlir import library
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


def load(name="mirror"):
    """Loads mirror(a: f32[?,?], factor: f32, y: f32[?]), which adds to y the rows of a in
    reverse, multiplied by the factor, and half of two of the rows."""
    inputs = devices.INPUTS
    return devices.open_device().load_function(
        (inputs / "fake.cubin").read_bytes(), (inputs / "fake.json").read_bytes(), name)


def call(function, a, factor, y):
    kept = list(map(pack, (a, factor, y)))
    function.launch([argument for argument, _ in kept], (1, 1, 1), 0)


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


def test_wrong_calls():
    with pytest.raises(tile.LaunchError, match="'paste'"):
        load("paste")
    function = load()
    with pytest.raises(tile.LaunchError, match="expected one kernel to prepare"):
        function.prepare([], (1, 1, 1))
    with pytest.raises(tile.ArgumentError, match="expected 3 arguments"):
        function.launch([], (1, 1, 1), 0)
