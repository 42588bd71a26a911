# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs with `tile.auto` for arrays whose sizes are known only at run time.

Such a program has up to four kernels, entries, each with its own values of the
keywords, and a function of the host that launches one of them. Entries are chosen for
some calls, the samples (samples.py). The function takes the first entry whose grid has
at least a certain number of blocks: large tiles if they give each multiprocessor work,
else smaller ones.

    gemm(a, b, c)
      blocks of gemm_m128_n256_k64 >= 107:  launch it
      else blocks of gemm_m64_n128_k64 >= 60:  launch it
      else: launch gemm_m32_n32_k128"""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional, Union

from ..control_flow.rewrite import replace_calls
from ..elements import index
from ..errors import ArgumentError, CompileError, Diagnostic, LaunchError, TileError
from ..inspection.choice import Choice
from ..ir import ArrayType, Builder, Value
from ..tracing.calls import call_traced
from ..tracing.trace import describe
from ..tracing.values import Array, Scalar
from .extents import Problem, Traceable, choose
from .grids import Grid, call_by_names, compute_blocks, list_blocks
from .samples import make_samples

_MOST_ENTRIES = 4
# Microseconds from one launch to the next, which estimates leave out.
_LAUNCH = 2.0
# The least sum of logarithms of ratios of times by which an additional entry must
# improve the samples.
_LEAST_GAIN = 0.05


@dataclass(frozen=True)
class Entry:
    """Values of the keywords, which are taken by a call if no earlier entry is and the
    grid has at least `least` blocks; 0 for the last entry."""

    values: Mapping[str, int]
    least: int


# ----------------------------------------------------------------------------
# The choice of entries
# ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Candidate:
    """Values of the keywords; for each sample the number of blocks, and the logarithm of
    the estimated time as a multiple of the least one."""

    values: Mapping[str, int]
    blocks: Sequence[int]
    losses: Sequence[float]

    def list_bounds(self) -> list[int]:
        """Lists numbers of blocks that separate the samples with more blocks from those
        with fewer: geometric means of neighbours."""
        known = sorted(set(self.blocks))
        return [math.isqrt(max(a, 1) * b - 1) + 1 for a, b in zip(known, known[1:]) if b > 1]


# The loss of a sample with values that do not compile.
_FAILED = 100.0
_Rule = tuple[_Candidate, int]
# A sample, and the choice for it.
_Chosen = tuple[Problem, Choice]


def _choose_entries(chosen: Sequence[_Chosen]) -> list[Entry]:
    """Chooses at most four entries by which the samples take little time: the best one
    for all samples, to which the entry and the bound that improve the samples most are
    added, one after another. The result depends on nothing else."""
    distinct = {tuple(choice.values.items()): choice.values for _, choice in chosen}
    candidates = [_Candidate(
        values, [_count_blocks(sample, values) for sample, _ in chosen],
        [_get_loss(sample, values, choice.microseconds) for sample, choice in chosen])
        for values in distinct.values()]
    best = min(([(last, 0)] for last in candidates), key=_get_total)
    while len(best) < _MOST_ENTRIES:
        longer = min(_list_longer(best, candidates), key=_get_total, default=best)
        if _get_total(longer) > _get_total(best) - _LEAST_GAIN:
            break
        best = _move_bounds(longer)
    return [Entry(candidate.values, least) for candidate, least in best]


def _count_blocks(sample: Problem, values: Mapping[str, int]) -> int:
    """Returns the number of blocks of a sample, which may be more than a GPU runs; 0 if
    the grid's function fails."""
    assert sample.definition.grid is not None
    try:
        return math.prod(compute_blocks(sample.definition.grid,
                                        sample.get_arguments(values)))
    except LaunchError:
        return 0


def _get_loss(sample: Problem, values: Mapping[str, int], least: float) -> float:
    try:
        time = sample.prepare(values)()
    except Exception:  # the kernel's function may refuse values by any of them
        return _FAILED
    return math.log((time + _LAUNCH) / (least + _LAUNCH))


def _list_longer(rules: list[_Rule], candidates: Sequence[_Candidate]
                 ) -> Iterator[list[_Rule]]:
    """Lists the rules with one of another candidate before one of them, or after the
    last one, which then has a bound."""
    used = [candidate for candidate, _ in rules]
    last = used[-1]
    for candidate in candidates:
        if candidate in used:
            continue
        for least in candidate.list_bounds():
            for at in range(len(rules)):
                yield [*rules[:at], (candidate, least), *rules[at:]]
        for least in last.list_bounds():
            yield [*rules[:-1], (last, least), (candidate, 0)]


def _move_bounds(rules: list[_Rule]) -> list[_Rule]:
    """Returns the rules with bounds of which no single one can be improved."""
    while True:
        others = [[*rules[:at], (candidate, least), *rules[at + 1:]]
                  for at, (candidate, _) in enumerate(rules[:-1])
                  for least in candidate.list_bounds()]
        found = min(others, key=_get_total, default=rules)
        if _get_total(found) >= _get_total(rules):
            return rules
        rules = found


