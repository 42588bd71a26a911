# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times calls on a GPU in short bursts after pauses, several calls in turns."""

import statistics
import time
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Bursts:
    """The bursts of one call: their count, the pause before each, the time of each, and
    the most calls in one. The GPU waits for `sleep_cycles` until calls are queued."""
    series: int = 5
    pause_seconds: float = 0.1
    seconds: float = 0.01
    most_calls: int = 20
    sleep_cycles: int = 60_000_000


def time_calls(call, count, bursts):
    """Returns the time of a call among `count` that are queued, in microseconds."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    # The GPU waits until the calls are queued, so that the host's time is hidden.
    torch.cuda._sleep(bursts.sleep_cycles)
    start.record()
    for _ in range(count):
        call()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e3 / count


def time_burst(call, bursts):
    """Returns the time of a call in a burst, in microseconds."""
    one = time_calls(call, 2, bursts)
    count = min(bursts.most_calls, max(2, int(bursts.seconds * 1e6 / one)))
    return time_calls(call, count, bursts)


def time_in_turns(calls, bursts=Bursts()):
    """Returns the median time of each of several calls, timed in turns in bursts."""
    times = [[] for _ in calls]
    for _ in range(bursts.series):
        for call, found in zip(calls, times):
            time.sleep(bursts.pause_seconds)
            found.append(time_burst(call, bursts))
    return list(map(statistics.median, times))
