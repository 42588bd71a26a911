# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python objects that loops and branches of the program change. Each function here runs
in Python on NumPy scalars, and as a kernel, and both must give the same results.
Objects that are refused are in wrong_calls/objects.py."""

import collections
import copy
import dataclasses
import functools
import types
import weakref

import numpy as np
import pytest

import tile_mlir as tile

BODIES = []


def body(function):
    BODIES.append(function)
    return function


# ----------------------------------------------------------------------------
# Python's own results
# ----------------------------------------------------------------------------


class Numbers:
    """The functions of tile_mlir that the tested functions call, on NumPy scalars."""

    static_range = range
    range = range
    maximum = max

    @staticmethod
    def load(x, index, shape):
        return float(x[index])

    @staticmethod
    def store(out, index, value):
        out[index] = value


def list_inputs():
    for k in (0, 1, 2, 5):
        for first in (-1.0, 1.0):
            x = np.arange(8, dtype=np.float32)
            x[0] = first
            yield x, k


# ----------------------------------------------------------------------------
# Attributes
# ----------------------------------------------------------------------------


class State:
    def __init__(self, v=0):
        self.v = v

    def bump(self, by=1):
        self.v += by

    @property
    def twice(self):
        return 2 * self.v

    @twice.setter
    def twice(self, value):
        self.v = value / 2


@dataclasses.dataclass
class Record:
    a: object
    b: object = 2


class Slotted:
    __slots__ = ("v", "w")

    def __init__(self):
        self.v = 1


class Chain:
    def __init__(self):
        self.inner = State(3)
        self.list = [State(1), State(2)]


class Counted:
    total = 0

    def add(self, by):
        Counted.total = Counted.total + by

    @classmethod
    def add_to_class(cls, by):
        cls.total += by


class Number:
    """A user's class whose operators change the object."""

    def __init__(self):
        self.uses = 0

    def __add__(self, other):
        self.uses += 1
        return other + 1

    def __getitem__(self, key):
        self.uses += 10
        return key

    def __enter__(self):
        self.uses += 100
        return self

    def __exit__(self, *_):
        self.uses += 1000


@body
def attribute_in_if(x, out, k):
    s = State()
    if tile.load(x, 0, ()) > 0:
        s.v = 1
    tile.store(out, 0, s.v)


@body
def attribute_in_else(x, out, k):
    s = State(5)
    if tile.load(x, 0, ()) > 0:
        pass
    else:
        s.v = s.v + 1
    tile.store(out, 0, s.v)


@body
def attribute_in_elif(x, out, k):
    s = State(5)
    if k == 0:
        s.v = 1
    elif k == 1:
        s.v = s.v * 2
    elif tile.load(x, 0, ()) > 0:
        s.bump(3)
    else:
        s.v = 7.5
    tile.store(out, 0, s.v)


@body
def attribute_in_for(x, out, k):
    s = State()
    for i in range(k):
        s.v += i + 1
    tile.store(out, 0, s.v)


@body
def attribute_in_while(x, out, k):
    s = State()
    while s.v < k:
        s.v += 1
    tile.store(out, 0, s.v)


@body
def condition_of_attributes(x, out, k):
    s, t = State(), State(1.0)
    while s.v < k and t.v < 3.0:
        s.bump()
        t.v = t.v + s.v * 0.5
    tile.store(out, 0, s.v + t.v)


@body
def method_in_branch_in_loop(x, out, k):
    s = State()
    for i in range(k):
        if i % 2 == 0:
            s.bump(i)
        else:
            s.twice = i
    tile.store(out, 0, s.twice + s.v)


@body
def dataclass_fields(x, out, k):
    r = Record(0.0)
    for i in range(k):
        r.a += tile.load(x, i, ())
        r.b = r.b + i
    if k > 1:
        r.a, r.b = r.b, r.a
    tile.store(out, 0, r.a)
    tile.store(out, 1, r.b)


@body
def slots(x, out, k):
    s = Slotted()
    if k > 0:
        s.v = s.v + k
        s.w = 3
    else:
        s.w = 4
    tile.store(out, 0, s.v)
    tile.store(out, 1, s.w)


@body
def nested_objects(x, out, k):
    c = Chain()
    for i in range(k):
        c.inner.v += i
        c.list[1].v = c.list[1].v + c.list[0].v
    c.list[0].bump()
    tile.store(out, 0, c.inner.v)
    tile.store(out, 1, c.list[0].v + 10 * c.list[1].v)


@body
def aliases(x, out, k):
    s = State(1)
    t = {"s": s}
    if k > 1:
        s.v = 4
    t["s"].bump()
    for i in range(k):
        t["s"].v += s.v
    tile.store(out, 0, s.v)


