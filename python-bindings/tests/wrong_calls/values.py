# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Python and NumPy do with values that a kernel has when it runs alone."""

import concurrent.futures
import decimal
import math

import numpy as np

import tile_mlir as tile
from wrong_calls.table import INTS, M, X, as_integer, at_line, of_type, refused

# ----------------------------------------------------------------------------
# Numbers
# ----------------------------------------------------------------------------


@at_line(as_integer("a scalar of index"), X, 3)
def scalar_as_index(x, k):
    table = [1, 2, 3]
    tile.store(x, 0, table[k])  # here: table[k]


@at_line("expected a Python value for 'int', got a scalar of index, which has no "
         "number while the kernel is traced; '.astype' converts it", X, 3)
def scalar_for_int(x, k):
    int(k)  # here


@at_line("expected a Python value for 'float', got a scalar of f32, which has no "
         "number while the kernel is traced; '.astype' converts it, and "
         "functions of it are those of tile_mlir, as 'tile.exp'", X)
def tile_for_float(x):
    float(tile.load(x, 0, 4).sum())  # here


@at_line("expected a Python value for 'float', got a scalar of f32, which has no "
         "number while the kernel is traced; '.astype' converts it, and "
         "functions of it are those of tile_mlir, as 'tile.exp'", X)
def tile_for_complex(x):
    complex(tile.load(x, 0, 4).sum())  # here


@at_line("expected an operation that values of the program have, got: type Scalar "
         "doesn't define __round__ method", X, 3)
def scalar_for_round(x, k):
    round(k * 0.5)  # here


@at_line("expected a Python value for 'float', got a scalar of f32, which has no "
         "number while the kernel is traced; '.astype' converts it, and "
         "functions of it are those of tile_mlir, as 'tile.exp'", X, 3)
def scalar_for_floor_of_math(x, k):
    math.floor(k * 0.5)  # here


@at_line("expected a Python value for 'float', got a tile of 4 f32, which has no "
         "number while the kernel is traced; '.astype' converts it, and "
         "functions of it are those of tile_mlir, as 'tile.exp'", X)
def tile_for_exp_of_math(x):
    math.exp(tile.load(x, 0, 4))  # here


@at_line("expected a tile, a scalar or a number, got 'a'", X, 3)
def scalar_times_a_text(x, k):
    "a" * k  # here


@at_line("expected a tile, a scalar or a number, got [0.0]", X, 3)
def scalar_times_a_list(x, k):
    [0.0] * k  # here


@at_line("expected a Python value for 'len', got an array of ? f32, which has no "
         "number while the kernel is traced; '.shape' has its sizes as scalars", X)
def array_for_len(x):
    len(x)  # here


@at_line("expected a tile of rank one or more for 'len', got one of rank zero", X)
def tile_of_no_dimension_for_len(x):
    len(tile.full((), 1.0))  # here


@at_line("expected an operation that values of the program have, got: object of type "
         "'Scalar' has no len()", X, 3)
def scalar_for_len(x, k):
    len(k)  # here


@at_line("expected an operation that values of the program have, got: 'Scalar' object "
         "is not subscriptable", X, 3)
def scalar_with_places(x, k):
    k[0]  # here


@at_line("expected an attribute of a scalar to read (astype, dtype, ndim, shape, type, "
         "value), got 'sum'", X, 3)
def scalar_for_sum(x, k):
    k.sum()  # here: k.sum


@at_line("expected an attribute of an array to read (array_type, dtype, ndim, shape, "
         "size, type, value), got 'sum'", X)
def array_for_sum(x):
    x.sum()  # here: x.sum


@at_line("expected an attribute of a tile to read (T, all, any, argmax, argmin, "
         "astype, dtype, mT, max, mean, min, ndim, prod, reshape, shape, size, sum, "
         "transpose, type, value), got 'ravel'; "
         "here it is tile.reshape", X)
