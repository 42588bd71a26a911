# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python objects that a loop or a branch of the program cannot change."""

import array
import collections
import itertools
import random

import numpy as np

import tile_mlir as tile
from wrong_calls.table import X, at_line

IN_IF, IN_LOOP = "after both branches of an 'if'", "before and after the body of a loop"
LIST = ("a list of the program has one length: make it as long before, and assign its "
        "elements, or change it in a loop over tile.static_range")
SET = "use a number or a tile for each element that may be in it"
KEYS = "set all its keys before"


def of_parts(kind, name, what, when, found, instead):
    return (f"expected the {kind} {name!r} to have {what} {when} of the program, got "
            f"{found}; {instead}")


def of_elements(name, when, found):
    return of_parts("list", name, "as many elements", when, found, LIST)


def of_keys(name, when, found):
    return of_parts("dictionary", name, "the same keys", when, found, KEYS)


def of_state(kind, name, what="an 'if'"):
    return (f"expected the {kind} {name!r} to be the same after {what} of the program as "
            "before it, since the body is traced whether it runs or not, got a change; "
            "change it before or after")


def of_unchanged(what, name):
    return (f"expected {what} of the program to change no object of Python, got a change "
            f"of {name!r}; the body of a loop or of an 'if' may")


def of_choice(name, what="an 'if'"):
    return (f"expected {name!r} and the objects that it may be to stay as they are, since "
            f"{what} of the program chooses among them, got a change in place; assign a "
            f"new one first, as by {name} = copy.copy({name})")


def of_both(name):
    return (f"expected {name!r} to be changed in place or assigned as a whole by a loop of "
            "the program, got both, so that it is one object or another; begin the body "
            f"with a copy, {name} = copy.copy({name})")


class State:
    def __init__(self, v=0):
        self.v = v

    def bump(self):
        self.v += 1
        return self.v


# ----------------------------------------------------------------------------
# Containers that get longer
# ----------------------------------------------------------------------------


@at_line(of_elements("parts", IN_LOOP, "0 and 1"), X, 3)
def append_in_a_loop(x, k):
    parts = []
    for i in range(k):
        parts.append(tile.load(x, i, 4))  # here
    tile.store(x, 0, parts[0])


@at_line(of_elements("parts", IN_IF, "1 and 0"), X, 3)
def append_in_a_branch(x, k):
    parts = []
    if k > 2:
        parts.append(1.0)  # here
    tile.store(x, 0, len(parts))


@at_line(of_elements("parts", IN_IF, "2 and 1"), X, 3)
def pop_in_else(x, k):
    parts = [1, 2]
    if k > 2:
        tile.store(x, 0, 1.0)
    else:
        tile.store(x, 0, parts.pop())  # here: parts.pop


@at_line(of_elements("parts", IN_LOOP, "1 and 2"), X, 3)
def addition_to_a_list(x, k):
    parts = [1]
    while k > 0:
        k = k - 1
        parts += [2]  # here


@at_line(of_elements("s.v", IN_LOOP, "0 and 1"), X, 3)
def append_to_an_attribute(x, k):
    s = State([])
    for i in range(k):
        s.v.append(1)  # here


@at_line(of_elements("seen", IN_LOOP, "0 and 1"), X, 3)
def append_of_a_helper(x, k):
    seen = []

    def note(value):
        seen.append(value)

    for i in range(k):
        note(i)  # here


@at_line(of_elements("append", IN_LOOP, "0 and 1"), X, 3)
def append_by_a_bound_method(x, k):
    parts = []
    append = parts.append
    for i in range(k):
        append(1)  # here


LOG = []


def log(value):
    LOG.append(value)


@at_line(of_elements("LOG", IN_IF, "1 and 0"), X, 3)
def append_to_a_global(x, k):
    if k > 2:
        log(3)  # here


@at_line(of_elements("parts", IN_IF, "3 and 2"), X, 3)
def insertion_by_a_slice(x, k):
    parts = [1, 2]
    if k > 2:
        parts[:1] = [3, 4]  # here


@at_line(of_parts("deque", "queue", "as many elements", IN_LOOP, "1 and 2",
                  "change it in a loop over tile.static_range"), X, 3)
def append_to_a_deque(x, k):
    queue = collections.deque([1])
    for i in range(k):
        queue.append(2)  # here


@at_line(of_keys("d", IN_IF, "['a'] and []"), X, 3)
def key_of_one_branch(x, k):
    d = {}
    if k > 2:
        d["a"] = 1  # here


@at_line(of_keys("d", IN_IF, "[] and ['a']"), X, 3)
def deleted_key(x, k):
    d = {"a": 1}
    if k > 2:
        del d["a"]  # here: d["a"]


@at_line(of_keys("d", IN_LOOP, "[] and ['a']"), X, 3)
def set_default_in_a_loop(x, k):
    d = {}
    for i in range(k):
        d.setdefault("a", 1)  # here


