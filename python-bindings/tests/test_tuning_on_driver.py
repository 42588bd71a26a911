# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sequence of driver calls that tuning makes, on a fake of CUDA's driver whose
functions work on host memory."""

import ctypes
import types

import numpy as np
import pytest

import tile_mlir as tile
from tile_mlir.launching import plans, runtime
from tile_mlir.tracing import captured
from tile_mlir.tuning import driver, measuring, timing, tuning_file
from tile_mlir.tuning.timing import Target
from tuning_kernels import FakeTimer, make_arrays, make_scale


class Driver:
    """A fake of CUDA's driver, with functions that work on host memory. An event holds
    the time at which it is recorded."""

    def __init__(self):
        self.calls, self.kept, self.now = [], {}, 0.0
        self.entered = 0
        self.events = {}

    def __getattr__(self, name):
        def call(*arguments):
            self.calls.append(name)
            return getattr(self, "do_" + name)(*arguments) or 0
        return call

    def do_cuDeviceGet(self, device, ordinal):
        device._obj.value = ordinal.value

    def do_cuDevicePrimaryCtxRetain(self, context, device):
        context._obj.value = 4711

    def do_cuDevicePrimaryCtxRelease_v2(self, device):
        pass

    def do_cuCtxPushCurrent_v2(self, context):
        assert context.value == 4711
        self.entered += 1

    def do_cuCtxPopCurrent_v2(self, context):
        self.entered -= 1

    def do_cuDeviceGetAttribute(self, value, attribute, device):
        assert attribute.value == 38
        value._obj.value = 50 << 10

    def do_cuMemAlloc_v2(self, address, size):
        assert self.entered
        kept = ctypes.create_string_buffer(size.value + 256)
        address._obj.value = -(-ctypes.addressof(kept) // 256) * 256
        self.kept[address._obj.value] = kept

    def do_cuMemFree_v2(self, address):
        del self.kept[address.value]

    def do_cuMemcpyDtoDAsync_v2(self, target, source, size, stream):
        assert self.entered and stream.value == 9
        ctypes.memmove(target.value, source.value, size.value)

    def do_cuMemcpyHtoD_v2(self, target, data, size):
        ctypes.memmove(target.value, data, size.value)

    def do_cuMemcpyDtoH_v2(self, data, source, size):
        ctypes.memmove(data, source.value, size.value)

    def do_cuStreamSynchronize(self, stream):
        assert self.entered

    def do_cuMemsetD8Async(self, address, value, size, stream):
        assert size.value == driver._LEAST_SCRAP and stream.value == 9
        self.now += 1.0

    def do_cuEventCreate(self, event, flags):
        event._obj.value = len(self.events) + 1
        self.events[event._obj.value] = None

    def do_cuEventRecord(self, event, stream):
        assert self.entered and stream.value == 9
        self.events[event.value] = self.now

    def do_cuEventSynchronize(self, event):
        assert self.events[event.value] is not None

    def do_cuEventElapsedTime(self, value, begin, end):
        value._obj.value = 1e3 * (self.events[end.value] -
                                  self.events[begin.value])

    def do_cuEventDestroy_v2(self, event):
        self.events[event.value] = "gone"


@pytest.fixture
def fake_driver(monkeypatch):
    made = Driver()
    monkeypatch.setattr(driver, "_LEAST_SCRAP", 1 << 20)
    monkeypatch.setattr(runtime, "get_driver", lambda: made)
    monkeypatch.setattr(runtime, "get_device", lambda ordinal: types.SimpleNamespace(
        arch="sm_90a", name=f"GPU {ordinal}"))
    return made


def test_cuda_timer(fake_driver):
    seconds = iter([9.0, 0.25, 0.5, 0.125])
    seen = []

    def run():
        seen.append(fake_driver.calls[-3:])
        fake_driver.now += next(seconds)

    timer = timing.CudaTimer()
    assert timer.find_target() == Target("sm_90a", "GPU 0")
    launch = timing.Launch(run, lambda: fake_driver.calls.append("restore"), 1, 9)
    assert timer.measure({}, launch, 3) == [0.25, 0.5, 0.125]
    # Immediately before each run its start event is recorded, after the cache is
    # cleared.
    assert all(calls[-2:] == ["cuEventRecord", "cuCtxPopCurrent_v2"]
               for calls in seen)
    assert fake_driver.calls.count("restore") == 4
    assert fake_driver.calls.count("cuMemsetD8Async") == 4
    assert fake_driver.calls.count("cuEventDestroy_v2") == 8
    assert fake_driver.entered == 0
    fake_driver.calls.clear()
    seconds = iter([1.0, 2.0])
    cold = timing.CudaTimer(flush=False)
    assert cold.measure({}, launch, 1) == [2.0]
    assert "cuMemsetD8Async" not in fake_driver.calls
    with pytest.raises(tile.DeviceError, match="got arrays on the host"):
        timer.measure({}, timing.Launch(run, run), 1)


def test_memory_of_a_gpu(fake_driver, rng):
    gpu = driver.Gpu(1, 9)
    x = rng.standard_normal(100)
    kept = gpu.allocate(x.nbytes)
    gpu.upload(kept.address, x.tobytes())
    other = gpu.allocate(x.nbytes)
    gpu.copy(other.address, kept.address, x.nbytes)
    assert gpu.download(other.address, x.nbytes) == x.tobytes()
    assert len(fake_driver.kept) == 2
    del kept, other
    assert not fake_driver.kept and fake_driver.entered == 0
    fake_driver.do_cuMemAlloc_v2 = lambda address, size: 2
    with pytest.raises(tile.DeviceError, match="cuMemAlloc_v2 to succeed, got err"):
        gpu.allocate(1)


def test_a_task_on_a_gpu(fake_driver, rng, monkeypatch):
    """Runs a task as an executor's process does: it is compiled for the GPU, launched
    on arrays that the process makes, and these are restored before each run."""
    launched = []

    class Kernel:
        def launch(self, arguments, blocks, stream):
            x, y = (np.frombuffer(ctypes.string_at(a.data, 804), np.float32)
                    for a in arguments[:2])
            launched.append((x, y, blocks))
            ctypes.memset(arguments[1].data, 77, 804)

    device = types.SimpleNamespace(arch="sm_90a", name="GPU 0",
                                   load=lambda cubin, metadata, name: Kernel())
    monkeypatch.setattr(runtime, "get_device", lambda ordinal: device)
    fake_driver.do_cuMemcpyDtoDAsync_v2 = lambda target, source, size, stream: \
        ctypes.memmove(target.value, source.value, size.value) and None
    x, y = make_arrays(rng)
    kernel = make_scale().kernel
    call = kernel.definition.bind((x, y, 1.5), {"n": 32})
    program = kernel.definition.get_program(call.key)
    task = measuring.Task(
        {"n": 32}, kernel.__name__, program.text, None, (7, 1, 1), call.key.types,
        measuring.specify(call.described, driver.Host()), program.written,
        FakeTimer(runs=True, target=Target("sm_90a", "GPU 0")),
        Target("sm_90a", "GPU 0"))
    outcome = measuring.run_task(task, 3, 2)
    assert not outcome.failure and len(outcome.seconds) == 2
    assert len(launched) == 6
    for seen_x, seen_y, blocks in launched:
        assert np.isfinite(seen_x).all() and 0.8 < seen_x.std() < 1.2
        assert np.isfinite(seen_y).all() and 0.8 < seen_y.std() < 1.2
        assert blocks == (7, 1, 1)
    assert not fake_driver.kept


class GpuArray:
    """An array in host memory that claims to be on a GPU."""

    def __init__(self, array):
        self.array = array
        self.shape = array.shape

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.array.shape, "typestr": self.array.dtype.str,
                "strides": self.array.strides, "version": 3, "stream": 9,
                "data": (self.array.ctypes.data, False)}


class LoadedScale:
    """A kernel that adds one to its output, and takes longer with more blocks."""

    launches: list = []

    def __init__(self, driver):
        self.driver = driver

    def launch(self, arguments, blocks, stream):
        assert stream == 9
        self.launches.append((arguments[1].data, blocks[0]))
        y = (ctypes.c_float * arguments[1].sizes[0]).from_address(arguments[1].data)
        for index in range(len(y)):
            y[index] += 1
        self.driver.now += 1e-5 * blocks[0]


def test_a_call_on_a_gpu(fake_driver, rng, monkeypatch, tmp_path):
    """Candidates run on copies of the arrays, and the chosen one then runs once on the
    arrays themselves."""
    device = types.SimpleNamespace(
        arch="sm_90a", name="A GPU",
        load=lambda cubin, metadata, name: LoadedScale(fake_driver))
    monkeypatch.setattr(LoadedScale, "launches", [])
    monkeypatch.setattr(runtime, "get_device", lambda ordinal: device)
    monkeypatch.setattr(runtime, "find_device", lambda address: 0)
    monkeypatch.setattr(plans, "add_plan", lambda *arguments: None)
    x, y = make_arrays(rng)
    y[:] = 5
    file = tmp_path / "scale.tune"
    scale = make_scale({"n": [16, 64, 32]}, timer=None, file=file)
    scale(GpuArray(x), GpuArray(y), 1.5)
    assert (y == 6).all()
    launches = LoadedScale.launches
    assert launches[-1] == (y.ctypes.data, 4)
    assert {blocks for _, blocks in launches} == {13, 7, 4}
    assert y.ctypes.data not in {address for address, _ in launches[:-1]}
    [entry] = tuning_file.read(file)
    assert (entry.gpu, entry.choice, entry.microseconds) == ("A GPU", {"n": 64}, 40)
    count = len(launches)
    scale(GpuArray(x), GpuArray(y), 1.5)
    assert (y == 7).all() and len(launches) == count + 1
    with pytest.raises(tile.ArgumentError, match="arrays of one device, got 'x' on"):
        scale(GpuArray(x), y, 1.5)


LEAST = {"n": 16}


def test_a_plan_holds_while_the_choice_does(fake_driver, rng, monkeypatch):
    """A plan depends on values that `key`, `when` and the kernel read."""
    device = types.SimpleNamespace(
        arch="sm_90a", name="A GPU",
        load=lambda cubin, metadata, name: LoadedScale(fake_driver))
    guards = []
    monkeypatch.setattr(runtime, "get_device", lambda ordinal: device)
    monkeypatch.setattr(runtime, "find_device", lambda address: 0)
    monkeypatch.setattr(plans, "add_plan",
                        lambda *arguments: guards.extend(arguments[-1]))
    scale = make_scale({"n": [16, 32]}, timer=None, when=lambda n: n >= LEAST["n"])
    x, y = make_arrays(rng)
    scale(GpuArray(x), GpuArray(y), 1.5)
    assert captured.is_current(tuple(guards))
    monkeypatch.setitem(LEAST, "n", 32)
    assert not captured.is_current(tuple(guards))
