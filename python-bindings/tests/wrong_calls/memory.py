# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading and writing arrays."""

import numpy as np

import tile_mlir as tile
from wrong_calls.table import INTS, M, X, as_condition, at_line


@at_line("expected 2 offsets, one for each dimension of the array, got 1", M)
def too_few_offsets(m):
    tile.load(m, 0, 4)  # here


@at_line("expected 1 offsets, one for each dimension of the array, got 2", X)
def too_many_offsets(x):
    tile.store(x, (0, 0), 1.0)  # here


@at_line("expected 1 offsets, one for each dimension of the array, got 0", X)
def no_offsets(x):
    tile.load(x, (), 4)  # here


@at_line("expected an integer as a place, got 1.5", X)
def offset_between(x):
    tile.load(x, 1.5, 4)  # here


@at_line("expected an integer as a place, got None", X)
def offset_of_none(x):
    tile.load(x, None, 4)  # here


@at_line("expected an integer as a place, got True", X)
def offset_of_a_truth(x):
    tile.load(x, True, 4)  # here


@at_line("expected an integer as a place, got scalar of f32", X, 0.5)
def scalar_of_a_fraction_as_offset(x, k):
    tile.load(x, k, 4)  # here


@at_line("expected an integer as a place, got tile of 4 i32", X)
def tile_as_offset(x):
    tile.load(x, tile.arange(4), 4)  # here


@at_line("expected an integer as a place, got an array of NumPy", X)
def array_of_numpy_as_offset(x):
    tile.load(x, np.zeros(1, int), 4)  # here


@at_line("expected extents of a tile that are known while the kernel is traced, got a "
         "scalar of index; pass it by keyword", X, 3)
def scalar_as_extent(x, k):
    tile.load(x, 0, k)  # here


@at_line("expected extents of a tile that are known while the kernel is traced, got a "
         "scalar of index; pass it by keyword", X)
def size_as_extent(x):
    tile.load(x, 0, x.shape[0])  # here


@at_line("expected positive extents of a tile, got 0", X)
def extent_of_zero(x):
    tile.load(x, 0, 0)  # here


@at_line("expected positive extents of a tile, got -4", X)
def extent_below_zero(x):
    tile.load(x, 0, (-4,))  # here


@at_line("expected positive extents of a tile, got 4.0", X)
def extent_between(x):
    tile.load(x, 0, 4.0)  # here


@at_line("expected positive extents of a tile, got None", X)
def no_shape(x):
    tile.load(x, 0, None)  # here


@at_line("expected positive extents of a tile, got '4'", X)
def text_as_shape(x):
    tile.load(x, 0, "44")  # here


@at_line("expected positive extents of a tile, got tile.f32", X)
def type_as_shape(x):
    tile.zeros(tile.f32)  # here


@at_line("expected at most 1 dimensions, those of the array, got 2", X)
def shape_of_more_dimensions(x):
    tile.load(x, 0, (4, 4))  # here


@at_line("expected at most 1 dimensions, those of the array, got 2", X)
def value_of_more_dimensions(x):
    tile.store(x, 0, tile.zeros((2, 2)))  # here


@at_line("expected an array, an argument of the kernel, got tile of 4 f32", X)
def load_of_a_tile(x):
    tile.load(tile.zeros(4), 0, 4)  # here


@at_line("expected an array, an argument of the kernel, got an array of NumPy; pass "
         "it to the kernel", X)
def load_of_an_array_of_numpy(x):
    tile.load(X, 0, 4)  # here


@at_line("expected an array, an argument of the kernel, got None", X)
def load_of_none(x):
    tile.load(None, 0, 4)  # here


@at_line("expected an array, an argument of the kernel, got [0.0, 0.0, 0.0, 0.0]", X)
def store_into_a_list(x):
    tile.store([0.0] * 4, 0, 1.0)  # here


@at_line("expected a tile, a scalar or a number, got [1.0, 2.0]", X)
def store_of_a_list(x):
    tile.store(x, 0, [1.0, 2.0])  # here


