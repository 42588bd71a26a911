# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Properties of exceptions other than their text, which the table of wrong calls has:
the calls that led to an error, causes, and the user's own exceptions. Also correct
calls that look wrong."""

import inspect
import subprocess
import sys
import traceback

import numpy as np
import pytest

import tile_mlir as tile

X = np.zeros(64, np.float32)


@tile.kernel
def copy(x, y, *, n=4):
    tile.store(y, 0, tile.load(x, 0, n))


@tile.kernel
def call(x, *, function):
    function(x)


def find_line(function):
    """Returns the line number of the line of a function that ends with the mark
    "# here"."""
    lines, first = inspect.getsourcelines(function)
    [offset] = [n for n, line in enumerate(lines) if line.endswith("# here\n")]
    return first + offset


# ----------------------------------------------------------------------------
# Locations and causes
# ----------------------------------------------------------------------------


def helper(t):
    return t + tile.zeros((5,))  # here


def helper_of_numpy(t):
    return np.exp(t)  # here


def helper_of_too_few(t):
    return tile.load(t, 0)  # here


@pytest.mark.parametrize("inner", [helper, helper_of_numpy, helper_of_too_few])
def test_calls_are_notes(inner):
    @tile.kernel
    def outer(x):
        for _ in tile.range(3):
            inner(tile.load(x, 0, 4))  # here

    with pytest.raises(tile.CompileError) as caught:
        outer[1](X)
    [diagnostic] = caught.value.diagnostics
    assert diagnostic.line == find_line(inner)
    [note] = diagnostic.notes
    assert note.text == "called from"
    assert note.line == find_line(test_calls_are_notes)
    for line in ("return ", "inner(tile.load(x, 0, 4))", "^"):
        assert line in str(caught.value)


def test_causes_are_kept():
    with pytest.raises(tile.CompileError) as caught:
        call[1](X, function=lambda x: x.sum())
    assert isinstance(caught.value.__cause__, AttributeError)


def fail_at_launch():
    copy(X, X)


def fail_in_a_trace():
    call[1](X, function=helper)


def fail_in_a_check():
    tile.check(copy, (X, X))


@pytest.mark.parametrize("fails, lines", [
    (fail_at_launch, ["copy(X, X)"]),
    (fail_in_a_trace, ["call[1](X, function=helper)", "function(x)",
                       "return t + tile.zeros((5,))  # here"]),
    (fail_in_a_check, ["tile.check(copy, (X, X))"]),
])
def test_tracebacks_are_of_the_user(fails, lines):
    """Tracebacks have the user's lines, and at most three lines of the package, which
    raise the error again."""
    with pytest.raises(tile.TileError) as caught:
        fails()
    frames = traceback.extract_tb(caught.tb)[1:]
    own = [frame for frame in frames if frame.filename != __file__]
    assert len(own) <= 3
    assert [frame.line for frame in frames if frame.filename == __file__] == lines


def test_whole_tracebacks_of_dev_mode():
    code = ("import tile_mlir as tile; kernel = tile.kernel(lambda x: tile.zeros((4,)) + "
            "tile.zeros((5,))); kernel[1](1)")
    for options, has in (([], False), (["-X", "dev"], True)):
        done = subprocess.run([sys.executable, *options, "-c", code],
                              capture_output=True, text=True)
        assert "expected shapes that can be broadcast together" in done.stderr
        assert ("extents.py" in done.stderr) == has, done.stderr


def test_hierarchy():
    for kind in (tile.CompileError, tile.ArgumentError, tile.LaunchError,
                 tile.DeviceError, tile.EmulatorError):
        assert issubclass(kind, tile.TileError)
    assert issubclass(tile.ArgumentError, TypeError)


# ----------------------------------------------------------------------------
# Exceptions of the user
# ----------------------------------------------------------------------------


def check_static(x):
    assert x is None, "a fact"


def iterate(x):
    for _ in map(int, ["a"]):
        pass


def raise_of_a_tile(x):
    raise TypeError("a 'Tile' of mine")


def raise_of_the_package(x):
    raise tile.ArgumentError("expected mine")


OWN = {
    "number": (lambda x: 1 // 0, ZeroDivisionError),
    "key": (lambda x: {}["a"], KeyError),
    "name": (lambda x: unknown, NameError),  # noqa: F821
    "attribute": (lambda x: "a".b, AttributeError),
    "type": (lambda x: "a" + 1, TypeError),
    "call": (lambda x: helper(), TypeError),
    "value": (iterate, ValueError),
    "assertion": (check_static, AssertionError),
    "raise": (raise_of_a_tile, TypeError),
    "raise of the package": (raise_of_the_package, tile.ArgumentError),
    "interrupt": (lambda x: (_ for _ in ()).throw(KeyboardInterrupt),
                  KeyboardInterrupt),
    "exit": (lambda x: exit(3), SystemExit),
}


@pytest.mark.parametrize("name", OWN)
def test_exceptions_of_the_user_pass(name):
    """Checks that the user's own exceptions have the user's lines in their traceback,
    also if they are raised within a loop."""
    function, kind = OWN[name]

    @tile.kernel
    def outer(x):
        for _ in tile.range(3):
            function(x)  # here

    with pytest.raises(kind) as caught:
        outer[1](X)
    assert caught.type is kind
    lines = [frame.lineno for frame in traceback.extract_tb(caught.tb)
             if frame.filename == __file__]
    assert find_line(test_exceptions_of_the_user_pass) in lines


def test_exceptions_of_a_grids_function_pass():
    with pytest.raises(ZeroDivisionError):
        copy[lambda x: x.shape[0] // 0](X, X)


def test_a_kernel_can_be_called_again():
    """An error leaves no state: the same call fails again in the same way, and another
    call succeeds."""
    y = np.full(4, np.nan, np.float32)
    for _ in range(2):
        with pytest.raises(tile.CompileError, match="positive extents"):
            copy[1](X, y, n=0)
        with pytest.raises(ZeroDivisionError):
            call[1](X, function=OWN["number"][0])
    copy[1](X + 3, y)
    assert (y == 3).all()


# ----------------------------------------------------------------------------
# Correct calls
# ----------------------------------------------------------------------------


def test_what_is_read_alone_may_be_read_only():
    y = np.full(4, np.nan, np.float32)
    copy[1](np.broadcast_to(np.float32(3), 9), y)
    assert (y == 3).all()


def test_empty_grid_runs_nothing():
    y = np.full(4, np.nan, np.float32)
    copy[0](X, y)
    assert np.isnan(y).all()


def test_strides_of_any_kind():
    rng = np.random.default_rng(1)
    x = rng.standard_normal((9, 8)).astype(np.float32)
    for view in (x[:, 3], x[::-1, 2], x.T[1], x[0], x[::2, 0], x[0, ::-2]):
        y = np.full(12, np.nan, np.float32)[::3]
        copy[1](view, y)
        np.testing.assert_array_equal(y, view[:4])


@tile.kernel
def raise_if_known(x, y, k, *, n):
    for i in range(k):
        if n < 0:
            raise ValueError(f"{n} is below zero")
        t = tile.load(x, i, n)
        del t
        tile.store(y, i * n, tile.load(x, i * n, n))


def test_raise_of_what_is_known():
    x, y = np.arange(9, dtype=np.float32), np.full(9, np.nan, np.float32)
    raise_if_known[1](x, y, 3, n=3)
    np.testing.assert_array_equal(x, y)
    with pytest.raises(ValueError, match="-3 is below zero"):
        raise_if_known[1](x, y, 3, n=-3)


calls = 0


@tile.kernel
def count_traces(x, k):
    global calls
    calls = calls + 1
    for i in range(k):
        tile.store(x, i, 1.0)


def test_globals_outside_of_loops():
    count_traces[1](X.copy(), 3)
    count_traces[1](X.copy(), 4)
    assert calls == 1


class Dual:
    """A user's class of values, which has operators with tiles."""

    def __init__(self, value):
        self.value = value

    def __radd__(self, other):
        return other + self.value

    def __eq__(self, other):
        return "mine"


@tile.kernel
def with_own_numbers(x, y, *, by=None):
    t = tile.load(x, 0, 4)
    assert (t == None) is False and (t != "a") is True  # noqa: E711
    assert (t == Dual(1)) == "mine"
    tile.store(y, 0, t + Dual(2.0))


def test_operators_of_others():
    y = np.full(4, np.nan, np.float32)
    with_own_numbers[1](X, y)
    assert (y == 2).all()


def test_diagnostic_of_no_line():
    """Diagnostics that are not about the program, such as a missing ptxas, have no
    line."""
    found = tile.Diagnostic("error", "expected ptxas", "<gemm>")
    assert found.format() == "<gemm>: error: expected ptxas"
    assert tile.Diagnostic("note", "text").format() == "note: text"
