# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives: kernels that have none, and wrong calls of those that have one."""

import numpy as np

import tile_mlir as tile
from wrong_calls.table import INTS, M, ROWS, Row, X, make_name, refused

Y = X.copy()
D = np.zeros(64)


@tile.kernel(grid=1)
def square(x, y):
    t = tile.load(x, 0, 64)
    tile.store(y, 0, t * t)


@tile.kernel
def scale(x, y, s, *, n=64):
    tile.store(y, 0, tile.load(x, 0, n) * s)


@tile.kernel(grid=1)
def product(a, b, c):
    tile.store(c, 0, tile.load(a, 0, 64) * tile.load(b, 0, 64))


@tile.kernel(grid=1)
def optional(x, w, y):
    t = tile.load(x, 0, 64)
    tile.store(y, 0, t if w is None else t * tile.load(w, 0, 64))


def no_derivative(text, *arguments, **words):
    """Decorates a function: adds a row for the gradients of the function as a kernel,
    with the arguments. The error must have this text, at the marked line, or at the
    function."""
    def add(function):
        kernel = tile.kernel(function)
        ROWS.append(Row(make_name(function),
                        lambda: tile.vjp(kernel, **words)[1](*arguments),
                        tile.CompileError, text, function))
        return function

    return add


# ----------------------------------------------------------------------------
# Kernels without a derivative
# ----------------------------------------------------------------------------

NO_INPUT = ("expected an array of floating-point or complex elements that the kernel "
            "only reads and that an output depends on, to differentiate by, got none")
NO_OUTPUT = ("expected an array of floating-point or complex elements that the kernel "
             "only writes, to differentiate, got none")


@no_derivative("expected a cast with a derivative, got one that saturates, to "
               "'f8E4M3FN'", X, Y)
def cast_to_few_bits(x, y):
    t = tile.load(x, 0, 64)
    t = t.astype(tile.f8e4m3)  # here: t.astype(tile.f8e4m3)
    tile.store(y, 0, t.astype(tile.f32))


@no_derivative(f"{NO_INPUT}; 'x' has no influence on an output", X, Y)  # here: @
def only_integers_between(x, y):
    t = tile.load(x, 0, 64).astype(tile.i32)
    tile.store(y, 0, t.astype(tile.f32))


@no_derivative(f"{NO_OUTPUT}; 'y' has elements of 'i32'", M, INTS)  # here: @
def only_an_output_of_indices(x, y):
    tile.store(y, 0, tile.argmax(tile.load(x, (0, 0), (8, 8)), axis=1))


@no_derivative(NO_OUTPUT, X, Y)  # here: @
def no_output(x, y):
    tile.print_("x", tile.load(x, 0, 64))


@no_derivative(NO_OUTPUT, X)  # here: @
def in_place(x):
    tile.store(x, 0, 2 * tile.load(x, 0, 64))


@no_derivative(NO_OUTPUT, X, Y)  # here: @
def read_and_written(x, y):
    tile.store(y, 0, tile.load(y, 0, 64) + tile.load(x, 0, 64))


@no_derivative("expected an array to differentiate by that is either read or "  # here: @
               "written, got 'y', which the kernel reads and writes", X, Y, wrt="y")
def by_what_is_read_and_written(x, y):
    tile.store(y, 0, tile.load(y, 0, 64) + tile.load(x, 0, 64))


@no_derivative("expected an array to differentiate by that the kernel "  # here: @
               "reads, got 'w'", X, X, Y, wrt="w")
def by_what_is_not_read(x, w, y):
    tile.store(y, 0, tile.load(x, 0, 64))


@no_derivative("expected outputs that depend on 'w', got none: its "  # here: @
               "gradient is zero", X, X, Y, wrt="w")
def by_what_no_output_depends_on(x, w, y):
    tile.print_("w", tile.load(w, 0, 64))
    tile.store(y, 0, tile.load(x, 0, 64))


