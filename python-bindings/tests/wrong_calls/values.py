# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python and NumPy functions on values that a kernel has only when it runs."""

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
         "number while the kernel is traced; '.shape' has its sizes as scalars, and so "
         "has 'len' in a function with @tile.kernel or @tile.function", X)
def array_for_len(x):
    list(map(len, [x]))  # here


@at_line("expected a tile of rank one or more for 'len', got one of rank zero", X)
def tile_of_no_dimension_for_len(x):
    len(tile.full((), 1.0))  # here


@at_line("expected an array of one dimension or more for 'len', got one of none",
         np.zeros(()))
def array_of_no_dimension_for_len(x):
    len(x)  # here


@at_line("expected an operation that values of the program have, got: object of type "
         "'Scalar' has no len()", X, 3)
def scalar_for_len(x, k):
    len(k)  # here


@at_line("expected an operation that values of the program have, got: 'Scalar' object "
         "is not subscriptable", X, 3)
def scalar_with_an_index(x, k):
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
         "f32; [...] and tile.load read it", X)
def array_plus_a_number(x):
    x + 1  # here


@at_line("expected a tile, a scalar or a number for an operator, got an array of ? "
         "f32; [...] and tile.load read it", X)
def number_less_an_array(x):
    1 - x  # here


@at_line("expected a tile, a scalar or a number for an operator, got an array of ? "
         "f32; [...] and tile.load read it", X)
def minus_an_array(x):
    -x  # here


@at_line("expected a tile, a scalar or a number, got array of ? f32; [...] and "
         "tile.load read it", X)
def tile_plus_an_array(x):
    tile.load(x, 0, 4) + x  # here


@at_line("expected a tile, a scalar or a number for an operator, got an array of ? "
         "f32; [...] and tile.load read it", X, X)
def matmul_of_arrays(x, y):
    x @ y  # here


@at_line("expected a tile, a scalar or a number for an operator, got an array of ? "
         "f32; [...] and tile.load read it", X)
def comparison_of_an_array(x):
    x > 0  # here


@at_line("expected a slice whose bounds count from the start, since extent 0 of 'x' is "
         "not known while the kernel is traced, got [:]; @tile.kernel(fixed=...) makes "
         "it known, and tile.load takes the extents of the tile", X)
def array_with_a_slice_of_all(x):
    x[:]  # here


@at_line("expected a slice whose bounds count from the start, since extent 1 of 'x' is "
         "not known while the kernel is traced, got [2:-1:3]; @tile.kernel(fixed=...) "
         "makes it known, and tile.load takes the extents of the tile", M)
def array_with_a_slice_from_the_end(x):
    x[0, 2:-1:3]  # here


@at_line("expected a slice of at least one element, got [4:4]", X)
def array_with_an_empty_slice(x):
    x[4:4]  # here


@at_line("expected a slice with bounds that are known while the kernel is traced, got a "
         "scalar of index; tile.load and tile.store take offsets that are not", X, 3)
def array_with_a_slice_of_run_time(x, k):
    x[k:k + 4]  # here


@at_line("expected a slice, an integer, None or ..., got tile of 4 i32; tile.gather has "
         "the elements at a tile of places", X)
def array_at_a_tile_of_indices(x):
    x[tile.arange(4)]  # here


@at_line("expected a slice, an integer, None or ..., got 1.5; tile.gather has the "
         "elements at a tile of places", X)
def array_at_a_float(x):
    x[1.5]  # here


@at_line("expected at most 1 places, got 2", X)
def array_with_indices_for_a_matrix(x):
    x[0, 0]  # here


@at_line("expected a tile, got scalar of f32", X)
def element_of_an_array_as_a_tile(x):
    tile.reshape(x[0], (1,))  # here


@at_line("expected a slice of step one to write, got one of 2; tile.scatter writes "
         "elements at a tile of places", X)
def assignment_to_every_second_element(x):
    x[0:8:2] = 1.0  # here


@at_line("expected a value of the shape (), or one that can be broadcast to it, got one "
         "of (4,)", X)
def assignment_of_a_tile_to_an_element(x):
    x[0] = tile.zeros(4)  # here


