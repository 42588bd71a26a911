# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compilation and measurement of candidates: in this process, on copies of the arrays
that the kernel writes; or in an executor's processes, on arrays that are created there.

Other processes receive the traced program, and shapes, types and seeds of the arrays.
They fill floating-point arrays with random, normally distributed values. Integer
arrays, which may hold indices and counts, are sent with their values.
"""

from __future__ import annotations

import concurrent.futures
import functools
import os
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional, Protocol, Union

import numpy as np

from .. import elements
from ..elements import Element
from ..errors import TileError
from ..ir import Type
from ..launching import cache, runtime
from ..launching.arguments import pack_all
from ..launching.arrays import MAX_ALIGNMENT, Description, Span
from .driver import Allocation, Gpu, Memory
from .search import Outcome
from .timing import Launch, Target, Timer

_PAUSE_SECONDS = 0.05
# Count of random values that are generated; larger arrays repeat them.
_MOST_RANDOM = 1 << 20


class Executor(Protocol):
    """An executor of concurrent.futures, or an object that behaves as one."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Any: ...


# ----------------------------------------------------------------------------
# Arrays
# ----------------------------------------------------------------------------


class Copies:
    """Copies of the arrays that a kernel writes. `described` has all arguments of the
    call, with each written array replaced by its copy."""

    def __init__(self, memory: Memory, described: Sequence[Any],
                 written: Iterable[int]):
        self.described = list(described)
        self._memory = memory
        self._kept: list[tuple[Allocation, int, Span]] = []
        for index in sorted(written):
            self._copy(index)

    def _copy(self, index: int) -> None:
        array = self.described[index]
        span = array.span
        kept, start = _allocate(self._memory, span.size, span.begin)
        self._kept.append((kept, start, span))
        self.described[index] = replace(
            array, data=start + array.data - span.begin)

    def restore(self) -> None:
        """Sets the copies to the values that the arrays have in the call."""
        for _, start, span in self._kept:
            if span.size:
                self._memory.copy(start, span.begin, span.size)


def _allocate(memory: Memory, size: int, like: int) -> tuple[Allocation, int]:
    """Allocates memory for `size` bytes. Returns the allocation, and the address in it
    of these bytes, which equals `like` modulo MAX_ALIGNMENT."""
    kept = memory.allocate(size + MAX_ALIGNMENT)
    return kept, kept.address + (like - kept.address) % MAX_ALIGNMENT


# ----------------------------------------------------------------------------
# In this process
# ----------------------------------------------------------------------------


def compile_all(jobs: Mapping[int, Callable[[], Any]],
                is_over: Callable[[], bool],
                note: Callable[[int, str], None]) -> dict[int, Any]:
    """Runs jobs concurrently on threads, and returns their results by the jobs'
    indices. A failure of a job is passed to `note`. Once `is_over` holds and at least
    one job is done, the remaining jobs are left out."""
    made: dict[int, Any] = {}
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    futures = {pool.submit(job): index for index, job in jobs.items()}
    try:
        for future in concurrent.futures.as_completed(futures):
            index = futures[future]
            if error := future.exception():
                if not is_failure(error):
                    raise error
                note(index, str(error))
            else:
                made[index] = future.result()
            if made and is_over():
                break
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return made


def is_failure(error: BaseException) -> bool:
    """Whether an error is the failure of one candidate; other errors are mistakes in
    the call, which fail for every candidate."""
    return isinstance(error, TileError) and not isinstance(error, TypeError)


class LocalSampler:
    """Measures launches in this process."""

    def __init__(self, timer: Timer, launches: Mapping[int, Launch],
                 candidates: Mapping[int, Mapping[str, Any]],
                 is_over: Callable[[], bool]):
        self._timer, self._launches = timer, launches
        self._candidates, self._is_over = candidates, is_over
        self._order = random.Random(1)

    def sample(self, runs: Mapping[int, int], bursts: int) -> dict[int, Outcome]:
        outcomes: dict[int, Outcome] = {}
        for _ in range(bursts):
            # Candidates are measured in another random order in each burst, so that
            # none is always the first.
            for index in self._order.sample(sorted(runs), len(runs)):
                if outcomes and self._is_over():
                    return outcomes
                found = outcomes.get(index, Outcome())
                if not found.failure:
                    outcomes[index] = self._measure(index, runs[index], found)
        return outcomes

    def _measure(self, index: int, runs: int, so_far: Outcome) -> Outcome:
        self._timer.pause(_PAUSE_SECONDS)
        return measure_burst(self._timer, self._candidates[index],
                             self._launches[index], runs, so_far)


def measure_burst(timer: Timer, candidate: Mapping[str, Any], launch: Launch,
                  runs: int, so_far: Outcome) -> Outcome:
    """Measures one more burst of a candidate. Returns the outcome `so_far` with the
    time of this burst added."""
    try:
        seconds = timer.measure(candidate, launch, runs)
    except TileError as error:
        return Outcome(failure=str(error))
    return Outcome(so_far.seconds + (float(np.median(seconds)),))


# ----------------------------------------------------------------------------
# In other processes
# ----------------------------------------------------------------------------


