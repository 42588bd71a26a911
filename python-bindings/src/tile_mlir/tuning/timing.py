# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measurement of the time of a kernel. Tuning uses `CudaTimer`, or an object with the
methods of `Timer` that is given instead."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Protocol

from ..errors import DeviceError
from ..launching import runtime
from .driver import Gpu


@dataclass(frozen=True)
class Target:
    """The target of a choice: an architecture, "sm_90a", and the name of a GPU."""

    arch: str
    gpu: str


@dataclass(frozen=True)
class Launch:
    """A kernel that can be run. `restore` resets the arrays that the kernel writes to
    their old values, and must be called before each run. `device` is the ordinal of the
    GPU, and `stream` the handle of the stream, that `run` and `restore` use; on the
    host they are None."""

    run: Callable[[], None]
    restore: Callable[[], None]
    device: Optional[int] = None
    stream: Optional[int] = None


class Timer(Protocol):
    """A timer of launches. If an executor's processes measure, it is pickled."""

    def find_target(self) -> Target:
        """Returns the GPU of the process that calls this."""
        ...

    def measure(self, candidate: Mapping[str, Any], launch: Launch,
                count: int) -> Sequence[float]:
        """Returns the time of each of `count` consecutive runs, in seconds. An
        additional first run is not timed. `candidate` names the candidate."""
        ...

    def get_time(self) -> float:
        """Returns the seconds since a fixed time, for budgets."""
        ...

    def pause(self, seconds: float) -> None:
        """Waits, so that the clock of a GPU can rise again."""
        ...


class CudaTimer:
    """A timer that uses CUDA events in the stream. With `flush`, the L2 cache holds no
    data of the arguments when a run starts. Without it, the measured time is at least
    that of a launch from Python, even for a shorter kernel."""

    def __init__(self, flush: bool = True):
        self.flush = flush
        self._gpu: Optional[Gpu] = None

    def __getstate__(self) -> dict[str, Any]:
        return {"flush": self.flush, "_gpu": None}

    def find_target(self) -> Target:
        """Returns the target of the process's first GPU."""
        return find_target(0)

    def measure(self, candidate: Mapping[str, Any], launch: Launch,
                count: int) -> Sequence[float]:
        gpu = self._get_gpu(launch)

        def prepare() -> None:
            launch.restore()
            if self.flush:
                gpu.flush_cache()

        # The first run raises the clock and loads the code.
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
    """Returns the target of a GPU, given by its ordinal."""
    found = runtime.get_device(device)
    return Target(found.arch, found.name)