@at_line("expected shapes that can be broadcast together, got (3,) and (4,)", X)
def assignment_of_another_shape(x):
    x[0:4] = tile.zeros(3)  # here


@at_line("expected a tile, a scalar or a number, got 'a'", X)
def assignment_of_a_text(x):
    x[0] = "a"  # here


@at_line("expected a place from -64 to 63, got 64", X)
@tile.kernel(fixed="x")
def array_at_an_index_behind_its_end(x):
    x[64]  # here


@at_line("expected a tile, a scalar or a number, got None; a function without "
         "'return' gives None", X)
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


@at_line("expected a tile, a scalar or a number, got an array of NumPy; pass it to "
         "the kernel, and read it by tile.load", X)
def tile_times_an_array_of_numpy(x):
    tile.load(x, 0, 4) * np.ones(4)  # here


@at_line("expected a tile, a scalar or a number, got an array of NumPy; pass it to "
         "the kernel, and read it by tile.load", X)
def array_of_numpy_times_a_tile(x):
    np.ones(4) * tile.load(x, 0, 4)  # here


@at_line("expected a tile, a scalar or a number, got [1, 2, 3, 4]", X)
def tile_that_equals_a_list(x):
    tile.load(x, 0, 4) == [1, 2, 3, 4]  # here


@at_line("expected a tile, a scalar or a number, got None; a function without "
         "'return' gives None", X)
def tile_that_is_less_than_none(x):
    tile.load(x, 0, 4) < None  # here


@at_line("expected tiles for a product, got 2", M)
def matmul_with_a_number(m):
    tile.load(m, (0, 0), (8, 8)) @ 2  # here


@at_line("expected tiles for a product, got an array of NumPy", M)
def matmul_with_an_array_of_numpy(m):
    tile.load(m, (0, 0), (8, 8)) @ np.eye(8)  # here


@at_line("expected tiles for a product, got an array of NumPy", M)
def matmul_of_numpy_with_a_tile(m):
    np.eye(8) @ tile.load(m, (0, 0), (8, 8))  # here


@at_line("expected an operation that values of the program have, got: unsupported "
         "operand type(s) for divmod(): 'Tile' and 'int'", X)
def divmod_of_a_tile(x):
    divmod(tile.load(x, 0, 4), 2)  # here


@at_line("expected the parameters that the function has, got others: "
         "Operators.__pow__() takes 2 positional arguments but 3 were given", X)
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


@at_line("expected a number that tile.i8 has, from -128 to 127, got 1000; tile.i16 has it",
         np.zeros(9, np.int8))
def number_beyond(x):
    tile.load(x, 0, 4) + 1000  # here


@at_line("expected a number that tile.u8 has, from 0 to 255, got -129; tile.i16 has it",
         np.zeros(9, np.uint8))
def negative_number_beyond(x):
    tile.load(x, 0, 4) + -129  # here


@tile.kernel
def call_with_integers(x, *, function):
    function(tile.load(x, 0, 8))  # here


def of_integers(array, text, rows):
    for name, function in rows.items():
        at_line(text, array, function=function, marked=function,
                name=name)(call_with_integers)


of_integers(np.zeros(8, np.uint8),
            "expected a number that tile.u8 has, from 0 to 255, got -1; tile.i16 has it", {
    "sum of u8 and -1": lambda t: t + -1,  # here: t +
    "difference of u8 from below": lambda t: -1 - t,  # here: -1
    "quotient of u8 and -1": lambda t: t // -1,  # here: t //
    "remainder of u8 and -1": lambda t: t % -1,  # here: t %
    "bits of u8 and -1": lambda t: t & -1,  # here: t &
    "least of u8 and -1": lambda t: tile.minimum(t, -1),  # here: tile
    "u8 up to -1": lambda t: tile.clip(t, -5, -1),  # here: tile
    "choice of u8 and -1": lambda t: tile.where(t > 3, t, -1),  # here: tile
    "-1 put into u8": lambda t: tile.put(t, tile.arange(2), -1, 0),  # here: tile
    "-1 inserted into u8": lambda t: tile.insert(t, 0, -1),  # here: tile
    "-1 around u8": lambda t: tile.pad(t, 1, -1),  # here: tile
    "-1 like u8": lambda t: tile.full_like(t, -1),  # here: tile
    "-1 as u8": lambda t: tile.full(4, -1, tile.u8),  # here: tile
    "u8 from -1": lambda t: tile.arange(-1, 5, dtype=tile.u8),  # here: tile
    "reduction of u8 from -1": lambda t: tile.reduce(lambda a, b: a, t, -1),  # here: tile
})