def _get_total(rules: list[_Rule]) -> float:
    """Returns the losses of all samples together."""
    count = len(rules[0][0].blocks)
    return sum(next(candidate.losses[sample] for candidate, least in rules
                    if candidate.blocks[sample] >= least) for sample in range(count))


# ----------------------------------------------------------------------------
# The program
# ----------------------------------------------------------------------------


def get_program(problem: Problem, samples: Optional[Sequence[Problem]]) -> Any:
    """Returns the program of a problem some of whose arguments are types, with entries
    that are chosen for the samples."""
    problem.check_grid()
    if samples is not None and not samples:
        raise ArgumentError("expected at least one call as a sample, got none")
    chosen = _choose_possible(make_samples(problem)) if samples is None else [
        (sample, choose(sample)) for sample in samples]
    return _make_program(problem, _choose_entries(chosen))


def _choose_possible(samples: Sequence[Problem]) -> list[_Chosen]:
    """Returns the choices for the samples that have one. If none has, raises the error of
    the first one."""
    chosen, errors = [], []
    for sample in samples:
        try:
            chosen.append((sample, choose(sample)))
        except TileError as error:
            errors.append(error)
    if not chosen:
        raise errors[0]
    return chosen


def _make_program(problem: Problem, entries: Sequence[Entry]) -> Any:
    """Returns the program with these entries: its function has the name of the kernel's
    definition, and each kernel the values in its name."""
    definition = problem.definition
    names = ["_".join((definition.name, *(
        f"{word if word.isascii() else ''}{value}" for word, value in entry.values.items())))
             for entry in entries]
    written: set[str] = set()
    with definition.make_trace() as trace:
        for name, entry in zip(names, entries):
            written |= definition.trace_kernel(trace, name, problem.make_key(entry.values))
        _trace_function(trace.builder, problem, dict(zip(names, entries)))
        trace.end()
    return definition.make_program(trace, problem.make_key({}), written, kernel="")


def _trace_function(builder: Builder, problem: Problem, entries: Mapping[str, Entry]
                    ) -> None:
    """Traces the function that launches one of the kernels, which `entries` has by their
    names."""
    definition, grid = problem.definition, problem.definition.grid
    assert grid is not None
    types = {name: type for name, type in zip(definition.names, problem.types)
             if type is not None}
    with builder.host_function(definition.name, list(types.values()), names=list(types)
                               ) as values:
        given = {name: Array(value) if isinstance(value.type, ArrayType) else Scalar(value)
                 for name, value in zip(types, values)}
        known = {**dict.fromkeys(definition.names), **given, **problem.constants}
        left: Any = None
        for name, entry in entries.items():
            blocks = _trace_blocks(grid, {**known, **entry.values})
            is_taken, left = _trace_condition(blocks, entry.least, left)
            builder.tile("launch", kernel=name, arguments=values,
                         grid=[_select(builder, is_taken, n) for n in blocks])


def _trace_condition(blocks: Sequence[Any], least: int, left: Any) -> tuple[Any, Any]:
    """Returns whether an entry is taken, and whether neither it nor an earlier one is;
    None if that is so in all calls."""
    if least == 0:
        return left, None
    has_enough = math.prod(blocks) >= least
    has_fewer = math.prod(blocks) < least
    if left is None:
        return has_enough, has_fewer
    return left & has_enough, left & has_fewer


def _trace_blocks(grid: Grid, arguments: Mapping[str, Any]) -> list[Any]:
    """Returns the grid as integers and scalars of the function."""
    if not callable(grid):
        return list(compute_blocks(grid, {}))
    found: Any = call_traced(call_by_names, "a grid's function", replace_calls(grid),
                             arguments)
    try:
        blocks = list(map(_to_index, [found] if isinstance(found, Scalar)
                          else list_blocks(found)))
    except (TypeError, ValueError):
        blocks = []
    if not 1 <= len(blocks) <= 3:
        text = f"expected a grid of one to three integers, got {describe(found)}"
        code = getattr(grid, "__code__", None)
        raise CompileError([Diagnostic("error", text) if code is None else Diagnostic(
            "error", text, code.co_filename, code.co_firstlineno, 1)])
    return blocks


def _to_index(extent: Any) -> Any:
    if isinstance(extent, Scalar):
        if extent.dtype.kind not in ("int", "index"):
            raise TypeError
        return extent.astype(index)
    return operator.index(extent)


def _select(builder: Builder, condition: Optional[Scalar], blocks: Union[int, Scalar]
            ) -> Value:
    """Returns a number of blocks, or 0 if a condition does not hold: a launch without
    blocks runs nothing."""
    value = blocks.value if isinstance(blocks, Scalar) else builder.constant(blocks, index)
    if condition is None:
        return value
    [selected] = builder.operation(
        "arith.select", [condition.value, value, builder.constant(0, index)], [index])
    return selected


def check_function(definition: Traceable, metadata: bytes) -> None:
    """Raises an error if metadata lacks the function that launches the entries, since it
    cannot express the grid."""
    if not json.loads(metadata).get("functions"):
        raise LaunchError(
            f"expected a grid of the kernel {definition.name!r} that launchers can compute, "
            "by +, -, *, //, %, tile.cdiv, min, max and comparisons of sizes and integers, "
            f"got {describe(definition.grid)}")