@no_derivative("expected a store to elements of the output that the program stores once, "
               "which is not proved from its offsets: their cotangents belong to the last "
               "store", X, Y)
def stored_twice(x, y):
    t = tile.load(x, 0, 64)
    tile.store(y, 0, t)
    tile.store(y, 0, t * t)  # here: tile.store(y, 0, t * t)


# ----------------------------------------------------------------------------
# Kernels and names
# ----------------------------------------------------------------------------


@refused(tile.ArgumentError, "expected a kernel, got the ufunc 'sin'")
def function_of_numpy():
    tile.vjp(np.sin)


@refused(tile.ArgumentError, "expected a kernel, got 'square'")
def name_of_a_kernel():
    tile.grad("square")


@refused(tile.ArgumentError, "expected a kernel, got tile.vjp(square)")
def derivative_of_a_derivative():
    tile.vjp(tile.vjp(square))


@refused(tile.ArgumentError, "expected a kernel, as `.kernel` of a tuned one, got <tuned "
                             "<kernel scale(x, y, s, *, n=64)> of 1 candidates>")
def tuned_kernel():
    tile.vjp(tile.autotune({"n": [1]})(scale))


@refused(tile.ArgumentError, "expected parameters of 'named' of other names than the "
                             "derivative's keyword 'gradients'")
def parameter_with_the_name_of_a_keyword():
    @tile.kernel
    def named(x, gradients):
        pass

    tile.vjp(named)


@refused(tile.ArgumentError, "expected parameters of 'named' of other names than the "
                             "derivative's keyword 'tangents'")
def keyword_with_the_name_of_a_keyword():
    @tile.kernel
    def named(x, *, tangents=1):
        pass

    tile.jvp(named)


@refused(tile.ArgumentError, "expected parameters of 'named' that do not end in "
                             "__cotangent, __gradient, __tangent, got 'x__tangent'")
def parameter_with_the_name_of_a_tangent():
    @tile.kernel
    def named(x__tangent, y):
        pass

    tile.vjp(named)


def names_of(text, name="wrt"):
    return f"expected names of parameters of 'square' as {name}, {text}"


@refused(tile.ArgumentError, names_of("of 'x', 'y', got 'z'"))
def unknown_name():
    tile.vjp(square, wrt="z")


@refused(tile.ArgumentError, names_of("of 'x', 'y', got 'v'"))
def unknown_name_in_a_list():
    tile.vjp(square, wrt=["x", "v"])


@refused(tile.ArgumentError, names_of("of 'x', 'y', got 'q'", "outputs"))
def unknown_output():
    tile.jvp(square, outputs="q")


@refused(tile.ArgumentError, "expected names of parameters of 'scale' as wrt, of 'x', "
                             "'y', 's', got 'n'")
def keyword_as_an_input():
    tile.vjp(scale, wrt="n")


@refused(tile.ArgumentError, names_of("got 0"))
def number_as_a_name():
    tile.vjp(square, wrt=0)


@refused(tile.ArgumentError, names_of("got []"))
def no_names():
    tile.vjp(square, wrt=[])


@refused(tile.ArgumentError, names_of("got ()", "outputs"))
def no_names_of_outputs():
    tile.grad(square, outputs=())


@refused(tile.ArgumentError, names_of("of 'x', 'y', got None"))
def none_as_a_name():
    tile.vjp(square, wrt=[None])


@refused(tile.ArgumentError, names_of("of 'x', 'y', got ''"))
def empty_name():
    tile.value_and_grad(square, wrt="")


@refused(tile.ArgumentError, names_of("got {'x'}"))
def set_of_names():
    tile.vjp(square, wrt={"x"})


@refused(tile.ArgumentError, names_of("got an array of NumPy"))
def array_as_a_name():
    tile.vjp(square, wrt=X)


@refused(tile.ArgumentError, "expected different names as wrt, got 'x' twice")
def name_twice():
    tile.vjp(square, wrt=("x", "x"))