of_integers(np.zeros(8, np.int8),
            "expected a number that tile.i8 has, from -128 to 127, got 200; tile.i16 has "
            "it", {
    "product of i8 and 200": lambda t: t * 200,  # here: t *
    "shift to the left by i8": lambda t: 200 << t,  # here: 200
    "quotient by i8": lambda t: 200 // t,  # here: 200
    "multiples of i8 and 200": lambda t: tile.cdiv(t, 200),  # here: tile
    "greatest of i8 and 200": lambda t: tile.maximum(t, 200),  # here: tile
    "i8 from 200 on": lambda t: tile.clip(t, 200, 300),  # here: tile
    "i8 up to 200": lambda t: tile.iota(101, 0, tile.i8, step=2),  # here: tile
})

of_integers(np.zeros(8, np.int64),
            "expected a number that tile.i64 has, from -9223372036854775808 to "
            "9223372036854775807, got 9223372036854775808; tile.u64 has it", {
    "sum of i64 and 2^63": lambda t: t + 2 ** 63,  # here: t +
    "choice of i64 and 2^63": lambda t: tile.where(t > 0, 2 ** 63, t),  # here: tile
})


@at_line("expected a number that tile.i16 has, from -32768 to 32767, got 32768; tile.i32 "
         "has it", np.zeros(8, np.int16))
def number_stored_beyond(x):
    tile.store(x, 0, 32768)  # here


@at_line("expected a number that tile.u32 has, from 0 to 4294967295, got -1; tile.i64 "
         "has it", np.zeros(8, np.uint32))
def number_scattered_beyond(x):
    tile.scatter(x, 0, tile.arange(4), -1)  # here


@at_line("expected a number that tile.i32 has, from -2147483648 to 2147483647, got "
         "2147483648; tile.i64 has it", INTS)
def number_added_beyond(x):
    tile.atomic_add(x, 0, 2 ** 31)  # here


@at_line("expected a number that tile.f16 has, up to 65504, got 65520; tile.f32 has it",
         np.zeros(8, np.float16))
def number_beyond_f16(x):
    tile.load(x, 0, 4) * 65520  # here


@at_line("expected a number that tile.f16 has, up to 65504, got -1000000000.0; tile.f32 "
         "has it", np.zeros(8, np.float16))
def choice_beyond_f16(x):
    t = tile.load(x, 0, 4)
    tile.where(t > 0, t, -1e9)  # here


@at_line("expected integers that one type has, got tile.u64 and tile.i32; '.astype' "
         "converts one of them", np.zeros(8, np.uint64))
def sum_of_u64_and_i32(x):
    tile.load(x, 0, 4) + tile.arange(4)  # here


@at_line("expected integers that one type has, got tile.index and tile.u64; '.astype' "
         "converts one of them", np.zeros(8, np.uint64))
def sum_of_u64_and_a_size(x):
    x.shape[0] + tile.load(x, 0, 4)  # here


@at_line("expected a shift by zero bits or more, got -1", INTS)
def shift_by_a_negative_number(x):
    tile.load(x, 0, 4) << -1  # here


@at_line("expected a number that tile.i64 has, from -9223372036854775808 to "
         "9223372036854775807, got 18446744073709551616", X)
def number_beyond_i64(x):
    tile.full(4, 2 ** 64, tile.i64)  # here


@at_line("expected a number that tile.i32 has, from -2147483648 to 2147483647, got "
         "1099511627776; tile.i64 has it", INTS)
def number_beyond_in_a_product(x):
    tile.load(x, 0, 4) * 2 ** 40  # here


@at_line("expected a number that tile.index has, from -9223372036854775808 to "
         "9223372036854775807, got 1180591620717411303424", X, 3)
def number_beyond_an_index(x, k):
    tile.store(x, k + 2 ** 70, 1.0)  # here: k + 2


