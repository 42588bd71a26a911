# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`break`, `continue` and `return` in loops and branches of the program. The functions
are run by Python, too, on floats of NumPy and ints, for the expected results."""

import importlib.util
import linecache
import random
import time

import numpy as np
import pytest

import tile_mlir as tile

VALUES = np.array([1, 2, -3, 4, 5, -6, 7, 8, -9, 10, 11], np.float64)
SIZES = (0, 1, 2, 3, 5, 8, 11)


def run(function, n):
    """Runs a function of `get`, which reads an element of VALUES, and of an integer in
    a kernel, and returns its result, a pair."""
    inner = tile.function(function)

    @tile.kernel(grid=1)
    def kernel(x, out, n):
        first, second = inner(lambda i: tile.load(x, i, ()), n)
        tile.store(out, 0, first)
        tile.store(out, 1, second)

    out = np.full(2, np.nan)
    kernel(VALUES, out, n)
    return tuple(out)


def expect_same(function, n):
    expected = function(lambda i: VALUES[i], n)
    assert run(function, n) == tuple(map(float, expected)), n


# ----------------------------------------------------------------------------
# Loops
# ----------------------------------------------------------------------------


def break_in_for(get, n):
    total, last = 0.0, -1
    for i in range(n):
        last = i
        if get(i) < -4:
            break
        total += get(i)
    return total, last


def continue_in_for(get, n):
    total, count = 0.0, 0
    for i in range(n - 1, -1, -2):
        if get(i) < 0:
            continue
        total += get(i)
        count += 1
    return total, count


def break_in_while(get, n):
    i, total = 0, 0.0
    while True:
        if i >= n:
            break
        i += 1
        if get(i - 1) < 0:
            continue
        total += get(i - 1)
    return total, i


def break_before_the_condition(get, n):
    """The condition must not be evaluated after the `break`: it would read outside of
    the array."""
    i, total = 0, 0.0
    while get(i) < 100:
        total += get(i)
        if i + 1 >= n:
            i = 1000
            break
        i += 1
    return total, i


def nested_loops(get, n):
    total, count = 0.0, 0
    for i in range(n):
        for j in range(n):
            value = get(j)
            if value < 0:
                if i > 1:
                    break
                continue
            if value > 6:
                count += 1
            total += value * (i + 1)
        if total > 90:
            break
        count += 100
    return total, count


def branches_that_may_leave(get, n):
    total, count = 0.0, 0
    for i in range(n):
        value = get(i)
        if value < 0:
            if i > 3:
                continue
            total += 100
        elif value > 9:
            count += 5
            if i > 8:
                break
        else:
            count += 1
        if value == 5:
            continue
        total += value
    return total, count


def break_at_the_end(get, n):
    total, k = 0.0, 0
    for k in range(n):
        total += get(k)
        break
    return total, k


def unrolled(get, n):
    total, count = 0.0, 0
    for i in (0, 3, 1, 6):
        if i > n:
            break
        if i == 3:
            continue
        total += get(i)
        count += 1
    return total, count


def loop_after_a_break(get, n):
    total, count = 0.0, 0
    for i in range(n):
        if get(i) < 0:
            break
        count += 1
    for i in range(n):
        if get(i) > 4:
            break
        total += get(i)
    return total, count


LOOPS = (break_in_for, continue_in_for, break_in_while, break_before_the_condition,
         nested_loops, branches_that_may_leave, break_at_the_end, unrolled,
         loop_after_a_break)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("function", LOOPS)
def test_loops(machine, function, n):
    expect_same(function, max(n, 1) if function is break_before_the_condition else n)


def test_static_loops(rng):
    """A loop that Python runs may have these statements, on known conditions."""
    def function(get, n):
        total, count = 0.0, 0
        for i in tile.static_range(8):
            if i == 3:
                continue
            if i == 6:
                break
            total += get(i) * n
            count += 1
        while count < 9:
            count += 1
            if count == 8:
                break
        return total, count

    expect_same(function, 3)


def test_iterations_end(machine):
    """After a `break` no iteration runs, so that a long range ends early."""
    def function(get, n):
        count = 0
        for i in range(2 ** 40):
            if i >= n:
                break
            count += 1
        return 0.0, count

    assert run(function, 5) == (0, 5)


# ----------------------------------------------------------------------------
# Functions
# ----------------------------------------------------------------------------


def returns_in_branches(get, n):
    if n < 1:
        return 0.0, -1
    if n < 3:
        total = get(n) * 2
    elif n < 6:
        return get(n), n
    else:
        if n == 8:
            return 1.5, 8
        total = 3.0
    return total, n + 100


def returns_by_static_conditions(get, n):
    if isinstance(get, str):
        return None
    if n is None:
        return "none", 0
    return get(0), n


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("function", (returns_in_branches, returns_by_static_conditions))
def test_functions(machine, function, n):
    expect_same(function, n)


@tile.kernel(grid=1)
def search(x, out, n, wanted):
    """Stores the row and the column of a value, and -1 if there is none."""
    if n < 2:
        tile.store(out, 0, -2)
        return
    for i in range(n):
        for j in range(n):
            if tile.load(x, i * n + j, ()) == wanted:
                tile.store(out, 0, i)
                tile.store(out, 1, j)
                return
        tile.store(out, 2, i)
    tile.store(out, 0, -1)


@pytest.mark.parametrize("n, wanted, expected", [
    (1, 1, (-2, 77, 77)), (3, 4, (1, 0, 0)), (3, 1, (0, 0, 77)), (3, 8, (2, 1, 1)),
    (3, 50, (-1, 77, 2))])
def test_returns_of_a_kernel(machine, n, wanted, expected):
    out = np.full(3, 77)
    search(VALUES, out, n, wanted)
    assert tuple(out) == expected


def test_gradients(machine):
    """A `for` with a `break` over a known range has the bound that gradients need."""
    @tile.kernel(grid=1)
    def kernel(x, y):
        t = tile.load(x, 0, 4)
        for i in range(6):
            if t.max() > 10:
                break
            t = t * t
        tile.store(y, 0, t)

    x = np.array([1.1, 1.2, 0.5, 1.3])
    gradient = tile.grad(kernel)(x, np.zeros(4))
    power = 2 ** next(k for k in range(7) if 1.3 ** 2 ** k > 10)
    np.testing.assert_allclose(gradient, power * x ** (power - 1), rtol=1e-12)


def test_gradients_of_a_while(machine):
    @tile.kernel(grid=1)
    def kernel(x, y, n):
        t, i = tile.load(x, 0, 4), 0
        while tile.max_trips(i < n, 6):
            if t.max() > 10:
                break
            t, i = t * t, i + 1
        tile.store(y, 0, t)

    x = np.array([1.1, 1.2, 0.5, 1.3])
    for n in (0, 2, 6):
        power = 2 ** min(n, next(k for k in range(7) if 1.3 ** 2 ** k > 10))
        np.testing.assert_allclose(tile.grad(kernel)(x, np.zeros(4), n),
                                   power * x ** (power - 1), rtol=1e-12)


# ----------------------------------------------------------------------------
# Loops and functions that Python runs
# ----------------------------------------------------------------------------


def iterator_after_a_break(get, n):
    rest = iter((0, 1, 2, 3))
    for i in rest:
        if i == 1:
            break
    return get(next(rest)) * n, next(rest)


def else_of_a_loop(get, n):
    for i in tile.static_range(4):
        if i == 9:
            break
    else:
        return get(0) * n, 5
    return 0.0, 0


def generator(get, n):
    def count(to):
        if to == 0:
            return
        for i in (0, 1, 2):
            if i == to:
                break
            yield i

    def nothing():
        return
        yield

    return sum(get(i) for i in count(2)) * n, len(list(nothing()))


def names_of_comprehensions(get, n):
    total = get(0) * n
    for i in (1, 2, 3):
        if i == 3:
            break
        total = total + sum([total for total in (1, 2)])
    if n is None:
        return 0.0, 0
    i = len([i for i in (4, 5)])
    return total, i


def assignment_in_a_condition(get, n):
    values, total = iter((1, 2, 20)), 0.0
    while (x := next(values)) < 10:
        if x == 50:
            break
        total = total + get(x)
    return total * n, x


def docstring(get, n):
    def inner(x):
        """A text."""
        if x > 2:
            return 1
        return 2

    return inner(n), len(inner.__doc__)


def name_of_the_result(get, n):
    def inner(x, result_of_inner):
        if x > 2:
            return get(0)
        return result_of_inner

    return inner(n, get(1)), 0


def long_chain(get, n, *, i=3, j=2):
    """The statements after an `if` that may return or not, many times."""
    if i == 0:
        if j == 2:
            return 0.0, 0
        j += 1
    if i == 1:
        if j == 2:
            return 0.0, 1
        j += 1
    if i == 2:
        if j == 3:
            return 0.0, 2
        j += 1
    if i == 3:
        if j == 3:
            return 0.0, 3
        j += 1
    return get(j) * n, j


@pytest.mark.parametrize("function", (
    iterator_after_a_break, else_of_a_loop, generator, names_of_comprehensions,
    assignment_in_a_condition, docstring, name_of_the_result, long_chain))
def test_what_python_runs(function):
    for n in (1, 5):
        expect_same(function, n)


class Base:
    def double(self, x):
        return 2 * x


class Derived(Base):
    @tile.function
    def double(self, x):
        if x is None:
            return 0
        return super().double(x) + 1


def test_super():
    def function(get, n):
        return Derived().double(get(2)), n

    expect_same(function, 4)


def test_many_returns():
    """Both branches get at most so many statements; else the function is traced as it is."""
    lines = "".join(f"    if i == {k}:\n        if j == 2:\n            return s\n"
                    f"        s += {k}\n" for k in range(16))
    name = "<many returns>"
    text = f"def many(i, j, s):\n{lines}    return s\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {}
    exec(compile(text, name, "exec"), space)
    many = tile.function(space["many"])

    def function(get, n):
        return many(7, 3, get(0)), n

    begin = time.perf_counter()
    expect_same(function, 1)
    assert time.perf_counter() - begin < 5


@tile.kernel(grid=1)
def store_and_return(out, n):
    for i in range(n):
        if i == 2:
            return tile.store(out, 0, 7)
        if i > 0:
            if n == 2:
                break
            tile.store(out, 1, i)


def test_values_of_returns(machine):
    for n, expected in ((5, (7, 1)), (2, (0, 0)), (1, (0, 0))):
        out = np.zeros(2)
        store_and_return(out, n)
        assert tuple(out) == expected


# ----------------------------------------------------------------------------
# Random functions
# ----------------------------------------------------------------------------


def write_statements(draw, depth, in_loop, indent):
    """Yields the lines of random statements on `total`, `count` and the loops'
    indices."""
    for _ in range(draw.randint(1, 3)):
        kind = draw.choice(["add", "add", "if", "if", "for", "while", "leave"])
        if kind == "leave" and in_loop:
            yield indent + f"if {write_condition(draw, depth)}:"
            yield indent + "    " + draw.choice(["break", "continue"])
        elif kind == "leave" and draw.random() < 0.3:
            yield indent + f"if {write_condition(draw, depth)}:"
            yield indent + "    return total, count + 1000"
        elif kind == "if" and depth < 4:
            yield indent + f"if {write_condition(draw, depth)}:"
            yield from write_statements(draw, depth + 1, in_loop, indent + "    ")
            if draw.random() < 0.5:
                yield indent + "else:"
                yield from write_statements(draw, depth + 1, in_loop, indent + "    ")
            if in_loop and draw.random() < 0.3:
                yield indent + f"    {draw.choice(['break', 'continue'])}"
        elif kind == "for" and depth < 3:
            yield indent + f"for i{depth} in range({draw.choice(['n', '3', 'n - 2'])}):"
            yield from write_statements(draw, depth + 1, True, indent + "    ")
        elif kind == "while" and depth < 3:
            yield indent + f"k{depth} = 0"
            yield indent + f"while k{depth} < {draw.choice(['n', '4'])}:"
            yield indent + f"    k{depth} += 1"
            yield from write_statements(draw, depth + 1, True, indent + "    ")
        else:
            yield indent + draw.choice(["count += 1", "total += get(count % 11)",
                                        "total = total * 0.5 + count"])


def write_condition(draw, depth):
    return draw.choice([f"count % {draw.randint(2, 5)} == {draw.randint(0, 2)}",
                        f"total > {draw.randint(-5, 20)}", f"n > {draw.randint(1, 6)}",
                        f"count > {draw.randint(1, 12)}"])


@pytest.mark.parametrize("seed", range(40))
def test_random_functions(machine, tmp_path, seed):
    draw = random.Random(seed)
    lines = ["def function(get, n):", "    total, count = get(0) * 0, 0",
             *write_statements(draw, 0, False, "    "),
             "    for i0 in range(n):",
             *write_statements(draw, 1, True, "        "),
             "    return total, count"]
    path = tmp_path / f"random_exits_{seed}.py"
    path.write_text("\n".join(lines) + "\n")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for n in (0, 1, 5):
        expect_same(module.function, n)