@refused(tile.ArgumentError, "expected different names as outputs, got 'y' twice")
def output_twice():
    tile.jvp(square, outputs=("y", "y"))


# ----------------------------------------------------------------------------
# Arguments
# ----------------------------------------------------------------------------


def array_of(name, role, given):
    return (f"expected an array of floating-point or complex elements for {name!r}, to "
            f"{role}, got {given}")


@refused(tile.ArgumentError, array_of("s", "differentiate by", "2.0; an array with one "
                                      "element can take its place"))
def scalar_as_an_input():
    tile.vjp(scale, wrt="s")[1](X, Y, 2.0)


@refused(tile.ArgumentError, array_of("s", "differentiate", "1.0; an array with one "
                                      "element can take its place"))
def scalar_as_an_output():
    tile.vjp(scale, outputs="s")[1](X, Y, 1.0)


@refused(tile.ArgumentError, array_of("w", "differentiate by", "None"))
def none_as_an_input():
    tile.vjp(optional, wrt="w")(X, None, Y)


@refused(tile.ArgumentError, array_of("x", "differentiate by", "array of ? i32"))
def integers_as_an_input():
    tile.vjp(square, wrt="x")(INTS, INTS)


@refused(tile.ArgumentError, array_of("y", "differentiate", "array of ? i32"))
def integers_as_an_output():
    tile.vjp(square, outputs="y")(X, INTS)


@refused(tile.CompileError, f"{NO_OUTPUT}; 'y' has elements of 'i32'")
def integers_alone():
    tile.vjp(square)(INTS, INTS)


@refused(tile.CompileError, "expected an array to differentiate by that the kernel reads, "
                            "got 'y'")
def output_as_an_input():
    tile.vjp(square, wrt="y")(X, Y)


@refused(tile.CompileError, "expected an array to differentiate that the kernel writes, "
                            "got 'x'")
def input_as_an_output():
    tile.vjp(square, outputs="x")(X, Y)


@refused(tile.CompileError, "expected 2 offsets, one for each dimension of the array, got "
                            "1")
def cotangent_of_another_rank():
    tile.vjp(square)(X, M)


@refused(tile.CompileError, "expected an array, an argument of the kernel, got None")
def cotangent_of_none():
    tile.vjp(square)(X, None)


@refused(tile.ArgumentError, "square(x, y): missing a required argument: 'y'")
def no_cotangent():
    tile.vjp(square)(X)


@refused(tile.ArgumentError, "square(x, y): too many positional arguments")
def output_and_cotangent():
    tile.vjp(square)(X, Y, X)


@refused(tile.ArgumentError, "square(x, y): got an unexpected keyword argument 'tangents'")
def tangents_of_a_vjp():
    tile.vjp(square)(X, Y, tangents=X)


@refused(tile.ArgumentError, "square(x, y): got an unexpected keyword argument "
                             "'gradients'")
def gradients_of_a_jvp():
    tile.jvp(square)(X, Y, gradients=X, tangents=X)


@refused(tile.ArgumentError, "expected an array or a number for 'x', got list; np.array "
                             "makes an array of it")
def list_as_an_input():
    tile.vjp(square)([1.0], Y)


@refused(tile.ArgumentError, "expected an array or a number for 'x' of a call, got the "
                             "type array of ? f32")
def type_as_an_input():
    tile.vjp(square)(tile.ir.ArrayType((None,), tile.f32), Y)


@refused(tile.ArgumentError, "expected 'y' to be writable, since the kernel writes it, "
                             "got a read-only array")
def output_that_is_read_only():
    read_only = Y.copy()
    read_only.flags.writeable = False
    tile.value_and_grad(square)(X, read_only)


@refused(tile.ArgumentError, "expected 'y', which the kernel writes, to share no memory "
                             "with 'x', got arrays that do...")
def output_that_is_the_input():
    tile.value_and_grad(square)(X, X)


@refused(tile.CompileError, "expected a function with @tile.function to be called by a "
                            "kernel, got the kernel 'square'")