@at_line("expected a number that tile.index has, from -9223372036854775808 to "
         "9223372036854775807, got 1180591620717411303424", X)
def offset_beyond_an_index(x):
    tile.store(x, 2 ** 70, 1.0)  # here


@at_line("expected a number that tile.f32 has, up to 3.40282e+38, got "
         "100000000000000000000000000000000000000000000000000000000...", X)
def number_beyond_f32(x):
    tile.full(4, 10 ** 400, tile.f32)  # here


@at_line("expected a number that tile.i32 has, from -2147483648 to 2147483647, got inf", X)
def infinity_as_an_integer(x):
    tile.full(4, float("inf"), tile.i32)  # here


@at_line("expected a number that tile.i16 has, from -32768 to 32767, got nan", X)
def nan_as_an_integer(x):
    tile.full(4, math.nan, tile.i16)  # here


@at_line("expected a number that tile.f8e4m3 has, up to 448, got -inf; "
         "tile.f32 has it", X)
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


LONG = f"1.0 of type {np.longdouble.__name__!r}"
LONG_COMPLEX = f"(1+0j) of type {np.clongdouble.__name__!r}"
DURATION = repr(np.timedelta64(1, "s"))


@at_line("expected a tile, a scalar or a number, got " + LONG, X)
def longdouble_as_an_operand(x):
    t = tile.load(x, 0, 4) + np.longdouble(1)  # here: tile.load


@at_line("expected a tile, a scalar or a number, got " + LONG, X)
def longdouble_as_the_first_operand(x):
    t = np.longdouble(1) - tile.load(x, 0, 4)  # here: np.longdouble


@at_line("expected a tile, a scalar or a number, got " + LONG, X)
def longdouble_that_is_compared(x):
    t = tile.load(x, 0, 4) < np.longdouble(1)  # here: tile.load


@at_line("expected a tile, a scalar or a number, got " + LONG, X)
def longdouble_of_a_power(x):
    t = tile.load(x, 0, 4) ** np.longdouble(1)  # here: tile.load


@at_line("expected a tile, a scalar or a number, got " + LONG, X)
def longdouble_that_is_stored(x):
    tile.store(x, 0, np.longdouble(1))  # here


@at_line("expected a tile, a scalar or a number, got " + LONG, X)
def longdouble_that_is_assigned(x):
    x[0] = np.longdouble(1)  # here


@at_line("expected a tile, a scalar or a number, got " + LONG, X)
def longdouble_as_a_tile(x):
    tile.full(4, np.longdouble(1), tile.f32)  # here


@at_line("expected a tile, a scalar or a number, got " + LONG, X)
def longdouble_of_no_type(x):
    tile.full(4, np.longdouble(1))  # here


@at_line("expected a tile, a scalar or a number, got " + LONG, X)
def longdouble_of_a_function(x):
    tile.exp(np.longdouble(1))  # here


@at_line("expected a tile, a scalar or a number, got " + LONG, X)
def longdouble_as_a_bound(x):
    tile.maximum(tile.load(x, 0, 4), np.longdouble(1))  # here


@at_line("expected a tile, a scalar or a number, got " + LONG, X)
def longdouble_behind_and(x):
    t = tile.load(x, 0, 4) and np.longdouble(1)  # here: tile.load


@at_line("expected a tile, a scalar or a number, got " + LONG, X)
def longdouble_as_an_array(x):
    t = tile.load(x, 0, 4) + np.array(np.longdouble(1))  # here: tile.load


@at_line("expected a tile, a scalar or a number, got " + LONG_COMPLEX, X)
def clongdouble_as_an_operand(x):
    t = tile.load(x, 0, 4) + np.clongdouble(1)  # here: tile.load


@at_line("expected a tile, a scalar or a number, got " + LONG_COMPLEX, X)
def clongdouble_as_a_tile(x):
    tile.full(4, np.clongdouble(1))  # here


@at_line("expected a tile, a scalar or a number, got " + DURATION, X)
def duration_as_an_operand(x):
    t = tile.load(x, 0, 4) + np.timedelta64(1, "s")  # here: tile.load


@at_line("expected a tile, a scalar or a number, got " + DURATION, X)
def duration_as_a_tile(x):
    tile.full(4, np.timedelta64(1, "s"))  # here