@at_line("expected a tile, a scalar or a number, got None; a function without "
         "'return' gives None", X)
def store_of_none(x):
    tile.store(x, 0, None)  # here


@at_line("expected a tile, a scalar or a number, got array of ? f32; [...] and "
         "tile.load read it", X, X)
def store_of_an_array(x, y):
    tile.store(x, 0, y)  # here


@at_line("expected a conversion that keeps the imaginary part, got one of "
         "tile.complex64 to tile.i32; 'tile.real' and 'tile.imag' have the parts", INTS)
def store_of_complex_numbers(x):
    tile.store(x, 0, tile.make_complex(tile.zeros(4), 1.0))  # here


@at_line("expected shapes that can be broadcast together, got (5,) and (4,)", X)
def mask_of_another_shape(x):
    tile.load(x, 0, 4, mask=tile.zeros(5, tile.bool_))  # here


@at_line("expected a tile, a scalar or a number, got 'all'", X)
def mask_of_a_text(x):
    tile.store(x, 0, tile.zeros(4), mask="all")  # here


@at_line("expected a number that tile.i32 has, from -2147483648 to 2147483647, got "
         "8589934592; tile.i64 has it", INTS)
def pad_beyond(x):
    tile.load(x, 60, 8, pad=2 ** 33)  # here


@at_line("'tile.load' op operand #2 must be element of a tile, but got "
         "'!tile.tile<8xf32>'", X)
def pad_of_a_tile(x):
    tile.load(x, 60, 8, pad=tile.zeros(8))  # here


@at_line("expected a number that tile.i32 has, from -2147483648 to 2147483647, got nan", INTS)
def pad_that_is_no_number(x):
    tile.load(x, 60, 8, pad=float("nan"))  # here


@at_line("expected a storage of shared, register, got 'global'", X)
def unknown_storage(x):
    tile.load(x, 0, 4, storage="global")  # here


@at_line("expected a sequence of dimensions, got 0", M)
def dimension_of_a_number(m):
    tile.load(m, (0, 0), 4, dims=0)  # here


@at_line("expected an axis from -2 to 1, got 2", M)
def dimension_beyond(m):
    tile.load(m, (0, 0), 4, dims=(2,))  # here


@at_line("'tile.load' op expected 'dims' of 1 (the tile's rank) different dimensions "
         "of the array, from 0 to 1, got [0, 1]", M)
def too_many_dimensions(m):
    tile.load(m, (0, 0), 4, dims=(0, 1))  # here


@at_line("'tile.load' op expected 'dims' of 2 (the tile's rank) different dimensions "
         "of the array, from 0 to 1, got [1, 1]", M)
def dimension_twice(m):
    tile.load(m, (0, 0), (4, 4), dims=(1, 1))  # here


@at_line("tile.load: expected a bool for 'in_bounds', got 'yes'", X)
def in_bounds_of_a_text(x):
    tile.load(x, 0, 4, in_bounds="yes")  # here


@at_line(as_condition("a scalar of bool_"), X, 1)
def in_bounds_of_a_scalar(x, k):
    tile.load(x, 0, 4, in_bounds=k > 0)  # here


# ----------------------------------------------------------------------------
# Indices
# ----------------------------------------------------------------------------


@at_line("expected tiles of integers as indices, got 3", X)
def number_as_indices(x):
    tile.gather(x, 0, 3, 4)  # here


@at_line("expected tiles of integers as indices, got tile of 4 f32", X)
def indices_of_fractions(x):
    tile.gather(x, 0, tile.zeros(4), 4)  # here


@at_line("expected tiles of integers as indices, got tile of 4 bool_", X)
def truths_as_indices(x):
    tile.gather(x, 0, tile.load(x, 0, 4) > 0, 4)  # here


@at_line("expected tiles of integers as indices, got array of ? f32", X)
def array_as_indices(x):
    tile.gather(x, 0, x, 4)  # here