@body
def of_a_class(x, out, k):
    Counted.total = 0
    c = Counted()
    for i in range(k):
        c.add(i)
    if k > 1:
        Counted.add_to_class(100)
    tile.store(out, 0, Counted.total)


@body
def attribute_of_a_function(x, out, k):
    def helper():
        helper.calls += 1

    helper.calls = 0
    for i in range(k):
        helper()
    tile.store(out, 0, helper.calls)


@body
def namespaces(x, out, k):
    s = types.SimpleNamespace(v=1, w=2)
    if k > 1:
        s.v, s.w = s.w, s.v
    setattr(s, "v", s.v + 1)
    for i in range(k):
        setattr(s, "w", s.w + i)
        s.__dict__["v"] += 1
        vars(s).update(w=s.w + 1)
    tile.store(out, 0, s.v + 10 * s.w)


@body
def operators_that_change(x, out, k):
    n = Number()
    for i in range(k):
        n + i
    if k > 1:
        n[3]
    if k > 0:
        with n:
            pass
    tile.store(out, 0, n.uses)


@body
def target_of_a_loop(x, out, k):
    s, parts = State(9), [7]
    for s.v in range(k):
        pass
    for parts[0] in range(k):
        pass
    tile.store(out, 0, s.v + 100 * parts[0])


@body
def attribute_without_a_value_before(x, out, k):
    s = State()
    if k > 1:
        s.other = 1.5
    else:
        s.other = k
    for i in range(k):
        s.inner = i
        s.v += s.inner
    tile.store(out, 0, s.other + s.v)


# ----------------------------------------------------------------------------
# Lists and other containers
# ----------------------------------------------------------------------------


@body
def elements_of_lists(x, out, k):
    parts = [0.0, 1.0, [2.0, 3.0]]
    if k > 1:
        parts[0] = 4.0
        parts[2][1] += 1
    for i in range(k):
        parts[1] += parts[0]
        parts[2][0] -= i
    tile.store(out, 0, parts[0] + parts[1])
    tile.store(out, 1, parts[2][0] + 10 * parts[2][1])


@body
def lists_that_grow_in_both(x, out, k):
    parts = []
    if k > 1:
        parts.append(1.0)
        parts.insert(0, 5.0)
    else:
        parts.extend([3.0, 4.0])
    tile.store(out, 0, parts[0] + 10 * parts[1] + 100 * len(parts))


@body
def pop_and_append(x, out, k):
    stack = [1.0, 2.0]
    for i in range(k):
        top = stack.pop()
        stack.append(top * 0.5 + i)
    if k > 1:
        stack.reverse()
    tile.store(out, 0, stack[0] + 100 * stack[1])


@body
def slices(x, out, k):
    parts = [1, 2, 3]
    if k > 0:
        parts[:2] = [k, parts[0]]
    parts[2:] = [parts[0]]
    for i in range(k):
        parts[:] = parts[1:] + parts[:1]
    tile.store(out, 0, parts[0] + 10 * parts[1] + 100 * parts[2])


@body
def toggled_buffers(x, out, k):
    a, b = [0.0], [1.0]
    current, other = 0, 1
    both = [a, b]
    for i in range(k):
        both[0][0] = both[1][0] + i
        both[0][0], both[1][0] = both[1][0], both[0][0]
        current, other = other, current
    tile.store(out, 0, a[0] + 10 * b[0] + 100 * current)


@body
def toggled_flag(x, out, k):
    s = State(False)
    count = 0
    for i in range(k):
        if s.v:
            count += i
        s.v = not s.v
    tile.store(out, 0, count)


@body
def dictionaries(x, out, k):
    d = {"a": 1, "b": 2.0}
    if k > 1:
        d["a"] = 5
        d.update(b=d["a"] * 0.5)
    else:
        d |= {"b": 1.0}
    for i in range(k):
        d["a"] += i
        d.setdefault("a", 0)
    tile.store(out, 0, d["a"] + 10 * d["b"])


@body
def keys_in_both(x, out, k):
    d = {}
    if k > 1:
        d["a"] = 1
    else:
        d.setdefault("a", 2)
    tile.store(out, 0, d["a"])


@body
def other_containers(x, out, k):
    queue = collections.deque([1.0, 2.0])
    counter = collections.Counter(a=1)
    default = collections.defaultdict(int, b=2)
    ordered = collections.OrderedDict(c=3)
    for i in range(k):
        queue.rotate(1)
        queue[0] += i
        counter["a"] += i
        default["b"] += 1
        ordered["c"] = ordered["c"] + default["b"]
    tile.store(out, 0, queue[0] + 100 * queue[1])
    tile.store(out, 1, counter["a"] + 10 * default["b"] + 100 * ordered["c"])