@dataclass(frozen=True)
class ArraySpec:
    """A description of an array for another process, which creates it. `data` has the
    bytes from its first element to its last one; without `data` the values are
    random."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    element: Element
    address: int  # modulo MAX_ALIGNMENT
    seed: int
    data: Optional[bytes]


@dataclass(frozen=True)
class Task:
    """A candidate for another process to compile and measure."""

    candidate: Mapping[str, Any]  # described
    name: str
    text: str
    tiling: Optional[str]
    blocks: tuple[int, ...]
    types: tuple[Optional[Type], ...]
    arguments: tuple[Union[ArraySpec, Any], ...]
    written: frozenset[int]
    timer: Timer
    target: Target


def specify(arguments: Sequence[Any], memory: Memory) -> tuple[Any, ...]:
    """Returns the arguments with an `ArraySpec` in place of each array; scalars
    stay."""
    return tuple(_specify(value, seed, memory)
                 if isinstance(value, Description) else value
                 for seed, value in enumerate(arguments, 1))


def _specify(array: Description, seed: int, memory: Memory) -> ArraySpec:
    span = array.span
    is_random = array.element.kind in ("float", "complex")
    data = None if is_random else memory.download(span.begin, span.size)
    return ArraySpec(array.shape, array.strides, array.element,
                     span.begin % MAX_ALIGNMENT, seed, data)


def make_values(element: Element, count: int, seed: int) -> bytes:
    """Returns `count` random elements: normally distributed, or, for types of eight
    bits, with absolute values between 1/8 and 8."""
    rng = np.random.default_rng(seed)
    some = min(count, _MOST_RANDOM)
    if element.bits == 8:
        low, high = (0x20, 0x50) if element == elements.f8e4m3 else (0x30, 0x48)
        made: Any = rng.integers(low, high, some, np.uint8)
        made |= rng.integers(0, 2, some, np.uint8) << 7
    elif element == elements.bf16:
        wide = rng.standard_normal(some, np.float32)
        made = (wide.view(np.uint32) >> 16).astype(np.uint16)
    elif element.kind == "complex":
        made = rng.standard_normal((some, 2)).view(np.complex128)[:, 0].astype(
            elements.get_dtype(element))
    else:
        made = rng.standard_normal(some).astype(elements.get_dtype(element))
    return bytes(np.resize(made, count).tobytes())


class Arrays:
    """Arrays that are created from descriptions, in newly allocated memory."""

    def __init__(self, memory: Memory, specs: Sequence[Any]):
        self._kept: list[Allocation] = []
        self.described = [self._make(memory, spec)
                          if isinstance(spec, ArraySpec) else spec
                          for spec in specs]

    def _make(self, memory: Memory, spec: ArraySpec) -> Description:
        array = Description(0, spec.shape, spec.strides, spec.element, None)
        span = array.span
        kept, start = _allocate(memory, span.size, spec.address)
        self._kept.append(kept)
        data = spec.data if spec.data is not None else make_values(
            spec.element, span.size // array.item_bytes, spec.seed)
        memory.upload(start, data)
        return replace(array, data=start - span.begin)


class _RemoteLaunch:
    """The kernel of a task on the first GPU of this process. It is loaded when it is
    first launched."""

    def __init__(self, task: Task, made: cache.Compiled):
        self._task, self._made = task, made

    def run(self) -> None:
        kernel, _, arguments = self._ready
        kernel.launch(arguments, self._task.blocks, 0)

    def restore(self) -> None:
        self._ready[1].restore()

    @functools.cached_property
    def _ready(self) -> Any:
        task, gpu = self._task, Gpu(0)
        kernel = runtime.get_device(0).load(self._made.cubin, self._made.metadata,
                                            task.name)
        # The copies are restored from these arrays, which must therefore be kept.
        self._arrays = Arrays(gpu, task.arguments)
        copies = Copies(gpu, self._arrays.described, task.written)
        self._packed = pack_all(copies.described, task.types)
        return kernel, copies, [argument for argument, _ in self._packed]


def run_task(task: Task, runs: int, bursts: int) -> Outcome:
    """Compiles and measures the candidate of a task; a process of an executor runs
    this."""
    try:
        found = task.timer.find_target()
        if found != task.target:
            return Outcome(failure=f"expected a process with {task.target.gpu} "
                           f"({task.target.arch}), got {found.gpu} ({found.arch})")
        launch = _RemoteLaunch(task, _compile(task))
        outcome = Outcome()
        for _ in range(bursts):
            task.timer.pause(_PAUSE_SECONDS)
            outcome = measure_burst(
                task.timer, task.candidate,
                Launch(launch.run, launch.restore, 0, 0), runs, outcome)
        return outcome
    except TileError as error:
        return Outcome(failure=str(error))


def _compile(task: Task) -> cache.Compiled:
    return _compile_text(task.text, task.target.arch, task.name, task.tiling)


@functools.lru_cache(maxsize=256)
def _compile_text(text: str, arch: str, name: str, tiling: Optional[str]
                  ) -> cache.Compiled:
    return cache.compile_kernel(text, arch, f"<{name}>", tiling)


def ask_target(timer: Timer) -> Target:
    """Returns the target, a GPU and its architecture, of the process that runs this."""
    return timer.find_target()


class RemoteSampler:
    """Measures tasks in the processes of an executor. `get_seconds` returns how many
    seconds of the budget are left."""

    def __init__(self, executor: Executor, tasks: Mapping[int, Task],
                 get_seconds: Callable[[], float]):
        self._executor, self._tasks = executor, tasks
        self._get_seconds = get_seconds

    def sample(self, runs: Mapping[int, int], bursts: int) -> dict[int, Outcome]:
        futures = {index: self._executor.submit(
            run_task, self._tasks[index], count, bursts)
            for index, count in runs.items()}
        outcomes = {index: self._wait(future) for index, future in
                    futures.items()}
        return {index: outcome for index, outcome in outcomes.items()
                if outcome is not None}

    def _wait(self, future: Any) -> Optional[Outcome]:
        """Waits for an outcome; returns None if time is over. If the process
        terminates, the candidate counts as failed."""
        try:
            found: Outcome = future.result(timeout=max(self._get_seconds(), 0.01))
            return found
        except (TimeoutError, concurrent.futures.TimeoutError):
            future.cancel()
            return None
        except Exception as error:
            return Outcome(failure=f"{type(error).__name__}: {error}")