def tile_with_a_method_of_numpy(x):
    tile.load(x, 0, 4).ravel()  # here


@at_line("expected an attribute of a tile to read (T, all, any, argmax, argmin, "
         "astype, dtype, mT, max, mean, min, ndim, prod, reshape, shape, size, sum, "
         "transpose, type, value), got 'item'", X)
def tile_for_its_item(x):
    tile.load(x, 0, 4).item()  # here


@at_line("expected an operation that values of the program have, got: property 'shape' "
         "of 'Tile' object has no setter", X)
def assignment_to_a_shape(x):
    t = tile.load(x, 0, 4)
    t.shape = (2, 2)  # here


@at_line("expected an operation that values of the program have, got: 'Tile' object "
         "has no attribute 'mark'", X)
def assignment_to_a_member(x):
    t = tile.load(x, 0, 4)
    t.mark = 3  # here


@at_line("expected an operation that values of the program have, got: unsupported "
         "format string passed to Tile.__format__", X)
def format_of_a_tile(x):
    t = tile.load(x, 0, 4)
    format(t, ".3f")  # here


@at_line("expected a Python value for 'float', got a tile of 4 f32, which has no "
         "number while the kernel is traced; '.astype' converts it, and "
         "functions of it are those of tile_mlir, as 'tile.exp'", X)
def old_format_of_a_tile(x):
    print("%f" % tile.load(x, 0, 4))  # here: "%f"


@at_line("expected a Python value as a key, got a tile of 4 f32, which has no number "
         "while the kernel is traced; Python's sets and dictionaries have none", X)
def tile_as_key(x):
    t = tile.load(x, 0, 4)
    {t: 1}  # here


@at_line("expected a Python value as a key, got a scalar of index, which has no number "
         "while the kernel is traced; Python's sets and dictionaries have none", X, 3)
def scalar_as_key(x, k):
    {1: 2}[k]  # here


@at_line("expected a Python value as a key, got an array of ? f32, which has no number "
         "while the kernel is traced; Python's sets and dictionaries have none", X)
def set_of_arrays(x):
    {x}  # here


# ----------------------------------------------------------------------------
# Operators
# ----------------------------------------------------------------------------


@at_line("expected a tile, a scalar or a number for an operator, got an array of ? "
         "f32; tile.load reads it", X)
def array_plus_a_number(x):
    x + 1  # here


@at_line("expected a tile, a scalar or a number for an operator, got an array of ? "
         "f32; tile.load reads it", X)
def number_less_an_array(x):
    1 - x  # here


@at_line("expected a tile, a scalar or a number for an operator, got an array of ? "
         "f32; tile.load reads it", X)
def minus_an_array(x):
    -x  # here


@at_line("expected a tile, a scalar or a number, got array of ? f32", X)
def tile_plus_an_array(x):
    tile.load(x, 0, 4) + x  # here


@at_line("expected a tile, a scalar or a number for an operator, got an array of ? "
         "f32; tile.load reads it", X, X)
def product_of_arrays(x, y):
    x @ y  # here


@at_line("expected a tile, a scalar or a number for an operator, got an array of ? "
         "f32; tile.load reads it", X)
def comparison_of_an_array(x):
    x > 0  # here


@at_line("expected tile.load or tile.gather to read an array, got []", X)
def array_with_places(x):
    x[0]  # here


@at_line("expected tile.load or tile.gather to read an array, got []", X)
def array_with_slices(x):
    x[0:4]  # here


@at_line("expected tile.store or tile.scatter to write an array, got []", X)
def assignment_to_an_array(x):
    x[0] = 1.0  # here


@at_line("expected a tile, a scalar or a number, got None", X)
def tile_plus_none(x):
    tile.load(x, 0, 4) + None  # here


@at_line("expected a tile, a scalar or a number, got 'a'", X)
def tile_plus_a_text(x):
    tile.load(x, 0, 4) + "a"  # here