@at_line(of_keys("counts", IN_LOOP, "[] and ['a']"), X, 3)
def counter_in_a_loop(x, k):
    counts = collections.Counter()
    for i in range(k):
        counts["a"] += 1  # here


@at_line(of_keys("table", IN_LOOP, "[] and [3]"), X, 3)
def memory_of_a_helper(x, k):
    table = {}

    def square(n):
        if n not in table:
            table[n] = n * n
        return table[n]

    for i in range(k):
        tile.store(x, i, square(3))  # here: square(3)


@at_line(of_parts("set", "seen", "the same elements", IN_LOOP, "[] and [3]", SET), X, 3)
def set_in_a_loop(x, k):
    seen = set()
    for i in range(k):
        seen.add(3)  # here


@at_line(of_parts("set", "seen", "the same elements", IN_IF, "[1] and [1, 2]", SET), X, 3)
def set_in_a_branch(x, k):
    seen = {1, 2}
    if k > 1:
        seen.discard(2)  # here


# ----------------------------------------------------------------------------
# Objects that cannot be restored
# ----------------------------------------------------------------------------


@at_line(of_state("iterator", "it"), X, 3)
def iterator_in_a_branch(x, k):
    it = iter([1, 2])
    if k > 1:
        tile.store(x, 0, next(it))  # here: it


@at_line(of_state("iterator", "it", "a loop"), X, 3)
def generator_in_a_loop(x, k):
    def numbers():
        yield from (1, 2, 3)

    it = numbers()
    for i in range(k):
        tile.store(x, 0, next(it))  # here: it


@at_line(of_state("iterator", "it"), X, 3)
def enumeration_in_a_branch(x, k):
    it = enumerate([1, 2])
    if k > 1:
        next(it)  # here: it


@at_line(of_state("iterator", "it"), X, 3)
def count_in_a_branch(x, k):
    it = itertools.count()
    if k > 1:
        next(it)  # here: it


@at_line(of_state("iterator", "it"), X, 3)
def cycle_in_a_branch(x, k):
    it = itertools.cycle([1, 1])
    for i in tile.static_range(3):
        next(it)
    if k > 1:
        next(it)  # here: it


@at_line(of_state("array of NumPy", "table", "a loop"), X, 3)
def array_that_is_changed(x, k):
    table = np.zeros(3)
    for i in range(k):
        table[1] += 1  # here


@at_line(of_state("array of bytes", "table"), X, 3)
def bytes_that_are_changed(x, k):
    table = bytearray(3)
    if k > 1:
        table[1] = 1  # here


@at_line(of_state("array of bytes", "table"), X, 3)
def array_of_python(x, k):
    table = array.array("i", [1, 2])
    if k > 1:
        table[1] = 1  # here


@at_line(of_state("array of bytes", "table"), X, 3)
def bytes_by_a_view(x, k):
    table = memoryview(bytearray(3))
    if k > 1:
        table[1] = 1  # here


@at_line(of_state("array of NumPy", "table"), X, 3)
def long_array(x, k):
    table = np.zeros(1 << 18)
    if k > 1:
        table[1] = 1  # here


@at_line(of_state("array of NumPy", "table"), X, 3)
def array_of_objects(x, k):
    table = np.asarray([1, None], object)
    if k > 1:
        table[1] = k  # here


@at_line(of_state("random generator", "numbers"), X, 3)
def random_numbers(x, k):
    numbers = random.Random(1)
    if k > 1:
        tile.store(x, 0, numbers.random())  # here: numbers.random()


@at_line(of_state("random generator", "numbers"), X, 3)
def random_numbers_of_numpy(x, k):
    numbers = np.random.default_rng(1)
    if k > 1:
        tile.store(x, 0, numbers.random())  # here: numbers.random()


# ----------------------------------------------------------------------------
# One object or another
# ----------------------------------------------------------------------------


@at_line(of_choice("best"), X, 3)
def change_of_what_was_chosen(x, k):
    a, b = [1], [2]
    best = a
    if k > 1:
        best = b  # here
    best[0] = 3
    tile.store(x, 0, a[0])


@at_line(of_choice("best"), X, 3)
def change_of_what_may_be_chosen(x, k):
    a, b = {"n": 1}, {"n": 2}
    if k > 1:
        best = b
    else:
        best = a  # here
    a["n"] = 3
    tile.store(x, 0, best["n"])


@at_line(of_both("a"), X, 3)
def list_that_has_another_name(x, k):
    a = [1, 2]
    b = a
    for i in range(k):
        a[0] = i
        a = [a[1], a[0]]  # here
    tile.store(x, 0, b[0])


@at_line(of_both("a"), X, 3)
def list_that_is_kept_as_well(x, k):
    a, s = [1, 2], State([0, 0])
    for i in range(k):
        a[0] = i
        a = [a[1], a[0]]  # here
        s.v = a
    tile.store(x, 0, s.v[0])


@at_line(of_both("a"), X, 3)
def toggled_lists(x, k):
    a, b = [1], [2]
    for i in range(k):
        a[0] = b[0] + i
        a, b = b, a  # here


