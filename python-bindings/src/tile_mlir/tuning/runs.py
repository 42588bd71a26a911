# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The measurement for one call: its candidates are traced, then compiled and measured,
in this process or by an executor."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional

from ..launching import runtime
from ..launching.arguments import pack_all
from ..launching.machines import get_machine
from ..launching.programs import Call, Definition, Program
from ..launching.streams import find_stream
from ..launching.work import Work
from .candidates import Candidate
from .driver import Gpu, Host, Memory
from .measuring import (Copies, Executor, LocalSampler, RemoteSampler, Task,
                        compile_all, is_failure, specify)
from .progress import Progress
from .questions import Question
from .search import Record, Sampler, search
from .timing import Launch, Timer

# The largest share of the budget that compilation may take.
_COMPILING = 0.5


@dataclass(frozen=True)
class _Job:
    """A candidate that was traced for the call."""

    candidate: Candidate
    call: Call
    program: Program
    blocks: tuple[int, ...]


class Run:
    """The measurement of a call's candidates within `budget` seconds. `get_definition`
    returns the kernel with a candidate's options."""

    def __init__(self, question: Question, candidates: Sequence[Candidate],
                 get_definition: Callable[[Candidate], Definition],
                 timer: Timer, executor: Optional[Executor], budget: float):
        self.records = [Record(index, str(candidate))
                        for index, candidate in enumerate(candidates)]
        self._question, self._candidates = question, candidates
        self._get_definition = get_definition
        self._timer, self._executor, self._budget = timer, executor, budget
        self._begin = timer.get_time()
        self._stream = 0 if question.device is None else \
            find_stream(question.call.first_array, question.device)
        self._memory: Memory = Host()
        if question.device is not None:
            self._memory = Gpu(question.device, self._stream)

    def search(self, progress: Progress) -> Optional[Record]:
        """Returns the record of the fastest candidate; None if none could be
        measured."""
        progress.update(0, "compiling")
        jobs = self._trace_all()
        sampler = self._prepare(jobs) if self._executor is None else \
            self._send(jobs, self._executor)
        return search(self.records, sampler, self._is_over, progress)

    def _get_seconds(self) -> float:
        """Returns how many seconds of the budget are left."""
        return self._begin + self._budget - self._timer.get_time()

    def _is_over(self) -> bool:
        return self._get_seconds() <= 0

    def _fail(self, index: int, reason: str) -> None:
        self.records[index].settle("failed", reason)

    # ------------------------------------------------------------------------
    # Programs
    # ------------------------------------------------------------------------

    def _trace_all(self) -> dict[int, _Job]:
        """Traces the candidates; returns those that could be traced, by their
        indices."""
        found: dict[int, _Job] = {}
        for index, candidate in enumerate(self._candidates):
            try:
                found[index] = self._trace(candidate)
            except Exception as error:
                if not is_failure(error):
                    raise
                self._fail(index, str(error))
        return found

    def _trace(self, candidate: Candidate) -> _Job:
        definition, call = self._get_definition(candidate), self._question.call
        bound = definition.bind(call.values, {**dict(call.key.constants),
                                              **dict(candidate.constants)})
        program = definition.get_program(bound.key)
        bound.check_written(program.written)
        return _Job(candidate, bound, program, self._question.get_blocks(candidate))

    # ------------------------------------------------------------------------
    # In this process
    # ------------------------------------------------------------------------

    def _prepare(self, jobs: Mapping[int, _Job]) -> Sampler:
        """Compiles the traced candidates, and returns a sampler that measures them in
        this process."""
        made = compile_all({index: self._make_compilation(job)
                            for index, job in jobs.items()},
                           self._is_compiling_over, self._fail)
        for record in self.records:
            if record.state == "waiting" and record.number not in made:
                record.settle("not reached", "the time to compile was over")
        written = frozenset().union(*(jobs[n].program.written for n in made))
        copies = Copies(self._memory, self._question.call.described, written)
        launches = {index: self._make_launch(jobs[index], compiled, copies)
                    for index, compiled in made.items()}
        return LocalSampler(
            self._timer, launches,
            {index: jobs[index].candidate.values for index in made},
            self._is_over)

    def _is_compiling_over(self) -> bool:
        return self._get_seconds() <= self._budget * (1 - _COMPILING)

    def _make_compilation(self, job: _Job) -> Callable[[], Any]:
        """Returns a function that compiles a job, to be called on a thread."""
        if self._question.device is None:
            return functools.partial(job.program.compile_for, get_machine())
        assert self._question.target is not None
        return functools.partial(job.program.compile_binary,
                                 self._question.target.arch)

    def _make_launch(self, job: _Job, compiled: Any, copies: Copies) -> Launch:
        device = self._question.device
        work = Work(job.call, job.program, job.blocks, device,
                    pack_all(copies.described, job.call.key.types))
        if device is None:
            return Launch(functools.partial(work.run, is_counted=False),
                          copies.restore)
        loaded = runtime.get_device(device).load(
            compiled.cubin, compiled.metadata, job.program.name)

        def run() -> None:
            loaded.launch(work.packed, work.blocks, self._stream)

        return Launch(run, copies.restore, device, self._stream)

    # ------------------------------------------------------------------------
    # In other processes
    # ------------------------------------------------------------------------

    def _send(self, jobs: Mapping[int, _Job], executor: Executor) -> Sampler:
        """Returns a sampler with which an executor compiles and measures the jobs."""
        arguments = specify(self._question.call.described, self._memory)
        return RemoteSampler(executor, {index: self._make_task(job, arguments)
                                        for index, job in jobs.items()},
                             self._get_seconds)

    def _make_task(self, job: _Job, arguments: tuple[Any, ...]) -> Task:
        program, target = job.program, self._question.target
        assert target is not None
        return Task(job.candidate.describe(), program.name, program.text,
                    program.tiling, job.blocks, job.call.key.types, arguments,
                    program.written, self._timer, target)
