# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The search for the fastest candidate: how often each candidate is measured, the time
that the search takes, and its progress bar."""

import io
import math
import sys
import types

import numpy as np
import pytest

from tile_mlir.tuning import progress, search
from tuning_kernels import FakeTimer, check_scale, make_arrays, make_scale


# ----------------------------------------------------------------------------
# Rounds
# ----------------------------------------------------------------------------


class Table:
    """A sampler that returns the given times of candidates with random noise."""

    def __init__(self, times, noise, seed, failing=()):
        self.times, self.noise, self.failing = times, noise, failing
        self.rng = np.random.default_rng(seed)
        self.bursts = np.zeros(len(times), int)
        self.runs = np.zeros(len(times), int)

    def sample(self, runs, bursts):
        found = {}
        for index, count in runs.items():
            self.bursts[index] += bursts
            self.runs[index] += bursts * count
            noise = self.noise * abs(self.rng.standard_normal(bursts))
            found[index] = search.Outcome(
                tuple(self.times[index] * (1 + noise)),
                "does not fit" if index in self.failing else "")
        return found


def run_search(table, is_over=lambda: False):
    records = [search.Record(n, f"n={n}") for n in range(len(table.times))]
    best = search.search(records, table, is_over, progress.show_progress("", 1))
    return best, records


@pytest.mark.parametrize("seed", range(20))
def test_search_finds_the_fastest(seed):
    rng = np.random.default_rng(seed)
    times = 1e-4 * np.exp(rng.uniform(0, 2, 40))
    table = Table(times, 0.05, seed)
    best, records = run_search(table)
    assert times[best.number] <= 1.02 * times.min()
    assert best.state == "chosen"
    assert {r.state for r in records} <= {"chosen", "slower", "measured"}
    # Far slower candidates are measured in one burst; few candidates are in many.
    assert (table.bursts[times > 2.5 * times.min()] == 1).all()
    assert np.count_nonzero(table.bursts > 7) <= 10


@pytest.mark.parametrize("times, noise, reason, bursts", [
    ([1.0, 2.5], 0.01, "twice as slow as the best one", 1),
    ([1.0, 1.1, 1.6, 1.7], 0.001, "in the slower half", 1),
    ([1.0, 1.03], 0.001, "above the best one's interval", 7)])
def test_why_a_candidate_goes(times, noise, reason, bursts):
    table = Table(1e-4 * np.array(times), noise, 1)
    best, records = run_search(table)
    assert best.number == 0
    assert (records[-1].state, records[-1].reason) == ("slower", reason)
    assert table.bursts[-1] == bursts


def test_search_of_equals_ends():
    table = Table(np.full(10, 1e-4), 0.01, 1)
    best, records = run_search(table)
    assert best.state == "chosen"
    assert table.bursts.max() <= 31


def test_search_has_more_runs_of_short_kernels():
    table = Table(np.array([1e-6, 1.01e-6]), 0.0, 1)
    run_search(table)
    assert table.runs[0] == 1 + 50 * (table.bursts[0] - 1)
    table = Table(np.array([1.0, 1.01]), 0.0, 1)
    run_search(table)
    assert table.runs[0] == table.bursts[0]


def test_search_with_failures():
    times = np.array([1e-5, 3e-4, 2e-4])
    best, records = run_search(Table(times, 0.01, 1, failing=[0]))
    assert best.number == 2
    assert (records[0].state, records[0].reason) == ("failed", "does not fit")
    best, records = run_search(Table(times, 0.01, 1, failing=[0, 1, 2]))
    assert best is None
    assert all(record.state == "failed" for record in records)


def test_search_ends_when_time_is_over():
    table = Table(np.array([2e-4, 1e-4]), 0.01, 1)
    best, records = run_search(table, lambda: True)
    assert best.number == 1 and table.bursts.tolist() == [1, 1]


def test_interval():
    """The interval contains the true median for about 95 % of many samples."""
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(400):
        record = search.Record(0, "", seconds=list(rng.exponential(1.0, 15)))
        low, high = record.interval
        hits += low <= math.log(2) <= high
    assert hits >= 0.93 * 400
    record.seconds = record.seconds[:5]
    assert record.interval == (0.0, math.inf)


# ----------------------------------------------------------------------------
# Budgets
# ----------------------------------------------------------------------------


def test_budget(rng):
    """The budget suffices for only some of 100 candidates that take a second each."""
    timer = FakeTimer(lambda c: 1.0)
    scale = make_scale({"n": list(range(1, 101))}, timer=timer, budget=20)
    tuning = scale.tune(*make_arrays(rng), 1.5)
    assert timer.now - 100 <= 20 + 1.2
    states = [record.state for record in tuning.records]
    assert 10 < states.count("not reached") < 90
    assert states.count("chosen") == 1
    assert tuning.choice.source == "measured"


def test_a_budget_for_nothing(rng):
    timer = FakeTimer(lambda c: 1.0)
    scale = make_scale(timer=timer, budget=1e-9)
    tuning = scale.tune(*make_arrays(rng), 1.5)
    assert len(timer.measured) == 1
    assert tuning.choice.source == "measured"


# ----------------------------------------------------------------------------
# Progress
# ----------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_no_progress_without_a_terminal(rng, capsys):
    check_scale(make_scale(), rng)
    assert capsys.readouterr() == ("", "")


def test_progress_in_a_line(rng, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr(sys, "stderr", Terminal())
    check_scale(make_scale(), rng)
    text = sys.stderr.getvalue()
    assert "\rtuning scale_function: " in text and " of 5, " in text
    assert "\n" not in text and text.endswith("\r")
    last = text.rstrip("\r").split("\r")[-1]
    assert not last.strip()  # the line is erased at the end


def test_progress_of_tqdm(rng, monkeypatch):
    bars = []

    class Bar:
        def __init__(self, **options):
            bars.append(self)
            self.options, self.done, self.closed = options, [], False

        def set_postfix_str(self, text, refresh):
            self.text = text

        def refresh(self):
            self.done.append(self.n)

        def close(self):
            self.closed = True

    monkeypatch.setitem(sys.modules, "tqdm", types.SimpleNamespace(tqdm=Bar))
    monkeypatch.setattr(sys, "stderr", Terminal())
    check_scale(make_scale(), rng)
    [bar] = bars
    assert bar.options["total"] == 5 and bar.options["file"] is sys.stderr
    assert bar.done == sorted(bar.done) and bar.done[-1] == 4 and bar.closed
    assert bar.text.endswith(" us")