@at_line("expected a tile, a scalar or a number, got [1, 2, 3, 4]", X)
def list_plus_a_tile(x):
    [1, 2, 3, 4] + tile.load(x, 0, 4)  # here


@at_line("expected a tile, a scalar or a number, got [1, 2, 3, 4]", X)
def tile_times_a_list(x):
    tile.load(x, 0, 4) * [1, 2, 3, 4]  # here


@at_line("expected a tile, a scalar or a number, got an array of NumPy", X)
def tile_times_an_array_of_numpy(x):
    tile.load(x, 0, 4) * np.ones(4)  # here


@at_line("expected a tile, a scalar or a number, got an array of NumPy", X)
def array_of_numpy_times_a_tile(x):
    np.ones(4) * tile.load(x, 0, 4)  # here


@at_line("expected a tile, a scalar or a number, got [1, 2, 3, 4]", X)
def tile_that_equals_a_list(x):
    tile.load(x, 0, 4) == [1, 2, 3, 4]  # here


@at_line("expected a tile, a scalar or a number, got None", X)
def tile_that_is_less_than_none(x):
    tile.load(x, 0, 4) < None  # here


@at_line("expected tiles for a product, got 2", M)
def product_with_a_number(m):
    tile.load(m, (0, 0), (8, 8)) @ 2  # here


@at_line("expected tiles for a product, got an array of NumPy", M)
def product_with_an_array_of_numpy(m):
    tile.load(m, (0, 0), (8, 8)) @ np.eye(8)  # here


@at_line("expected tiles for a product, got an array of NumPy", M)
def product_of_numpy_with_a_tile(m):
    np.eye(8) @ tile.load(m, (0, 0), (8, 8))  # here


@at_line("expected an operation that values of the program have, got: unsupported "
         "operand type(s) for divmod(): 'Tile' and 'int'", X)
def divmod_of_a_tile(x):
    divmod(tile.load(x, 0, 4), 2)  # here


@at_line("expected the parameters that the function has, got others: "
         "Computed.__pow__() takes 2 positional arguments but 3 were given", X)
def power_of_three_operands(x):
    pow(tile.load(x, 0, 4), 2, 3)  # here


# ----------------------------------------------------------------------------
# NumPy's functions
# ----------------------------------------------------------------------------


@at_line("expected a function of tile_mlir for values of the program, got one of "
         "NumPy: operand 'Tile' does not support ufuncs (__array_ufunc__=None)", X)
def exp_of_numpy(x):
    np.exp(tile.load(x, 0, 4))  # here


@at_line("expected a function of tile_mlir for values of the program, got one of "
         "NumPy: operand 'Tile' does not support ufuncs (__array_ufunc__=None)", X)
def maximum_of_numpy(x):
    np.maximum(tile.load(x, 0, 4), 0)  # here


@at_line("expected a function of tile_mlir for values of the program, got one of "
         "NumPy: operand 'Array' does not support ufuncs (__array_ufunc__=None)", X)
def sum_of_numpy(x):
    np.sum(x)  # here


@at_line("expected a Python value for an array of NumPy, got a tile of 4 f32, which "
         "has no number while the kernel is traced; tile_mlir has functions of its "
         "own", X)
def tile_as_an_array_of_numpy(x):
    np.asarray(tile.load(x, 0, 4))  # here


@at_line("expected a Python value for an array of NumPy, got an array of ? f32, which "
         "has no number while the kernel is traced; tile_mlir has functions of its "
         "own", X)
def array_as_an_array_of_numpy(x):
    np.array(x)  # here


@at_line("expected a Python value for an array of NumPy, got a tile of 4 f32, which "
         "has no number while the kernel is traced; tile_mlir has functions of its "
         "own", X)
def zeros_of_numpy_like_a_tile(x):
    np.zeros_like(tile.load(x, 0, 4))  # here