@at_line("expected tiles of integers as indices, got 0", X)
def list_as_indices(x):
    tile.gather(x, 0, [0, 2, 1, 3], 4)  # here


@at_line("expected one tile of indices along an axis, got 0; 'axes' takes several", X)
def no_indices(x):
    tile.gather(x, 0, [], 4)  # here


@at_line("expected one tile of indices along an axis, got 2; 'axes' takes several", X)
def two_indices_along_an_axis(x):
    tile.gather(x, 0, [tile.arange(4)] * 2, 4)  # here


@at_line("'tile.gather' op expected indices of shape [4] (the tile's), or of extent "
         "one instead, got [5]", X)
def indices_of_another_extent(x):
    tile.gather(x, 0, tile.arange(5), 4)  # here


@at_line("expected an axis from -1 to 0, got 1", X)
def axis_of_a_gather_beyond(x):
    tile.gather(x, 0, tile.arange(4), 4, axis=1)  # here


@at_line("expected an axis from -1 to 0, got 'x'", X)
def axis_of_a_text(x):
    tile.gather(x, 0, tile.arange(4), 4, axis="x")  # here


@at_line("tile.gather: expected a sequence of ints for 'axes', got 0", M)
def axes_of_a_number(m):
    tile.gather(m, (0, 0), [tile.arange(4)] * 2, 4, axes=0)  # here


@at_line("'tile.gather' op expected 'axes' of as many different dimensions of the "
         "array as there are tiles of indices, from 0 to 1, got [0, 2] for 2", M)
def axes_beyond(m):
    tile.gather(m, (0, 0), [tile.arange(4)] * 2, 4, axes=(0, 2))  # here


@at_line("'tile.gather' op expected 'axes' of as many different dimensions of the "
         "array as there are tiles of indices, from 0 to 1, got [0] for 2", M)
def fewer_axes_than_indices(m):
    tile.gather(m, (0, 0), [tile.arange(4)] * 2, 4, axes=(0,))  # here


@at_line("'tile.scatter' op expected indices of shape [5] (the tile's), or of extent "
         "one instead, got [4]", X)
def values_of_another_extent(x):
    tile.scatter(x, 0, tile.arange(4), tile.zeros(5))  # here


@at_line("expected a tile, a scalar or a number, got None; a function without "
         "'return' gives None", X)
def scatter_of_none(x):
    tile.scatter(x, 0, tile.arange(4), None)  # here


@at_line("expected a kind of add, min, max, umin, umax, and, or, xor, exchange, got "
         "'plus'", X)
def unknown_update(x):
    tile.scatter(x, 0, tile.arange(4), 1.0, atomic="plus")  # here


@at_line("expected 'old' for an atomic scatter, got one that is not", X)
def old_of_no_update(x):
    tile.scatter(x, 0, tile.arange(4), 1.0, old=True)  # here


@at_line("'tile.scatter' op expected elements of i8, i16, i32, i64 or index for 'xor', "
         "got 'f32'", X)
def bits_of_floats_updated(x):
    tile.scatter(x, 0, tile.arange(4), 1.0, atomic="xor")  # here


# ----------------------------------------------------------------------------
# Atomic operations
# ----------------------------------------------------------------------------


@at_line("expected a kind of add, min, max, umin, umax, and, or, xor, exchange, "
         "compare_exchange, got 'sub'", X)
def unknown_kind(x):
    tile.atomic("sub", x, 0, 1.0)  # here


@at_line("expected a kind of atomic operation, got none", X)
def kind_of_none(x):
    tile.atomic(None, x, 0, 1.0)  # here


@at_line("'tile.atomic_rmw' op expected elements of i8, i16, i32, i64 or index for "
         "'and', got 'f32'", X)
def bits_of_floats(x):
    tile.atomic("and", x, 0, 1.0)  # here


@at_line("expected 'expected' for compare_exchange, and for it alone, got none", INTS)
def compare_without_expected(x):
    tile.atomic("compare_exchange", x, 0, 1)  # here


