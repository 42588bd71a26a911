# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GPUs, by the runtime's library on a driver that stands in for CUDA's
(test/unit/Runtime/Fakes), and arrays of other libraries, by stand-ins of those."""

import contextlib
import ctypes
import json
import os
from pathlib import Path
from unittest import mock

import numpy as np

import tile_mlir as tile
from tile_mlir import cache, library, runtime
from wrong_calls.arguments import Interface, copy
from wrong_calls.table import X, refused

DRIVER = Path(os.environ.get("TILE_COMPILER_LIBRARY", "")
              ).parent / "runtime-fakes" / "libcuda.so.1"


def on_device(kind, text):
    """As `refused`, with the driver that stands in. Where that was not built there
    is no row."""
    return refused(kind, text) if DRIVER.exists() else lambda function: function


def open_device(ordinal=0):
    ctypes.CDLL(str(DRIVER))
    return runtime.Device(ordinal)


def fail_at(what):
    """Has the driver fail."""
    return mock.patch.dict(os.environ, TILE_FAKE_CUDA=what)


# ----------------------------------------------------------------------------
# Devices
# ----------------------------------------------------------------------------


@on_device(tile.ArgumentError, ...)
def device_that_there_is_not():
    open_device(1)


@on_device(tile.ArgumentError, ...)
def device_below_zero():
    open_device(-1)


@on_device(tile.DeviceError, ...)
def no_devices():
    with fail_at("nodevice"):
        open_device()


@on_device(tile.DeviceError, ...)
def driver_that_does_not_begin():
    with fail_at("init"):
        open_device()


# ----------------------------------------------------------------------------
# Modules
# ----------------------------------------------------------------------------


def compile_copy(arch="sm_90"):
    """What is loaded: a binary of the driver's own form, with the metadata of the
    compiler."""
    made = copy.compile(X, X, arch=arch, outputs=("metadata",))
    metadata = made["metadata"]
    symbols = [entry["symbol"] for entry in
               json.loads(metadata)["kernels"][0]["entries"]]
    return "\n".join(["fake cubin", *symbols]).encode() + b"\0", metadata


def load_copy(binary=None, metadata=None, name="copy", arch="sm_90"):
    made = compile_copy(arch)
    return open_device().load(made[0] if binary is None else binary,
                              made[1] if metadata is None else metadata, name)


@on_device(tile.LaunchError, ...)
def cubin_of_another_gpu():
    load_copy(arch="sm_80")


@on_device(tile.LaunchError, ...)
def cubin_of_a_later_gpu():
    load_copy(arch="sm_100a")


@on_device(tile.DeviceError, ...)
def cubin_that_is_damaged():
    load_copy(binary=b"\x7fELF" + bytes(60))


@on_device(tile.ArgumentError, ...)
def cubin_of_nothing():
    load_copy(binary=b"")


@on_device(tile.DeviceError, ...)
def cubin_without_the_kernel():
    load_copy(binary=b"fake cubin\nanother\0")


@on_device(tile.ArgumentError, ...)
def name_of_another_kernel():
    load_copy(name="paste")


@on_device(tile.ArgumentError, ...)
def metadata_of_nothing():
    load_copy(metadata=b"")


@on_device(tile.ArgumentError, ...)
def metadata_that_is_no_json():
    load_copy(metadata=b"{")


@on_device(tile.ArgumentError, ...)
def metadata_of_another_version():
    load_copy(metadata=b'{"version": 99}')


# ----------------------------------------------------------------------------
# Launches
# ----------------------------------------------------------------------------


def pack(data=4096, rank=1, type=b"f32", size=64, stride=1):
    return library.Argument(data=data, rank=rank, type=type,
                            sizes=(ctypes.c_int64 * 1)(size),
                            strides=(ctypes.c_int64 * 1)(stride))


def launch(*arguments, blocks=(1, 1, 1), stream=0):
    load_copy().launch(list(arguments), blocks, stream)


@on_device(tile.ArgumentError, ...)
def one_argument():
    launch(pack())


@on_device(tile.ArgumentError, ...)
def argument_of_another_type():
    launch(pack(), pack(type=b"f16"))


@on_device(tile.ArgumentError, ...)
def argument_of_another_rank():
    launch(pack(rank=library.SCALAR), pack())


@on_device(tile.ArgumentError, ...)
def argument_of_other_strides():
    launch(pack(stride=2), pack())


@on_device(tile.ArgumentError, ...)
def argument_without_data():
    launch(pack(data=0), pack())


@on_device(tile.ArgumentError, ...)
def argument_that_is_not_aligned():
    launch(pack(data=4097), pack())


@on_device(tile.ArgumentError, ...)
def argument_of_a_negative_size():
    launch(pack(size=-1), pack())


@on_device(tile.ArgumentError, ...)
def grid_beyond_the_gpu():
    launch(pack(), pack(), blocks=(1, 1 << 16, 1))


@on_device(tile.DeviceError, ...)
def launch_that_fails():
    with fail_at("launch"):
        launch(pack(), pack())


@contextlib.contextmanager
def arrays_on(*ordinals):
    """Arrays of CUDA's interface are on these GPUs, in their order."""
    found = iter(ordinals)
    with mock.patch.object(runtime, "find_device", lambda address: next(found)):
        yield