def derivative_in_a_kernel():
    @tile.kernel(grid=1)
    def outer(x):
        tile.vjp(square)(x, x)

    outer(X)


# ----------------------------------------------------------------------------
# Grids
# ----------------------------------------------------------------------------


@refused(tile.LaunchError, "expected a grid of the kernel 'scale', as "
                           "tile.vjp(scale)[blocks](...) or @tile.kernel(grid=...), got "
                           "none")
def no_grid():
    tile.vjp(scale)(X, Y, 1.0)


@refused(tile.LaunchError, "expected a grid of the kernel 'scale', as "
                           "tile.value_and_grad(scale)[blocks](...) or "
                           "@tile.kernel(grid=...), got none")
def no_grid_of_both():
    tile.value_and_grad(scale)(X, Y, 1.0)


@refused(tile.LaunchError, "expected a grid of one to three integers, got 3.5; tile.cdiv "
                           "divides and rounds up")
def grid_of_a_fraction():
    tile.grad(scale)[3.5](X, Y, 1.0)


@refused(tile.LaunchError, "expected a grid's function of parameters that the kernel has, "
                           "by their names x, y, s, n, got 'q'")
def grid_of_another_name():
    tile.vjp(scale)[lambda q: 1](X, Y, 1.0)


# ----------------------------------------------------------------------------
# Gradients and tangents
# ----------------------------------------------------------------------------


@refused(tile.ArgumentError, "expected gradients=... to accumulate, got none")
def nothing_to_accumulate():
    tile.vjp(square)(X, Y, accumulate=True)


@refused(tile.ArgumentError, "expected gradients for 'x', got 2")
def two_gradients():
    tile.vjp(square)(X, Y, gradients=(X, Y))


@refused(tile.ArgumentError, "expected gradients for 'a', 'b', got 1")
def one_gradient():
    tile.vjp(product)(X, X, Y, gradients=Y.copy())


@refused(tile.ArgumentError, "expected gradients for 'x', got them for 'y'")
def gradient_of_another_name():
    tile.vjp(square)(X, Y, gradients={"y": X})


@refused(tile.ArgumentError, "expected gradients that are arrays, got [1.0] for 'x'")
def gradient_that_is_a_list():
    tile.vjp(square)(X, Y, gradients=[[1.0]])


@refused(tile.ArgumentError, "expected gradients that are arrays, got 1.0 for 'x'")
def gradient_that_is_a_number():
    tile.vjp(square)(X, Y, gradients=1.0)


def like_argument(part, what, expected, given):
    return (f"expected the {part} of the {what} of 'x' to be {expected}, as that of the "
            f"argument, got {given}")


@refused(tile.ArgumentError, like_argument("shape", "gradients", "(64,)", "(65,)"))
def gradient_of_another_shape():
    tile.vjp(square)(X, Y, gradients=np.zeros(65, np.float32))


@refused(tile.ArgumentError, like_argument("shape", "gradients", "(64,)", "(64, 1)"))
def gradient_of_another_rank():
    tile.vjp(square)(X, Y, gradients=np.zeros((64, 1), np.float32))


@refused(tile.ArgumentError, like_argument("type", "gradients", "tile.f32", "tile.f64"))
def gradient_of_another_type():
    tile.vjp(square)(X, Y, gradients=D)


def shares(one, other):
    return (f"expected {one!r}, which the kernel writes, to share no memory with "
            f"{other!r}, got arrays that do...")


def keeps(array, call):
    """Makes a call that is refused, and must not change the array."""
    array[...] = 3
    try:
        call()
    finally:
        assert (array == 3).all()


@refused(tile.ArgumentError, shares("x__gradient", "x"))
def gradient_that_is_the_input():
    x = X.copy()
    keeps(x, lambda: tile.vjp(square)(x, Y, gradients=x))


