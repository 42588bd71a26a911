# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times matmuls and compares them with cuBLAS, as README.md describes.

A CUDA graph holds one call for each of several sets of matrices, which together exceed
the L2 cache. Bursts of replays are timed, for our program and the peers in turns.
"""

import math
import statistics
import time
from dataclasses import dataclass, replace

import check
import launcher
import matrices
import peers
from launcher import BenchmarkError

SERIES = 3
PAUSE_SECONDS = 0.1
WARM_UP_SECONDS = 0.003
SERIES_SECONDS = 0.012
MIN_REPLAYS = 3


@dataclass
class Timing:
    """The median times of one workload by our program and by one peer, in microseconds.
    Without a peer, `peer` is empty."""
    label: str
    size: tuple
    operations: float = 0
    ours: float = math.nan
    peer: str = ""
    theirs: float = math.nan
    spread: float = math.nan
    problem: str = ""

    def get_teraflops(self, time_us):
        return self.operations / time_us * 1e-6


def count_operations(program, size):
    """Counts the additions and multiplications of a matmul, or of a batch of
    matmuls."""
    return (8 if program.facts.is_complex else 2) * math.prod(size)


def count_sets(l2_bytes, set_bytes):
    """Returns how many sets of inputs together exceed three times the L2 cache; at
    least two."""
    return max(2, 3 * l2_bytes // set_bytes + 1)


def capture(torch, calls, stream):
    """Captures a CUDA graph that holds all of `calls`, after running them once."""
    with torch.cuda.stream(stream):
        for call in calls:
            call()
    stream.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for call in calls:
            call()
    return graph


def time_replay(torch, graph):
    """Returns the seconds of one replay, by events before and after it. The host waits
    for the replay."""
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    start.record()
    graph.replay()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1000


def time_series(torch, graph, one_replay):
    """Returns the median time of a burst of replays, after a pause and a warm-up."""
    time.sleep(PAUSE_SECONDS)
    for _ in range(int(WARM_UP_SECONDS / one_replay) + 1):
        graph.replay()
    count = max(MIN_REPLAYS, round(SERIES_SECONDS / one_replay))
    events = [torch.cuda.Event(enable_timing=True) for _ in range(count + 1)]
    events[0].record()
    for event in events[1:]:
        graph.replay()
        event.record()
    torch.cuda.synchronize()
    return statistics.median(before.elapsed_time(after) / 1000
                             for before, after in zip(events, events[1:]))


class Side:
    """Our program or a peer: its calls, one for each set, and its times."""

    def __init__(self, torch, name, calls, stream):
        self.name = name
        self.outputs = [None] * len(calls)
        self.graph = capture(
            torch, [self.keep(i, call) for i, call in enumerate(calls)], stream)
        self.series = []

    def keep(self, position, call):
        """Returns a call that keeps the output of `call` alive, so that each call
        writes to its own memory."""
        def run():
            self.outputs[position] = call()
        return run

    def get_time(self):
        return statistics.median(self.series)

    def get_spread(self):
        return (max(self.series) - min(self.series)) / self.get_time()


def time_replays(torch, sides):
    """Returns the seconds of one replay of each graph."""
    return [min(time_replay(torch, side.graph) for _ in range(3))
            for side in sides]


def run_series(torch, sides, replays, num_calls):
    """Measures SERIES times for each side, in turns, and appends them to its series:
    the microseconds of one call of its graph."""
    for _ in range(SERIES):
        for side, replay in zip(sides, replays):
            side.series.append(time_series(torch, side.graph, replay)
                               / num_calls * 1e6)


def make_peer_sides(torch, matmuls, stream):
    """Returns the peers that support these matmuls, and prints why others do not."""
    sides = []
    for peer in peers.find_peers(torch, matmuls[0].program):
        try:
            calls = [peer.prepare(torch, matmul) for matmul in matmuls]
            sides.append(Side(torch, peer.name, calls, stream))
        except (RuntimeError, ValueError, TypeError) as error:
            print(f"  {peer.name}: {str(error).strip().splitlines()[0]}")
    return sides


def compare_with_peer(torch, matmuls, side):
    """Raises an error if the kernel's results differ from the peer's."""
    for matmul, output in zip(matmuls[:2], side.outputs):
        ours, theirs = (check.widen(torch, x)
                        for x in (matmul.c.values, output))
        norm = float(theirs.norm())
        error = float((ours - theirs).norm()) / norm
        if not error <= peers.get_max_difference(matmul.program):
            raise BenchmarkError(f"{matmul.launch.entry['symbol']}: differs "
                                 f"from {side.name} by {error:g} in the norm")


def time_kernel(torch, driver, kernel, size):
    """Times one size, in turns with the peers on the same inputs."""
    sizes = [launcher.BYTES[declared["type"]] * math.prod(shape)
             for declared, shape in matrices.get_arrays(kernel, size)]
    properties = torch.cuda.get_device_properties(0)
    num_sets = count_sets(properties.L2_cache_size, sum(sizes))
    matmuls = [matrices.Matmul(torch, driver, kernel, size, matrices.TIGHT)
               for _ in range(num_sets)]
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()
    ours = Side(torch, "ours", [p.run for p in matmuls], stream)
    theirs = make_peer_sides(torch, matmuls, stream)
    torch.cuda.synchronize()
    sides = [ours, *theirs]
    # From here on, the outputs are results of the graphs.
    replays = time_replays(torch, sides)
    for side in theirs:
        compare_with_peer(torch, matmuls, side)
    run_series(torch, sides, replays, num_sets)
    timing = Timing(kernel.label, size,
                    count_operations(matmuls[0].program, size),
                    ours.get_time(), spread=ours.get_spread())
    return [replace(timing, peer=side.name, theirs=side.get_time(),
                    spread=max(timing.spread, side.get_spread()))
            for side in theirs] or [timing]