@at_line("expected a Python value for an array of NumPy, got a scalar of index, which "
         "has no number while the kernel is traced; tile_mlir has functions of its "
         "own", X, 3)
def scalar_as_a_number_of_numpy(x, k):
    np.float32(k)  # here


@at_line(as_integer("a scalar of index"), X, 3)
def shape_of_numpy(x, k):
    np.zeros(k)  # here


# ----------------------------------------------------------------------------
# Numbers that a type does not have
# ----------------------------------------------------------------------------


@at_line("expected a number that tile.i8 has, got 1000", np.zeros(9, np.int8))
def number_beyond(x):
    tile.load(x, 0, 4) + 1000  # here


@at_line("expected a number that tile.u8 has, got -129", np.zeros(9, np.uint8))
def negative_number_beyond(x):
    tile.load(x, 0, 4) + -129  # here


@at_line("expected a number that tile.i64 has, got 18446744073709551616", X)
def number_beyond_i64(x):
    tile.full(4, 2 ** 64, tile.i64)  # here


@at_line("expected a number that tile.i32 has, got 1099511627776", INTS)
def number_beyond_in_a_product(x):
    tile.load(x, 0, 4) * 2 ** 40  # here


@at_line("expected a number that tile.index has, got 1180591620717411303424", X, 3)
def number_beyond_an_index(x, k):
    tile.store(x, k + 2 ** 70, 1.0)  # here: k + 2


@at_line("expected a number that tile.index has, got 1180591620717411303424", X)
def place_beyond_an_index(x):
    tile.store(x, 2 ** 70, 1.0)  # here


@at_line("expected a number that tile.f32 has, got "
         "100000000000000000000000000000000000000000000000000000000...", X)
def number_beyond_f32(x):
    tile.full(4, 10 ** 400, tile.f32)  # here


@at_line("expected a number that tile.i32 has, got inf", X)
def infinity_as_an_integer(x):
    tile.full(4, float("inf"), tile.i32)  # here


@at_line("expected a number that tile.i16 has, got nan", X)
def nan_as_an_integer(x):
    tile.full(4, math.nan, tile.i16)  # here


@at_line("expected a number that tile.f8e4m3 has, got -inf", X)
def infinity_of_f8(x):
    tile.full(4, -math.inf, tile.f8e4m3)  # here


@at_line("expected a number that tile.f32 has, got 2j", X)
def complex_number_as_a_real_one(x):
    tile.full(4, 2j, tile.f32)  # here


@at_line("expected a number that tile.f32 has, got (1+2j)", X)
def complex_number_stored_as_a_real_one(x):
    tile.store(x, 0, 1 + 2j)  # here


@at_line("expected a tile, a scalar or a number, got Decimal('0.1')", X)
def decimal_as_a_number(x):
    tile.full(4, decimal.Decimal("0.1"))  # here


@at_line("expected a tile, a scalar or a number, got '1'", X)
def text_as_a_number(x):
    tile.full(4, "1")  # here


@at_line(of_type("'f31'"), X)
def unknown_type(x):
    tile.load(x, 0, 4).astype("f31")  # here


@at_line(of_type("<class 'str'>"), X)
def type_of_texts(x):
    tile.zeros(4, str)  # here


@at_line(of_type("1.0"), X)
def number_as_a_type(x):
    tile.zeros(4, 1.0)  # here


@at_line(of_type("8"), X)
def shape_as_a_type(x):
    tile.zeros(4, 8)  # here


@at_line("expected tiles of integers with a width, got index", X)
def index_as_a_type_of_tiles(x):
    tile.load(x, 0, 4).astype(tile.index)  # here


@at_line("expected types of the same number of bits, not complex and no index, got "
         "tile.f32 and tile.i16", X)
def bits_of_another_number(x):
    tile.bitcast(tile.load(x, 0, 4), tile.i16)  # here


# ----------------------------------------------------------------------------
# Values outside of their kernel
# ----------------------------------------------------------------------------


