# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of the host and of a GPU, and time measurement on a GPU, for timing kernels. A
GPU is accessed through CUDA's driver API, so that no array library is needed."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Iterator
from ctypes import (byref, c_float, c_int32, c_size_t, c_ubyte, c_uint32, c_uint64,
                    c_void_p)
from typing import Any, Optional, Protocol

from ..errors import DeviceError
from ..launching import runtime

# CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE of CUDA's driver API.
_L2_CACHE_SIZE = 38
# The least count of bytes to write to flush the cache. An H100 takes 80 us to write
# them; meanwhile Python enqueues the next launch, so its time includes no host time.
_LEAST_SCRAP = 256 << 20


class Allocation:
    """Allocated memory, which `free` releases when this object is deleted."""

    def __init__(self, address: int, size: int, free: Callable[[], object]):
        self.address, self.size = address, size
        self._free = free

    def __del__(self) -> None:
        with contextlib.suppress(Exception):  # the interpreter ends
            self._free()


class Memory(Protocol):
    """Interface of the memory that holds arrays: the host's or a GPU's."""

    def allocate(self, size: int) -> Allocation:
        """Allocates memory aligned to 256 bytes."""
        ...

    def copy(self, target: int, source: int, size: int) -> None:
        """Copies bytes within this memory, after all earlier launches and before all
        later ones."""
        ...

    def upload(self, target: int, data: bytes) -> None: ...

    def download(self, source: int, size: int) -> bytes: ...


class Host:
    """The memory of the host."""

    def allocate(self, size: int) -> Allocation:
        kept = [ctypes.create_string_buffer(size + 256)]
        return Allocation(-(-ctypes.addressof(kept[0]) // 256) * 256, size,
                          kept.clear)

    def copy(self, target: int, source: int, size: int) -> None:
        ctypes.memmove(target, source, size)

    def upload(self, target: int, data: bytes) -> None:
        ctypes.memmove(target, data, len(data))

    def download(self, source: int, size: int) -> bytes:
        return ctypes.string_at(source, size)


class Gpu:
    """A GPU, and its stream on which all functions of this class work."""

    def __init__(self, ordinal: int, stream: int = 0):
        runtime.get_device(ordinal)  # starts the driver
        self.ordinal, self.stream = ordinal, stream
        self._driver = runtime.get_driver()
        self._device, self._context = c_int32(), c_void_p()
        self._call("cuDeviceGet", byref(self._device), c_int32(ordinal))
        # The primary context, which the runtime's library retains.
        self._call("cuDevicePrimaryCtxRetain", byref(self._context), self._device)
        self._call("cuDevicePrimaryCtxRelease_v2", self._device)
        self._scrap: Optional[Allocation] = None

    def _call(self, name: str, *arguments: Any) -> None:
        status = getattr(self._driver, name)(*arguments)
        if status != 0:
            raise DeviceError(f"expected {name} to succeed, got error {status} of "
                              "the driver")

    @contextlib.contextmanager
    def _entered(self) -> Iterator[None]:
        """Makes the GPU's context current within `with`."""
        self._call("cuCtxPushCurrent_v2", self._context)
        try:
            yield
        finally:
            self._call("cuCtxPopCurrent_v2", byref(c_void_p()))

    # ------------------------------------------------------------------------
    # Memory
    # ------------------------------------------------------------------------

    def allocate(self, size: int) -> Allocation:
        address = c_uint64()
        with self._entered():
            self._call("cuMemAlloc_v2", byref(address), c_size_t(max(size, 1)))
        return Allocation(address.value, size, lambda: self._free(address))

    def _free(self, address: c_uint64) -> None:
        with self._entered():
            self._call("cuMemFree_v2", address)

    def copy(self, target: int, source: int, size: int) -> None:
        with self._entered():
            self._call("cuMemcpyDtoDAsync_v2", c_uint64(target), c_uint64(source),
                       c_size_t(size), c_void_p(self.stream))

    def upload(self, target: int, data: bytes) -> None:
        with self._entered():
            self._call("cuStreamSynchronize", c_void_p(self.stream))
            self._call("cuMemcpyHtoD_v2", c_uint64(target), data,
                       c_size_t(len(data)))

    def download(self, source: int, size: int) -> bytes:
        data = ctypes.create_string_buffer(size)
        with self._entered():
            self._call("cuStreamSynchronize", c_void_p(self.stream))
            self._call("cuMemcpyDtoH_v2", data, c_uint64(source), c_size_t(size))
        return data.raw

    def flush_cache(self) -> None:
        """Fills the L2 cache with data that no kernel reads. This takes longer on the
        GPU than a launch takes on the host, so the next launch is enqueued before the
        GPU is ready for it."""
        scrap = self._get_scrap()
        with self._entered():
            self._call("cuMemsetD8Async", c_uint64(scrap.address), c_ubyte(0),
                       c_size_t(scrap.size), c_void_p(self.stream))

    def _get_scrap(self) -> Allocation:
        if self._scrap is None:
            size = c_int32()
            self._call("cuDeviceGetAttribute", byref(size),
                       c_int32(_L2_CACHE_SIZE), self._device)
            self._scrap = self.allocate(max(2 * size.value, _LEAST_SCRAP))
        return self._scrap

    # ------------------------------------------------------------------------
    # Time
    # ------------------------------------------------------------------------

    def time(self, runs: int, prepare: Callable[[], None],
             run: Callable[[], None]) -> list[float]:
        """Returns the seconds that the stream takes for each of `runs` runs. `prepare`
        is called before each `run`, and is not timed."""
        with contextlib.ExitStack() as events:
            pairs = [(self._make_event(events), self._make_event(events))
                     for _ in range(runs)]
            for begin, end in pairs:
                prepare()
                self._record(begin)
                run()
                self._record(end)
            seconds = [self._get_seconds(begin, end) for begin, end in pairs]
        return seconds

    def _make_event(self, events: contextlib.ExitStack) -> c_void_p:
        event = c_void_p()
        with self._entered():
            self._call("cuEventCreate", byref(event), c_uint32(0))
        events.callback(self._destroy, event)
        return event

    def _destroy(self, event: c_void_p) -> None:
        with self._entered():
            self._call("cuEventDestroy_v2", event)

    def _record(self, event: c_void_p) -> None:
        with self._entered():
            self._call("cuEventRecord", event, c_void_p(self.stream))

    def _get_seconds(self, begin: c_void_p, end: c_void_p) -> float:
        milliseconds = c_float()
        with self._entered():
            self._call("cuEventSynchronize", end)
            self._call("cuEventElapsedTime", byref(milliseconds), begin, end)
        return milliseconds.value / 1e3
