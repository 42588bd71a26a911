# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuning in the processes and threads of executors."""

import concurrent.futures
import os

import numpy as np
import pytest

import tile_mlir as tile
from tile_mlir import elements
from tile_mlir.launching.arrays import describe
from tile_mlir.tuning import driver, measuring, timing, tuning_file
from tuning_kernels import (A100, H100, FakeTimer, check_scale, make_arrays,
                            make_matrices, make_multiply, make_pool, make_scale,
                            take_multiply)


def test_executor(rng, tmp_path):
    """Checks tuning of a process without a GPU, by processes of an executor that have
    one."""
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
    assert "tuning_kernels.py:" in reason
    assert other.choice.values == tuning.choice.values
    assert [e.gpu for e in tuning_file.read(file)] == [A100.gpu, H100.gpu]
    a, b, c = make_matrices(rng)
    with tile.cpu():
        make_multiply(file=file)(a, b, c)
    np.testing.assert_allclose(c, a.astype(np.float64) @ b, rtol=1e-3, atol=1e-3)


class Elsewhere(FakeTimer):
    """A timer that reports another GPU in processes other than this one."""

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
    """For arrays on the host the executor's processes decide the GPU; it is an error if
    they have none."""
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