@refused(tile.TileError, "expected a call within a kernel, got one outside: tiles are "
                         "values of a program, and have no numbers by themselves")
def tile_outside():
    tile.zeros(4)


@refused(tile.TileError, "expected a call within a kernel, got one outside: tiles are "
                         "values of a program, and have no numbers by themselves")
def arithmetic_outside():
    tile.exp(3.0)


@refused(tile.TileError, "expected a call within a kernel, got one outside: tiles are "
                         "values of a program, and have no numbers by themselves")
def program_id_outside():
    tile.program_id(0)


@refused(tile.TileError, "expected a call within a kernel, got one outside: tiles are "
                         "values of a program, and have no numbers by themselves")
def print_outside():
    tile.print_("a")


@refused(tile.TileError, "expected a call within a kernel, got one outside: tiles are "
                         "values of a program, and have no numbers by themselves")
def range_outside():
    for _ in tile.range(3):
        pass


@refused(tile.TileError, "expected a call within a kernel, got one outside: tiles are "
                         "values of a program, and have no numbers by themselves")
def range_of_nothing_outside():
    tile.range("a")


@refused(tile.TileError, "expected a call within a kernel, got one outside: tiles are "
                         "values of a program, and have no numbers by themselves")
def load_outside():
    tile.load(X, 0, 4)


@refused(tile.TileError, "expected a call within a kernel, got one outside: tiles are "
                         "values of a program, and have no numbers by themselves")
def threads_outside():
    tile.per_thread(lambda thread: None)


KEPT = []


@tile.kernel
def keep(x):
    KEPT[:] = [x, tile.load(x, 0, 4), x.shape[0]]


def get_kept(number):
    keep.trace(np.zeros(2 + len(KEPT), [np.float32, np.int32][len(KEPT) % 2]))
    return KEPT[number]


@refused(tile.TileError, "expected a call within a kernel, got one outside: tiles are "
                         "values of a program, and have no numbers by themselves")
def tile_behind_its_kernel():
    get_kept(1) + 1


@refused(tile.TileError, "expected a call within a kernel, got one outside: tiles are "
                         "values of a program, and have no numbers by themselves")
def condition_behind_its_kernel():
    if get_kept(2):
        pass


@refused(tile.TileError, "expected a call within a kernel, got one outside: tiles are "
                         "values of a program, and have no numbers by themselves")
def shape_behind_its_kernel():
    get_kept(0).shape


@at_line("expected a value of this kernel, got one of another: tile of 4 i32", X)
def tile_of_another_kernel(x):
    get_kept(1)
    tile.store(x, 0, KEPT[1])  # here


@at_line("expected a value of this kernel, got one of another: array of ? i32", X)
def array_of_another_kernel(x):
    get_kept(0)
    tile.load(KEPT[0], 0, 4)  # here


@at_line("expected a value of this kernel, got one of another: scalar of index", X)
def scalar_of_another_kernel(x):
    get_kept(0)
    tile.load(x, KEPT[2], 4)  # here


def make_kernel():
    @tile.kernel
    def another(y):
        tile.store(y, 0, 1.0)

    return another


@at_line("expected a function with @tile.function to be called by a kernel, got the "
         "kernel 'another'", X)
def kernel_in_a_kernel(x):
    make_kernel()[1](x)  # here


@at_line("expected a function with @tile.function to be called by a kernel, got the "
         "kernel 'another'", X)
def kernel_in_a_kernel_of_numpy(x):
    make_kernel()[1](X)  # here


@refused(tile.TileError, "expected a call within a kernel, got one outside: tiles are "
                         "values of a program, and have no numbers by themselves")
def tile_on_another_thread():
    @tile.kernel
    def share(x):
        t = tile.load(x, 0, 4)
        with concurrent.futures.ThreadPoolExecutor(1) as threads:
            threads.submit(lambda: t + 1).result()

    share[1](X)
