# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong calls with GPUs, by the runtime's library on a fake of CUDA's driver
(test/unit/Runtime/Fakes), and with arrays of fakes of other libraries."""

import contextlib
import ctypes
import os
from pathlib import Path
from unittest import mock

import numpy as np

import tile_mlir as tile
from tile_mlir import library
from tile_mlir.launching import cache, runtime
from wrong_calls.arguments import Interface, copy
from wrong_calls.table import X, of_type, refused

DRIVER = Path(os.environ.get("TILE_COMPILER_LIBRARY", "")
              ).parent / "runtime-fakes" / "libcuda.so.1"


def on_device(kind, text):
    """Adds a row as `refused` does, for a call on the fake driver. If the fake driver
    is not built, adds no row."""
    return refused(kind, text) if DRIVER.exists() else lambda function: function


def open_device(ordinal=0):
    ctypes.CDLL(str(DRIVER))
    return runtime.Device(ordinal)


def fail_at(what):
    """Makes the fake driver fail, as `what` specifies, within `with`."""
    return mock.patch.dict(os.environ, TILE_FAKE_CUDA=what)


# ----------------------------------------------------------------------------
# Devices
# ----------------------------------------------------------------------------


@on_device(tile.DeviceError, "expected a device below 1, found 1")
def device_that_there_is_not():
    open_device(1)


@on_device(tile.DeviceError, "expected a device below 1, found -1")
def device_below_zero():
    open_device(-1)


@on_device(tile.DeviceError, "the GPU driver offers no device")
def no_devices():
    with fail_at("nodevice"):
        open_device()


# ----------------------------------------------------------------------------
# Modules
# ----------------------------------------------------------------------------

INPUTS = Path(__file__).resolve().parents[3] / "test" / "tools" / "tile-run" / "Inputs"


def load(name="axpy", binary=None, metadata=None, arch="sm_90a"):
    """Loads a kernel of the fake driver, with metadata like the compiler's. The kernels
    are axpy(alpha: f32, x: f32[?], y: f32[?]) and count(x: i32[?], out: i64[1]), which
    needs a workspace."""
    if binary is None:
        binary = (INPUTS / "fake.cubin").read_bytes()
    if metadata is None:
        text = (INPUTS / "fake.json").read_text()
        metadata = text.replace("sm_90a", arch).encode()
    return open_device().load(binary, metadata, name)


@on_device(tile.LaunchError, "kernel 'axpy': expected code for sm_90a (device 'Fake "
                             "GPU'), found sm_80")
def cubin_of_an_earlier_gpu():
    load(arch="sm_80")


@on_device(tile.LaunchError, "kernel 'axpy': expected code for sm_90a (device 'Fake "
                             "GPU'), found sm_100a")
def cubin_of_a_later_gpu():
    load(arch="sm_100a")


@on_device(tile.LaunchError, "expected a binary that device 'Fake GPU' takes: "
                             "cuModuleLoadData: CUDA_ERROR_INVALID_IMAGE (as the fake "
                             "driver was asked)")
def cubin_that_is_damaged():
    load(binary=b"\x7fELF" + bytes(60))


@on_device(tile.LaunchError, "kernel 'axpy': expected a function 'axpy_promised' in "
                             "the binary: cuModuleGetFunction: CUDA_ERROR_NOT_FOUND "
                             "(as the fake driver was asked)")
def cubin_without_the_kernel():
    load(binary=b"fake cubin\nanother\n")


@on_device(tile.LaunchError, "metadata: expected the name of a kernel ('axpy', "
                             "'probe', 'count', 'copy', 'columns', 'negate', "
                             "'nothing', 'fail', 'mirror', 'totals', 'weighted'), "
                             "found 'paste'")
def name_of_another_kernel():
    load(name="paste")


@on_device(tile.LaunchError, "metadata:1:1: malformed JSON: syntax error while parsing "
                             "value - unexpected end of input; expected '[', '{', or a "
                             "literal")
def metadata_of_nothing():
    load(metadata=b"")


@on_device(tile.LaunchError, "metadata:1:2: malformed JSON: syntax error while parsing "
                             "object key - unexpected end of input; expected string "
                             "literal")
def metadata_that_is_no_json():
    load(metadata=b"{")


@on_device(tile.LaunchError, "metadata: expected key 'schema', found none")
def metadata_of_another_kind():
    load(metadata=b"{}")


# ----------------------------------------------------------------------------
# Launches
# ----------------------------------------------------------------------------

KEPT = np.zeros(64, np.float32)
ALPHA = np.ones(1, np.float32)


def pack(data=KEPT.ctypes.data, rank=1, type=b"f32", size=64, stride=1):
    return library.Argument(data=data, rank=rank, type=type,
                            sizes=(ctypes.c_int64 * 1)(size),
                            strides=(ctypes.c_int64 * 1)(stride))


def launch(*arrays, blocks=(1, 1, 1)):
    alpha = pack(data=ALPHA.ctypes.data, rank=library.SCALAR)
    load().launch([alpha, *arrays], blocks, 0)


def launch_count(stream=0):
    values = np.zeros(64, np.int32)
    sums = np.zeros(1, np.int64)
    load("count").launch([pack(values.ctypes.data, type=b"i32"),
                          pack(sums.ctypes.data, type=b"i64", size=1)], (1, 1, 1),
                         stream)


@on_device(tile.ArgumentError, "kernel 'axpy': expected 3 arguments, found 2")
def one_array():
    launch(pack())


@on_device(tile.ArgumentError, "kernel 'axpy': argument 2 ('y'): expected an array of "
                               "f32, found an array of f16")
def array_of_another_type():
    launch(pack(), pack(type=b"f16"))


@on_device(tile.ArgumentError, "kernel 'axpy': argument 2 ('y'): expected an element "
                               "type, found 'f31'")
def array_of_an_unknown_type():
    launch(pack(), pack(type=b"f31"))


@on_device(tile.ArgumentError, "kernel 'axpy': argument 1 ('x'): expected an array of "
                               "rank 1, found a scalar")
def scalar_in_place_of_an_array():
    launch(pack(rank=library.SCALAR), pack())


@on_device(tile.ArgumentError, "kernel 'axpy': argument 1 ('x'): expected stride 1 "
                               "along dimension 0, found 2 (strides [2])")
def array_of_other_strides():
    launch(pack(stride=2), pack())


@on_device(tile.ArgumentError, "kernel 'axpy': argument 1 ('x'): expected a pointer, "
                               "found null")
def array_without_data():
    launch(pack(data=0), pack())


@on_device(tile.ArgumentError, "kernel 'axpy': argument 1 ('x'): expected a pointer "
                               "aligned to 4 bytes, found one that is 1 bytes beyond")
def array_that_is_not_aligned():
    launch(pack(data=4097), pack())


@on_device(tile.ArgumentError, "kernel 'axpy': argument 1 ('x'): expected sizes of at "
                               "least 0, found -1 along dimension 0")
def array_of_a_negative_size():
    launch(pack(size=-1), pack())


@on_device(tile.ArgumentError, "kernel 'axpy': expected a grid of 1 to 65535 blocks "
                               "along y, found 65536")
def grid_beyond_the_gpu():
    launch(pack(), pack(), blocks=(1, 1 << 16, 1))


@on_device(tile.DeviceError, "cuLaunchKernel: CUDA_ERROR_UNKNOWN (as the fake driver was "
                             "asked)")
def launch_that_the_driver_refuses():
    load("fail").launch([pack(size=4)], (1, 1, 1), 0)


@on_device(tile.DeviceError, "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (as the fake driver "
                             "was asked)")
def no_memory_for_a_workspace():
    with fail_at("memory"):
        launch_count()


@on_device(tile.LaunchError, "kernel 'count': expected 1 workspaces in the capture of "
                             "a graph, which forbids to allocate them, found none")
def workspace_in_the_capture_of_a_graph():
    launch_count(stream=0x100)


@on_device(tile.DeviceError, "cuStreamIsCapturing: CUDA_ERROR_INVALID_HANDLE "
                             "(destroyed, or of another context)")
def workspace_on_a_stream_of_another_context():
    launch_count(stream=0x200)


@contextlib.contextmanager
def arrays_on(*ordinals):
    """Within `with`, arrays with CUDA's array interface are on these GPUs, in this
    order."""
    found = iter(ordinals)
    with mock.patch.object(runtime, "find_device", lambda address: next(found)):
        yield


@refused(tile.ArgumentError, "expected arrays of one device, got 'x' on GPU 0, 'y' on "
                             "GPU 1")
def arrays_of_two_gpus():
    with arrays_on(0, 1):
        copy[1](Interface(), Interface(data=(8192, False)))


@refused(tile.ArgumentError, "expected arrays of one device, got 'x' on the host, 'y' "
                             "on GPU 0")
def array_of_the_host_with_one_of_a_gpu():
    with arrays_on(0):
        copy[1](X, Interface())


@on_device(tile.ArgumentError, "expected 'y' to be writable, since the kernel writes "
                               "it, got a read-only array")
def read_only_array_of_a_gpu():
    ctypes.CDLL(str(DRIVER))
    with arrays_on(0, 0):
        copy[1](Interface(), Interface(data=(4096, True)))


@on_device(tile.DeviceError, "expected a device below 1, found 3")
def array_of_a_gpu_that_there_is_not():
    ctypes.CDLL(str(DRIVER))
    with arrays_on(3, 3):
        copy[1](Interface(), Interface(data=(8192, False)))


@on_device(tile.LaunchError, "kernel 'copy': expected code for sm_90a (device 'Fake "
                             "GPU'), found sm_80")
def cubin_of_another_gpu_in_the_cache():
    """Simulates a cache that was changed by hand."""
    ctypes.CDLL(str(DRIVER))
    made = copy.compile(X, X, arch="sm_80", outputs=("metadata",))
    entry = cache.Compiled(b"fake cubin\ncopy\n", made["metadata"])
    with arrays_on(0, 0), mock.patch.object(cache, "compile_kernel", lambda *_: entry):
        copy[1](Interface(), Interface(data=(8192, False)))


@refused(tile.ArgumentError, "expected an array on a GPU, got one at 0x1000 (error 1 "
                             "of the driver)")
def memory_that_is_no_gpus():
    driver = mock.Mock()
    driver.cuPointerGetAttribute.return_value = 1
    with mock.patch.object(runtime, "get_driver", lambda: driver):
        copy[1](Interface(), X)


@refused(tile.DeviceError, "expected a driver of CUDA, got none: libcuda.so.1: cannot "
                           "open shared object file")
def no_driver():
    def fail(name):
        raise OSError(f"{name}: cannot open shared object file")

    runtime.get_driver.cache_clear()
    with mock.patch.object(ctypes, "CDLL", fail):
        copy[1](Interface(), X)


# ----------------------------------------------------------------------------
# Arrays of other libraries
# ----------------------------------------------------------------------------


class Device:
    def __init__(self, type, index=None):
        self.type, self.index = type, index

    def __repr__(self):
        return self.type


class Tensor:
    """An array with the parts of a PyTorch tensor that the package uses."""

    shape = (4,)

    def __init__(self, device="cpu", dtype="torch.float32", address=4096):
        self.device, self.address = Device(device), address
        self.dtype = type("dtype", (), {"__module__": "torch",
                                        "__repr__": lambda self: dtype})()

    def data_ptr(self):
        return self.address

    def stride(self):
        return (1,)


Tensor.__module__ = "torch"


@refused(tile.ArgumentError, "expected 'x' on the host or on a GPU, got it on meta")
def tensor_without_data():
    copy[1](Tensor("meta"), X)


@refused(tile.ArgumentError, "expected 'y' on the host or on a GPU, got it on mps")
def tensor_of_another_device():
    copy[1](X, Tensor("mps"))


@refused(tile.ArgumentError, "'x': " + of_type("torch.qint8"))
def tensor_of_quantized_numbers():
    copy[1](Tensor(dtype="torch.qint8"), X)


@refused(tile.ArgumentError, "expected 'x' to have memory, got an array without")
def tensor_whose_memory_was_freed():
    copy[1](Tensor(address=0), X)


class Deleted:
    """An array that JAX has deleted."""

    @property
    def __cuda_array_interface__(self):
        raise RuntimeError("Array has been deleted.")


@refused(tile.ArgumentError, "expected an array that has its memory, got one that "
                             "says: Array has been deleted.")
def array_that_was_deleted():
    copy[1](Deleted(), X)


@refused(tile.ArgumentError, "expected 'x' to have memory, got an array without")
def array_of_a_gpu_without_memory():
    with arrays_on(0):
        copy[1](Interface(data=(0, False)), X)
