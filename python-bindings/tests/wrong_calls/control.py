# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops, branches, conditions, and the names that they assign."""

import contextlib
import inspect
import itertools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import tile_mlir as tile
from wrong_calls.table import X, as_condition, as_integer, at_line


# ----------------------------------------------------------------------------
# Conditions
# ----------------------------------------------------------------------------


@at_line("expected a scalar as a condition, got tile of 4 bool_; tile.where chooses by "
         "element, .any() and .all() make one of a tile", X)
def tile_as_condition(x):
    t = tile.load(x, 0, 4)
    if t > 0:  # here
        t = t + 1


@at_line("expected a scalar as a condition, got tile of 4 bool_; tile.where chooses by "
         "element, .any() and .all() make one of a tile", X)
def tile_as_condition_of_a_loop(x):
    t = tile.load(x, 0, 4)
    while t > 0:  # here
        t = t - 1


@at_line("expected a scalar as a condition, got tile of 8 bool_; tile.where chooses by "
         "element, .any() and .all() make one of a tile", X)
def tile_as_condition_of_a_choice(x):
    t = tile.load(x, 0, 8)
    tile.store(x, 0, 1.0 if t > 0 else 2.0)  # here: 1.0


@at_line("expected a Python value as a condition, got an array of ? f32, which has no "
         "number while the kernel is traced; 'is None' asks whether there is one", X)
def array_as_condition(x):
    if x:  # here
        tile.store(x, 0, 1.0)


@at_line(as_condition("a scalar of bool_"), X, 3)
def scalar_in_a_comprehension(x, k):
    parts = [i for i in (1, 2) if i < k]  # here: i < k
    tile.store(x, 0, len(parts))


@at_line(as_condition("a scalar of index"), X, 3)
def scalar_for_filter(x, k):
    list(filter(lambda i: k, [1]))  # here: list


@at_line(as_condition("a scalar of bool_"), X, 3)
def bool_of_a_scalar(x, k):
    bool(k > 2)  # here


@at_line(as_condition("a tile of 4 bool_"), X)
def any_of_python(x):
    any([tile.load(x, 0, 4) > 0])  # here


@at_line(as_condition("a scalar of bool_"), X, 3)
def element_of_a_list(x, k):
    k in [1, 2]  # here


@at_line("expected a Python value to iterate over, got a tile of 4 f32, which has no "
         "number while the kernel is traced; 'tile.range' makes a loop", X, 3)
def element_of_a_tile(x, k):
    1 in tile.load(x, 0, 4)  # here


@at_line(as_condition("a scalar of bool_"), X, 3)
def match_of_a_scalar(x, k):
    match k:
        case 3:  # here: 3
            tile.store(x, 0, 1.0)


@at_line(as_condition("a scalar of bool_"), X, 3)
def sorted_of_python(x, k):
    sorted([k, k + 1])  # here


# ----------------------------------------------------------------------------
# Ends of loops and branches
# ----------------------------------------------------------------------------


@at_line("expected no 'break' where the program branches or loops, got one; a loop "
         "over tile.static_range or a condition that is known while the kernel is "
         "traced may have it", X, 3)
def break_in_try(x, k):
    for i in range(k):  # here
        try:
            tile.store(x, i, 1.0)
            break
        finally:
            tile.store(x, 0, 2.0)


@at_line("expected no 'break' where the program branches or loops, got one; a loop "
         "over tile.static_range or a condition that is known while the kernel is "
         "traced may have it", X, 3)
def break_in_with(x, k):
    while k > 0:  # here
        with contextlib.nullcontext():
            break


@at_line("expected no 'continue' where the program branches or loops, got one; a loop "
         "over tile.static_range or a condition that is known while the kernel is "
         "traced may have it", X, 3)
def continue_in_match(x, k):
    for i in range(k):  # here
        match x.ndim:
            case 1:
                continue
        tile.store(x, i, 1.0)


@at_line("expected no 'return' where the program branches or loops, got one; a loop "
         "over tile.static_range or a condition that is known while the kernel is "
         "traced may have it", X, 3)