@at_line("expected 'n' to be the same before and after the body of a loop, since it "
         f"is no tile, scalar or number, got {LONG} and 1", X, 3)
def longdouble_before_a_loop(x, k):
    n = np.longdouble(1)
    for i in range(k):
        n = 1  # here


@at_line(f"expected an axis from -1 to 0, got {DURATION}", X)
def duration_as_an_axis(x):
    tile.flip(tile.load(x, 0, 4), np.timedelta64(1, "s"))  # here


@at_line(f"expected positive extents of a tile, got {DURATION}", X)
def duration_as_an_extent(x):
    tile.zeros(np.timedelta64(1, "s"))  # here


@at_line(f"expected an integer as a place, got {DURATION}", X)
def duration_as_an_offset(x):
    tile.store(x, np.timedelta64(1, "s"), 1.0)  # here


@at_line(f"expected integers for cdiv, the second not zero, got {DURATION} and 2", X)
def duration_of_a_quotient(x):
    tile.cdiv(np.timedelta64(1, "s"), 2)  # here


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


@refused(tile.TileError, "expected a call within a function with @tile.kernel, got "
                         "one outside: tiles are values of a program, and have no "
                         "numbers by themselves")
def tile_outside():
    tile.zeros(4)


@refused(tile.TileError, "expected a call within a function with @tile.kernel, got "
                         "one outside: tiles are values of a program, and have no "
                         "numbers by themselves")
def arithmetic_outside():
    tile.exp(3.0)


@refused(tile.TileError, "expected a call within a function with @tile.kernel, got "
                         "one outside: tiles are values of a program, and have no "
                         "numbers by themselves")
def program_id_outside():
    tile.program_id(0)


@refused(tile.TileError, "expected a call within a function with @tile.kernel, got "
                         "one outside: tiles are values of a program, and have no "
                         "numbers by themselves")
def print_outside():
    tile.print_("a")


@refused(tile.TileError, "expected a call within a function with @tile.kernel, got "
                         "one outside: tiles are values of a program, and have no "
                         "numbers by themselves")
def range_outside():
    for _ in tile.range(3):
        pass


@refused(tile.TileError, "expected a call within a function with @tile.kernel, got "
                         "one outside: tiles are values of a program, and have no "
                         "numbers by themselves")
def range_of_nothing_outside():
    tile.range("a")


@refused(tile.TileError, "expected a call within a function with @tile.kernel, got "
                         "one outside: tiles are values of a program, and have no "
                         "numbers by themselves")
def load_outside():
    tile.load(X, 0, 4)


@refused(tile.TileError, "expected a call within a function with @tile.kernel, got "
                         "one outside: tiles are values of a program, and have no "
                         "numbers by themselves")
def threads_outside():
    tile.per_thread(lambda thread: None)


KEPT = []


@tile.kernel
def keep(x):
    KEPT[:] = [x, tile.load(x, 0, 4), x.shape[0]]


def get_kept(number):
    keep.trace(np.zeros(2 + len(KEPT), [np.float32, np.int32][len(KEPT) % 2]))
    return KEPT[number]


@refused(tile.TileError, "expected a call within a function with @tile.kernel, got "
                         "one outside: tiles are values of a program, and have no "
                         "numbers by themselves")
def tile_behind_its_kernel():
    get_kept(1) + 1


@refused(tile.TileError, "expected a call within a function with @tile.kernel, got "
                         "one outside: tiles are values of a program, and have no "
                         "numbers by themselves")
def condition_behind_its_kernel():
    if get_kept(2):
        pass


@refused(tile.TileError, "expected a call within a function with @tile.kernel, got "
                         "one outside: tiles are values of a program, and have no "
                         "numbers by themselves")
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


@refused(tile.TileError, "expected a call within a function with @tile.kernel, got "
                         "one outside: tiles are values of a program, and have no "
                         "numbers by themselves")
def tile_on_another_thread():
    @tile.kernel
    def share(x):
        t = tile.load(x, 0, 4)
        with concurrent.futures.ThreadPoolExecutor(1) as threads:
            threads.submit(lambda: t + 1).result()

    share[1](X)