@body
def arguments_of_helpers(x, out, k):
    def fill(target, value):
        target[0] = value

    parts, s = [0], State()
    append = State.bump
    for i in range(k):
        fill(parts, i)
        append(s, i)
        functools.partial(fill, parts)(parts[0] + 1)
    tile.store(out, 0, parts[0] + 10 * s.v)


@body
def weak_references(x, out, k):
    s = State(1)
    reference = weakref.ref(s)
    for i in range(k):
        reference().v += i
    tile.store(out, 0, s.v)


@body
def arrays_that_are_read(x, out, k):
    table, rows = np.arange(4.0), [np.arange(3)]
    total = 0.0
    for i in range(k):
        total = total + float(table[2]) + int(rows[0][1])
    tile.store(out, 0, total)


@body
def records_of_lists(x, out, k):
    r = Record([1, 2], {"n": State(1)})
    for i in range(k):
        r.a[i > 99] if False else r.a.__setitem__(0, r.a[0] + i)
        r.b["n"].v += r.a[0]
    tile.store(out, 0, r.a[0] + 10 * r.b["n"].v)


# ----------------------------------------------------------------------------
# Globals and variables of other functions
# ----------------------------------------------------------------------------

TOTAL = 0
SETTINGS = State(0)


def add_to_total(by):
    global TOTAL
    TOTAL = TOTAL + by


def reset_total():
    global TOTAL
    TOTAL = 0
    return 1


@body
def globals_of_helpers(x, out, k):
    global TOTAL
    TOTAL = 1
    for i in range(k):
        add_to_total(i)
        TOTAL = TOTAL * 2
        add_to_total(1)
    if k > 1:
        add_to_total(100)
    tile.store(out, 0, TOTAL)


@body
def global_in_a_loop(x, out, k):
    SETTINGS.v = reset_total()
    for i in range(k):
        global TOTAL
        TOTAL = i
        SETTINGS.v += TOTAL
    tile.store(out, 0, SETTINGS.v)


@body
def nonlocals(x, out, k):
    count = 0

    def bump(by):
        nonlocal count
        count = count + by
        return count

    for i in range(k):
        bump(i)
        count = count * 2
        bump(1)
    if tile.load(x, 0, ()) > 0:
        bump(100)
        count += 1
    tile.store(out, 0, count + bump(0))


@body
def nonlocal_of_two_levels(x, out, k):
    count = 1

    def outer():
        def inner():
            nonlocal count
            count += 1

        for i in range(k):
            inner()
        return count

    total = outer()
    if k > 1:
        total = total + outer()
    tile.store(out, 0, total)


@body
def closures_see_assignments(x, out, k):
    scale = 1

    def apply(v):
        return v * scale

    total = 0
    for i in range(k):
        scale = scale + 1
        total = total + apply(i)
        if i > 1:
            scale = scale - 1
            total = total + apply(1)
    tile.store(out, 0, total + apply(10))


@body
def lambdas_of_a_loop(x, out, k):
    total = 0.0
    for i in range(k):
        f = lambda v: v * i + total  # noqa: E731
        total = f(2.0)
    tile.store(out, 0, total)


@body
def closures_of_state(x, out, k):
    def make():
        seen = [0]

        def note(by):
            seen[0] += by
            return seen[0]

        return note

    note = make()
    for i in range(k):
        note(i)
    if k > 1:
        note(10)
    tile.store(out, 0, note(0))


def remember(value, memory=[0]):
    memory[0] = memory[0] * 2 + value
    return memory[0]


@body
def defaults_of_functions(x, out, k):
    remember.__defaults__[0][0] = 0
    for i in range(k):
        remember(i)
    tile.store(out, 0, remember(0))


def change_in_branch(s, k):
    if k > 1:
        s.v = s.v + 1
    else:
        s.bump(5)
    return s.v


@body
def branches_of_helpers(x, out, k):
    s = State(1)
    for i in range(k):
        if i > 0:
            change_in_branch(s, i)
    tile.store(out, 0, s.v)


# ----------------------------------------------------------------------------
# Expressions
# ----------------------------------------------------------------------------


@body
def choices_with_effects(x, out, k):
    s = State(1)
    stack = [1, 2]

    def take(v):
        s.v += v
        return s.v

    a = take(1) if k > 1 else take(10)
    b = stack.pop() if tile.load(x, 0, ()) > 0 else stack.pop(0)
    tile.store(out, 0, a + 10 * s.v)
    tile.store(out, 1, b + 10 * stack[0])


@body
def assignments_in_comprehensions(x, out, k):
    parts = [1, 2]
    for i in range(k):
        parts = [(last := p + i) for p in parts]
        parts[0] += last
    tile.store(out, 0, parts[0] + 10 * parts[1])


