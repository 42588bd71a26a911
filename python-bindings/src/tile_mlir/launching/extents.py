# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values that are chosen for keyword parameters of a kernel, `tile.auto`.

A call with `m=tile.auto` takes the power of two for which the estimate of the call's time
is least (inspection/estimate.py). The choice depends on the types, sizes and strides of
the arguments, on the other keywords, and on the architecture, and on nothing else: equal
calls have equal results. Nothing is measured."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Optional, Protocol, Union

from .. import library
from ..elements import Element
from ..errors import ArgumentError, LaunchError, TileError
from ..inspection.choice import Choice, Rival, format_values
from ..ir import ArrayType, Type
from ..tracing.trace import Trace
from . import arrays
from .arguments import pack_all
from .grids import Grid, get_blocks

# The values that are tried, and those with which the search starts (_find_start).
_LEAST, _MOST = 1, 256
_STARTS = (128, 64, 16), (4, 1)
# The address that arrays are assumed to have: a choice does not depend on theirs.
_ALIGNED = 256


class Auto:
    """The type of `tile.auto`, the value of a keyword parameter that is to be chosen."""

    def __repr__(self) -> str:
        return "tile.auto"

    def __reduce__(self) -> str:
        return "auto"


auto = Auto()


class Traceable(Protocol):
    """The members of a kernel's definition (programs.py) that a choice needs."""

    name: str
    names: list[str]
    grid: Optional[Grid]
    declaration: str

    def make_key(self, types: tuple[Optional[Type], ...],
                 constants: Mapping[str, Any]) -> Any: ...

    def get_program(self, key: Any) -> Any: ...

    def make_trace(self) -> Trace: ...

    def trace_kernel(self, trace: Trace, name: str, key: Any) -> set[str]: ...

    def make_program(self, trace: Trace, key: Any, written: set[str], *, kernel: str
                     ) -> Any: ...


@dataclass(frozen=True)
class Problem:
    """A call of a kernel with keyword parameters that are to be chosen: the arguments,
    the same with a `Description` in place of each array, their types, and the values of
    all keywords."""

    definition: Traceable
    given: Sequence[Any]
    described: Sequence[Any]
    types: tuple[Optional[Type], ...]
    constants: Mapping[str, Any]
    arch: str

    @property
    def names(self) -> list[str]:
        return [name for name, value in self.constants.items() if value is auto]

    @property
    def key(self) -> tuple[Any, ...]:
        """The facts that a choice depends on, without those of the definition."""
        return (self.definition.make_key(self.types, self.constants), self.arch,
                tuple(map(_get_facts, self.described)))

    @property
    def has_types(self) -> bool:
        """Whether an argument is a type, so that no size is known."""
        return any(isinstance(value, (ArrayType, Element)) for value in self.described)

    def check(self) -> None:
        for name, value in zip(self.definition.names, self.described):
            if isinstance(value, (ArrayType, Element)):
                raise ArgumentError(
                    f"expected an array or a number for {name!r}, on whose size the "
                    f"choice for {self.names[0]}=tile.auto depends, got the type "
                    f"{value!r}")
        self.check_grid()

    def check_grid(self) -> None:
        if self.definition.grid is None:
            raise LaunchError(
                f"expected a grid of the kernel {self.definition.name!r} that follows "
                f"from {self.names[0]}=tile.auto, by {self.definition.declaration}, "
                "got none")

    def make_key(self, values: Mapping[str, int]) -> Any:
        """Returns the key of the program with these values."""
        return self.definition.make_key(self.types, {**self.constants, **values})

    def get_program(self, values: Mapping[str, int]) -> Any:
        """Returns the program with these values."""
        return self.definition.get_program(self.make_key(values))

    def get_blocks(self, values: Mapping[str, int]) -> tuple[int, ...]:
        """Returns the grid with these values."""
        assert self.definition.grid is not None
        return get_blocks(self.definition.grid, self.get_arguments(values))

    def get_arguments(self, values: Mapping[str, int]) -> dict[str, Any]:
        """Returns the arguments and the keywords with these values, by their names."""
        return {**dict(zip(self.definition.names, self.given)), **self.constants, **values}

    def prepare(self, values: Mapping[str, int]) -> Callable[[], float]:
        """Traces the program with these values, and returns a function that estimates
        its time."""
        program = self.get_program(values)
        blocks = self.get_blocks(values)
        if 0 in blocks:
            return lambda: 0.0
        kept = pack_all(list(map(_align, self.described)), self.types)

        def estimate() -> float:
            time: float = program.estimate(
                self.arch, [argument for argument, _ in kept], blocks).microseconds
            return time

        return estimate

    def find_error(self, values: Mapping[str, int]) -> Optional[TileError]:
        """Returns the error of a program whose buffers do not fit, of which an estimate
        knows only the tiles; None if they do."""
        program = self.get_program(values)
        try:
            program.compile(machine=library.CUDA, arch=self.arch, outputs=("ir",),
                            tiling=program.tiling, stop_after="tile-allocate-shared")
        except TileError as error:
            return error
        return None


def _get_facts(argument: Any) -> Any:
    """Returns the facts of an argument that a choice depends on."""
    if isinstance(argument, arrays.Description):
        return argument.shape, argument.strides
    try:
        return operator.index(argument)
    except TypeError:  # None, or a float, on which no loop depends
        return None


