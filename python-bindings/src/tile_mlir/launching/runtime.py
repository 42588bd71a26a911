# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on a GPU, by the runtime's C library: include/tile-c/Runtime.h documents its
functions."""

from __future__ import annotations

import ctypes
import functools
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import (POINTER, byref, c_char_p, c_int32, c_int64, c_size_t,
                    c_uint32, c_void_p)
from typing import TYPE_CHECKING, Any, Optional

from .. import library
from ..errors import ArgumentError, DeviceError, LaunchError, TileError
from ..tracing.captured import Guard

if TYPE_CHECKING:
    from .launches import Work

_NAME = "libTileRuntime.so.0"
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
    """The runtime's library."""
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
    })
    return found


def check(status: int, wrong: type[TileError] = ArgumentError) -> None:
    """Raises the error of a status, `wrong` if the function's arguments are the
    cause."""
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
        module = c_void_p()
        check(get_library().tile_module_load(self._handle, cubin, len(cubin),
                                             metadata, byref(module)), LaunchError)
        kernel = c_void_p()
        check(get_library().tile_module_get_kernel(module, name.encode(),
                                                   byref(kernel)), LaunchError)
        return LoadedKernel(module, kernel)

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
        """The handle of a plan. It is an error for a kernel that needs workspaces,
        which belong to each launch."""
        options = LaunchOptions(grid=(c_int64 * 3)(*blocks))
        packed = (library.Argument * len(arguments))(*arguments)
        plan = c_void_p()
        check(get_library().tile_plan_create(
            self._kernel, packed, len(arguments), byref(options), byref(plan)))
        return plan.value or 0


# ----------------------------------------------------------------------------
# Launches without Python
# ----------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def _connect() -> Any:
    """The extension that launches plans, with the library's functions; None where it
    was not built."""
    try:
        from .. import _launch
    except ImportError:
        return None
    functions = get_library()
    _launch.set_runtime(*(
        ctypes.cast(getattr(functions, name), c_void_p).value or 0
        for name in ("tile_plan_set_array", "tile_plan_launch",
                     "tile_plan_destroy")))
    return _launch


def add_plan(launcher: Any, kernel: LoadedKernel, work: "Work",
             arguments: tuple[Any, ...], constants: dict[str, Any],
             guards: tuple[Guard, ...]) -> None:
    """Has a launcher launch the next such call by itself, while the program's guards
    and further ones hold."""
    if _connect() is None:
        return
    try:
        plan = kernel.prepare(work.packed, work.blocks)
    except TileError:  # of workspaces
        return
    written = sum(1 << number for number in work.program.written)
    if not launcher.add(plan, arguments, constants, work.program.guards + guards,
                        written):
        get_library().tile_plan_destroy(plan)


def prepare(kernel: LoadedKernel, work: "Work") -> Callable[[], None]:
    """A launch, which holds the arguments."""
    plan = kernel.prepare(work.packed, work.blocks)
    extension = _connect()
    if extension is not None:
        try:
            launch: Callable[[], None] = extension.Prepared(
                plan, tuple(work.call.values), check)
            return launch
        except TypeError:  # no array with DLPack's exchange
            pass
    return _PreparedLaunch(plan, work)


class _PreparedLaunch:
    """A prepared launch for arrays that the extension's `Prepared` does not take."""

    def __init__(self, plan: int, work: "Work"):
        self._plan, self._work = plan, work

    def __call__(self) -> None:
        stream = find_stream(self._work.call.first_array, self._work.device or 0)
        check(get_library().tile_plan_launch(self._plan, stream or None))

    def __del__(self) -> None:
        try:
            get_library().tile_plan_destroy(self._plan)
        except Exception:  # the interpreter ends
            pass


# ----------------------------------------------------------------------------
# Devices and streams of other libraries
# ----------------------------------------------------------------------------


def find_device(address: int) -> int:
    """The GPU that memory is of, by the driver."""
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


class _State(threading.local):
    stream: Optional[int] = None


_state = _State()


@contextmanager
def stream(handle: int) -> Iterator[None]:
    """Launches the kernels within on a stream of CUDA, by its handle. Otherwise they
    use the current stream of the library that the first array is of."""
    if not isinstance(handle, int) or isinstance(handle, bool) or \
            not 0 <= handle < 2 ** 64:
        raise ArgumentError(f"expected the handle of a stream as an integer, got "
                            f"{handle!r}")
    outer = _state.stream
    _set_stream(handle)
    try:
        yield
    finally:
        _set_stream(outer)


def _set_stream(handle: Optional[int]) -> None:
    """Sets the stream for this thread, and for its launches without Python."""
    _state.stream = handle
    try:
        from .. import _launch
    except ImportError:
        return
    _launch.set_stream(handle)


def find_stream(array: Any, device: int) -> int:
    """The stream that a launch with an array goes to."""
    if _state.stream is not None:
        return _state.stream
    package = type(array).__module__.split(".")[0]
    module = sys.modules.get(package)
    if package == "torch":
        return int(module.cuda.current_stream(device).cuda_stream)  # type: ignore
    if package == "cupy":
        return int(module.cuda.get_current_stream().ptr)  # type: ignore
    if package in ("jax", "jaxlib"):
        array.block_until_ready()  # it has no stream that could be known
        return 0
    interface = array.__cuda_array_interface__
    return int(interface.get("stream") or 0)