@at_line("expected 's' to be the same behind both branches of an 'if', since it is no "
         "tile, scalar or number, got an object of type 'State' and an object of type "
         "'State'", X, 3)
def object_of_one_branch(x, k):
    s = State()
    if k > 1:
        s = State()  # here


# ----------------------------------------------------------------------------
# Values
# ----------------------------------------------------------------------------


@at_line("expected 's.v' to have one type before a loop and after its body, got tile of 4 "
         "f32 and tile of 8 f32", X, 3)
def other_type_of_an_attribute(x, k):
    s = State(tile.load(x, 0, 4))
    for i in range(k):
        s.v = tile.load(x, 0, 8)  # here


@at_line("expected \"names['a']\" to be the same behind both branches of an 'if', since "
         "it is no tile, scalar or number, got 'x' and 'y'", X, 3)
def text_of_one_branch(x, k):
    names = {"a": "y"}
    if k > 1:
        names["a"] = "x"  # here


@at_line("expected 's.other' to have a value in both branches of an 'if', got one in one "
         "of them", X, 3)
def attribute_of_one_branch(x, k):
    s = State()
    if k > 1:
        s.other = 1
    tile.store(x, 0, s.other)  # here: s.other


@at_line("expected 's.v' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3)
def deleted_attribute(x, k):
    s = State()
    if k > 1:
        del s.v
    tile.store(x, 0, s.v)  # here: s.v


@at_line("expected 's.other' to have a value before the loop, which may have no "
         "iteration, got none", X, 3)
def attribute_of_a_loop(x, k):
    s = State()
    for i in range(k):
        s.other = i
    tile.store(x, 0, s.other)  # here: s.other


@at_line("expected 's.other' to have a value in both branches of an 'if', got one in "
         "one of them", X, 3)
def identity_of_an_attribute(x, k):
    s = State()
    if k > 1:
        s.other = 1
    tile.store(x, 0, 1.0 if s.other is None else 2.0)  # here: s.other


@at_line("expected 's.other' to have a value in both branches of an 'if', got one in "
         "one of them", X, 3)
def part_of_an_attribute(x, k):
    s = State()
    if k > 1:
        s.other = State()
    s.other.v = 1  # here


@at_line("expected 's.other' to have a value in both branches of an 'if', got one in "
         "one of them", X, 3)
def deleted_attribute_of_one_branch(x, k):
    s = State()
    if k > 1:
        s.other = 1
    del s.other  # here


class Slots:
    __slots__ = ("v",)


@at_line("expected 's.v' to have a value in both branches of an 'if', got one in one "
         "of them", X, 3)
def deleted_slot_of_one_branch(x, k):
    s = Slots()
    if k > 1:
        s.v = 1
    del s.v  # here


@at_line("expected 'Made' to have a value in both branches of an 'if', got one in one "
         "of them", X, 3)
def global_of_one_branch(x, k):
    global Made
    if k > 1:
        Made = 3
    tile.store(x, 0, 1.0 if Made is None else 2.0)  # here: Made is


@at_line("expected 'made' to have a value in both branches of an 'if', got one in one "
         "of them", X, 3)
def variable_of_a_function_around(x, k):
    def make():
        nonlocal made
        made = 3
    if k > 1:
        make()
    tile.store(x, 0, 1.0 if made is None else 2.0)  # here: made is
    made = 4


# ----------------------------------------------------------------------------
# Functions and operands that change objects
# ----------------------------------------------------------------------------


@at_line(of_unchanged("an operand of 'and' and 'or'", "s"), X, 3)
def operand_that_changes(x, k):
    s = State()
    if k > 1 and s.bump() > 0:  # here: k > 1 and
        tile.store(x, 0, s.v)


@at_line(of_unchanged("an operand of 'and' and 'or'", "s"), X, 3)
def comparison_that_changes(x, k):
    s = State()
    if 0 < k < s.bump():  # here: 0 <
        tile.store(x, 0, s.v)


@at_line(of_unchanged("the condition of a 'while'", "s"), X, 3)
def condition_that_changes(x, k):
    s = State()
    while s.bump() < k:  # here
        tile.store(x, 0, s.v)


@at_line(of_unchanged("the message of an 'assert'", "s"), X, 3)
def message_that_changes(x, k):
    s = State()
    assert k > 1, f"{s.bump()} times"  # here


@at_line(of_unchanged("a function of elements", "s"), X)
def function_of_elements_that_changes(x):
    s = State()

    def double(a):
        s.bump()
        return 2 * a

    tile.store(x, 0, tile.map(double, tile.load(x, 0, 4)))  # here: tile.map


@at_line("expected no exception to leave a loop or a branch of the program and to be "
         "caught, got ValueError: too many", X, 3)
def exception_that_is_caught(x, k):
    def check():
        raise ValueError("too many")  # here: raise

    try:
        if k > 1:
            check()
    except ValueError:
        tile.store(x, 0, 1.0)
