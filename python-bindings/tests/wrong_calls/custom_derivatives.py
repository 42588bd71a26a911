# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives that are given, and calls of derivatives that are as wrong as those of
kernels: cotangents, memory, second derivatives."""

import numpy as np

import tile_mlir as tile
from wrong_calls.arguments import Interface
from wrong_calls.devices import arrays_on
from wrong_calls.gradients import NO_INPUT, D, Y, no_derivative, product, scale, square
from wrong_calls.table import INTS, M, ROWS, Row, X, make_name, refused


@tile.kernel(grid=1)
def doubled(x, y, *, n=64):
    tile.store(y, 0, 2 * tile.load(x, 0, n))


def wrong_adjoint(text, of=None, give=tile.custom_adjoint, options={}):
    """Decorates a function: adds a row for its decoration as a custom adjoint of a new
    kernel y = 2 x, and a gradient of this one by it."""
    def add(function):
        def call():
            own = tile.kernel(grid=1)(of or doubled.definition.function)
            give(own)(tile.kernel(**options)(function))
            if give is tile.custom_tangent:
                tile.jvp(own)(X, Y, tangents=X)
            else:
                tile.vjp(own)(X, Y)

        kind = tile.ArgumentError if text.startswith("A: ") else tile.CompileError
        ROWS.append(Row(make_name(function), call, kind, text.removeprefix("A: ")))
        return function

    return add


# ----------------------------------------------------------------------------
# Objects that are given as derivatives
# ----------------------------------------------------------------------------


@refused(tile.ArgumentError, "expected a kernel as the argument of "
         "tile.custom_adjoint, got the ufunc 'sin'")
def adjoint_of_a_function():
    tile.custom_adjoint(np.sin)


@refused(tile.ArgumentError, "expected a kernel for tile.custom_adjoint, as `.kernel` "
         "of a tuned one, got <tuned <kernel scale(x, y, s, *, n=64)> of 1 candidates>")
def adjoint_of_a_tuned_kernel():
    tile.custom_adjoint(tile.autotune({"n": [1]})(scale))


@refused(tile.ArgumentError, "expected a kernel as the argument of "
         "tile.custom_adjoint, got the function 'adjoint'")
def adjoint_without_its_kernel():
    @tile.custom_adjoint
    def adjoint(y__cotangent, x__gradient):
        pass


@refused(tile.ArgumentError, "expected a kernel that computes the derivatives of "
         "'doubled', a function with @tile.kernel below @tile.custom_adjoint, got the "
         "function 'adjoint'")
def function_as_an_adjoint():
    @tile.custom_adjoint(doubled)
    def adjoint(y__cotangent, x__gradient):
        pass


@refused(tile.ArgumentError, "expected a kernel for tile.custom_tangent, as `.kernel` "
         "of a tuned one, got <tuned <kernel tangent(x__tangent, y__tangent, *, n)> "
         "of 1 candidates>")
def tuned_kernel_as_a_tangent():
    @tile.custom_tangent(doubled)
    @tile.autotune({"n": [1]})
    @tile.kernel
    def tangent(x__tangent, y__tangent, *, n):
        pass


@refused(tile.ArgumentError, "expected a custom derivative of 'doubled' with another "
         "name, got one with this name")
def kernel_as_its_own_adjoint():
    tile.custom_adjoint(doubled)(doubled)


@refused(tile.ArgumentError, "expected a kernel that computes the derivatives of "
         "'doubled', a function with @tile.kernel below @tile.custom_adjoint, got "
         "tile.vjp(doubled)")
def derivative_as_an_adjoint():
    tile.custom_adjoint(doubled)(tile.vjp(doubled))


# ----------------------------------------------------------------------------
# Parameters of a derivative
# ----------------------------------------------------------------------------


@wrong_adjoint("A: expected positional parameters of 'adjoint_of_other_names' that "
               "are named as those of 'doubled', x, y, or as these with __cotangent "
               "or __gradient, got 'dy'")
def adjoint_of_other_names(dy, dx):
    pass


@wrong_adjoint("A: expected positional parameters of 'adjoint_with_a_tangent' that "
               "are named as those of 'doubled', x, y, or as these with __cotangent "
               "or __gradient, got 'y__tangent'")
def adjoint_with_a_tangent(y__tangent, x__gradient):
    pass


@wrong_adjoint("A: expected a parameter of 'adjoint_without_a_cotangent' that ends in "
               "__cotangent, got x, x__gradient")
def adjoint_without_a_cotangent(x, x__gradient):
    pass


@wrong_adjoint("A: expected a parameter of 'adjoint_without_a_gradient' that ends in "
               "__gradient, got y__cotangent")
def adjoint_without_a_gradient(y__cotangent):
    pass


@wrong_adjoint("A: expected a parameter of 'adjoint_without_parameters' that ends in "
               "__cotangent, got none")
def adjoint_without_parameters():
    pass


@wrong_adjoint("A: expected keyword parameters of 'adjoint_with_a_keyword_of_its_own' "
               "that 'doubled' has, n, or with a default, got 'rows'")
def adjoint_with_a_keyword_of_its_own(y__cotangent, x__gradient, *, rows):
    pass


@wrong_adjoint("A: expected positional parameters of "
               "'adjoint_that_takes_a_keyword_by_position' that are named as those of "
               "'doubled', x, y, or as these with __cotangent or __gradient, got 'n'")
def adjoint_that_takes_a_keyword_by_position(y__cotangent, x__gradient, n):
    pass


@wrong_adjoint("A: expected positional parameters of 'tangent_with_a_cotangent' that "
               "are named as those of 'doubled', x, y, or as these with __tangent, "
               "got 'y__cotangent'", give=tile.custom_tangent)
def tangent_with_a_cotangent(x__tangent, y__cotangent):
    pass


# ----------------------------------------------------------------------------
# Roles of the parameters, which the compiler finds
# ----------------------------------------------------------------------------


@wrong_adjoint("expected arguments that 'doubled' does not write, got 'y', whose "
               "elements a derivative is not given: it computes again what it needs "
               "of them")
def adjoint_that_takes_the_output(y, y__cotangent, x__gradient):
    tile.store(x__gradient, 0, tile.load(y__cotangent, 0, 64) * tile.load(y, 0, 64))


@wrong_adjoint("expected 'y__gradient' to belong to an array of floating-point or "
               "complex elements that 'doubled' reads and does not write, got 'y' of "
               "type 'memref<?xf32>', which it writes")
def adjoint_with_the_gradient_of_an_output(y__cotangent, y__gradient):
    tile.store(y__gradient, 0, tile.load(y__cotangent, 0, 64))


@wrong_adjoint("expected 'x__cotangent' to belong to an array of floating-point or "
               "complex elements that 'doubled' writes, got 'x' of type "
               "'memref<?xf32>', which it reads")
def adjoint_with_the_cotangent_of_an_input(x__cotangent, x__gradient):
    tile.store(x__gradient, 0, tile.load(x__cotangent, 0, 64))


@wrong_adjoint("expected a kernel that writes 'x__gradient', got one that does not")
def adjoint_that_writes_no_gradient(y__cotangent, x__gradient):
    tile.print_("g", tile.load(y__cotangent, 0, 64))


@wrong_adjoint("expected a kernel that does not write 'y__cotangent', got one that "
               "does")
def adjoint_that_writes_the_cotangent(y__cotangent, x__gradient):
    tile.store(y__cotangent, 0, tile.load(y__cotangent, 0, 64))
    tile.store(x__gradient, 0, tile.load(y__cotangent, 0, 64))


@wrong_adjoint("expected the arguments of 'doubled', then the arrays '__cotangent', "
               "then '__gradient', each once and in the order of the kernel's, got "
               "'y__cotangent' after 'x__gradient'")
def adjoint_in_another_order(x__gradient, y__cotangent):
    tile.store(x__gradient, 0, tile.load(y__cotangent, 0, 64))


@wrong_adjoint("expected a kernel that writes 'y__tangent', got one that does not", give=tile.custom_tangent)
def tangent_that_writes_none(x__tangent, y__tangent):
    tile.print_("t", tile.load(x__tangent, 0, 64))


@wrong_adjoint("expected no kernel 'doubled__adjoint', which is the name of the new "
               "one")
def doubled__adjoint(y__cotangent, x__gradient):
    tile.store(x__gradient, 0, tile.load(y__cotangent, 0, 64))


@wrong_adjoint("expected 1 offsets, one for each dimension of the array, got 2")
def adjoint_of_another_rank(y__cotangent, x__gradient):
    tile.store(x__gradient, (0, 0), tile.load(y__cotangent, 0, 64))


# ----------------------------------------------------------------------------
# Requests that a derivative does not compute
# ----------------------------------------------------------------------------


@tile.kernel(grid=1)
def sums(a, b, c, d):
    tile.store(c, 0, tile.load(a, 0, 64) + tile.load(b, 0, 64))
    tile.store(d, 0, tile.load(a, 0, 64) - tile.load(b, 0, 64))


@tile.custom_adjoint(sums)
@tile.kernel
def sums_adjoint(c__cotangent, d__cotangent, a__gradient):
    of_d = tile.load(d__cotangent, 0, 64)
    tile.store(a__gradient, 0, tile.load(c__cotangent, 0, 64) + of_d)


@refused(tile.CompileError, "expected an argument 'b__gradient' of 'sums_adjoint', "
         "the custom derivative of 'sums', since the derivative by 'b' is requested, "
         "got none")
def gradient_that_the_adjoint_lacks():
    tile.vjp(sums, wrt="b")(X, X, Y, Y)


@refused(tile.CompileError, "expected a request of all derivatives of the arrays that "
         "the custom derivative 'sums_adjoint' takes, got one without 'd'; give zeros "
         "as its cotangent")
def one_of_two_cotangents():
    tile.vjp(sums, outputs="c")(X, X, Y, Y)


@refused(tile.CompileError, "expected 'tile.custom_tangent' of 'sums', whose "
         "derivative in the other mode is stated by 'tile.custom_adjoint', got none")
def tangents_with_an_adjoint_alone():
    tile.jvp(sums)(X, X, Y, Y, tangents=(X, X))


@refused(tile.ArgumentError, "expected gradients for 'a', got 2")
def gradients_for_all_inputs_of_a_custom_adjoint():
    tile.vjp(sums)(X, X, Y, Y, gradients=(Y.copy(), Y.copy()))


@tile.kernel(grid=1)
def halved(x, y):
    tile.store(y, 0, tile.load(x, 0, 64) / 2)


@tile.custom_adjoint(halved)
@tile.kernel(grid=lambda rows: rows)
def halved_adjoint(y__cotangent, x__gradient):
    tile.store(x__gradient, 0, tile.load(y__cotangent, 0, 64) / 2)


@refused(tile.LaunchError, "expected a grid's function of parameters that the kernel "
         "has, by their names y__cotangent, x__gradient, got 'rows'")
def grid_of_an_adjoint_by_another_name():
    tile.vjp(halved)(X, Y)


# ----------------------------------------------------------------------------
# Cotangents, gradients and memory
# ----------------------------------------------------------------------------


ON_GPU = Interface(shape=(64,))


@refused(tile.ArgumentError, "expected arrays of one device, got 'x' on the host, 'y' on "
         "GPU 0")
def cotangent_on_a_gpu():
    with arrays_on(0):
        tile.vjp(square)(X, ON_GPU)


def on_the_host(what):
    return (f"expected the device of the {what} of 'x' to be the host, as that of the "
            "argument, got GPU 0")


@refused(tile.ArgumentError, on_the_host("gradients"))
def gradient_on_a_gpu():
    with arrays_on(0):
        tile.vjp(square)(X, Y, gradients=ON_GPU)


@refused(tile.ArgumentError, on_the_host("tangents"))
def tangent_on_a_gpu():
    with arrays_on(0):
        tile.jvp(square)(X, Y, tangents=ON_GPU)


@refused(tile.ArgumentError, "expected an array of floating-point or complex elements "
         "for 'y', to differentiate, got 1.0; an array with one element can take its "
         "place")
def cotangent_that_is_a_number():
    tile.vjp(square, outputs="y")(X, 1.0)


@refused(tile.ArgumentError, "expected an array or a number for 'y', got list; "
         "np.array makes an array of it")
def cotangent_that_is_a_list():
    tile.vjp(square)(X, [1.0] * 64)


@refused(tile.ArgumentError, "expected 'a__gradient', which the kernel writes, to "
         "share no memory with 'b__gradient', got arrays that do; what is updated in "
         "place is one argument, read and written")
def gradient_of_other_strides_that_overlap():
    room = np.zeros(128, np.float32)
    tile.vjp(product)(X, X, Y, gradients=(room[:64], room[32:96]))


@refused(tile.ArgumentError, "expected the type of the gradients of 'x' to be "
         "tile.f32, as that of the argument, got tile.f64")
def accumulated_gradient_of_another_type():
    tile.vjp(square)(X, Y, gradients=D, accumulate=True)


@refused(tile.ArgumentError, "expected gradients for 'a', 'b', got them for 'a'")
def accumulated_gradients_of_one_name():
    tile.vjp(product)(X, X, Y, gradients={"a": Y}, accumulate=True)


@tile.kernel(grid=lambda x: x.shape[0])
def powers(x, y, count):
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 64))
    for _ in range(count):
        t = t * t
    tile.store(y, (i, 0), t)


@refused(tile.TileError, "function 'powers__adjoint': temporary 0: cannot allocate "
         "10240000000000000 bytes of memory")
def states_beyond_memory():
    tile.vjp(powers)(np.ones((2, 64)), np.ones((2, 64)), 10 ** 13)


@refused(tile.ArgumentError, "function 'powers__adjoint': temporary 0: expected an "
         "array of fewer than 2^63 bytes, found shape 2x1000000000000000000x1x64")
def states_beyond_addresses():
    tile.vjp(powers)(np.ones((2, 64)), np.ones((2, 64)), 10 ** 18)


@no_derivative("expected a cast with a derivative, got one of bits", X, Y)
def bits_of_a_value(x, y):
    t = tile.load(x, 0, 64)
    bits = tile.bitcast(t, tile.i32)  # here: tile.bitcast(t, tile.i32)
    tile.store(y, 0, tile.bitcast(bits >> 1, tile.f32))


@no_derivative(f"{NO_INPUT}; 'x' has no influence on an output", X, Y)  # here: @
def histogram_of_an_input(x, y):
    counts = tile.histogram(tile.load(x, 0, 64).astype(tile.i32), 64)
    tile.store(y, 0, counts.astype(tile.f32))


# ----------------------------------------------------------------------------
# Checks
# ----------------------------------------------------------------------------


@tile.kernel(grid=1)
def tripled(x, y):
    tile.store(y, 0, 3 * tile.load(x, 0, 64))


@tile.custom_adjoint(tripled)
@tile.kernel
def tripled_adjoint(y__cotangent, x__gradient):
    tile.store(x__gradient, 0, 4 * tile.load(y__cotangent, 0, 64))


@refused(tile.GradientError, "expected the gradient by 'x' at [53] to be "
         "1.7476152559541733, the central difference of 'tripled', got "
         "2.3301536746227605")
def check_of_a_wrong_adjoint():
    tile.gradcheck(tripled, (np.arange(64.0), D.copy()), seed=3)


@refused(tile.ArgumentError, "expected an array of floating-point or complex elements "
         "for 'x', to differentiate by, got array of ? i32")
def check_of_a_matrix_of_integers():
    tile.gradcheck(square, (INTS, INTS.copy()), wrt="x")


@refused(tile.ArgumentError, "expected names of parameters of 'square' as wrt, of "
         "'x', 'y', got 'z'")
def check_by_an_unknown_name():
    tile.gradcheck(square, (D, D.copy()), wrt="z")


@refused(tile.LaunchError, "expected a grid of the kernel 'scale', as jax_call(..., "
         "grid=...) or @tile.kernel(grid=...), got none")
def jax_call_without_a_grid():
    tile.jax_call(scale, M)


@refused(tile.ArgumentError, "expected a kernel, got tile.vjp(square)")
def jax_call_of_a_derivative():
    tile.jax_call(tile.vjp(square), M)