@refused(tile.ArgumentError, ...)
def arrays_of_two_gpus():
    with arrays_on(0, 1):
        copy[1](Interface(), Interface())


@refused(tile.ArgumentError, ...)
def array_of_the_host_with_one_of_a_gpu():
    with arrays_on(0):
        copy[1](X, Interface())


@refused(tile.ArgumentError, ...)
def read_only_array_of_a_gpu():
    with arrays_on(0, 0):
        copy[1](Interface(), Interface(data=(4096, True)))


@on_device(tile.ArgumentError, ...)
def array_of_a_gpu_that_there_is_not():
    ctypes.CDLL(str(DRIVER))
    with arrays_on(3, 3):
        copy[1](Interface(), Interface())


@on_device(tile.LaunchError, ...)
def program_of_another_gpu_in_the_cache():
    """As where one cache is for machines with different GPUs, and was damaged."""
    ctypes.CDLL(str(DRIVER))
    made = cache.Compiled(*compile_copy("sm_80"))
    runtime._devices.clear()
    with arrays_on(0, 0), mock.patch.object(cache, "compile_kernel",
                                            lambda *_: made):
        copy[1](Interface(), Interface())


@refused(tile.ArgumentError, ...)
def memory_that_is_no_gpus():
    driver = mock.Mock()
    driver.cuPointerGetAttribute.return_value = 1
    with mock.patch.object(runtime, "_get_driver", lambda: driver):
        copy[1](Interface(), X)


@refused(tile.DeviceError, ...)
def no_driver():
    def fail(name):
        raise OSError(f"{name}: cannot open shared object file")

    runtime._get_driver.cache_clear()
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
    """What PyTorch's tensor is to the package."""

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


@refused(tile.ArgumentError, ...)
def tensor_without_data():
    copy[1](Tensor("meta"), X)


@refused(tile.ArgumentError, ...)
def tensor_of_another_device():
    copy[1](X, Tensor("mps"))


@refused(tile.ArgumentError, ...)
def tensor_of_quantized_numbers():
    copy[1](Tensor(dtype="torch.qint8"), X)


@refused(tile.ArgumentError, ...)
def tensor_whose_memory_was_freed():
    copy[1](Tensor(address=0), X)


class Deleted:
    """An array that JAX has deleted."""

    @property
    def __cuda_array_interface__(self):
        raise RuntimeError("Array has been deleted.")


@refused(tile.ArgumentError, ...)
def array_that_was_deleted():
    copy[1](Deleted(), X)


@refused(tile.ArgumentError, ...)
def array_of_a_gpu_without_memory():
    with arrays_on(0):
        copy[1](Interface(data=(0, False)), X)
