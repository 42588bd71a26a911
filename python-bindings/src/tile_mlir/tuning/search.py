# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fastest of several candidates, by rounds of short bursts.

In each round every candidate that is left is measured, in bursts that take turns,
so that a clock that sinks meets all of them. A burst counts as its median. After a
round those go that are clearly slower than the best one: whose interval of
confidence lies above the best one's, or that take twice its time; and of the slower
half those that are slower by some margin. The next round has twice as many bursts.
It ends when one is left, after some rounds, or when time is over.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Optional, Protocol

import numpy as np

from .progress import Progress

_ROUNDS = 5
# The seconds that the runs of a burst take together, and how many they are at most.
_BURST_SECONDS, _MAX_RUNS = 4e-3, 50
# The factor of the best one's time that is too much in any case.
_HOPELESS = 2.0
# The margins by which a candidate of the slower half must be slower to be dropped:
# while there are few bursts and the interval is not meaningful yet, and after that.
_FEW_BURSTS, _EARLY_MARGIN, _MARGIN = 6, 0.5, 0.05


@dataclass
class Record:
    """The state of a candidate. `state` is "waiting", then one of "failed", "slower",
    "not reached" (time was over), "measured" and "chosen"; `seconds` is the time of
    each burst."""

    number: int
    name: str
    state: str = "waiting"
    reason: str = ""
    seconds: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """Seconds."""
        return float(np.median(self.seconds)) if self.seconds else math.inf

    @property
    def interval(self) -> tuple[float, float]:
        """The seconds between which the median lies with 95 % confidence; anywhere,
        after few bursts."""
        count = len(self.seconds)
        if count < _FEW_BURSTS:
            return 0.0, math.inf
        # The interval is by the order of independent bursts, whatever their
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
        """Measures candidates, given by their indices with the number of runs in a
        burst of each. A candidate for which there was no time is left out."""
        ...


def search(records: Sequence[Record], sampler: Sampler,
           is_over: Callable[[], bool], progress: Progress) -> Optional[Record]:
    """Returns the fastest of the waiting candidates; None if none could be measured.
    All are settled afterwards."""
    best = None
    for number in range(_ROUNDS):
        _measure(records, sampler, 2 ** number)
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
    """Runs a round."""
    waiting = _find_waiting(records)
    outcomes = sampler.sample({r.number: _count_runs(r) for r in waiting}, bursts)
    for record in waiting:
        _note(record, outcomes.get(record.number))


def _find_waiting(records: Sequence[Record]) -> list[Record]:
    return [record for record in records if record.state == "waiting"]


def _count_runs(record: Record) -> int:
    """Returns how many runs a burst of it has; one as long as nothing is known."""
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
    # A first run does not separate two of similar speed.
    few = len(best.seconds) < _FEW_BURSTS
    limit = best.median * (1 + (_EARLY_MARGIN if few else _MARGIN))
    for place, record in enumerate(waiting):
        if record.interval[0] > best.interval[1]:
            record.settle("slower", "above the best one's interval")
        elif record.median > _HOPELESS * best.median:
            record.settle("slower", "twice as slow as the best one")
        elif 2 * place >= len(waiting) and record.median > limit:
            record.settle("slower", "in the slower half")


def _show(records: Sequence[Record], best: Record, progress: Progress) -> None:
    settled = len(records) - len(_find_waiting(records))
    progress.update(settled, f"{best.median * 1e6:.4g} us")