def _align(argument: Any) -> Any:
    return replace(argument, data=_ALIGNED) if \
        isinstance(argument, arrays.Description) else argument


# ----------------------------------------------------------------------------
# The search
# ----------------------------------------------------------------------------

_Values = tuple[int, ...]
# The estimated time for some values, or the error because of which there is none.
_Outcome = Union[float, Exception]


class _Search:
    """Estimates of a problem's values, each made once."""

    def __init__(self, problem: Problem, executor: ThreadPoolExecutor):
        self._problem, self._names = problem, problem.names
        self._executor = executor
        self._times: dict[_Values, _Outcome] = {}
        # The errors of programs that were compiled until their buffers are known.
        self._errors: dict[_Values, Future[Optional[TileError]]] = {}

    def choose(self) -> Choice:
        """Returns the choice, whose program compiles."""
        while True:
            best = self._descend()
            if isinstance(self._times[best], Exception):
                break
            error = self._errors[best].result()
            if error is None:
                break
            self._times[best] = error
        return self._make_choice(best)

    def _descend(self) -> _Values:
        """Returns values for which no neighbour has less time. The search goes to the
        best neighbour each time."""
        best = self._find_start()
        while True:
            found = self._find_best((best, *_list_neighbours(best)))
            if found == best:
                self._compile(best)
                found = self._find_best((best, *_list_exchanges(best)))
            if found == best:
                return best
            best = found

    def _find_start(self) -> _Values:
        """Returns the best of equal values of all parameters. Small ones are tried only
        if larger ones are not better."""
        larger, smaller = ([(n,) * len(self._names) for n in starts] for starts in _STARTS)
        best = self._find_best(larger)
        if best == larger[-1] or isinstance(self._times[best], Exception):
            best = self._find_best((best, *smaller))
        return best

    def _compile(self, values: _Values) -> None:
        """Begins to compile a program that is likely to be chosen."""
        if values not in self._errors and not isinstance(self._times[values], Exception):
            self._errors[values] = self._executor.submit(
                self._problem.find_error, self._name(values))

    def _find_best(self, candidates: Iterable[_Values]) -> _Values:
        """Returns the candidate with the least time; among equal ones the first."""
        tried = [values for values in candidates
                 if all(_LEAST <= n <= _MOST for n in values)]
        self._estimate([values for values in tried if values not in self._times])
        return min(tried, key=self._get_time)

    def _get_time(self, values: _Values) -> float:
        time = self._times[values]
        return float("inf") if isinstance(time, Exception) else time

    def _estimate(self, candidates: Sequence[_Values]) -> None:
        """Traces candidates one after another, and estimates their times in parallel."""
        running = {values: self._executor.submit(
            _try(self._problem.prepare, self._name(values))) for values in candidates}
        for values, found in running.items():
            self._times[values] = found.result()

    def _name(self, values: _Values) -> dict[str, int]:
        return dict(zip(self._names, values))

    def _make_choice(self, best: _Values) -> Choice:
        """Raises an error if the best values have no time."""
        time = self._times[best]
        if isinstance(time, Exception):
            raise self._make_error(time)
        rivals = [Rival(self._name(values), None if isinstance(found, Exception) else
                        found, found if isinstance(found, Exception) else None)
                  for values, found in sorted(
                      self._times.items(), key=lambda item: self._get_time(item[0]))]
        return Choice(self._name(best), time, self._problem.arch, rivals)

    def _make_error(self, first: Exception) -> Exception:
        """Returns the error for a problem that has no values: the only error of all
        candidates, or a list of the errors."""
        reasons = {str(error): values for values, error in reversed(self._times.items())}
        if len(reasons) == 1:
            return first
        listed = "".join(f"\n  {format_values(self._name(values))}: {reason.partition(chr(10))[0]}"
                         for reason, values in reasons.items())
        return ArgumentError(
            f"expected values of {', '.join(self._names)} for which the kernel "
            f"{self._problem.definition.name!r} compiles, found none:{listed}")


def _try(prepare: Callable[[Mapping[str, int]], Callable[[], float]],
         values: Mapping[str, int]) -> Callable[[], _Outcome]:
    """Returns a function that returns the estimate for some values, or the error. The
    kernel's function may refuse values by an exception of any type."""
    try:
        estimate = prepare(values)
    except Exception as error:
        failed = error
        return lambda: failed

    def run() -> _Outcome:
        try:
            return estimate()
        except TileError as error:
            return error

    return run


def _list_neighbours(values: _Values) -> Iterator[_Values]:
    """Lists the values with one of them twice or half as large."""
    for index, value in enumerate(values):
        for other in (2 * value, value // 2):
            yield (*values[:index], other, *values[index + 1:])


def _list_exchanges(values: _Values) -> Iterator[_Values]:
    """Lists the values with one of them twice and another half as large."""
    for grown in range(len(values)):
        for shrunk in range(len(values)):
            if grown != shrunk:
                yield tuple(2 * n if i == grown else n // 2 if i == shrunk else n
                            for i, n in enumerate(values))


def choose(problem: Problem) -> Choice:
    """Chooses the values. Raises an error if no values give a program that compiles."""
    problem.check()
    # The threads end with the search: a process that is forked later has none of them.
    with ThreadPoolExecutor(min(8, os.cpu_count() or 1), "tile.auto") as executor:
        return _Search(problem, executor).choose()