@at_line("expected 'expected' for compare_exchange, and for it alone, got one for "
         "'add'", INTS)
def expected_of_an_addition(x):
    tile.atomic("add", x, 0, 1, expected=0)  # here


@at_line("expected shapes that can be broadcast together, got (5,) and (4,)", INTS)
def expected_of_another_shape(x):
    tile.atomic("compare_exchange", x, 0, tile.full(4, 1),  # here
                expected=tile.full(5, 1))


@at_line("expected an order of relaxed, acquire, release, acq_rel, got 'seq_cst'", INTS)
def unknown_order(x):
    tile.atomic_add(x, 0, 1, order="seq_cst")  # here


@at_line("expected an order of relaxed, acquire, got 'release'", INTS)
def order_of_a_load(x):
    tile.atomic_load(x, 0, 1, order="release")  # here


@at_line("expected an order of relaxed, release, got 'acquire'", INTS)
def order_of_a_store(x):
    tile.atomic_store(x, 0, 1, order="acquire")  # here


@at_line("expected a scope of block, gpu, system, got 'warp'", INTS)
def unknown_scope(x):
    tile.atomic_add(x, 0, 1, scope="warp")  # here


@at_line("expected an order of acquire, release, acq_rel, got 'relaxed'", X)
def order_of_a_fence(x):
    tile.fence("relaxed")  # here


@at_line("expected a scope of block, gpu, system, got 'device'", X)
def scope_of_a_fence(x):
    tile.fence("release", "device")  # here


@at_line("'tile.atomic_rmw' op expected elements of i8, i16, i32, i64, index, f16, "
         "bf16, f32 or f64 for 'add', got 'complex<f32>'", np.zeros(8, np.complex64))
def atomic_of_complex_numbers(x):
    tile.atomic("add", x, 0, tile.make_complex(tile.zeros(4), 1.0))  # here


# ----------------------------------------------------------------------------
# The grid and the block
# ----------------------------------------------------------------------------


@at_line("expected axis 0, 1 or 2 of the grid, got 3", X)
def axis_of_the_grid(x):
    tile.program_id(3)  # here


@at_line("expected axis 0, 1 or 2 of the grid, got 'x'", X)
def axis_of_the_grid_by_its_letter(x):
    tile.num_programs("x")  # here


@at_line("expected axis 0, 1 or 2 of the grid, got [0]", X)
def axis_of_the_grid_of_a_list(x):
    tile.program_id([0])  # here


@at_line("expected a text first, without a character 0, got 'a\\x00b'", X)
def text_with_zeros(x):
    tile.print_("a\0b")  # here


@at_line("expected a text first, without a character 0, got 3", X)
def number_as_a_text(x):
    tile.print_(3)  # here


@at_line("expected a tile, a scalar or a number, got array of ? f32; [...] and "
         "tile.load read it", X)
def array_that_is_printed(x):
    tile.print_("x", x)  # here


@at_line("expected a kernel with a number of threads, @tile.kernel(block=...), got one "
         "without", X)
def threads_without_a_block(x):
    tile.per_thread(lambda thread: None)  # here


def with_block(function):
    return tile.kernel(block=32)(function)


@at_line("expected tiles of 32 elements along the first axis, one for each thread of "
         "the block, got tile of 31 f32", X)
@with_block
def tile_of_other_threads(x):
    tile.per_thread(lambda thread, a: a, tile.load(x, 0, 31))  # here


@at_line("expected tiles of 32 elements along the first axis, one for each thread of "
         "the block, got 3", X)
@with_block
def number_of_all_threads(x):
    tile.per_thread(lambda thread, a: a, 3)  # here


@at_line("expected scalars, or lists of them, of each thread, got tile of 4 f32", X)
@with_block
def tile_of_a_thread(x):
    tile.per_thread(lambda thread: tile.zeros(4))  # here


@at_line("expected scalars, or lists of them, of each thread, got 'a'", X)
@with_block
def text_of_a_thread(x):
    tile.per_thread(lambda thread: "a")  # here


