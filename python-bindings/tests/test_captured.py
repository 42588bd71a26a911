# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python variables that a kernel reads: a call after a change of one runs the
kernel with the new value."""

import dataclasses
import functools
import types

import numpy as np
import pytest

import tile_mlir as tile
from tile_mlir.tracing.captured import capture, is_current, is_same

FACTOR = 2
FACTORS = [2, 3]
TABLE = {"factor": 2}
NESTED = types.SimpleNamespace(inner=types.SimpleNamespace(factor=2))
MODULE = types.ModuleType("settings")
MODULE.factor = 2
OTHER_MODULE = types.ModuleType("settings")
OTHER_MODULE.factor = 3


class Config:
    factor = 2


@dataclasses.dataclass
class Settings:
    factor: int = 2


SETTINGS = Settings()


class Inherited(Config):
    pass


class Slots:
    __slots__ = ("factor", "other")

    def __init__(self):
        self.factor = 2


SLOTS, OF_CLASS, OF_BASE = Slots(), Config(), Inherited()


def plain():
    return FACTOR


@tile.function
def helper(t):
    if FACTOR > 2:
        t = t * 2
    return t


OPERATION = helper


def run(kernel, *more, **constants):
    """Runs a kernel that multiplies an array by a factor, and returns the factor."""
    x = np.random.default_rng(1).standard_normal(33).astype(np.float32)
    y = np.full_like(x, np.nan)
    kernel[1](x, y, *more, **constants)
    factor = float(np.median(y / x))
    np.testing.assert_allclose(y, x * factor, rtol=1e-6)
    return round(factor, 3)


def scale(by):
    @tile.kernel
    def kernel(x, y):
        tile.store(y, 0, tile.load(x, 0, 33) * by())

    return kernel


@pytest.mark.parametrize("by, name, value, factor", [
    (lambda: FACTOR, "FACTOR", 3, 3),
    (lambda: plain(), "FACTOR", 3, 3),
    (lambda: plain(), "plain", lambda: 5, 5),
    (lambda: FACTORS[0], "FACTORS", [4], 4),
    (lambda: MODULE.factor, "MODULE", OTHER_MODULE, 3),
    (lambda: (lambda: FACTOR)(), "FACTOR", 3, 3),
    (lambda: sum(FACTOR for _ in [0]), "FACTOR", 3, 3),
    (functools.partial(lambda a: FACTOR * a, 2), "FACTOR", 3, 6),
])
def test_globals(by, name, value, factor, monkeypatch):
    kernel = scale(by)
    before = run(kernel)
    monkeypatch.setitem(globals(), name, value)
    assert run(kernel) == factor != before
    monkeypatch.undo()
    assert run(kernel) == before


@pytest.mark.parametrize("by, change", [
    (lambda: FACTORS[0], lambda: FACTORS.__setitem__(0, 7)),
    (lambda: TABLE["factor"], lambda: TABLE.update(factor=7)),
    (lambda: Config.factor, lambda: setattr(Config, "factor", 7)),
    (lambda: SETTINGS.factor, lambda: setattr(SETTINGS, "factor", 7)),
    (lambda: NESTED.inner.factor, lambda: setattr(NESTED.inner, "factor", 7)),
    (lambda: Inherited.factor, lambda: setattr(Config, "factor", 7)),
    (lambda: OF_CLASS.factor, lambda: setattr(Config, "factor", 7)),
    (lambda: OF_BASE.factor, lambda: setattr(Config, "factor", 7)),
    (lambda: SLOTS.factor, lambda: setattr(SLOTS, "factor", 7)),
    (lambda: NESTED.inner.factor,
     lambda: setattr(NESTED, "inner", types.SimpleNamespace(factor=7))),
    (lambda: MODULE.factor, lambda: setattr(MODULE, "factor", 7)),
])
def test_changes_in_place(by, change, monkeypatch):
    for holder, name in [(Config, "factor"), (SETTINGS, "factor"),
                         (MODULE, "factor"), (NESTED, "inner")]:
        monkeypatch.setattr(holder, name, getattr(holder, name))
    monkeypatch.setattr(NESTED.inner, "factor", 2)
    kernel = scale(by)
    assert run(kernel) == 2
    change()
    try:
        assert run(kernel) == 7
    finally:
        FACTORS[0] = TABLE["factor"] = SLOTS.factor = 2


@pytest.mark.parametrize("holder, name", [
    (Inherited, "Inherited"), (OF_CLASS, "OF_CLASS"), (OF_BASE, "OF_BASE")])
def test_attributes_that_hide_others(holder, name):
    kernel = scale(eval(f"lambda: {name}.factor", globals()))
    assert run(kernel) == 2
    holder.factor = 7
    try:
        assert run(kernel) == 7
    finally:
        del holder.factor
    assert run(kernel) == 2


def test_attributes_that_are_not_there():
    def reads():
        return SLOTS.other, OF_CLASS.missing

    guards = capture(reads)
    assert is_current(guards)
    SLOTS.other = 3
    assert not is_current(guards)
    del SLOTS.other
    assert is_current(guards)


def test_helpers(monkeypatch):
    @tile.kernel
    def kernel(x, y):
        tile.store(y, 0, OPERATION(tile.load(x, 0, 33)))

    assert run(kernel) == 1
    monkeypatch.setitem(globals(), "FACTOR", 3)
    assert run(kernel) == 2
    monkeypatch.setitem(globals(), "OPERATION", lambda t: t * 9)
    assert run(kernel) == 9


def test_variables_around():
    factor = 2

    @tile.kernel
    def kernel(x, y):
        tile.store(y, 0, tile.load(x, 0, 33) * factor)

    assert run(kernel) == 2
    factor = 3
    assert run(kernel) == 3


def test_functions_given_as_words(monkeypatch):
    @tile.kernel
    def kernel(x, y, *, f):
        tile.store(y, 0, f(tile.load(x, 0, 33)))

    assert run(kernel, f=helper) == 1
    monkeypatch.setitem(globals(), "FACTOR", 3)
    assert run(kernel, f=helper) == 2


def test_what_does_not_change_is_traced_once():
    traced = []

    @tile.kernel
    def kernel(x, y):
        traced.append(1)
        tile.store(y, 0, tile.load(x, 0, 33) * FACTOR * Config.factor)

    assert run(kernel) == run(kernel) == 4
    assert traced == [1]


def test_what_a_kernel_assigns_is_not_held_against_it():
    @tile.kernel
    def kernel(x, y):
        global COUNT
        COUNT = COUNT + 1
        tile.store(y, 0, tile.load(x, 0, 33) * FACTOR)

    globals()["COUNT"] = 0
    run(kernel)
    run(kernel)
    assert COUNT == 1  # noqa: F821


@pytest.mark.parametrize("a, b, same", [
    (1, 1, True), (1, 1.0, False), (1, True, False), (0.0, -0.0, False),
    (float("nan"), float("nan"), True), (1j, 1j, True), ("a", "a", True),
    ((1, [2]), (1, [2]), True), ((1, [2]), (1, [2.0]), False),
    ({"a": 1}, {"a": 1}, True), ({"a": 1}, {"a": 1, "b": 2}, False),
    ({1, 2}, {2, 1}, True), (np.float32(1), np.float32(1), False),
    (len, len, True), (Settings(), Settings(), False)])
def test_is_same(a, b, same):
    assert is_same(a, b) is same


def test_code_of_a_user_does_not_run():
    class Loud:
        def __getattribute__(self, name):
            raise AssertionError(name)

    class Property:
        @property
        def factor(self):
            raise AssertionError

    loud, by_property = Loud(), Property()

    def reads():
        return loud.factor, by_property.factor, undefined  # noqa: F821

    guards = capture(reads)
    # Two of the guards are for `by_property`: the object itself, and that only its
    # class has the attribute.
    assert len(guards) == 4 and is_current(guards)


def test_recursion_ends():
    def even(n):
        return n == 0 or odd(n - 1)

    def odd(n):
        return n != 0 and even(n - 1)

    cycle = [even]
    cycle.append(cycle)

    def reads():
        return cycle

    assert is_current(capture(even, cycle, reads))
