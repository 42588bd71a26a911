# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong kernels and wrong calls: an exception each that names the cause, at the
line of Python that is wrong, which a comment "# here" marks."""

import inspect
from dataclasses import dataclass

import numpy as np
import pytest

import tile_mlir as tile

X = np.zeros(64, np.float32)
M = np.zeros((8, 8), np.float32)


@dataclass
class State:
    count: int


def find_line(kernel):
    """The number of the line with the mark."""
    lines, first = inspect.getsourcelines(kernel.__wrapped__)
    [offset] = [n for n, line in enumerate(lines) if "# here" in line]
    return first + offset


WRONG = []


def wrong(text, *arguments, **constants):
    """A kernel of which a call with the arguments says `text` at the marked
    line."""
    def add(function):
        WRONG.append(pytest.param(tile.kernel(function), text, arguments, constants,
                                  id=function.__name__))
        return function

    return add


@pytest.mark.parametrize("kernel, text, arguments, constants", WRONG)
def test_wrong_kernel(kernel, text, arguments, constants):
    with pytest.raises(tile.CompileError) as caught:
        kernel[1](*arguments, **constants)
    diagnostic = caught.value.diagnostics[0]
    assert text in diagnostic.text
    assert diagnostic.file == __file__
    assert diagnostic.line == find_line(kernel)
    assert diagnostic.column > 0
    assert "# here" in str(caught.value)


@wrong("expected a scalar as a condition, got tile of 4 bool_",
       X)
def tile_as_condition(x):
    t = tile.load(x, 0, 4)
    if t > 0:  # here
        t = t + 1


@wrong("'tile.range' counts by it, 'tile.static_range' by Python's numbers", X, 3)
def scalar_as_index(x, k):
    table = [1, 2, 3]
    tile.store(x, 0, table[k])  # here


@wrong("expected extents of a tile that are known while the kernel is traced", X,
       3)
def scalar_as_extent(x, k):
    tile.load(x, 0, k)  # here


@wrong("expected 'y' to have a value before the loop", X, 3)
def variable_of_a_loop(x, k):
    for i in range(k):
        y = tile.load(x, i, 4)
    tile.store(x, 0, y)  # here


@wrong("expected 'y' to have a value in both branches", X, 3)
def variable_of_a_branch(x, k):
    if k > 1:
        y = tile.load(x, 0, 4)
    tile.store(x, 0, y)  # here


@wrong("expected no 'break'", X, 3)
def break_in_a_loop(x, k):
    for i in range(k):  # here
        if i == 3:
            break


@wrong("expected no 'return'", X, 3)
def return_in_a_branch(x, k):
    if k > 3:  # here
        return
    tile.store(x, 0, 1.0)


@wrong("expected 't' to have one type before a loop and after its body, got tile of "
       "4 f32 and tile of 8 f32", X, 3)
def other_type_in_a_loop(x, k):
    t = tile.zeros((4,))
    for i in range(k):  # here
        t = tile.zeros((8,))


@wrong("expected 'name' to be the same before and after the body of a loop", X, 3)
def text_in_a_loop(x, k):
    name = "a"
    for i in range(k):  # here
        name = name + "b"


@wrong("expected shapes that can be broadcast together, got (4,) and (5,)", X)
def shapes_that_differ(x):
    tile.load(x, 0, 4) + tile.load(x, 0, 5)  # here


@wrong("expected as many columns of the left matrix as the right one has rows", M)
def product_of_other_extents(m):
    tile.load(m, (0, 0), (4, 8)) @ tile.load(m, (0, 0), (4, 8))  # here


@wrong("expected 2 offsets, one for each dimension of the array, got 1", M)
def too_few_offsets(m):
    tile.load(m, 0, 4)  # here


@wrong("expected an integer as a place, got 1.5", X)
def place_between(x):
    tile.load(x, 1.5, 4)  # here


@wrong("expected integers as bounds of a range, got 4.0", X)
def bound_between(x):
    for i in range(0, 4.0):  # here
        tile.store(x, i, 1.0)


@wrong("expected tile.insert or tile.where for a tile with other elements", X)
def assignment_to_a_part(x):
    t = tile.load(x, 0, 4)
    t[0] = 1  # here


@wrong("tile.take has the elements at a tile of places", X, np.zeros(4, np.int32))
def tile_as_place(x, i):
    t = tile.load(x, 0, 4)
    t[tile.load(i, 0, 4)]  # here


@wrong("got a tile of 4 f32 of a loop or a branch that has ended", X)
def list_of_a_loop(x):
    parts = []
    for i in range(3):
        parts.append(tile.load(x, i, 4))
    tile.store(x, 0, parts[0])  # here


@wrong("expected 'sums' to be assigned as a whole in a branch", X, 3)
def part_of_a_list(x, k):
    sums = [0.0]
    if k > 2:  # here
        sums[0] += tile.load(x, 0, 4).sum()
    tile.store(x, 0, sums[0])


@wrong("expected 'state' to be assigned as a whole in a loop", X, 3)
def part_of_an_object(x, k):
    state = State(0)
    for i in range(k):  # here
        if k == 3:
            tile.store(x, i, 1.0)
        state.count += 1
    tile.store(x, 0, state.count)


@wrong("expected 'table' to be assigned as a whole in a loop", X, 3)
def part_of_a_dictionary(x, k):
    table = {"a": 0}
    while k > 0:  # here
        k, table["a"] = k - 1, k


@wrong("expected an axis from -1 to 0, got 1", X)
def axis_beyond(x):
    tile.load(x, 0, 4).sum(axis=1)  # here


@wrong("expected a slice of at least one element", X)
def empty_slice(x):
    tile.load(x, 0, 4)[3:3]  # here


@wrong("expected a slice with bounds that are known", X, 2)
def slice_of_scalars(x, k):
    tile.load(x, 0, 4)[k:]  # here


@wrong("expected a shape of 4 elements, got (3, 2)", X)
def other_size(x):
    tile.load(x, 0, 4).reshape(3, 2)  # here


@wrong("expected integers that are known while the kernel is traced as bounds", X,
       3)
def scalar_as_bound(x, k):
    tile.store(x, 0, tile.arange(k))  # here


@wrong("expected an element type", X)
def unknown_type(x):
    tile.load(x, 0, 4).astype("f31")  # here


@wrong("expected a number that tile.i8 has, got 1000", np.zeros(9, np.int8))
def number_beyond(x):
    tile.load(x, 0, 4) + 1000  # here


@wrong("expected a number that tile.i32 has, got inf", X)
def infinity_as_an_integer(x):
    tile.full((4,), float("inf"), tile.i32)  # here


@wrong("expected a number that tile.f32 has, got 2j", X)
def complex_number_as_a_real_one(x):
    tile.full((4,), 2j, tile.f32)  # here


@wrong("expected types of the same number of bits, not complex and no index, got "
       "tile.f32 and tile.i16", X)
def bits_of_another_number(x):
    tile.bitcast(tile.load(x, 0, 4), tile.i16)  # here


@wrong("expected numbers of 1, 2 or 4 bits, got 3", X)
def packed_in_three_bits(x):
    tile.unpack(tile.zeros(4, tile.i32), 3)  # here


@wrong("expected 1 of the dimensions from 0 to 1, in ascending order, got (2,)", X)
def broadcast_along_no_dimension(x):
    tile.broadcast_to(tile.load(x, 0, 4), (4, 4), dims=(2,))  # here


@wrong("expected a function or a kind of add, mul, min, max, umin, umax, and, or, "
       "xor, got 'plus'", X)
def unknown_kind(x):
    tile.reduce("plus", tile.load(x, 0, 4))  # here


@wrong("expected no identities of the kind 'add', got 0", X)
def identity_of_a_kind(x):
    tile.scan("add", tile.load(x, 0, 4), 0)  # here


@wrong("expected one of 'transposed' and 'triangular', got both", M)
def transposed_and_triangular(m):
    a, s = tile.householder(tile.load(m, (0, 0), (8, 4)))
    tile.apply_householder(a, s, a, transposed=True, triangular=True)  # here


@wrong("expected tile.load or tile.gather to read an array", X)
def array_with_brackets(x):
    x[0]  # here


@wrong("expected an array, an argument of the kernel", X)
def load_of_a_tile(x):
    tile.load(tile.zeros((4,)), 0, 4)  # here


@wrong("expected integers or bools for &", X)
def bits_of_floats(x):
    tile.load(x, 0, 4) & 1  # here


@wrong("'tile.cholesky' op expected square matrices", M)
def what_the_compiler_says(m):
    tile.cholesky(tile.load(m, (0, 0), (4, 5)))  # here


@wrong("expected a tile of complex numbers for fft", X)
def transform_of_real_numbers(x):
    tile.fft(tile.load(x, 0, 4))  # here


# Calls of functions with what they do not take, of arrays of 1 and of 2 dimensions.
REFUSED = {
    "factors of a number": (lambda v, m: tile.qr(3), "expected a tile, got 3"),
    "factors of a vector": (
        lambda v, m: tile.svd(load(v)),
        "expected a tile of 2 dimensions or more, got a tile of 8 f32"),
    "number as right-hand side": (lambda v, m: tile.solve(load(m), 3),
                                  "expected a tile, got 3"),
    "precision": (lambda v, m: tile.matmul(load(m), load(m), precision="f8"),
                  "expected a precision of ieee, tf32, fast_accumulation, got 'f8'"),
    "tiling": (lambda v, m: tile.matmul(load(m), load(m), tiling="?"),
               "expected a dictionary as a tiling, got '?'"),
    "parameter of a tiling": (
        lambda v, m: tile.matmul(load(m), load(m), tiling={"warp": 2}),
        "expected a parameter of a tiling of vector, stages, warps, sub, thread, atom, "
        "operands, got 'warp'"),
    "warps": (lambda v, m: tile.matmul(load(m), load(m), tiling={"warps": 2}),
              "expected integers as 'warps' of a tiling, got 2"),
    "stages": (lambda v, m: tile.matmul(load(m), load(m), tiling={"stages": 2.0}),
               "expected an integer as 'stages' of a tiling, got 2.0"),
    "too many stages": (
        lambda v, m: tile.matmul(load(m), load(m), tiling={"stages": 65}),
        "expected 'stages' from 0 to 64, got 65"),
    "mean of a number": (lambda v, m: tile.mean(3), "expected a tile, got 3"),
    "argmax of an array": (lambda v, m: tile.argmax(v),
                           "expected a tile, got array of ? f32"),
    "sums of a number": (lambda v, m: tile.cumsum(3), "expected a tile, got 3"),
    "keys": (lambda v, m: tile.sort_by_key(load(v), 3), "expected a tile, got 3"),
    "count": (lambda v, m: tile.top_k(load(v), "a"),
              "expected positive extents of a tile, got 'a'"),
    "bins": (lambda v, m: tile.histogram(tile.zeros(4, tile.i32), 0),
             "expected positive extents of a tile, got 0"),
    "transform of a number": (lambda v, m: tile.fft(3), "expected a tile, got 3"),
    "shape of a number": (lambda v, m: tile.reshape(3, 1), "expected a tile, got 3"),
    "shape of one number": (lambda v, m: tile.reshape(load(m), 65),
                            "expected a shape of 64 elements, got (65,)"),
    "nothing side by side": (lambda v, m: tile.concatenate([]),
                             "expected one tile or more, got none"),
    "numbers side by side": (lambda v, m: tile.stack([1, 2]),
                             "expected a tile, got 1"),
    "part of a number": (lambda v, m: tile.view(3, 0, 1), "expected a tile, got 3"),
    "distribution": (lambda v, m: tile.random("even", 1, 1, 4),
                     "expected a distribution of bits, uniform, normal, got 'even'"),
    "no shape": (lambda v, m: tile.load(v, 0, None),
                 "expected positive extents of a tile, got None"),
    "one dimension": (lambda v, m: tile.load(m, (0, 0), 4, dims=0),
                      "expected a sequence of dimensions, got 0"),
    "two indices": (lambda v, m: tile.gather(v, 0, [tile.arange(4)] * 2, 4),
                    "expected one tile of indices along an axis, got 2"),
    "number as indices": (lambda v, m: tile.gather(v, 0, 3, 4),
                          "expected tiles of integers as indices, got 3"),
    "map of nothing": (lambda v, m: tile.map(lambda: 1),
                       "expected one tile or more, got none"),
    "map by a number": (lambda v, m: tile.map(3, load(v)),
                        "expected a function of scalars, got 3"),
    "reduction of nothing": (lambda v, m: tile.reduce(lambda a, b: a, (), ()),
                             "expected one tile or more, got none"),
    "identity": (lambda v, m: tile.reduce(lambda a, b: a, load(v), "a"),
                 "expected numbers as identities, got 'a'"),
}


def load(array):
    return tile.load(array, (0,) * array.ndim, (8,) * array.ndim)


@tile.kernel
def call(v, m, *, function):
    function(v, m)


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_operand(name):
    function, text = REFUSED[name]
    with pytest.raises(tile.CompileError) as caught:
        call[1](X, M, function=function)
    diagnostic = caught.value.diagnostics[0]
    assert text in diagnostic.text
    lines, first = inspect.getsourcelines(function)
    assert diagnostic.file == __file__
    assert first <= diagnostic.line < first + len(lines) + 1


def helper(t):
    return t + tile.zeros((5,))  # noqa: the line of the kernel's call is a note


def test_calls_are_notes():
    @tile.kernel
    def outer(x):
        helper(tile.load(x, 0, 4))

    with pytest.raises(tile.CompileError) as caught:
        outer[1](X)
    [diagnostic] = caught.value.diagnostics
    assert diagnostic.line == inspect.getsourcelines(helper)[1] + 1
    [note] = diagnostic.notes
    assert note.text == "called from"
    assert note.line == inspect.getsourcelines(outer.__wrapped__)[1] + 2


# ----------------------------------------------------------------------------
# Calls
# ----------------------------------------------------------------------------


@tile.kernel
def copy(x, y, *, n=4):
    tile.store(y, 0, tile.load(x, 0, n))


CALLS = {
    "text": (lambda: copy[1]("a", X), tile.ArgumentError,
             "expected an array or a number for 'x', got str"),
    "none": (lambda: copy[1](X), tile.ArgumentError,
             "missing a required argument: 'y'"),
    "many": (lambda: copy[1](X, X, X), tile.ArgumentError,
             "too many positional arguments"),
    "word": (lambda: copy[1](X, X, m=4), tile.ArgumentError,
             "unexpected keyword argument 'm'"),
    "list": (lambda: copy[1](X, X, n=[4]), tile.ArgumentError,
             "expected constants that can be hashed"),
    "dtype": (lambda: copy[1](X, X.astype(object)), tile.ArgumentError,
              "'y': expected an element type"),
    "order": (lambda: copy[1](X, X.astype(">f4")), tile.ArgumentError,
              "expected 'y' in the byte order of the machine"),
    "rank": (lambda: copy[1](X, np.zeros(())), tile.ArgumentError,
             "expected 'y' to have one to eight dimensions, got 0"),
    "read-only": (lambda: copy[1](X, np.broadcast_to(np.float32(1), 9)),
                  tile.ArgumentError, "expected 'y' to be writable"),
    "no grid": (lambda: copy(X, X), tile.LaunchError, "expected a grid"),
    "grid of four": (lambda: copy[1, 2, 3, 4](X, X), tile.LaunchError,
                     "expected a grid of one to three numbers"),
    "grid of fractions": (lambda: copy[2.5](X, X), tile.LaunchError,
                          "expected a grid of one to three integers, got 2.5"),
    "grid of lists of fractions": (lambda: copy[1.5, 2](X, X), tile.LaunchError,
                                   "expected a grid of one to three integers"),
    "grid below zero": (lambda: copy[-1](X, X), tile.LaunchError,
                        "not negative"),
    "grid of text": (lambda: copy["a"](X, X), tile.LaunchError,
                     "expected a grid of one to three"),
    "grid of others": (lambda: copy[lambda z: 1](X, X), tile.LaunchError,
                       "parameters that the kernel has, x, y, n, got 'z'"),
    "architecture": (lambda: use("sm_91"), tile.ArgumentError, "sm_91"),
    "schedules": (lambda: tile.emulator(schedules=0), tile.ArgumentError,
                  "expected at least one schedule, got 0"),
    "tile outside": (lambda: tile.zeros((4,)), tile.TileError,
                     "expected a call within a kernel"),
    "no function": (lambda: tile.kernel(3), tile.ArgumentError,
                    "expected a function, got 3"),
    "part of a statement": (lambda: tile.kernel(
        lambda x: None)[1](X), tile.CompileError,
        "expected a function defined by 'def'"),
    "class": (lambda: tile.function(int)("3"), tile.ArgumentError,
              "expected a function, got <class 'int'>"),
    "none as a type": (lambda: tile.element(None), tile.ArgumentError,
                       "expected an element type"),
    "parameters": (lambda: tile.kernel(lambda *x: None), tile.ArgumentError,
                   "expected parameters with names"),
    "operation": (lambda: tile.ir.Builder().tile("lod"), tile.ArgumentError,
                  "expected the name of an operation, got 'lod'"),
    "operand": (lambda: tile.ir.Builder().tile("load", sorce=1),
                tile.ArgumentError, "expected operands and attributes among"),
}


def use(arch):
    with tile.emulator(arch):
        copy[1](X, X.copy())


@pytest.mark.parametrize("name", CALLS)
def test_wrong_call(name):
    call, kind, text = CALLS[name]
    with pytest.raises(kind) as caught:
        call()
    assert text in str(caught.value)


def test_what_is_read_alone_may_be_read_only():
    y = np.full(4, np.nan, np.float32)
    copy[1](np.broadcast_to(np.float32(3), 9), y)
    assert (y == 3).all()


@tile.kernel(grid=1)
def call_numpy(x):
    tile.store(x, 0, np.exp(tile.load(x, 0, 4)))


def test_functions_of_numpy():
    with pytest.raises(TypeError, match="'Tile' does not support ufuncs"):
        call_numpy(X)


def test_empty_grid_runs_nothing():
    y = np.full(4, np.nan, np.float32)
    copy[0](X, y)
    assert np.isnan(y).all()


# ----------------------------------------------------------------------------
# What the emulator finds
# ----------------------------------------------------------------------------

FOUND = []


def found(kind, *arguments, blocks=1):
    def add(function):
        FOUND.append(pytest.param(tile.kernel(function), kind, arguments, blocks,
                                  id=function.__name__))
        return function

    return add


@pytest.mark.parametrize("kernel, kind, arguments, blocks", FOUND)
def test_finding(kernel, kind, arguments, blocks):
    with pytest.raises(tile.EmulatorError) as caught:
        kernel[blocks](*[a.copy() for a in arguments])
    finding = caught.value.findings[0]
    assert finding.kind == kind
    assert finding.file == __file__
    lines, first = inspect.getsourcelines(kernel.__wrapped__)
    assert "# here" in lines[finding.line - first]
    assert "('x')" in finding.text or kind == "assertion failed"


@found("race", X, blocks=4)
def race_of_stores(x):
    t = tile.zeros((4,)) + tile.program_id(0).astype(tile.f32)
    tile.store(x, 0, t)  # here


@found("race", X, blocks=3)
def race_of_load_and_store(x):
    first = tile.program_id(0) * 4
    t = tile.load(x, first + 2, 4)  # here
    tile.store(x, first, t)  # here


@found("race", X, np.zeros(8, np.int32), blocks=3)
def race_of_scatter(x, i):
    places = tile.load(i, 0, 8)
    value = tile.load(x, 8 * tile.program_id(0) + 8, 8)
    tile.scatter(x, 0, places, value)  # here


@found("assertion failed", X)
def assertion(x):
    t = tile.load(x, 0, 4)
    assert (t > 0).all(), "numbers are positive"  # here


@found("out of bounds", X)
def promise_that_is_broken(x):
    tile.store(x, 60, tile.load(x, 62, 8, in_bounds=True))  # here


@found("out of bounds", X)
def store_that_is_outside(x):
    tile.store(x, 60, tile.zeros((8,)), in_bounds=True)  # here