def return_in_try(x, k):
    if k > 3:  # here
        try:
            return
        finally:
            tile.store(x, 0, 2.0)
    tile.store(x, 0, 1.0)


@at_line("expected at most 1000 iterations after a 'break' on a condition of the program, "
         "got more; a loop over a range of the program may have any number", X, 3)
def break_without_end(x, k):
    for i in itertools.count():  # here
        if i == k:
            break


@tile.function
def find_in_a_loop(x, k):
    for i in range(k):  # here
        if tile.load(x, i, ()) > 0:
            return i
    return 0


@at_line("expected no 'return' where the program branches or loops, got one; a loop "
         "over tile.static_range or a condition that is known while the kernel is "
         "traced may have it", X, 3, marked=find_in_a_loop.__wrapped__)
def return_of_a_value_in_a_loop(x, k):
    tile.store(x, 0, find_in_a_loop(x, k))


@tile.function
def clip(t, k):
    if k > 3:
        return t, t
    return t  # here


@at_line("expected 'result_of_clip' to have one structure in both branches of an 'if', "
         "got (tile of 4 f32, tile of 4 f32) and tile of 4 f32", X, 3,
         marked=clip.__wrapped__)
def results_of_two_structures(x, k):
    tile.store(x, 0, clip(tile.load(x, 0, 4), k))


@at_line("expected no 'else' where the program branches or loops, got one; a loop over "
         "tile.static_range or a condition that is known while the kernel is traced "
         "may have it", X, 3)
def else_of_a_loop(x, k):
    for i in range(k):  # here
        tile.store(x, i, 1.0)
    else:
        tile.store(x, 0, 1.0)


@at_line("expected no 'else' where the program branches or loops, got one; a loop over "
         "tile.static_range or a condition that is known while the kernel is traced "
         "may have it", X, 3)
def else_of_while(x, k):
    while k > 3:  # here
        k = k - 1
    else:
        tile.store(x, 0, 1.0)


@at_line("expected no 'raise' where the program branches or loops, got one; a loop "
         "over tile.static_range or a condition that is known while the kernel is "
         "traced may have it", X, 3)
def raise_in_a_branch(x, k):
    if k > 3:  # here
        raise ValueError("too many")


@at_line("expected no 'raise' where the program branches or loops, got one; a loop "
         "over tile.static_range or a condition that is known while the kernel is "
         "traced may have it", X, 3)
def raise_in_a_loop(x, k):
    for i in range(k):  # here
        raise ValueError("too many")


# ----------------------------------------------------------------------------
# Carried values
# ----------------------------------------------------------------------------


class Pair(NamedTuple):
    a: object
    b: object


@dataclass
class State:
    count: int


@at_line("expected 'y' to have a value before the loop, which may have no iteration, "
         "got none", X, 3)
def variable_of_a_loop(x, k):
    for i in range(k):
        y = tile.load(x, i, 4)
    tile.store(x, 0, y)  # here: y)


@at_line("expected 'i' to have a value before the loop, which may have no iteration, "
         "got none", X, 3)
def counter_behind_a_loop(x, k):
    for i in range(k):
        tile.store(x, i, 1.0)
    tile.store(x, i, 2.0)  # here: i, 2.0


