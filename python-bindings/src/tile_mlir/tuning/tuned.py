# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that choose among parameters and options by measuring them.

    @tile.autotune({"m": [64, 128], "n": [64, 128, 256], "k": [32, 64],
                    "tiling": [None, "warps=2,4"]},
                   when=lambda m, n: m * n <= 128 * 256, file="gemm.tune")
    @tile.kernel(grid=lambda c, m, n: (tile.cdiv(c.shape[0], m),
                                       tile.cdiv(c.shape[1], n)))
    def gemm(a, b, c, *, m, n, k): ...

    gemm(a, b, c)

A choice is for a kernel, the types of its arguments, its other constants, a key, and
a GPU with its architecture. The key is the sizes of the arrays, or what `key` makes
of the arguments. A call finds its choice

1. in this process,
2. in the file,
3. with arrays on a GPU, by measuring, within the budget; it is kept in the file,
4. else in the nearest entry of the file for the same architecture, and where there
   is none as the first candidate.

The third step is left out with `tune="never"`, and of calls on the host, where no
timer is given: a call there is for checks, and time means nothing. What a call on a
GPU takes from the fourth is a warning of the logger `tile_mlir.tuning`, which has
the other choices as information.

Candidates are compiled on threads, then measured by `search`, on copies of what
the kernel writes: a call's arrays are as they were before its launch. With an
executor they are compiled and measured by its processes (`measuring`). A candidate
that cannot be traced, compiled or launched is noted, and is an error where there is
no other one.
"""

from __future__ import annotations

import functools
import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from .. import cache, library, runtime
from ..arguments import pack
from ..arrays import Description, is_array
from ..driver import Gpu, Host, Memory
from ..elements import Element
from ..errors import ArgumentError, LaunchError, TuningError
from ..inspection.specialization import Inspectable, Specialization
from ..ir import ArrayType, Type
from ..kernel import (Call, Grid, Kernel, Program, Work, _get_blocks, call_by_names,
                      make_launcher)
from ..machines import get_machine
from ..timing import CudaTimer, Launch, Target, Timer, find_target
from . import tuning_file
from .candidates import Candidate, Space, describe, make_candidates
from .measuring import (Copies, Executor, LocalSampler, RemoteSampler, Task,
                        ask_target, compile_all, is_failure, specify)
from .progress import Progress, show_progress
from .search import Record, Sampler, search
from .tuning_file import Entry, Problem

_log = logging.getLogger("tile_mlir.tuning")
# Of the budget, at most this part is for compiling.
_COMPILING = 0.5
# The emulator's architecture where none is named.
_EMULATOR_ARCH = "sm_80"
# Kernels that are measured at the same time disturb one another.
_measuring = threading.RLock()


@dataclass(frozen=True)
class Choice:
    """What a call takes. `source` is "measured", "file", "nearest entry" or "first
    candidate"; `seconds` what it took where it was measured, None for a first
    candidate."""

    values: Mapping[str, Any]
    source: str
    seconds: Optional[float]


@dataclass(frozen=True)
class Tuning:
    """What measuring gave: the choice, and what became of each candidate, in
    their order. `choice` is of no measurement where time was over before one was
    done."""

    choice: Choice
    records: Sequence[Record]


@dataclass(frozen=True)
class _Choice:
    candidate: Candidate
    source: str
    seconds: Optional[float]


@dataclass(frozen=True)
class _Question:
    """A call that is to have a choice."""

    call: Call
    grid: Optional[Grid]
    problem: Problem
    values: Mapping[str, Any]  # arguments and constants by their names
    target: Optional[Target]  # that choices are measured for
    arch: Optional[str]  # that it is compiled for; None: any
    device: Optional[int]


class Tuned(Inspectable):
    """A kernel with @tile.autotune. It is called as the kernel is, without the
    tuned parameters.

    `kernel` is the kernel itself. `executor`, `timer` and `budget` may be
    assigned, as where a cluster is known later than the kernel."""

    def __init__(self, kernel: Kernel, space: Space, *,
                 key: Optional[Callable[..., Any]],
                 when: Optional[Callable[..., bool]],
                 file: Union[str, Path, None], budget: float, tune: str,
                 executor: Optional[Executor], timer: Optional[Timer]):
        functools.update_wrapper(self, kernel, updated=())
        self.kernel = self._last = kernel
        self.executor, self.timer, self.budget = executor, timer, budget
        self._candidates = make_candidates(space, _list_keywords(kernel))
        self._tuned = {name for candidate in self._candidates
                       for name, _ in candidate.constants}
        self._key, self._when, self._tune = key, when, tune
        self._file = None if file is None else _find_file(kernel, Path(file))
        self._kernels: dict[tuple[tuple[str, Any], ...], Kernel] = {}
        self._choices: dict[Any, _Choice] = {}
        self._bound = Bound(self, None)
        self._bounds: dict[Any, Bound] = {}
        self._generation = 0

    __name__: str

    # ------------------------------------------------------------------------
    # Calls
    # ------------------------------------------------------------------------

    def __call__(self, *arguments: Any, **constants: Any) -> None:
        self._bound(*arguments, **constants)

    def __getitem__(self, grid: Grid) -> "Bound":
        """The kernel with a grid, as that of a kernel."""
        if not isinstance(grid, (int, tuple)):
            return Bound(self, grid)
        if grid not in self._bounds:
            self._bounds[grid] = Bound(self, grid)
        return self._bounds[grid]

    def tune(self, *arguments: Any, **constants: Any) -> Tuning:
        """Measures for such a call, also where there is a choice, which is
        replaced. With arrays on the host it is for the GPU of the timer's process,
        or of an executor's. The arrays are as before."""
        return self._bound.tune(*arguments, **constants)

    def choose(self, *arguments: Any, **constants: Any) -> Choice:
        """What a call would take; it is measured where the call would do so."""
        return self._bound.choose(*arguments, **constants)

    def _launch(self, launcher: Any, grid: Optional[Grid],
                arguments: tuple[Any, ...], constants: dict[str, Any]) -> None:
        candidate = self._find(self._ask(grid, arguments, constants)).candidate
        kernel = self._last = self._get_kernel(candidate)
        kernel._launch(launcher, self._get_grid(grid), arguments, constants,
                       dict(candidate.constants))

    def _get_grid(self, grid: Optional[Grid]) -> Grid:
        found = self.kernel._grid if grid is None else grid
        if found is None:
            raise LaunchError(
                f"expected a grid of the kernel {self.__name__!r}, as "
                f"{self.__name__}[blocks](...) or @tile.kernel(grid=...), got none")
        return found

    def _get_kernel(self, candidate: Candidate) -> Kernel:
        if not candidate.options:
            return self.kernel
        found = self._kernels.get(candidate.options)
        if found is None:
            found = self._kernels[candidate.options] = \
                self.kernel._with_options(**dict(candidate.options))
        return found

    # ------------------------------------------------------------------------
    # Programs
    # ------------------------------------------------------------------------

    def trace(self, *arguments: Any, **constants: Any) -> str:
        """`Kernel.trace` of what a call on this thread's machine would take.
        Nothing is measured here and in the next two. They take types of arrays
        too: sizes that are not known are as any other."""
        found = self._guess(arguments, constants, _get_arch())
        return self._get_kernel(found).trace(*arguments, **constants,
                                             **dict(found.constants))

    def compile(self, *arguments: Any, arch: str = "sm_90a",
                outputs: tuple[str, ...] = ("ptx", "cubin", "metadata", "report"),
                **constants: Any) -> dict[str, bytes]:
        """`Kernel.compile` of what the file has for an architecture, else of the
        first candidate."""
        found = self._guess(arguments, constants, arch)
        return self._get_kernel(found).compile(
            *arguments, arch=arch, outputs=outputs, **constants,
            **dict(found.constants))

    def specialize(self, *arguments: Any, arch: str = "sm_90a", **constants: Any
                   ) -> Specialization:
        """`Kernel.specialize`, of the same as `compile`."""
        found = self._guess(arguments, constants, arch)
        return self._get_kernel(found).specialize(
            *arguments, arch=arch, **constants, **dict(found.constants))

    def _get_specialization(self) -> Specialization:
        """Of the last call."""
        return self._last._get_specialization()

    def _guess(self, arguments: Sequence[Any], constants: dict[str, Any],
               arch: Optional[str]) -> Candidate:
        call = self._bind(arguments, constants)
        values = self._get_values(call)
        question = _Question(call, None, self._describe(call, values), values, None,
                             arch, None)
        return self._fall_back(question).candidate

    # ------------------------------------------------------------------------
    # What a choice is for
    # ------------------------------------------------------------------------

    def _bind(self, arguments: Sequence[Any], constants: dict[str, Any]) -> Call:
        for name in constants:
            if name in self._tuned:
                raise ArgumentError(
                    f"expected a call of {self.__name__!r} without {name!r}, which "
                    f"is tuned, got {constants[name]!r}; `.kernel` takes it")
        first = dict(self._candidates[0].constants)
        return self.kernel._bind(arguments, {**constants, **first})

    def _ask(self, grid: Optional[Grid], arguments: tuple[Any, ...],
             constants: dict[str, Any]) -> _Question:
        call = self._bind(arguments, constants)
        self._check_arrays(call)
        values = self._get_values(call)
        device = self.kernel._find_device(call.described)
        target = None
        if device is not None:
            target = find_target(device)
        elif self.timer is not None:
            target = self.timer.find_target()
        arch = target.arch if target is not None else _get_arch()
        return _Question(call, grid, self._describe(call, values), values, target,
                         arch, device)

    def _check_arrays(self, call: Call) -> None:
        for name, value in zip(self.kernel._names, call.values):
            if isinstance(value, (ArrayType, Element)):
                raise ArgumentError(f"expected an array or a number for {name!r}, "
                                    f"got a type, {value!r}")

    def _get_values(self, call: Call) -> dict[str, Any]:
        """Of a call by their names, without the tuned ones."""
        constants = {name: value for name, value in call.key.constants
                     if name not in self._tuned}
        return dict(zip(self.kernel._names, call.values), **constants)

    def _describe(self, call: Call, values: Mapping[str, Any]) -> Problem:
        constants = {name: describe(value) for name, value in call.key.constants
                     if name not in self._tuned}
        return Problem(self.__name__, [_describe_type(t) for t in call.key.types],
                       constants, self._make_key(call, values))

    def _make_key(self, call: Call, values: Mapping[str, Any]) -> list[Any]:
        if self._key is None:
            return [list(value.shape) for value in call.described
                    if isinstance(value, (Description, ArrayType))]
        found = call_by_names("a function `key`", self._key, dict(values))
        key = describe(found)
        return key if isinstance(key, list) else [key]

    # ------------------------------------------------------------------------
    # Choices
    # ------------------------------------------------------------------------

    def _find(self, question: _Question) -> _Choice:
        place = _make_place(question)
        found = self._choices.get(place)
        if found is not None:
            return found
        with _measuring:
            # Another thread may have had the same call.
            if place not in self._choices:
                self._choices[place] = self._decide(question)
            return self._choices[place]

    def _decide(self, question: _Question) -> _Choice:
        if question.target is not None and self._tune == "missing":
            if self._is_empty(question):
                return _Choice(self._list(question)[0], "first candidate", None)
            return self._read_choice(question) or self._measure(question)[0]
        return self._fall_back(question)

    def _read_choice(self, question: _Question) -> Optional[_Choice]:
        """That of the file."""
        if question.target is None:
            return None
        entry = tuning_file.find(self._read_file(), question.problem,
                                 question.target)
        return self._take(question, entry, "file") if entry else None

    def _fall_back(self, question: _Question) -> _Choice:
        found = self._read_choice(question) or self._take_nearest(question) or \
            _Choice(self._list(question)[0], "first candidate", None)
        self._log_choice(question, found)
        return found

    def _take_nearest(self, question: _Question) -> Optional[_Choice]:
        gpu = None if question.target is None else question.target.gpu
        left = [entry for entry in self._read_file()
                if self._take(question, entry, "")]
        entry = tuning_file.find_nearest(left, question.problem, question.arch, gpu)
        return self._take(question, entry, "nearest entry") if entry else None

    def _take(self, question: _Question, entry: Entry, source: str
              ) -> Optional[_Choice]:
        """What an entry says, unless that is no candidate of the call any more."""
        for candidate in self._list(question):
            if tuning_file.is_same(candidate.describe(), entry.choice):
                return _Choice(candidate, source, entry.microseconds / 1e6)
        return None

    def _read_file(self) -> list[Entry]:
        if self._file is None:
            return []
        return [entry for entry in tuning_file.read(self._file)
                if entry.kernel == self.__name__]

    def _list(self, question: _Question) -> list[Candidate]:
        """The candidates of a call."""
        if self._when is None:
            return self._candidates
        found = [candidate for candidate in self._candidates if call_by_names(
            "a function `when`", self._when,
            {**question.values, **candidate.values})]
        if not found:
            raise TuningError(
                f"expected candidates of {self.__name__!r} for which `when` is true, "
                f"got none of {len(self._candidates)}")
        return found

    def _is_empty(self, question: _Question) -> bool:
        """Whether no block runs."""
        return 0 in self._get_blocks(question, self._list(question)[0])

    def _get_blocks(self, question: _Question, candidate: Candidate
                    ) -> tuple[int, ...]:
        return _get_blocks(self._get_grid(question.grid),
                           {**question.values, **dict(candidate.constants)})

    def _log_choice(self, question: _Question, choice: _Choice) -> None:
        is_guess = question.device is not None and \
            choice.source in ("nearest entry", "first candidate")
        _log.log(logging.WARNING if is_guess else logging.INFO,
                 "%s takes %s for %s: %s", self.__name__, choice.candidate,
                 question.problem.key, choice.source)

    # ------------------------------------------------------------------------
    # Measuring
    # ------------------------------------------------------------------------

    def _tune_again(self, question: _Question) -> Tuning:
        with _measuring:
            if question.target is None:
                question = self._find_other_target(question)
            choice, records = self._measure(question)
        # What was not measured may be chosen better now, and launchers have plans.
        self._choices = {place: kept for place, kept in self._choices.items()
                         if kept.source in ("measured", "file")}
        self._generation += 1
        if question.device is not None or self.timer is not None:
            self._choices[_make_place(question)] = choice
        return Tuning(_show(choice), records)

    def _find_other_target(self, question: _Question) -> _Question:
        """Of arrays on the host: that of an executor's process."""
        if self.executor is None:
            raise ArgumentError(
                f"expected arrays of {self.__name__!r} on a GPU, a timer or an "
                "executor, got arrays on the host")
        future = self.executor.submit(ask_target, self._get_timer())
        try:
            target = future.result(timeout=self.budget)
        except Exception as error:  # of whatever executor this is
            raise TuningError(
                f"expected a process of the executor with a GPU within "
                f"{self.budget:g} s, got {type(error).__name__}: {error}") from None
        return replace(question, target=target, arch=target.arch)

    def _get_timer(self) -> Timer:
        return CudaTimer() if self.timer is None else self.timer

    def _measure(self, question: _Question) -> tuple[_Choice, list[Record]]:
        """The choice, and what became of the candidates; kept in the file."""
        candidates = self._list(question)
        self._get_blocks(question, candidates[0])  # errors of the call
        records = [Record(number, str(candidate))
                   for number, candidate in enumerate(candidates)]
        run = _Run(self, question, candidates, records, self._get_timer())
        progress = show_progress(f"tuning {self.__name__}", len(candidates))
        try:
            best = run.search(progress)
        finally:
            progress.close()
        return self._conclude(question, candidates, records, best), records

    def _conclude(self, question: _Question, candidates: Sequence[Candidate],
                  records: Sequence[Record], best: Optional[Record]) -> _Choice:
        for record in records:
            _log.debug("%s with %s: %s%s, %.4g us after %d bursts", self.__name__,
                       record.name, record.state,
                       record.reason and f" ({record.reason})",
                       record.median * 1e6, len(record.seconds))
        if best is not None:
            choice = _Choice(candidates[best.number], "measured", best.median)
            self._keep(question, choice)
        else:
            choice = self._do_without(question, candidates, records)
        self._log_choice(question, choice)
        return choice

    def _do_without(self, question: _Question, candidates: Sequence[Candidate],
                    records: Sequence[Record]) -> _Choice:
        """Where none was measured."""
        for record in records:
            if record.state == "not reached":
                _log.warning("%s: no candidate was measured within %g s",
                             self.__name__, self.budget)
                return _Choice(candidates[record.number], "first candidate", None)
        raise TuningError(
            f"expected a candidate of {self.__name__!r} that can be compiled and "
            f"launched, got none of {len(records)}",
            [(record.name, record.reason) for record in records])

    def _keep(self, question: _Question, choice: _Choice) -> None:
        """In the file, if there is to be one."""
        if self._file is None or question.target is None or choice.seconds is None:
            return
        problem, target = question.problem, question.target
        entry = Entry(problem.kernel, target.arch, target.gpu, problem.types,
                      problem.constants, problem.key, choice.candidate.describe(),
                      float(f"{choice.seconds * 1e6:.4g}"))
        try:
            tuning_file.add(self._file, entry)
        except OSError as error:
            _log.warning("%s: a choice is not kept, since %s cannot be written: %s",
                         self.__name__, self._file, error)

    def __repr__(self) -> str:
        return f"<tuned {self.kernel!r} of {len(self._candidates)} candidates>"


