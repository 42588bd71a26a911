# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that choose among parameters and options by measuring them.

    @tile.autotune({"m": [64, 128], "n": [64, 128, 256], "k": [32, 64],
                    "tiling": [None, "warps=2,4"]},
                   when=lambda m, n: m * n <= 128 * 256, file="gemm.tune")
    @tile.kernel(grid=lambda c, m, n: (tile.cdiv(c.shape[0], m),
                                       tile.cdiv(c.shape[1], n)))
    def gemm(a, b, c, *, m, n, k): ...

    gemm(a, b, c)

A choice is made for a kernel, the types of its arguments, its constants that are not
tuned, a key, and a GPU with its architecture. The key is the sizes of the arrays, or
the result of the function `key` for the arguments. A call takes its choice from the
first of these that has one:

1. this process,
2. the file,
3. a measurement, within the budget, if the arrays are on a GPU; it is kept in the file,
4. the nearest entry of the file for the same architecture,
5. the first candidate.

The third step is left out with `tune="never"`, and for calls on the host if no timer is
given: such a call is for checking, and its time is meaningless. The logger
`tile_mlir.tuning` reports choices: as a warning if a call on a GPU takes its choice in
the last two steps, else as information.

Candidates are compiled on threads, then measured by `search`, on copies of the arrays
that the kernel writes, so that measuring does not change the arrays of the call. With
an executor its processes compile and measure them (`measuring`). A candidate that
cannot be traced, compiled or launched is recorded as failed; it is an error if all
fail.
"""

from __future__ import annotations

import functools
import logging
import operator
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from .. import library
from ..errors import ArgumentError, TuningError, hides_own_lines
from ..inspection.specialization import Inspectable, Specialization
from ..ir import ArrayType
from ..launching import fakes, launches
from ..launching.arrays import Description
from ..launching.extension import Launcher
from ..launching.grids import Grid, call_by_names, check_grid
from ..launching.kernel import Kernel
from ..launching.launches import MOST_GRIDS
from ..launching.machines import get_emulator_arch, get_machine
from ..launching.programs import Call, Definition, find_arch
from ..launching.work import Work, bind_work, check_not_tracing
from . import tuning_file
from .candidates import Candidate, Space, describe, make_candidates
from .measuring import Executor, ask_target
from .progress import show_progress
from .questions import Question, describe_type
from .runs import Run
from .search import Record
from .timing import CudaTimer, Timer, find_target
from .tuning_file import Entry, Problem

_log = logging.getLogger("tile_mlir.tuning")
# Only one thread measures at a time, since kernels would disturb one another's times.
_measuring = threading.RLock()


@dataclass(frozen=True)
class Choice:
    """The choice that a call uses. `source` is "measured", "file", "nearest entry" or
    "first candidate". `seconds` is the measured time of a run of the kernel, None for a
    first candidate."""

    values: Mapping[str, Any]
    source: str
    seconds: Optional[float]


@dataclass(frozen=True)
class Tuning:
    """The result of a tuning: the choice, and a record of each candidate, in the
    candidates' order. If the budget was used up before anything was measured, `choice`
    is a candidate that was not measured."""

    choice: Choice
    records: Sequence[Record]


@dataclass(frozen=True)
class _Choice:
    candidate: Candidate
    source: str
    seconds: Optional[float]


class Tuned(Inspectable):
    """A kernel with @tile.autotune. It is called like the kernel, but without the tuned
    parameters.

    `kernel` is the kernel itself. `executor`, `timer` and `budget` may be assigned
    later, for example if a cluster is known only after the kernel's definition."""

    def __init__(self, kernel: Kernel, space: Space, *,
                 key: Optional[Callable[..., Any]],
                 when: Optional[Callable[..., bool]],
                 file: Union[str, Path, None], budget: float, tune: str,
                 executor: Optional[Executor], timer: Optional[Timer]):
        functools.update_wrapper(self, kernel, updated=())
        self.kernel = self._last = kernel
        self.executor, self.timer, self.budget = executor, timer, budget
        self._definition = kernel.definition
        self._candidates = make_candidates(space, self._definition.keywords)
        self._tuned = {name for candidate in self._candidates
                       for name, _ in candidate.constants}
        signature = self._definition.signature
        self.__signature__ = signature.replace(parameters=[
            parameter for name, parameter in signature.parameters.items()
            if name not in self._tuned])
        self._key, self._when, self._tune = key, when, tune
        self._file = None if file is None else _find_file(self._definition, Path(file))
        self._kernels: dict[tuple[tuple[str, Any], ...], Kernel] = {}
        self._choices: dict[Any, _Choice] = {}
        self._generation = 0
        self._bound = Bound(self, None)
        self._bounds: dict[Any, Bound] = {}

    __name__: str
    __qualname__: str

    # ------------------------------------------------------------------------
    # Calls
    # ------------------------------------------------------------------------

    def __call__(self, *arguments: Any, **constants: Any) -> None:
        self._bound(*arguments, **constants)

    def __getitem__(self, grid: Grid) -> "Bound":
        """Returns the tuned kernel with a grid, as `kernel[grid]` does for a kernel."""
        check_grid(grid)
        if not isinstance(grid, (int, tuple)):
            return Bound(self, grid)
        found = self._bounds.get(grid)
        if found is None:
            if len(self._bounds) >= MOST_GRIDS:
                self._bounds.clear()
            found = self._bounds.setdefault(grid, Bound(self, grid))
        return found

    def tune(self, *arguments: Any, **constants: Any) -> Tuning:
        """Measures the candidates for a call with these arguments, and replaces an
        existing choice. With arrays on the host, it measures for the GPU of an
        executor's process, or of this process if a timer is given. The arrays do not
        change."""
        return self._bound.tune(*arguments, **constants)

    def choose(self, *arguments: Any, **constants: Any) -> Choice:
        """Returns the choice of a call; it is measured if the call would measure it."""
        return self._bound.choose(*arguments, **constants)

    def prepare(self, *given: Any, grid: Optional[Grid] = None,
                **constants: Any) -> Callable[[], None]:
        """Returns a launch as `Kernel.prepare` does, for the choice that a call would
        take now."""
        candidate = self._choose_for(grid, given, constants)
        return self._use(candidate).prepare(*given, grid=grid, **constants,
                                            **dict(candidate.constants))

    def _choose_for(self, grid: Optional[Grid], arguments: tuple[Any, ...],
                    constants: dict[str, Any]) -> Candidate:
        if fakes.has_fakes(arguments, constants):  # nothing is launched
            call = self._bind(arguments, constants)
            return self._list(self._get_values(call))[0]
        return self._find(self._ask(grid, arguments, constants)).candidate

    def _use(self, candidate: Candidate) -> Kernel:
        """Returns the kernel with a candidate's options, and records it as the kernel
        of the last call."""
        self._last = self._get_kernel(candidate)
        return self._last

    def _get_kernel(self, candidate: Candidate) -> Kernel:
        if not candidate.options:
            return self.kernel
        found = self._kernels.get(candidate.options)
        if found is None:
            definition = self._definition.with_options(**dict(candidate.options))
            found = self._kernels.setdefault(candidate.options, Kernel(definition))
        return found

    # ------------------------------------------------------------------------
    # Programs
    # ------------------------------------------------------------------------

    def trace(self, *arguments: Any, **constants: Any) -> str:
        """Runs `Kernel.trace` for the choice of a call on this thread's machine. This
        function, `compile` and `specialize` measure nothing. They also take types of
        arrays; a size that is None matches the sizes of any choice."""
        found = self._guess(arguments, constants, _find_host_arch())
        return self._get_kernel(found).trace(*arguments, **constants,
                                             **dict(found.constants))

    def compile(self, *arguments: Any, arch: str = "sm_90a",
                outputs: tuple[str, ...] = ("ptx", "cubin", "metadata", "report"),
                **constants: Any) -> dict[str, bytes]:
        """Runs `Kernel.compile` for the choice that the file has for an architecture,
        else for the first candidate."""
        found = self._guess(arguments, constants, arch)
        return self._get_kernel(found).compile(
            *arguments, arch=arch, outputs=outputs, **constants,
            **dict(found.constants))

    def specialize(self, *arguments: Any, arch: Optional[str] = None,
                   **constants: Any) -> Specialization:
        """Runs `Kernel.specialize` for the same choice as `compile`."""
        if arch is None:
            arch = find_arch(self._bind(arguments, constants).find_device())
        found = self._guess(arguments, constants, arch)
        return self._get_kernel(found).specialize(
            *arguments, arch=arch, **constants, **dict(found.constants))

    def _get_specialization(self) -> Specialization:
        """Returns the specialization of the last call."""
        return self._last._get_specialization()

    def _guess(self, arguments: Sequence[Any], constants: dict[str, Any],
               arch: Optional[str]) -> Candidate:
        call = self._bind(arguments, constants)
        values = self._get_values(call)
        question = Question(call, (), self._describe(call, values), values, None,
                            arch, None)
        return self._fall_back(question).candidate

    # ------------------------------------------------------------------------
    # The problem that a choice is for
    # ------------------------------------------------------------------------

    def _bind(self, arguments: Sequence[Any], constants: dict[str, Any]) -> Call:
        for name in constants:
            if name in self._tuned:
                raise ArgumentError(
                    f"expected a call of {self.__name__!r} without {name!r}, which "
                    f"is tuned, got {constants[name]!r}; `.kernel` takes it")
        first = dict(self._candidates[0].constants)
        return self._definition.bind(arguments, {**constants, **first})

    def _ask(self, grid: Optional[Grid], arguments: tuple[Any, ...],
             constants: dict[str, Any]) -> Question:
        check_not_tracing(self._definition)
        call = self._bind(arguments, constants)
        call.check_values()
        values = self._get_values(call)
        device = call.find_device()
        target = None
        if device is not None:
            target = find_target(device)
        elif self.timer is not None:
            target = self.timer.find_target()
        arch = target.arch if target is not None else _find_host_arch()
        return Question(call, self._definition.get_grid(grid),
                        self._describe(call, values), values, target, arch, device)

    def _get_values(self, call: Call) -> dict[str, Any]:
        """Returns the arguments and constants of a call by their names, without the
        tuned parameters."""
        return {name: value for name, value in call.by_name.items()
                if name not in self._tuned}

    def _describe(self, call: Call, values: Mapping[str, Any]) -> Problem:
        constants = {name: describe(value) for name, value in call.key.constants
                     if name not in self._tuned}
        return Problem(self.__name__, [describe_type(t) for t in call.key.types],
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

    def _find(self, question: Question) -> _Choice:
        choice_key: Any = question.choice_key
        found = self._choices.get(choice_key)
        if found is not None and not self._allows(found.candidate, question.values):
            choice_key = choice_key, tuple(self._list(question.values))
            found = self._choices.get(choice_key)
        if found is not None:
            return found
        with _measuring:
            # Another thread may have made the choice for the same call.
            if choice_key not in self._choices:
                self._choices[choice_key] = self._decide(question)
            return self._choices[choice_key]

    def _decide(self, question: Question) -> _Choice:
        if question.target is not None and self._tune == "missing":
            first = self._list(question.values)[0]
            if 0 in question.get_blocks(first):
                return _Choice(first, "first candidate", None)
            return self._read_choice(question) or self._measure(question)[0]
        return self._fall_back(question)

    def _read_choice(self, question: Question) -> Optional[_Choice]:
        """Returns the choice that the file has; None if there is none."""
        if question.target is None:
            return None
        entry = tuning_file.find(self._read_file(), question.problem,
                                 question.target)
        return self._take(question, entry, "file") if entry else None

    def _fall_back(self, question: Question) -> _Choice:
        found = self._read_choice(question) or self._take_nearest(question) or \
            _Choice(self._list(question.values)[0], "first candidate", None)
        self._log_choice(question, found)
        return found

    def _take_nearest(self, question: Question) -> Optional[_Choice]:
        gpu = None if question.target is None else question.target.gpu
        left = [entry for entry in self._read_file()
                if self._take(question, entry, "")]
        entry = tuning_file.find_nearest(left, question.problem, question.arch, gpu)
        return self._take(question, entry, "nearest entry") if entry else None

    def _take(self, question: Question, entry: Entry, source: str
              ) -> Optional[_Choice]:
        """Returns the choice that an entry of the file has; None if it is no longer a
        candidate of the call."""
        for candidate in self._list(question.values):
            if tuning_file.is_same(candidate.describe(), entry.choice):
                return _Choice(candidate, source, entry.microseconds / 1e6)
        return None

    def _read_file(self) -> list[Entry]:
        if self._file is None:
            return []
        return [entry for entry in tuning_file.read(self._file)
                if entry.kernel == self.__name__]

    def _allows(self, candidate: Candidate, values: Mapping[str, Any]) -> bool:
        return self._when is None or bool(call_by_names(
            "a function `when`", self._when, {**values, **candidate.values}))

    def _list(self, values: Mapping[str, Any]) -> list[Candidate]:
        """Returns the candidates of a call with these arguments and constants."""
        found = [candidate for candidate in self._candidates
                 if self._allows(candidate, values)]
        if not found:
            raise TuningError(
                f"expected candidates of {self.__name__!r} for which `when` is true, "
                f"got none of {len(self._candidates)}")
        return found

    def _log_choice(self, question: Question, choice: _Choice) -> None:
        is_guess = question.device is not None and \
            choice.source in ("nearest entry", "first candidate")
        _log.log(logging.WARNING if is_guess else logging.INFO,
                 "%s takes %s for %s: %s", self.__name__, choice.candidate,
                 question.problem.key, choice.source)

    # ------------------------------------------------------------------------
    # Measuring
    # ------------------------------------------------------------------------

    def _tune_again(self, question: Question) -> Tuning:
        with _measuring:
            if question.target is None:
                question = self._find_other_target(question)
            choice, records = self._measure(question)
            # Choices that were not measured are dropped, since the new entry may give
            # better ones.
            kept = {choice_key: old for choice_key, old in self._choices.items()
                    if old.source in ("measured", "file")}
            if question.device is not None or self.timer is not None:
                kept[question.choice_key] = choice
            self._choices = kept
            self._generation += 1  # makes launchers drop earlier plans
        return Tuning(_show(choice), records)

    def _find_other_target(self, question: Question) -> Question:
        """Returns the question with the target of an executor's process, for a call
        with arrays on the host."""
        if self.executor is None:
            raise ArgumentError(
                f"expected arrays of {self.__name__!r} on a GPU, a timer or an "
                "executor, got arrays on the host")
        future = self.executor.submit(ask_target, self._get_timer())
        try:
            target = future.result(timeout=self.budget)
        except Exception as error:  # depends on the executor
            raise TuningError(
                f"expected a process of the executor with a GPU within "
                f"{self.budget:g} s, got {type(error).__name__}: {error}") from None
        return replace(question, target=target, arch=target.arch)

    def _get_timer(self) -> Timer:
        return CudaTimer() if self.timer is None else self.timer

    def _measure(self, question: Question) -> tuple[_Choice, list[Record]]:
        """Measures the candidates of a call. Returns the choice and the records of the
        candidates, and writes the choice to the file."""
        candidates = self._list(question.values)
        question.get_blocks(candidates[0])  # errors of the call
        run = Run(question, candidates,
                  lambda candidate: self._get_kernel(candidate).definition,
                  self._get_timer(), self.executor, self.budget)
        progress = show_progress(f"tuning {self.__name__}", len(candidates))
        try:
            best = run.search(progress)
        finally:
            progress.close()
        return self._conclude(question, candidates, run.records, best), run.records

    def _conclude(self, question: Question, candidates: Sequence[Candidate],
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

    def _do_without(self, question: Question, candidates: Sequence[Candidate],
                    records: Sequence[Record]) -> _Choice:
        """Returns the choice if no candidate was measured: a candidate that was not
        reached in time, with a warning. Raises a TuningError if there is none."""
        for record in records:
            if record.state == "not reached":
                _log.warning("%s: no candidate was measured within %g s",
                             self.__name__, self.budget)
                return _Choice(candidates[record.number], "first candidate", None)
        raise TuningError(
            f"expected a candidate of {self.__name__!r} that can be compiled and "
            f"launched, got none of {len(records)}",
            [(record.name, record.reason) for record in records])

    def _keep(self, question: Question, choice: _Choice) -> None:
        """Writes a choice to the file, if the kernel has one."""
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

    def __reduce__(self) -> str:
        """Pickles the tuned kernel by its name in its module, as kernels are
        pickled."""
        return self.__qualname__

    def __repr__(self) -> str:
        return f"<tuned {self.kernel!r} of {len(self._candidates)} candidates>"


class Bound:
    """A tuned kernel with a grid; None stands for the kernel's own grid."""

    def __init__(self, tuned: Tuned, grid: Optional[Grid]):
        self._tuned, self._grid = tuned, grid
        self._current = tuned._generation, self._make_launcher()

    def __call__(self, *arguments: Any, **constants: Any) -> None:
        generation, launcher = self._current
        if generation != self._tuned._generation:
            generation = self._tuned._generation
            launcher = self._make_launcher()
            self._current = generation, launcher
        launcher(*arguments, **constants)

    def _make_launcher(self) -> Launcher:
        """Makes a launcher, whose plans are valid as long as no choice is replaced."""
        def launch(*arguments: Any, **constants: Any) -> None:
            launch_choice(self._tuned, launcher, self._grid, arguments, constants)

        launcher = Launcher(launch)
        return launcher

    def __reduce__(self) -> tuple[Any, ...]:
        return operator.getitem, (self._tuned, self._grid)

    def tune(self, *arguments: Any, **constants: Any) -> Tuning:
        """Runs `Tuned.tune` with this grid."""
        tuned = self._tuned
        return tuned._tune_again(tuned._ask(self._grid, arguments, constants))

    def choose(self, *arguments: Any, **constants: Any) -> Choice:
        """Runs `Tuned.choose` with this grid."""
        tuned = self._tuned
        return _show(tuned._find(tuned._ask(self._grid, arguments, constants)))


# ----------------------------------------------------------------------------
# Parts
# ----------------------------------------------------------------------------


@hides_own_lines
def launch_choice(tuned: Tuned, launcher: Any, grid: Optional[Grid],
                  arguments: tuple[Any, ...], constants: dict[str, Any]
                  ) -> None:
    """Chooses a candidate for a call, and runs `launches.launch` with it."""
    candidate = tuned._choose_for(grid, arguments, constants)
    launches.launch(
        tuned._use(candidate).definition, launcher, grid, arguments, constants,
        dict(candidate.constants), [tuned._key, tuned._when])


def bind_choice(tuned: Tuned, grid: Optional[Grid], arguments: tuple[Any, ...],
                constants: dict[str, Any]) -> Work:
    """Chooses a candidate for a call, and returns the result of `bind_work` with it."""
    candidate = tuned._choose_for(grid, arguments, constants)
    return bind_work(
        tuned._use(candidate).definition, grid, arguments,
        {**constants, **dict(candidate.constants)})


def _find_file(definition: Definition, file: Path) -> Path:
    """Returns the path of a tuning file: a relative path is relative to the folder of
    the kernel's source, if that exists."""
    source = Path(definition.file)
    return source.parent / file if source.exists() else file


def _find_host_arch() -> Optional[str]:
    """Returns the architecture that a kernel is compiled for on the machine of this
    thread; None: any."""
    is_emulator = get_machine().kind == library.EMULATOR
    return get_emulator_arch() if is_emulator else None


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
    """Makes a kernel choose among candidates by measuring them; the module documents
    when it measures.

    `space` is a list of candidates, or maps names to lists of values, every combination
    of which is a candidate. Names are keyword parameters of the kernel, and the options
    "tiling", "block" and "blocks_per_processor" of `tile.kernel`. `when`, if given,
    decides whether a candidate is allowed: it is a function that takes some of the
    kernel's arguments and of the candidate's values and options, by their names.

    `key` is a function that takes some of the kernel's arguments by their names, and
    returns an int, a float, a text, or a tuple of these. Calls for which it returns the
    same share a choice. Without `key`, calls with arrays of the same sizes do.

    `file` is the file that keeps choices (docs/Tuning.md). A relative path is relative
    to the folder of the kernel's source. Without a file each process measures anew.
    `budget` is how many seconds a choice may take, of which at most half is for
    compiling. `tune` is "missing", or "never" for calls that measure nothing.

    `executor` compiles and measures candidates in parallel, in other processes that
    have one GPU each. It is any object with the `submit` of concurrent.futures. `timer`
    measures runs (`timing.Timer`), with CUDA events if none is given."""
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