@refused(tile.ArgumentError, shares("x__gradient", "y__cotangent"))
def gradient_that_is_the_cotangent():
    y = Y.copy()
    keeps(y, lambda: tile.vjp(square)(X, y, gradients=y))


@refused(tile.ArgumentError, shares("a__gradient", "b__gradient"))
def one_array_for_two_gradients():
    array = Y.copy()
    keeps(array, lambda: tile.vjp(product)(X, X, Y, gradients=(array, array)))


@refused(tile.ArgumentError, "expected 'x__gradient' to be writable, since the kernel "
                             "writes it, got a read-only array")
def gradient_that_is_read_only():
    read_only = Y.copy()
    read_only.flags.writeable = False
    tile.vjp(square)(X, Y, gradients=read_only)


@refused(tile.ArgumentError, "expected gradients that are writable, got a read-only array "
                             "for 'x'")
def accumulated_gradient_that_is_read_only():
    read_only = Y.copy()
    read_only.flags.writeable = False
    tile.vjp(square)(X, Y, gradients=read_only, accumulate=True)


@refused(tile.ArgumentError, "expected tangents=... of a call of tile.jvp(square), got "
                             "none")
def no_tangents():
    tile.jvp(square)(X, Y)


@refused(tile.ArgumentError, "expected tangents that are arrays, got None for 'x'")
def tangents_of_none():
    tile.jvp(square)(X, Y, tangents=None)


@refused(tile.ArgumentError, "expected tangents for 'a', 'b', got 3")
def three_tangents():
    tile.jvp(product)(X, X, Y, tangents=(X, X, X))


@refused(tile.ArgumentError, "expected tangents for 'x', got them for 'z'")
def tangent_of_another_name():
    tile.jvp(square)(X, Y, tangents={"z": X})


@refused(tile.ArgumentError, "expected tangents for 'a', 'b', got them for 'a'")
def missing_tangent():
    tile.jvp(product)(X, X, Y, tangents={"a": X})


@refused(tile.ArgumentError, like_argument("shape", "tangents", "(64,)", "(63,)"))
def tangent_of_another_shape():
    tile.jvp(square)(X, Y, tangents=np.zeros(63, np.float32))


@refused(tile.ArgumentError, like_argument("type", "tangents", "tile.f32", "tile.i32"))
def tangent_of_integers():
    tile.jvp(square)(X, Y, tangents=INTS)


# ----------------------------------------------------------------------------
# Programs and checks
# ----------------------------------------------------------------------------


@refused(tile.TileError, "expected a call of tile.vjp(square) before, or its "
                         ".specialize(...) with arguments, got neither")
def program_of_no_call():
    tile.vjp(square).ir


@refused(tile.ArgumentError, "expected a tuple of outputs among metadata, ptx, cubin, "
                             "llvm, report, report.json, ir, got ('ptxx',)")
def compiled_to_an_unknown_output():
    tile.vjp(square).compile(X, Y, outputs=("ptxx",))


@refused(tile.ArgumentError, "expected a kernel, and its grid as grid=, got the ufunc "
                             "'sin'")
def check_of_a_function():
    tile.gradcheck(np.sin, (D, D))


@refused(tile.ArgumentError, "expected a tuple of the kernel's arguments, got an array of "
                             "NumPy")
def check_of_one_argument():
    tile.gradcheck(square, D)


@refused(tile.ArgumentError, "expected 'x' to have elements of f32, f64, complex64 or "
                             "complex128, got tile.f16")
def check_of_few_bits():
    tile.gradcheck(square, (X.astype(np.float16), Y.astype(np.float16)))


@refused(tile.ArgumentError, "expected a positive integer for 'elements', got 0")
def check_of_no_elements():
    tile.gradcheck(square, (D, D.copy()), elements=0)


@refused(tile.LaunchError, "expected a grid of the kernel 'scale', as gradcheck(..., "
                           "grid=...) or @tile.kernel(grid=...), got none")
def check_without_a_grid():
    tile.gradcheck(scale, (D, D.copy(), np.float64(1)))