@at_line("expected lists of one length, and not empty, of each thread", X)
@with_block
def ragged_lists_of_a_thread(x):
    tile.per_thread(lambda thread: [thread, [thread]])  # here


@at_line("expected lists of one length, and not empty, of each thread", X)
@with_block
def list_of_nothing_of_a_thread(x):
    tile.per_thread(lambda thread: [])  # here


@at_line("expected a function of a thread, got 3", X)
@with_block
def number_in_place_of_a_function(x):
    tile.per_thread(3)  # here


@at_line("expected what the function takes, got something else: TypeError: "
         "function_of_too_few_parameters.<locals>.<lambda>() takes 0 positional "
         "arguments but 1 was given", X)
@with_block
def function_of_too_few_parameters(x):
    tile.per_thread(lambda: None)  # here


@at_line("expected an operation on scalars, vectors or arrays, neither a call nor an "
         "allocation, in the region of 'tile.per_thread', got 'tile.load'", X)
@with_block
def load_of_a_thread(x):
    tile.per_thread(lambda thread: tile.load(x, thread, 1).sum())  # here: tile.load


@at_line("expected an operation on scalars, vectors or arrays, neither a call nor an "
         "allocation, in the region of 'tile.per_thread', got 'tile.reduce'", X)
@with_block
def reduction_of_a_thread(x):
    t = tile.load(x, 0, 32)
    tile.per_thread(lambda thread: t.sum())  # here: t.sum()


@at_line("expected 1 offsets, one for each dimension of the array, got 2", X)
def element_at_two_indices(x):
    tile.load_element(x, (0, 0))  # here


@at_line("expected an array, an argument of the kernel, got [1.0]", X)
def element_of_a_list(x):
    tile.load_element([1.0], 0)  # here


@at_line("expected an array to be written by an operation on tiles or in "
         "'tile.per_thread' (all threads of the block would do this), got "
         "'memref.store'", X)
def element_that_is_stored_by_all(x):
    tile.store_element(x, 0, 1.0)  # here


@at_line("expected a scalar as an element, got tile of 4 f32", X)
def tile_that_is_stored_as_an_element(x):
    tile.store_element(x, 0, tile.zeros(4))  # here


@at_line("expected a tile of one dimension as a stack, got tile of 4x4 f32", X)
def stack_of_two_dimensions(x):
    tile.push(tile.zeros((4, 4)), 0, tile.zeros(4))  # here


@at_line("expected a tile of one dimension as a stack, got []", X)
def stack_of_a_list(x):
    tile.push([], 0, tile.zeros(4))  # here


@at_line("expected a tile of one dimension or more, got 3.0", X)
def values_of_a_number(x):
    tile.push(tile.zeros(4), 0, 3.0)  # here


@at_line("expected an integer as a count, got tile of 5 f32", X)
def count_of_a_tile(x):
    tile.pop(tile.zeros(4), tile.zeros(5), tile.full(4, True))  # here


@at_line("expected an integer as a count, got 0.5", X)
def count_of_a_fraction(x):
    tile.pop(tile.zeros(4), 0.5, tile.full(4, True))  # here


@at_line("expected shapes that can be broadcast together, got (3,) and (4,)", X)
def mask_of_other_values(x):
    tile.push(tile.zeros(4), 0, tile.zeros(4), tile.full(3, True))  # here


@at_line("expected an integer as address, got 1.5", X)
def address_that_is_no_integer(x):
    tile.array_at(1.5, 4, tile.f32)  # here


@at_line("expected 1 to 8 extents of an array, got 0", X)
def array_without_extents(x):
    tile.array_at(0, (), tile.f32)  # here


@at_line("expected a stride for each of 2 extents, got 1", X)
def too_few_strides(x):
    tile.array_at(0, (4, 4), tile.f32, strides=(4,))  # here


@at_line("expected extents and strides that are not negative, got -4", X)
def negative_extent(x):
    tile.array_at(0, -4, tile.f32)  # here
