# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that cannot be kernels, and kernels that return values."""

import functools

import tile_mlir as tile
from wrong_calls.table import X, as_integer, at_line, refused


@refused(tile.ArgumentError, "expected a function defined by 'def', got 3")
def kernel_of_a_number():
    tile.kernel(3)


@refused(tile.ArgumentError, "expected a function defined by 'def', got the class "
                             "'Copy'")
def kernel_of_a_class():
    @tile.kernel
    class Copy:
        def __call__(self, x):
            pass


@refused(tile.ArgumentError, "expected a function defined by 'def', got the function "
                             "'len'")
def kernel_of_a_builtin():
    tile.kernel(len)


@refused(tile.ArgumentError, "expected a function defined by 'def', got an object of "
                             "type 'partial'")
def kernel_of_a_partial():
    tile.kernel(functools.partial(helper, 1))


@refused(tile.ArgumentError, "expected a function defined by 'def', got the Kernel "
                             "'twice'")
def kernel_of_a_kernel():
    @tile.kernel
    @tile.kernel
    def twice(x):
        pass


class Namespace:
    @staticmethod
    def copy(x, y):
        tile.store(y, 0, tile.load(x, 0, 4))

    def method(self, x):
        tile.store(x, 0, 1.0)

    def __call__(self, x):
        tile.store(x, 0, 1.0)


@refused(tile.ArgumentError, "expected a function defined by 'def', got the method "
                             "'method'")
def kernel_of_a_method():
    tile.kernel(Namespace().method)


@refused(tile.ArgumentError, "expected a function defined by 'def', got an object of "
                             "type 'Namespace'")
def kernel_of_a_callable_object():
    tile.kernel(Namespace())


@refused(tile.ArgumentError, "expected a function defined by 'def', got the "
                             "staticmethod 'copy'")
def kernel_of_a_static_method():
    tile.kernel(Namespace.__dict__["copy"])


@refused(tile.ArgumentError, "expected a function defined by 'def', got the lru cache "
                             "wrapper 'helper'")
def kernel_of_a_cached_function():
    tile.kernel(functools.lru_cache(helper))


@refused(tile.ArgumentError, "expected a function defined by 'def', got the "
                             "classmethod 'helper'")
def kernel_of_a_class_method():
    tile.kernel(classmethod(helper))


@refused(tile.ArgumentError, "expected parameters with names of the kernel 'rest', got "
                             "*others")
def kernel_of_rest_parameters():
    @tile.kernel
    def rest(x, *others):
        pass


@refused(tile.ArgumentError, "expected parameters with names of the kernel 'words', "
                             "got **others")
def kernel_of_other_words():
    @tile.kernel
    def words(x, **others):
        pass


@refused(tile.CompileError, "expected a function defined by 'def'")
def kernel_of_a_lambda():
    tile.kernel(lambda x: None)[1](X)


@refused(tile.ArgumentError, "expected a function defined by 'def', got 'later' by "
                             "'async def'")
def kernel_of_a_coroutine():
    @tile.kernel
    async def later(x):
        tile.store(x, 0, 1.0)

    later[1](X)


@refused(tile.ArgumentError, "expected a kernel without 'yield', got 'numbers' with it")
def kernel_of_a_generator():
    @tile.kernel
    def numbers(x):
        tile.store(x, 0, 1.0)
        yield 1

    numbers[1](X)


@refused(tile.ArgumentError, "expected a function defined by 'def', got 'numbers' by "
                             "'async def'")
def kernel_of_an_asynchronous_generator():
    @tile.kernel
    async def numbers(x):
        yield 1

    numbers[1](X)


@refused(tile.ArgumentError, "expected a function defined by 'def', got the class "
                             "'int'")
def function_of_a_class():
    tile.function(int)("3")


@refused(tile.ArgumentError, "expected a function defined by 'def', got 3")
def function_of_a_number():
    tile.function(3)


@refused(tile.ArgumentError, "expected a positive integer for 'block', got '128'")
def block_of_a_text():
    tile.kernel(block="128")(helper)


@refused(tile.ArgumentError, "expected a positive integer for 'block', got 1.5")
def block_of_a_fraction():
    tile.kernel(block=1.5)(helper)


@refused(tile.ArgumentError, "expected a positive integer for 'block', got 0")
def block_of_no_threads():
    tile.kernel(block=0)(helper)


@refused(tile.ArgumentError, "expected a positive integer for 'blocks_per_processor', "
                             "got 'two'")
def blocks_per_processor_of_a_text():
    tile.kernel(blocks_per_processor="two")(helper)


@refused(tile.LaunchError, "expected a grid of one to three integers, got 'many'")
def grid_of_a_text():
    tile.kernel(grid="many")(helper)


@refused(tile.LaunchError, "expected a grid of one to three numbers that are not "
                           "negative, got (1, 2, 3, 4)")
def grid_of_four_numbers():
    tile.kernel(grid=(1, 2, 3, 4))(helper)


def log(function):
    @functools.wraps(function)
    def call(*arguments):
        print(arguments)
        return function(*arguments)

    return call


@refused(tile.ArgumentError, "expected a function itself, got what a decorator has "
                             "made of 'logged'")
def kernel_of_another_decorator():
    @tile.kernel
    @log
    def logged(x):
        pass


@refused(tile.ArgumentError, "expected a function itself, got what a decorator has "
                             "made of 'called'")
def kernel_of_a_function_of_kernels():
    @tile.kernel
    @tile.function
    def called(x):
        pass


@refused(tile.ArgumentError, "forward(self, x): missing a required argument: 'x'")
def kernel_as_a_method():
    class Model:
        @tile.kernel
        def forward(self, x):
            pass

    Model().forward[1](X)


