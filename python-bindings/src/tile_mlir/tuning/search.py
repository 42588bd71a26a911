# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The search for the fastest of several candidates, in rounds of short bursts of runs.

In each round all remaining candidates are measured, in bursts that alternate between
them, so that a falling clock affects all equally. The time of a burst is the median of
its runs. After a round, candidates that are clearly slower than the best one are
dropped: candidates whose confidence interval lies above that of the best one, that take
twice its time, or that are in the slower half and slower than the best one by some
margin. The next round has twice as many bursts. The search ends when one candidate is
left, after a fixed count of rounds, or when the time is over.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Optional, Protocol

import numpy as np

from .progress import Progress

_ROUNDS = 5
# The seconds that all runs of a burst should take together, and the maximum count of
# runs in a burst.
_BURST_SECONDS, _MAX_RUNS = 4e-3, 50
# A candidate that takes this many times the best one's time is dropped in any case.
_HOPELESS = 2.0
# A candidate in the slower half is dropped if it is slower than the best one by a
# margin: `_EARLY_MARGIN` while there are few bursts, and the confidence interval is not
# yet meaningful, and `_MARGIN` from then on.
_FEW_BURSTS, _EARLY_MARGIN, _MARGIN = 6, 0.5, 0.05


@dataclass
class Record:
    """The measurements and the state of a candidate. `state` is "waiting", then one of
    "failed", "slower", "not reached" (the time was over), "measured" and "chosen".
    `seconds` has, for each burst, the median time of its runs."""

    number: int
    name: str
    state: str = "waiting"
    reason: str = ""
    seconds: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The median time of a run, in seconds."""
        return float(np.median(self.seconds)) if self.seconds else math.inf

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds, in seconds, between which the true median lies with 95 %
        confidence; they are 0 and infinity while there are too few bursts."""
        count = len(self.seconds)
        if count < _FEW_BURSTS:
            return 0.0, math.inf
        # The bounds are order statistics of independent bursts, valid for any
        # distribution.
        ordered, half = sorted(self.seconds), 0.98 * math.sqrt(count)
        low, high = math.floor(count / 2 - half), math.ceil(count / 2 + half)
        return ordered[max(low, 0)], ordered[min(high, count - 1)]

    def settle(self, state: str, reason: str = "") -> None:
        self.state, self.reason = state, reason


@dataclass(frozen=True)
class Outcome:
    """The result of some bursts of a candidate: the seconds of each, or the reason why
    there are none."""

    seconds: tuple[float, ...] = ()
    failure: str = ""


class Sampler(Protocol):
    """Measures candidates."""

    def sample(self, runs: Mapping[int, int], bursts: int) -> dict[int, Outcome]:
        """Measures candidates. `runs` maps the index of each candidate to the count of
        runs in a burst of it. A candidate for which there was no time is missing in the
        result."""
        ...


def search(records: Sequence[Record], sampler: Sampler,
           is_over: Callable[[], bool], progress: Progress) -> Optional[Record]:
    """Returns the fastest of the waiting candidates; None if none could be measured.
    Afterwards no record has the state "waiting"."""
    best = None
    for index in range(_ROUNDS):
        _measure(records, sampler, 2 ** index)
        best = min(_find_waiting(records), key=lambda r: r.median, default=None)
        if best is None:
            return None
        _drop_slower(records, best)
        _show(records, best, progress)
        if len(_find_waiting(records)) == 1 or is_over():
            break
    for record in _find_waiting(records):
        record.settle("chosen" if record is best else "measured")
    return best


def _measure(records: Sequence[Record], sampler: Sampler, bursts: int) -> None:
    """Runs a round: measures `bursts` bursts of each candidate that is left."""
    waiting = _find_waiting(records)
    outcomes = sampler.sample({r.number: _count_runs(r) for r in waiting}, bursts)
    for record in waiting:
        _note(record, outcomes.get(record.number))


def _find_waiting(records: Sequence[Record]) -> list[Record]:
    return [record for record in records if record.state == "waiting"]


def _count_runs(record: Record) -> int:
    """Returns the count of runs in a burst of a candidate: one as long as its time is
    unknown."""
    if not record.seconds:
        return 1
    return max(1, min(_MAX_RUNS,
                      round(_BURST_SECONDS / max(record.median, 1e-9))))


def _note(record: Record, outcome: Optional[Outcome]) -> None:
    if outcome is not None and outcome.failure:
        record.settle("failed", outcome.failure)
    elif outcome is not None:
        record.seconds += outcome.seconds
    elif not record.seconds:
        record.settle("not reached", "the time was over")


def _drop_slower(records: Sequence[Record], best: Record) -> None:
    waiting = sorted(_find_waiting(records), key=lambda r: r.median)
    # Few bursts cannot tell apart two candidates of similar speed.
    few = len(best.seconds) < _FEW_BURSTS
    limit = best.median * (1 + (_EARLY_MARGIN if few else _MARGIN))
    for position, record in enumerate(waiting):
        if record.interval[0] > best.interval[1]:
            record.settle("slower", "above the best one's interval")
        elif record.median > _HOPELESS * best.median:
            record.settle("slower", "twice as slow as the best one")
        elif 2 * position >= len(waiting) and record.median > limit:
            record.settle("slower", "in the slower half")


def _show(records: Sequence[Record], best: Record, progress: Progress) -> None:
    settled = len(records) - len(_find_waiting(records))
    progress.update(settled, f"{best.median * 1e6:.4g} us")