@at_line("expected 'y' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3)
def variable_of_a_branch(x, k):
    if k > 1:
        y = tile.load(x, 0, 4)
    tile.store(x, 0, y)  # here: y)


@at_line("expected 'y' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3)
def operators_of_no_value(x, k):
    if k > 1:
        y = tile.load(x, 0, 4)
    z = -y  # here: y


@at_line("expected 'y' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3)
def power_of_no_value(x, k):
    if k > 1:
        y = tile.load(x, 0, 4)
    z = y ** 2  # here: y ** 2


@at_line("expected 'y' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3)
def equality_of_no_value(x, k):
    if k > 1:
        y = 3
    z = y == 3  # here: y ==


@at_line("expected 'n' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3)
def bounds_of_no_value(x, k):
    if k > 1:
        n = 3
    for i in range(n):  # here: n):
        tile.store(x, i, 1.0)


@at_line("expected 'n' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3)
def extent_of_no_value(x, k):
    if k > 1:
        n = 3
    tile.load(x, 0, n)  # here: n)


@at_line("expected 'y' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3)
def array_of_no_value(x, k):
    if k > 1:
        y = x
    tile.load(y, 0, 4)  # here: y, 0


@at_line("expected 'y' to have a value before the loop, which may have no iteration, "
         "got none", X, 3)
def attribute_of_no_value(x, k):
    while k > 1:
        y = tile.load(x, 0, 4)
        k = k - 1
    y.sum()  # here: y.sum


@at_line("expected 'y' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3)
def addition_of_no_value(x, k):
    if k > 1:
        y = tile.load(x, 0, 4)
    y += 1  # here


@at_line("expected 'y' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3)
def deleted_in_a_branch(x, k):
    y = tile.load(x, 0, 4)
    if k > 1:
        del y
    tile.store(x, 0, y)  # here: y)


@at_line("expected a variable with a value, got one that has none", X)
def read_before_it_is_assigned(x):
    tile.store(x, 0, y)  # here: y)
    for i in range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def text_of_what_is_assigned_later(x):
    text = f"{y}"  # here: y}
    for i in range(3):
        y = i
    tile.store(x, 0, len(text))


@at_line("expected a variable with a value, got one that has none", X)
def attribute_of_what_is_assigned_later(x):
    y.x = 1  # here: y.x
    for i in tile.static_range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def element_of_what_is_assigned_later(x):
    y[0] = 1  # here: y[0]
    for i in tile.static_range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def deleted_before_it_is_assigned(x):
    del y  # here: del
    for i in tile.static_range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def attribute_deleted_before_it_is_assigned(x):
    del y.x  # here: y.x
    for i in tile.static_range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def element_deleted_before_it_is_assigned(x):
    del y[0]  # here: y[0]
    for i in tile.static_range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def identity_of_what_is_assigned_later(x):
    is_none = y is None  # here: y is
    for i in tile.static_range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def other_name_of_what_is_assigned_later(x):
    z = y  # here: y
    for i in tile.static_range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def class_of_what_is_assigned_later(x):
    kind = type(y)  # here: y)
    for i in tile.static_range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def structure_of_what_is_assigned_later(x):
    pair = State(y)  # here: y)
    for i in tile.static_range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def list_of_what_is_assigned_later(x):
    numbers = [1, y]  # here: y]
    for i in tile.static_range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def choice_of_what_is_assigned_later(x):
    z = 1 if y is None else 2  # here: y is
    for i in tile.static_range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def comprehension_of_what_is_assigned_later(x):
    numbers = [y for _ in [1]]  # here: y for
    for i in tile.static_range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def pattern_of_what_is_assigned_later(x):
    match y:  # here: y:
        case _:
            pass
    for i in tile.static_range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def function_that_reads_what_is_assigned_later(x):
    def get():
        return y  # here: y
    tile.store(x, 0, 1.0 if get() is None else 2.0)
    for i in tile.static_range(3):
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def assigned_at_the_end_of_a_body(x):
    for i in range(3):
        last = y  # here: y
        y = i


@at_line("expected a variable with a value, got one that has none", X)
def read_behind_a_loop_without_elements(x):
    for i in []:
        y = i
    z = y  # here: y


@at_line("expected a variable with a value, got one that has none", X)
def read_once_it_is_deleted(x):
    y = 3
    del y
    z = y  # here: y


@at_line("expected a variable with a value, got one that has none", X)
def deleted_twice(x):
    y, z = 3, 4
    del (z, y)
    del [y]  # here: del


@at_line("expected 'y' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3)
def identity_behind_a_branch(x, k):
    if k > 1:
        y = 3
    tile.store(x, 0, 1.0 if y is None else 2.0)  # here: y is


@at_line("expected 'y' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3)
def deleted_behind_a_branch(x, k):
    if k > 1:
        y = 3
    del y  # here


@at_line("expected 'y' to have a value before the loop, which may have no iteration, "
         "got none", X, 3)
def attribute_set_behind_a_loop(x, k):
    for i in range(k):
        y = State(i)
    y.count = 1  # here


@at_line("expected 'y' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3)
def cell_behind_a_branch(x, k):
    if k > 1:
        y = 3
    tile.store(x, 0, (lambda: 1.0 if y is None else 2.0)())  # here: y is


@tile.function
def get_one_way(k):
    if k > 1:
        y = 3
    return y  # here: y


@at_line("expected 'y' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3, marked=inspect.unwrap(get_one_way))
def result_of_one_branch(x, k):
    get_one_way(k)


@at_line("expected 't' to have one type before a loop and after its body, got tile of "
         "4 f32 and tile of 8 f32", X, 3)
def other_shape_in_a_loop(x, k):
    t = tile.zeros((4,))
    for i in range(k):
        t = tile.zeros((8,))  # here


@at_line("expected 't' to have one type before a loop and after its body, got tile of "
         "4 f32 and tile of 4 f16", X, 3)
def other_type_in_a_loop(x, k):
    t = tile.zeros((4,))
    for i in range(k):
        t = tile.zeros((4,), tile.f16)  # here


@at_line("expected 'total' to have one type before a loop and after its body, got "
         "scalar of index and scalar of f32", X, 3)
def scalar_that_becomes_a_float(x, k):
    total = k
    for i in range(k):
        total = total * 0.5  # here


@at_line("expected 'acc' to be the same before and after the body of a loop, since it "
         "is no tile, scalar or number, got None and tile of 4 f32", X, 3)
def none_before_a_loop(x, k):
    acc = None
    for i in range(k):
        acc = tile.load(x, i, 4)  # here


@at_line("expected 'name' to be the same before and after the body of a loop, since it "
         "is no tile, scalar or number, got 'a' and 'ab'", X, 3)
def text_in_a_loop(x, k):
    name = "a"
    for i in range(k):
        name = name + "b"  # here


@at_line("expected 'table' to be the same before and after the body of a loop, since "
         "it is no tile, scalar or number, got an array of NumPy and an array of "
         "NumPy", X, 3)
def array_in_a_loop(x, k):
    table = np.zeros(3)
    for i in range(k):
        table = table + 1  # here


@at_line("expected 'f' to be the same before and after the body of a loop, since it is "
         "no tile, scalar or number, got the function 'exp' and the function "
         "'sin'", X, 3)
def function_in_a_loop(x, k):
    f = tile.exp
    for i in range(k):
        f = tile.sin  # here


@at_line("expected 'x' to be the same before and after the body of a loop, since it is "
         "no tile, scalar or number, got array of ? f32 and array of ? f32", X, X, 3)
def array_that_is_exchanged(x, y, k):
    for i in range(k):
        x, y = y, x  # here


@at_line("expected 'parts' to have one structure before a loop and after its body, got "
         "[0.0] and [0.0, 1.0]", X, 3)
def list_that_grows(x, k):
    parts = [0.0]
    for i in range(k):
        parts = parts + [1.0]  # here


@at_line("expected 'parts' to have one structure before a loop and after its body, got "
         "{'a': 0.0} and {'b': 1.0}", X, 3)
def other_keys_in_a_loop(x, k):
    parts = {"a": 0.0}
    while k > 0:
        k, parts = k - 1, {"b": 1.0}  # here: parts


@at_line("expected 'pair' to have one structure before a loop and after its body, got "
         "(scalar of index, scalar of index) and [scalar of index, scalar of "
         "index]", X, 3)
def tuple_that_becomes_a_list(x, k):
    pair = (k, k)
    for i in range(k):
        pair = [i, i]  # here


@at_line("expected 'pair' to have one structure in both branches of an 'if', got "
         "Pair(a=1, b=2) and (1, 2)", X, 3)
def named_tuple_in_one_branch(x, k):
    if k > 2:
        pair = Pair(1, 2)
    else:
        pair = (1, 2)  # here


@at_line("expected 'kind' to be the same behind both branches of an 'if', since it is "
         "no tile, scalar or number, got 'add' and 'max'", X, 3)
def texts_of_two_branches(x, k):
    if k > 2:
        kind = "add"
    else:
        kind = "max"  # here


@at_line("expected shapes of 't' that can be broadcast together behind both branches "
         "of an 'if', got tile of 4 f32 and tile of 5 f32", X, 3)
def shapes_of_two_branches(x, k):
    if k > 2:
        t = tile.zeros((4,))
    else:
        t = tile.zeros((5,))  # here


@at_line("expected 't' to be the same behind both branches of an 'if', since it is no "
         "tile, scalar or number, got tile of 4 f32 and None", X, 3)
def none_in_one_branch(x, k):
    if k > 2:
        t = tile.zeros((4,))
    else:
        t = None  # here


@at_line("expected 'f' to be the same behind both branches of an 'if', since it is no "
         "tile, scalar or number, got the function 'f' and the function 'exp'", X, 3)
def function_of_one_branch(x, k):
    if k > 2:
        def f(a):
            return a
    else:
        f = tile.exp  # here


@at_line("expected 'a if c else b' to be the same behind both branches of an 'if', "
         "since it is no tile, scalar or number, got 'add' and 'max'", X, 3)
def choice_of_texts(x, k):
    kind = "add" if k > 2 else "max"  # here: "add"


@at_line("expected shapes of 'a if c else b' that can be broadcast together behind "
         "both branches of an 'if', got tile of 4 f32 and tile of 5 f32", X, 3)
def choice_of_shapes(x, k):
    t = tile.zeros(4) if k > 2 else tile.zeros(5)  # here: tile.zeros(4)


@at_line("expected 'y' to have a value before the loop, which may have no iteration, "
         "got none", X, 3)
def try_in_a_loop(x, k):
    for i in range(k):
        try:
            y = tile.load(x, i, 4)
        except ValueError:
            y = None
    tile.store(x, 0, y)  # here: y)


@at_line("expected 'n' to have a value in both branches of an 'if', got one in one of "
         "them", X, 3)
def with_in_a_branch(x, k):
    if k > 2:
        with contextlib.nullcontext(3) as n:
            pass
    tile.store(x, 0, n)  # here: n)


@at_line("expected no ':=' in the condition of a 'while' and in what is computed on a "
         "condition, got one", X, 3)
def assignment_in_a_condition(x, k):
    while (k := k - 1) > 0:  # here: k :=
        tile.store(x, k, 1.0)


@at_line("expected no ':=' in the condition of a 'while' and in what is computed on a "
         "condition, got one", X, 3)
def assignment_behind_and(x, k):
    if k > 0 and (n := k - 1) < 3:  # here: n :=
        tile.store(x, n, 1.0)


@at_line("expected no ':=' in the condition of a 'while' and in what is computed on a "
         "condition, got one", X, 3)
def assignment_in_a_choice(x, k):
    tile.store(x, 0, (n := 1.0) if k > 1 else 2.0)  # here: n :=


@at_line("expected 'kind' to have a value in both branches of an 'if', got one in one "
         "of them", X, 3)
def name_of_a_pattern(x, k):
    if k > 1:
        match "a":
            case kind:
                pass
    tile.store(x, 0, kind)  # here: kind)


# ----------------------------------------------------------------------------
# Ranges
# ----------------------------------------------------------------------------


@at_line("expected integers as bounds of a range, got 4.0", X)
def bound_between(x):
    for i in range(0, 4.0):  # here: range(
        tile.store(x, i, 1.0)


@at_line("expected integers as bounds of a range, got tile of 4 i32", X)
def tile_as_bound(x):
    for i in range(tile.arange(4)):  # here: range(
        tile.store(x, i, 1.0)


@at_line("expected integers as bounds of a range, got True", X)
def bound_of_a_truth(x):
    for i in range(True):  # here: range(
        tile.store(x, i, 1.0)


@at_line("expected a step of a range that is not zero, got 0", X)
def step_of_zero(x):
    for i in range(0, 4, 0):  # here: range(
        tile.store(x, i, 1.0)


@at_line("expected one to three bounds of a range, got 0", X)
def no_bounds(x):
    for i in tile.range():  # here: tile.range(
        tile.store(x, i, 1.0)


@at_line("expected one to three bounds of a range, got 4", X)
def four_bounds(x):
    for i in range(1, 2, 3, 4):  # here: range(
        tile.store(x, i, 1.0)


@at_line("expected the parameters that the function has, got others: Range.__init__() "
         "got an unexpected keyword argument 'stop'", X)
def named_bound(x):
    for i in range(stop=3):  # here: range(
        tile.store(x, i, 1.0)


@at_line("expected bounds of tile.static_range that are known while the kernel is "
         "traced, got a scalar of index", X, 3)
def static_range_of_a_scalar(x, k):
    for i in tile.static_range(k):  # here: tile.static_range(
        tile.store(x, i, 1.0)


@at_line("expected one to three integers as bounds of tile.static_range, the step not "
         "zero, got (2.5,)", X)
def static_range_of_a_fraction(x):
    for i in tile.static_range(2.5):  # here: tile.static_range(
        tile.store(x, i, 1.0)


@at_line("expected one to three integers as bounds of tile.static_range, the step not "
         "zero, got (1, 2, 0)", X)
def static_range_of_step_zero(x):
    for i in tile.static_range(1, 2, 0):  # here: tile.static_range(
        tile.store(x, i, 1.0)


@at_line("expected tile.range in a 'for' of a function with @tile.kernel or "
         "@tile.function whose source can be read, got it elsewhere; tile.static_range "
         "is Python's range", X, 3)
def range_in_a_comprehension(x, k):
    [i for i in tile.range(k)]  # here


@at_line(as_integer("a scalar of index"), X, 3)
def range_of_python_in_a_comprehension(x, k):
    [i for i in range(k)]  # here: range(k)


@at_line(as_integer("a scalar of index"), X, 3)
def enumerated_range(x, k):
    for n, i in enumerate(range(k)):  # here: range(k)
        tile.store(x, i, 1.0)


@at_line("expected a Python value to iterate over, got a tile of 4 f32, which has no "
         "number while the kernel is traced; 'tile.range' makes a loop", X)
def loop_over_a_tile(x):
    for row in tile.load(x, 0, 4):  # here
        tile.store(x, 0, row)


@at_line("expected a Python value to iterate over, got an array of ? f32, which has no "
         "number while the kernel is traced; 'tile.range' makes a loop", X)
def loop_over_an_array(x):
    for row in x:  # here
        tile.store(x, 0, row)


@at_line("expected a Python value to iterate over, got a scalar of index, which has no "
         "number while the kernel is traced; 'tile.range' makes a loop", X, 3)
def loop_over_a_scalar(x, k):
    for i in k:  # here
        tile.store(x, i, 1.0)


@at_line("expected a Python value to iterate over, got a scalar of index, which has no "
         "number while the kernel is traced; 'tile.range' makes a loop", X, 3)
def target_of_two_names(x, k):
    for i, j in range(k):  # here: i, j
        tile.store(x, i, 1.0)


@at_line("expected a Python value to iterate over, got a tile of 2 f32, which has no "
         "number while the kernel is traced; 'tile.range' makes a loop", X)
def unpacked_tile(x):
    a, b = tile.load(x, 0, 2)  # here: a, b


# ----------------------------------------------------------------------------
# Assertions
# ----------------------------------------------------------------------------


@at_line("'tile.assert' op expected a message without character 0", X)
def assertion_of_zeros(x):
    assert tile.load(x, 0, 4) > 0, "a\0b"  # here


# ----------------------------------------------------------------------------
# Recursion
# ----------------------------------------------------------------------------


@tile.function
def factorial(n):
    result = 1
    if n > 1:
        result = n * factorial(n - 1)  # here: factorial(n - 1)
    return result


@at_line("expected functions whose calls end while the kernel is traced, got a recursion "
         "without an end; a Python value may end one, a condition of the program does not",
         X, 3, marked=factorial.__wrapped__)
def recursion_by_a_value_of_the_program(x, k):
    tile.store(x, 0, factorial(k))