class Bound:
    """A tuned kernel with a grid, that of the kernel if it is None."""

    def __init__(self, tuned: Tuned, grid: Optional[Grid]):
        self._tuned, self._grid = tuned, grid
        if grid is not None and not callable(grid):
            _get_blocks(grid, {})
        self._generation = -1

    def __call__(self, *arguments: Any, **constants: Any) -> None:
        if self._generation != self._tuned._generation:
            self._generation = self._tuned._generation
            # With plans of the choices there are.
            self._launcher = make_launcher(self._launch)
        self._launcher(*arguments, **constants)

    def _launch(self, *arguments: Any, **constants: Any) -> None:
        self._tuned._launch(self._launcher, self._grid, arguments, constants)

    def tune(self, *arguments: Any, **constants: Any) -> Tuning:
        """`Tuned.tune` with this grid."""
        tuned = self._tuned
        return tuned._tune_again(tuned._ask(self._grid, arguments, constants))

    def choose(self, *arguments: Any, **constants: Any) -> Choice:
        """`Tuned.choose` with this grid."""
        tuned = self._tuned
        return _show(tuned._find(tuned._ask(self._grid, arguments, constants)))


# ----------------------------------------------------------------------------
# One measurement
# ----------------------------------------------------------------------------


class _Run:
    """Candidates of a call while they are measured."""

    def __init__(self, tuned: Tuned, question: _Question,
                 candidates: Sequence[Candidate], records: Sequence[Record],
                 timer: Timer):
        self._tuned, self._question = tuned, question
        self._candidates, self._records = candidates, records
        self._timer = timer
        self._begin = timer.get_time()
        first = next((value for value in question.call.values if is_array(value)),
                     None)
        self._stream = 0 if question.device is None else \
            runtime.find_stream(first, question.device)
        self._memory: Memory = Host()
        if question.device is not None:
            self._memory = Gpu(question.device, self._stream)

    def search(self, progress: Progress) -> Optional[Record]:
        progress.update(0, "compiling")
        programs = self._trace_all()
        sampler = self._send(programs) if self._tuned.executor is not None else \
            self._prepare(programs)
        return search(self._records, sampler, self._is_over, progress)

    def _get_seconds(self) -> float:
        """How many are left."""
        return self._begin + self._tuned.budget - self._timer.get_time()

    def _is_over(self) -> bool:
        return self._get_seconds() <= 0

    def _find_waiting(self) -> list[int]:
        return [r.number for r in self._records if r.state == "waiting"]

    def _fail(self, number: int, reason: str) -> None:
        self._records[number].settle("failed", reason)

    # ------------------------------------------------------------------------
    # Programs
    # ------------------------------------------------------------------------

    def _bind(self, number: int) -> tuple[Kernel, Call]:
        """The kernel of a candidate, and the call with its constants."""
        candidate, call = self._candidates[number], self._question.call
        kernel = self._tuned._get_kernel(candidate)
        constants = {**dict(call.key.constants), **dict(candidate.constants)}
        return kernel, kernel._bind(call.values, constants)

    def _trace_all(self) -> dict[int, Program]:
        found: dict[int, Program] = {}
        for number in self._find_waiting():
            kernel, call = self._bind(number)
            try:
                program = found[number] = kernel._trace(call.key)
            except Exception as error:
                if not is_failure(error):
                    raise
                self._fail(number, str(error))
            else:
                kernel._check_written(call.described, program.written)
        return found

    # ------------------------------------------------------------------------
    # Here
    # ------------------------------------------------------------------------

    def _prepare(self, programs: Mapping[int, Program]) -> Sampler:
        """Compiles what is traced."""
        made = compile_all(
            {number: functools.partial(self._compile, number, get_machine())
             for number in programs}, self._is_compiling_over, self._fail)
        for number in set(self._find_waiting()) - set(made):
            self._records[number].settle("not reached",
                                         "the time to compile was over")
        written = frozenset().union(*(programs[n].written for n in made))
        copies = Copies(self._memory, self._question.call.described, written)
        launches = {number: self._make_launch(number, compiled, copies)
                    for number, compiled in made.items()}
        return LocalSampler(
            self._timer, launches,
            {number: self._candidates[number].values for number in made},
            self._is_over)

    def _is_compiling_over(self) -> bool:
        return self._get_seconds() <= self._tuned.budget * (1 - _COMPILING)

    def _compile(self, number: int, machine: Any) -> Any:
        """On a thread."""
        kernel, call = self._bind(number)
        if self._question.device is None:
            return kernel._compile(kernel._trace(call.key), machine)
        assert self._question.target is not None
        return cache.compile_kernel(
            kernel._trace(call.key).text, self._question.target.arch,
            f"<{kernel.__name__}>", kernel._options.tiling)

    def _make_launch(self, number: int, compiled: Any, copies: Copies) -> Launch:
        kernel, call = self._bind(number)
        blocks = self._tuned._get_blocks(self._question, self._candidates[number])
        device = self._question.device
        work = Work(call, kernel._trace(call.key), blocks, device,
                    list(map(pack, copies.described, call.key.types)))

        def run_here() -> None:
            kernel._run(work)

        def run_there() -> None:
            loaded.launch(work.packed, blocks, self._stream)

        if device is None:
            return Launch(run_here, copies.restore)
        loaded = runtime.get_device(device).load(
            compiled.cubin, compiled.metadata, kernel.__name__)
        return Launch(run_there, copies.restore, device, self._stream)

    # ------------------------------------------------------------------------
    # Elsewhere
    # ------------------------------------------------------------------------

    def _send(self, programs: Mapping[int, Program]) -> Sampler:
        """Has an executor compile and measure."""
        executor = self._tuned.executor
        assert executor is not None
        arguments = specify(self._question.call.described, self._memory)
        tasks = {number: self._make_task(number, program, arguments)
                 for number, program in programs.items()}
        return RemoteSampler(executor, tasks, self._get_seconds)

    def _make_task(self, number: int, program: Program,
                   arguments: tuple[Any, ...]) -> Task:
        candidate, target = self._candidates[number], self._question.target
        assert target is not None
        kernel = self._tuned._get_kernel(candidate)
        return Task(candidate.describe(), kernel.__name__, program.text,
                    kernel._options.tiling,
                    self._tuned._get_blocks(self._question, candidate),
                    self._question.call.key.types, arguments, program.written,
                    self._timer, target)