@body
def statements_in_branches(x, out, k):
    s = State(0)
    if k > 0:
        try:
            s.v = {}["none"]
        except KeyError:
            s.v = 3
        finally:
            s.bump()
        match s:
            case State(v=v):
                s.v = v + 1
        if (n := k + 1) > 2:
            s.v += n
    tile.store(out, 0, s.v)


@body
def static_loops_in_branches(x, out, k):
    parts = []
    for j in tile.static_range(3):
        parts.append(j)
        if k > j:
            parts[j] += 10
    for i in range(k):
        for j in tile.static_range(3):
            parts[j] += i * j
        while len(parts) > 3:
            parts.pop()
    tile.store(out, 0, parts[0] + 100 * parts[1] + 10000 * parts[2])


@body
def conditions_are_computed_once(x, out, k):
    s = State(0)

    def next_number():
        s.v += 1
        return s.v

    while next_number() < 4:
        if k > s.v:
            s.v += 1 if False else 0
    tile.store(out, 0, s.v)


@body
def copies(x, out, k):
    a = [1, 2]
    b = copy.copy(a)
    if k > 1:
        b = [3, 4]
    for i in range(k):
        b = list(b)
        b[0] += i
    tile.store(out, 0, a[0] + 10 * b[0])


@body
def lists_changed_and_replaced(x, out, k):
    """No other name refers to the list, so that its identity does not matter."""
    parts = [3, 1, 2]
    for i in range(k):
        parts[0], parts[1] = parts[1], parts[0] + i
        parts = parts[::-1]
    parts[0] += 1
    tile.store(out, 0, parts[0] + 10 * parts[1] + 100 * parts[2])


@body
def loops_in_loops(x, out, k):
    s = State(0)
    total = [0, 0.0]
    for i in range(k):
        s.v = 0
        for j in range(i):
            s.v += j
            if s.v > 1:
                total[0] += s.v
        m = 0
        while m < s.v:
            m += 1
            total[1] = total[1] + 0.5
    tile.store(out, 0, s.v + 10 * total[0])
    tile.store(out, 1, total[1])


# ----------------------------------------------------------------------------
# Deleted parts
# ----------------------------------------------------------------------------

COUNT = 0


class Cleared:
    """A class with a property that is deleted without having been read."""

    def __init__(self):
        self.count, self.__hidden = 0, 1

    @property
    def value(self):
        raise ValueError("not to be read")

    @value.deleter
    def value(self):
        self.count += 1

    def hide(self):
        del self.__hidden
        return hasattr(self, "_Cleared__hidden")


@body
def deleted_attributes(x, out, k):
    s, t, c = State(2), Slotted(), Cleared()
    t.w = 3
    if k > 1:
        s.v += t.w
        del t.w
    else:
        del t.w
    tile.store(out, 0, s.v + 10 * hasattr(t, "w"))
    for i in range(k):
        del c.value
    del c.value
    del s.v, t.v
    tile.store(out, 1, c.count + 10 * hasattr(s, "v") + 20 * c.hide())


@body
def deleted_globals(x, out, k):
    global COUNT
    COUNT = 1
    if k > 1:
        COUNT = COUNT + k
    tile.store(out, 0, COUNT)
    del COUNT
    COUNT = 5
    for i in range(k):
        COUNT += i
    tile.store(out, 1, COUNT)
    COUNT = 0


@body
def deleted_variables_of_functions(x, out, k):
    count = 1

    def bump():
        nonlocal count
        before = count
        del count
        count = before + 1

    for i in range(k):
        bump()
    tile.store(out, 0, count)
    del count
    count = k
    if k > 1:
        bump()
    tile.store(out, 1, count)


# ----------------------------------------------------------------------------
# Tests
# ----------------------------------------------------------------------------

# Functions of this module that kernels call in another form.
IN_KERNELS = {"change_in_branch": tile.function(change_in_branch)}


@pytest.mark.parametrize("function", BODIES, ids=lambda f: f.__name__)
def test_as_python(function, machine, monkeypatch):
    kernel = tile.kernel(function)
    for x, k in list_inputs():
        expected, out = np.full(2, -7.0, np.float32), np.full(2, -7.0, np.float32)
        with monkeypatch.context() as within:
            for name, helper in IN_KERNELS.items():
                within.setitem(globals(), name, helper)
            kernel[1](x, out, k)
        with monkeypatch.context() as within:
            within.setitem(globals(), "tile", Numbers)
            function(x, expected, k)
        np.testing.assert_array_equal(out, expected, f"k = {k}, x[0] = {x[0]}")
