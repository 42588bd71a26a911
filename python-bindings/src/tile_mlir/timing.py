# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the time of a kernel is measured. `CudaTimer` is what tuning uses; a class
with its methods may take its place."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Protocol

from . import runtime
from .driver import Gpu
from .errors import DeviceError


@dataclass(frozen=True)
class Target:
    """What a choice is for: an architecture, "sm_90a", and the name of a GPU."""

    arch: str
    gpu: str


@dataclass(frozen=True)
class Launch:
    """A kernel that can be run. `restore` gives what it writes the values that it
    had, and comes before each run. `device` is the number of the GPU and `stream`
    the handle of the stream that both happen on; on the host they are None."""

    run: Callable[[], None]
    restore: Callable[[], None]
    device: Optional[int] = None
    stream: Optional[int] = None


class Timer(Protocol):
    """What measures. Where an executor's processes do, it is pickled."""

    def find_target(self) -> Target:
        """The GPU of the process that this is called in."""
        ...

    def measure(self, candidate: Mapping[str, Any], launch: Launch,
                count: int) -> Sequence[float]:
        """The seconds of each of `count` runs, one after the other; the first
        times a run that was not the first one. `candidate` says which it is."""
        ...

    def get_time(self) -> float:
        """Seconds since some time, by which budgets are kept."""
        ...

    def pause(self, seconds: float) -> None:
        """Waits, so that the clock of a GPU recovers."""
        ...


class CudaTimer:
    """Times by events of the stream. With `flush`, the L2 cache holds nothing of
    the arguments at the beginning of a run; without it a kernel that is shorter
    than a launch from Python takes as long as that."""

    def __init__(self, flush: bool = True):
        self.flush = flush
        self._gpu: Optional[Gpu] = None

    def __getstate__(self) -> dict[str, Any]:
        return {"flush": self.flush, "_gpu": None}

    def find_target(self) -> Target:
        """The process's first GPU."""
        return find_target(0)

    def measure(self, candidate: Mapping[str, Any], launch: Launch,
                count: int) -> Sequence[float]:
        gpu = self._get_gpu(launch)

        def prepare() -> None:
            launch.restore()
            if self.flush:
                gpu.flush_cache()

        # The first one raises the clock, and loads the code.
        return gpu.time(count + 1, prepare, launch.run)[1:]

    def _get_gpu(self, launch: Launch) -> Gpu:
        if launch.device is None or launch.stream is None:
            raise DeviceError("expected arrays on a GPU, whose events give the "
                              "time, got arrays on the host")
        gpu = self._gpu
        if gpu is None or (gpu.ordinal, gpu.stream) != (launch.device,
                                                        launch.stream):
            gpu = self._gpu = Gpu(launch.device, launch.stream)
        return gpu

    def get_time(self) -> float:
        return time.monotonic()

    def pause(self, seconds: float) -> None:
        time.sleep(seconds)


def find_target(device: int) -> Target:
    """That of a GPU, by its number."""
    found = runtime.get_device(device)
    return Target(found.arch, found.name)