# ----------------------------------------------------------------------------
# Parts
# ----------------------------------------------------------------------------


def _list_keywords(kernel: Kernel) -> list[str]:
    return [name for name in kernel._signature.parameters
            if name not in kernel._names]


def _find_file(kernel: Kernel, file: Path) -> Path:
    """Beside the kernel's source, unless it says where."""
    source = Path(kernel._get_file())
    return source.parent / file if source.exists() else file


def _describe_type(type: Type) -> str:
    """As MLIR writes it; integers without a sign as Python does."""
    text = type.mlir
    element = type.element if isinstance(type, ArrayType) else type
    if getattr(element, "is_unsigned", False):
        return f"{text} (unsigned)"
    return text


def _get_arch() -> Optional[str]:
    """That a kernel is compiled for on the machine of this thread; None: any."""
    machine = get_machine()
    if machine.kind == library.EMULATOR:
        return machine.arch or _EMULATOR_ARCH
    return None


def _make_place(question: _Question) -> Any:
    """By which a choice is found again."""
    return (question.call.key.types, json.dumps(question.problem.constants),
            json.dumps(question.problem.key), question.target, question.arch)


def _show(choice: _Choice) -> Choice:
    return Choice(choice.candidate.values, choice.source, choice.seconds)


# ----------------------------------------------------------------------------
# The decorator
# ----------------------------------------------------------------------------


