# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Access to kernels on a GPU through the runtime's C library: include/tile-c/Runtime.h
documents its functions."""

from __future__ import annotations

import ctypes
import functools
import threading
from ctypes import (POINTER, byref, c_char_p, c_int32, c_int64, c_size_t,
                    c_uint32, c_void_p)

from typing import Any, Optional, Union

from .. import library
from ..errors import ArgumentError, DeviceError, LaunchError, TileError

_NAME = "libTileRuntime.so.0"
# An address for memory without bytes.
NOWHERE = 256
_DEVICE_ERROR = 15


class DeviceInfo(library.Sized):
    _fields_ = [("struct_size", c_size_t), ("name", c_char_p), ("arch", c_char_p),
                ("max_shared_bytes", c_int64), ("multiprocessors", c_int32)]


class LaunchOptions(library.Sized):
    _fields_ = [("struct_size", c_size_t), ("grid", POINTER(c_int64)),
                ("stream", c_void_p), ("workspaces", POINTER(c_void_p)),
                ("num_workspaces", c_size_t)]


@functools.lru_cache(maxsize=None)
def get_library() -> ctypes.CDLL:
    """Returns the runtime's library, with the types of its functions declared."""
    found = library.open_library(_NAME)
    found.tile_runtime_last_error.restype = c_char_p
    handle = POINTER(c_void_p)
    library.declare(found, {
        "tile_device_count": [POINTER(c_int32)],
        "tile_device_open": [c_uint32, c_int32, handle],
        "tile_device_get_info": [c_void_p, POINTER(DeviceInfo)],
        "tile_device_synchronize": [c_void_p],
        "tile_module_load": [c_void_p, c_char_p, c_size_t, c_char_p, handle],
        "tile_module_get_kernel": [c_void_p, c_char_p, handle],
        "tile_module_destroy": [c_void_p],
        "tile_kernel_destroy": [c_void_p],
        "tile_launch": [c_void_p, c_void_p, c_size_t, POINTER(LaunchOptions)],
        "tile_plan_create": [c_void_p, c_void_p, c_size_t,
                             POINTER(LaunchOptions), handle],
        "tile_plan_launch": [c_void_p, c_void_p],
        "tile_plan_set_array": [c_void_p, c_size_t, c_void_p],
        "tile_plan_destroy": [c_void_p],
        "tile_module_get_function": [c_void_p, c_char_p, handle],
        "tile_function_destroy": [c_void_p],
        "tile_call_create": [c_void_p, c_void_p, c_size_t, handle],
        "tile_call_destroy": [c_void_p],
        "tile_call_launch": [c_void_p, c_void_p],
        "tile_function_get_memory": [c_void_p, c_void_p, c_size_t, POINTER(c_int64)],
        "tile_function_create_plan": [c_void_p, c_void_p, c_size_t, c_void_p, handle],
    })
    return found


def check(status: int, wrong: type[TileError] = ArgumentError) -> None:
    """Raises the error that a status of a C function stands for, if it is one. The
    error has the class `wrong` if invalid arguments of the function are the cause."""
    if status == library.OK:
        return
    text = get_library().tile_runtime_last_error().decode(errors="replace")
    if status == _DEVICE_ERROR:
        raise DeviceError(text)
    if status in (library.INVALID_ARGUMENT, library.OUT_OF_RANGE):
        raise wrong(text)
    raise LaunchError(text)


class Device:
    """A GPU, with the name of its architecture."""

    def __init__(self, ordinal: int):
        self._handle = c_void_p()
        check(get_library().tile_device_open(library.API_VERSION, ordinal,
                                             byref(self._handle)), DeviceError)
        info = DeviceInfo()
        check(get_library().tile_device_get_info(self._handle, byref(info)))
        self.ordinal = ordinal
        self.name = info.name.decode()
        self.arch = info.arch.decode()

    def load(self, cubin: bytes, metadata: bytes, name: str) -> "LoadedKernel":
        module, kernel = self._load_module(cubin, metadata), c_void_p()
        check(get_library().tile_module_get_kernel(module, name.encode(),
                                                   byref(kernel)), LaunchError)
        return LoadedKernel(module, kernel)

    def load_function(self, cubin: bytes, metadata: bytes, name: str
                      ) -> "LoadedFunction":
        """Loads the kernels of a binary, and a function that launches them."""
        module, function = self._load_module(cubin, metadata), c_void_p()
        check(get_library().tile_module_get_function(module, name.encode(),
                                                     byref(function)), LaunchError)
        return LoadedFunction(self, module, function)

    def _load_module(self, cubin: bytes, metadata: bytes) -> c_void_p:
        module = c_void_p()
        check(get_library().tile_module_load(self._handle, cubin, len(cubin),
                                             metadata, byref(module)), LaunchError)
        return module

    def synchronize(self) -> None:
        check(get_library().tile_device_synchronize(self._handle))


_lock = threading.Lock()
_devices: dict[int, Device] = {}


def get_device(ordinal: int) -> Device:
    with _lock:
        if ordinal not in _devices:
            _devices[ordinal] = Device(ordinal)
        return _devices[ordinal]