@refused(tile.ArgumentError, "expected a function defined by 'def', got 'grid'")
def kernel_of_words_alone():
    @tile.kernel("grid")
    def named(x):
        pass


def helper(x):
    tile.store(x, 0, 1.0)


# ----------------------------------------------------------------------------
# Results
# ----------------------------------------------------------------------------


@at_line("expected a kernel to return nothing, got tile of 4 f32; tile.store writes a "
         "result", X)
def tile_that_is_returned(x):
    return tile.load(x, 0, 4)  # here


@at_line("expected a kernel to return nothing, got 3; tile.store writes a result", X)
def number_that_is_returned(x):
    return 3  # here


@at_line("expected a kernel to return nothing, got False; tile.store writes a "
         "result", X)
def false_that_is_returned(x):
    tile.store(x, 0, 1.0)
    return False  # here


# ----------------------------------------------------------------------------
# Functions that kernels call
# ----------------------------------------------------------------------------


def add_five(t):
    return t + tile.zeros((5,))  # here: t +


@at_line("expected shapes that can be broadcast together, got (4,) and "
         "(5,)", X, marked=add_five)
def error_of_a_helper(x):
    add_five(tile.load(x, 0, 4))


@tile.function
def add_in_a_loop(t, k):
    for i in range(k):
        t = tile.concatenate([t, t])  # here
    return t


@at_line("expected 't' to have one type before a loop and after its body, got tile of "
         "4 f32 and tile of 8 f32", X, 3, marked=add_in_a_loop.__wrapped__)
def error_of_a_function(x, k):
    add_in_a_loop(tile.load(x, 0, 4), k)


@at_line("expected 'result_of_double_if' to be the same behind both branches of an 'if', "
         "since it is no tile, scalar or number, got tile of 4 f32 and None", X, 3)
def function_without_a_result_in_a_branch(x, k):
    def double_if(t, flag):
        if flag:
            return 2 * t  # here

    tile.store(x, 0, double_if(tile.load(x, 0, 4), k > 2))


def without_control(t, k):
    for i in range(k):  # here: range(k)
        t = t + 1
    return t


@at_line(as_integer("a scalar of index"), X, 3, marked=without_control)
def loop_of_a_helper_without_the_decorator(x, k):
    tile.store(x, 0, without_control(tile.load(x, 0, 4), k))


# ----------------------------------------------------------------------------
# Wrong calls of the package's functions
# ----------------------------------------------------------------------------


LOAD = ("(array, offsets, shape, *, pad, mask, dims, in_bounds, storage), got others: "
        "load() ")


@at_line(f"expected the parameters that the function has {LOAD}missing 1 required "
         "positional argument: 'shape'", X)
def too_few_arguments(x):
    tile.load(x, 0)  # here


@at_line("expected the parameters that the function has (array, offsets, value, *, "
         "mask, dims, in_bounds), got others: store() takes 3 positional arguments but "
         "5 were given", X)
def too_many_arguments(x):
    tile.store(x, 0, 1.0, 2.0, 3.0)  # here


@at_line(f"expected the parameters that the function has {LOAD}got an "
         "unexpected keyword argument 'padding'", X)
def unknown_word(x):
    tile.load(x, 0, 4, padding=1.0)  # here


@at_line(f"expected the parameters that the function has {LOAD}got multiple "
         "values for argument 'array'", X)
def argument_that_is_given_twice(x):
    tile.load(x, 0, 4, array=x)  # here


@at_line("expected the parameters that the function has (axis, keepdims, dtype), got "
         "others: Tile.sum() got an unexpected keyword argument 'dim'", X)
def unknown_word_of_a_method(x):
    tile.load(x, 0, 4).sum(dim=0)  # here


@at_line("expected the parameters that the function has (a, *, fast), got others: "
         "exp() got an unexpected keyword argument 'dtype'", X)
def unknown_word_of_a_function_of_math(x):
    tile.exp(tile.load(x, 0, 4), dtype=tile.f16)  # here


@at_line("expected an operation that values of the program have, got: 'Element' object "
         "is not callable", X)
def type_as_a_function(x):
    tile.f32(3.0)  # here


@at_line("expected an operation that values of the program have, got: 'Tile' object is "
         "not callable", X)
def tile_as_a_function(x):
    tile.load(x, 0, 4)(0)  # here


@at_line("expected the parameters that the function has (a, *, fast), got others: "
         "round() takes 1 positional argument but 2 were given", X)
def round_to_digits(x):
    tile.round(tile.load(x, 0, 4), 2)  # here


@at_line("expected a name that tile_mlir has, got 'lod'; there is tile.load", X)
def unknown_function(x):
    tile.lod(x, 0, 4)  # here: tile.lod


@at_line("expected a name that tile_mlir has, got 'convolve_with'", X)
def function_that_is_like_none(x):
    tile.convolve_with(x)  # here: tile.convolve_with


@at_line("expected a name that tile_mlir has, got 'dot'; here it is @", X)
def function_of_another_name(x):
    tile.dot(tile.load(x, 0, 4), 2)  # here: tile.dot


@at_line("expected a name that tile_mlir has, got 'float16'; here it is tile.f16", X)
def type_of_another_name(x):
    tile.load(x, 0, 4).astype(tile.float16)  # here: tile.float16


@at_line("expected a call of tile.random, got its attribute 'rand'", X)
def module_of_numpy(x):
    tile.random.rand(4)  # here: tile.random.rand


@at_line("expected an attribute of a tile to read (T, all, any, argmax, argmin, "
         "astype, dtype, mT, max, mean, min, ndim, prod, reshape, shape, size, sum, "
         "transpose, type, value), got 'cumsum'; tile.cumsum is a function", X)
def function_as_a_method(x):
    tile.load(x, 0, 4).cumsum()  # here: tile.load(x, 0, 4).cumsum