def autotune(space: Space, *, key: Optional[Callable[..., Any]] = None,
             when: Optional[Callable[..., bool]] = None,
             file: Union[str, Path, None] = None, budget: float = 60.0,
             tune: str = "missing", executor: Optional[Executor] = None,
             timer: Optional[Timer] = None) -> Callable[[Kernel], Tuned]:
    """Has a kernel choose among candidates by measuring them; the module says
    when.

    `space` has lists of values, each product of which is a candidate, or is a list
    of candidates: for keyword parameters of the kernel, and for the options
    "tiling", "block" and "blocks_per_processor" of `tile.kernel`. Of those `when`,
    if given, says which are any good: a function of some of the kernel's arguments,
    the candidate's values and options, by their names.

    `key` is a function of some of the kernel's arguments, by their names, that
    gives a number, a text, or a tuple of them: calls for which they are equal have
    one choice. Without it those of the same sizes have.

    `file` is where choices are kept (docs/Tuning.md), beside the kernel's source
    unless the path is absolute; without one each process measures anew. `budget` is
    how many seconds a choice may take, half of which at most are for compiling.
    `tune` is "missing", or "never" for calls that measure nothing.

    `executor` compiles and measures candidates side by side in other processes,
    one with a GPU each: any with the `submit` of concurrent.futures. `timer`
    measures (`timing.Timer`), by CUDA's events if none is given."""
    if tune not in ("missing", "never"):
        raise ArgumentError(f"expected tune of 'missing', 'never', got {tune!r}")
    if not isinstance(budget, (int, float, np.number)) or not budget > 0:
        raise ArgumentError(f"expected a budget of seconds above 0, got {budget!r}")

    def make(kernel: Kernel) -> Tuned:
        if not isinstance(kernel, Kernel):
            raise ArgumentError("expected a kernel, as @tile.autotune(...) above "
                                f"@tile.kernel, got {kernel!r}")
        return Tuned(kernel, space, key=key, when=when, file=file, budget=budget,
                     tune=tune, executor=executor, timer=timer)

    return make