class LoadedKernel:
    """A kernel in the memory of a GPU."""

    def __init__(self, module: c_void_p, kernel: c_void_p):
        self._module, self._kernel = module, kernel

    def __del__(self) -> None:
        try:
            get_library().tile_kernel_destroy(self._kernel)
            get_library().tile_module_destroy(self._module)
        except Exception:  # the interpreter ends
            pass

    def launch(self, arguments: list[library.Argument],
               blocks: tuple[int, ...], stream: int) -> None:
        options = LaunchOptions(grid=(c_int64 * 3)(*blocks), stream=stream or None)
        packed = (library.Argument * len(arguments))(*arguments)
        check(get_library().tile_launch(self._kernel, packed, len(arguments),
                                        byref(options)))

    def prepare(self, arguments: list[library.Argument],
                blocks: tuple[int, ...]) -> int:
        """Returns the handle of a plan. Raises an error for a kernel that needs
        workspaces, since each launch has its own."""
        options = LaunchOptions(grid=(c_int64 * 3)(*blocks))
        packed = (library.Argument * len(arguments))(*arguments)
        plan = c_void_p()
        check(get_library().tile_plan_create(
            self._kernel, packed, len(arguments), byref(options), byref(plan)))
        return plan.value or 0


class LoadedFunction:
    """A function that launches several kernels in the memory of a GPU. For calls whose
    memory the caller does not give, it keeps the memory of the last call, for a next
    call with the same arguments."""

    def __init__(self, device: Device, module: c_void_p, function: c_void_p):
        self._device, self._module, self._function = device, module, function
        self._call: Optional[c_void_p] = None
        self._key: tuple[Any, ...] = ()
        self._lock = threading.Lock()

    def __del__(self) -> None:
        try:
            self._forget()
            get_library().tile_function_destroy(self._function)
            get_library().tile_module_destroy(self._module)
        except Exception:  # the interpreter ends
            pass

    def launch(self, arguments: list[library.Argument],
               blocks: tuple[int, ...], stream: int) -> None:
        """Launches the kernels, in order, in memory of this object. If the arguments are
        not those of the last call, waits for the device. The function takes the extents
        of the grid as arguments, so that `blocks` is not used."""
        key = stream, *map(_get_key, arguments)
        with self._lock:
            if self._call is None or self._key != key:
                self._forget()
                self._call, self._key = self._make_call(arguments), key
            check(get_library().tile_call_launch(self._call, stream or None))

    def launch_in(self, memory: int, arguments: list[library.Argument],
                  stream: int) -> None:
        """Launches the kernels, in order, with memory at an address of the device, which
        must not be used by others until the kernels have ended."""
        plan = self.prepare(arguments, (), memory)
        try:
            check(get_library().tile_plan_launch(plan, stream or None))
        finally:
            get_library().tile_plan_destroy(plan)

    def count_memory(self, arguments: list[library.Argument]) -> int:
        """Returns the bytes of memory that a call needs."""
        packed, bytes = (library.Argument * len(arguments))(*arguments), c_int64()
        check(get_library().tile_function_get_memory(
            self._function, packed, len(arguments), byref(bytes)))
        return bytes.value

    def prepare(self, arguments: list[library.Argument], blocks: tuple[int, ...],
                memory: int = NOWHERE) -> int:
        """Returns the handle of a plan. `memory` is the address of its memory, which is
        the argument after the last one; a launch needs it, unless it has no bytes."""
        packed, plan = (library.Argument * len(arguments))(*arguments), c_void_p()
        check(get_library().tile_function_create_plan(
            self._function, packed, len(arguments), memory, byref(plan)))
        return plan.value or 0

    def _make_call(self, arguments: list[library.Argument]) -> c_void_p:
        packed, call = (library.Argument * len(arguments))(*arguments), c_void_p()
        check(get_library().tile_call_create(self._function, packed, len(arguments),
                                             byref(call)))
        return call

    def _forget(self) -> None:
        """Destroys the last call, once its kernels have ended."""
        if self._call is not None:
            self._device.synchronize()
            get_library().tile_call_destroy(self._call)
            self._call = None


Loaded = Union[LoadedKernel, LoadedFunction]


def _get_key(argument: library.Argument) -> tuple[Any, ...]:
    """Returns the address, sizes and strides of an array, or the bytes of a scalar."""
    rank = argument.rank
    if rank == library.SCALAR:
        return ctypes.string_at(argument.data, _SCALAR_BYTES[argument.type]),
    return argument.data, tuple(argument.sizes[:rank]), tuple(argument.strides[:rank])


# The bytes of a scalar of each type.
_SCALAR_BYTES = {
    b"index": 8, b"i1": 1, b"i8": 1, b"i16": 2, b"i32": 4, b"i64": 8, b"f16": 2,
    b"bf16": 2, b"f32": 4, b"f64": 8, b"f8E4M3FN": 1, b"f8E5M2": 1,
    b"complex<f32>": 8, b"complex<f64>": 16}


def find_device(address: int) -> int:
    """Returns the ordinal of the GPU whose memory has this address, as the driver
    reports it."""
    driver = get_driver()
    ordinal = c_int32()
    # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL of CUDA's driver API.
    status = driver.cuPointerGetAttribute(byref(ordinal), 9, c_void_p(address))
    if status != 0:
        raise ArgumentError(f"expected an array on a GPU, got one at {address:#x} "
                            f"(error {status} of the driver)")
    return ordinal.value


@functools.lru_cache(maxsize=None)
def get_driver() -> ctypes.CDLL:
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise DeviceError(f"expected a driver of CUDA, got none: {error}"
                          ) from None
