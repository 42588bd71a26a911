# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of kernels on the host: their values, their arrays, and their programs."""

import json
import linecache
import pickle

import numpy as np
import pytest

import tile_mlir as tile
from kernels import make_gemm

pytestmark = pytest.mark.usefixtures("machine")


@tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
def cube(x, y, *, n=64):
    first = tile.program_id(0) * n
    t = tile.load(x, first, n)
    tile.store(y, first, t * t * t)


@tile.kernel(grid=lambda x: x.shape[0])
def multiply(x, w, y, s):
    """y = x * w * s, and a scalar that every program takes."""
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 64)) * tile.load(w, (i, 0), (1, 64))
    tile.store(y, (i, 0), t * s)


@tile.kernel
def two_outputs(x, y, z):
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 64))
    tile.store(y, (i, 0), tile.sin(t))
    tile.store(z, (i, 0), t * t)


@tile.kernel(grid=lambda x: x.shape[0])
def powers(x, y, count):
    """y = x ** (2 ** count), by a loop that carries a value."""
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 64))
    for _ in range(count):
        t = t * t
    tile.store(y, (i, 0), t)


def draw(rng, *shape, dtype=np.float64):
    return rng.standard_normal(shape).astype(dtype)


def expect_close(found, expected, tolerance=1e-13):
    assert found.shape == expected.shape and found.dtype == expected.dtype
    scale = np.abs(expected).max()
    assert np.abs(found - expected).max() <= tolerance * scale


# ----------------------------------------------------------------------------
# Values
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("dtype, tolerance", [(np.float64, 1e-14), (np.float32, 1e-6)])
def test_vjp_multiplies_cotangents_by_the_jacobian(rng, dtype, tolerance):
    x, dy = draw(rng, 99, dtype=dtype), draw(rng, 99, dtype=dtype)
    expect_close(tile.vjp(cube)(x, dy), 3 * x * x * dy, tolerance)


def test_jvp_multiplies_the_jacobian_by_tangents(rng):
    x, w, dx, dw = (draw(rng, 5, 64) for _ in range(4))
    y, s = np.empty_like(x), np.float64(1.5)
    expected = s * (dx * w + x * dw)
    derivative = tile.jvp(multiply)
    expect_close(derivative(x, w, y, s, tangents=(dx, dw)), expected)
    expect_close(derivative(x, w, y, s, tangents={"w": dw, "x": dx}), expected)
    expect_close(tile.jvp(multiply, wrt="w")(x, w, y, s, tangents=dw), s * x * dw)


def test_several_inputs_are_a_tuple_in_the_order_of_wrt(rng):
    x, w, dy = (draw(rng, 5, 64) for _ in range(3))
    s = np.float64(-0.5)
    for derivative, order in ((tile.vjp(multiply), (0, 1)),
                              (tile.vjp(multiply, wrt=("w", "x")), (1, 0))):
        found = derivative(x, w, dy, s)
        assert isinstance(found, tuple) and len(found) == 2
        for gradient, of in zip(found, order):
            expect_close(gradient, s * dy * (w, x)[of])


def test_a_name_gives_an_array_and_a_sequence_a_tuple(rng):
    x, w, dy = (draw(rng, 3, 64) for _ in range(3))
    one = tile.vjp(multiply, wrt="x")(x, w, dy, np.float64(2))
    several = tile.vjp(multiply, wrt=["x"])(x, w, dy, np.float64(2))
    assert isinstance(one, np.ndarray) and isinstance(several, tuple)
    np.testing.assert_array_equal(one, several[0])


def test_grad_is_the_gradient_of_the_sum(rng):
    x, y = draw(rng, 130), np.full(130, np.nan)
    expect_close(tile.grad(cube)(x, y), 3 * x * x)
    assert np.isnan(y).all()


def test_the_grid_is_that_of_the_kernel(rng):
    x, dy, dz = (draw(rng, 7, 64) for _ in range(3))
    expected = dy * np.cos(x) + 2 * x * dz
    expect_close(tile.vjp(two_outputs)[7](x, dy, dz), expected)
    by_function = tile.vjp(two_outputs)[lambda z: z.shape[0]]
    expect_close(by_function(x, dy, dz), expected)
    of_four = tile.vjp(two_outputs)[4](x, dy, dz)
    expect_close(of_four[:4], expected[:4])
    assert not of_four[4:].any()


def test_outputs_that_are_not_differentiated_are_given_and_not_written(rng):
    x, dy = draw(rng, 3, 64), draw(rng, 3, 64)
    z = np.full((3, 64), np.nan)
    expect_close(tile.vjp(two_outputs, outputs="y")[3](x, dy, z), dy * np.cos(x))
    assert np.isnan(z).all()


def test_keywords_choose_the_program(rng):
    x, dy = draw(rng, 99), draw(rng, 99)
    for n in (8, 128):
        expect_close(tile.vjp(cube)(x, dy, n=n), 3 * x * x * dy)


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_a_loop_that_carries_a_value(rng, count):
    x, dy = rng.uniform(0.5, 1.3, (5, 64)), draw(rng, 5, 64)
    expected = 2 ** count * x ** (2 ** count - 1) * dy
    expect_close(tile.vjp(powers)(x, dy, count), expected)
    y = np.empty_like(x)
    expect_close(tile.jvp(powers)(x, y, count, tangents=dy), expected)


@tile.kernel
def activate(x, y, *, function):
    y[0:13] = function(x[0:13])


def find_sigmoid(x):
    power = np.exp(-abs(x))
    return np.where(x >= 0, 1, power) / (1 + power)


# Derivatives, without exponentials that overflow.
SLOPES = {
    "sigmoid": lambda x: find_sigmoid(x) * find_sigmoid(-x),
    "silu": lambda x: find_sigmoid(x) * (1 + x * find_sigmoid(-x)),
    "softplus": find_sigmoid,
    "tanh": lambda x: 1 - np.tanh(x) ** 2,
}


@pytest.mark.parametrize("name", SLOPES)
def test_activations_far_from_zero(name):
    """At -100 exp(100) overflows f32; the forward value is right all the same."""
    x = np.array([-1e4, -1e2, -89, -50, -20, -0.3, 0, 0.7, 20, 50, 89, 1e2, 1e4],
                 np.float32)
    found = tile.grad(activate)[1](x, np.empty_like(x), function=getattr(tile, name))
    np.testing.assert_allclose(found, SLOPES[name](x.astype(np.float64)), rtol=2e-6,
                               atol=1e-7)


@tile.kernel(grid=lambda x: x.shape[0] // 3)
def blocked_softmax(x, v, y, logarithms, *, exponential, logarithm, n=5, d=4):
    """Softmax of three rows, which a loop reads in blocks, times `v`."""
    i = tile.program_id(0) * 3
    top = tile.full((3, 1), -1e30, tile.f64)
    total, out = tile.zeros((3, 1), tile.f64), tile.zeros((3, d), tile.f64)
    for j in range(0, x.shape[1], n):
        scores = tile.load(x, (i, j), (3, n))
        new = tile.maximum(top, scores.max(axis=1, keepdims=True))
        p, shrink = exponential(scores - new), exponential(top - new)
        total = total * shrink + p.sum(axis=1, keepdims=True)
        out = out * shrink + p @ tile.load(v, (j, 0), (n, d))
        top = new
    tile.store(y, (i, 0), out / total)
    tile.store(logarithms, i, (top + logarithm(total)).reshape(3))


@pytest.mark.parametrize("count", [1, 2, 7])
@pytest.mark.parametrize("exponential, logarithm, base", [
    (tile.exp, tile.log, np.e), (tile.exp2, tile.log2, 2)])
@pytest.mark.parametrize("outputs", ["y", "logarithms"])
def test_a_softmax_of_blocks(rng, count, exponential, logarithm, base, outputs):
    x, v = 3 * draw(rng, 6, 5 * count), draw(rng, 5 * count, 4)
    cotangent = draw(rng, 6, 4) if outputs == "y" else draw(rng, 6)
    other = np.empty(6) if outputs == "y" else np.empty((6, 4))
    p = base ** (x - x.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    if outputs == "y":
        of_p = cotangent @ v.T
        expected = [p * (of_p - (p * of_p).sum(1, keepdims=True)) * np.log(base),
                    p.T @ cotangent]
    else:
        expected = [p * cotangent[:, None]]
    given = (cotangent, other) if outputs == "y" else (other, cotangent)
    found = tile.vjp(blocked_softmax, wrt=("x", "v")[:len(expected)], outputs=(outputs,))(
        x, v, *given, exponential=exponential, logarithm=logarithm)
    for gradient, right in zip(found, expected):
        expect_close(gradient, right)


@tile.kernel(grid=lambda x: tile.cdiv(x.shape[0], 3))
def normalized_factor(x, r, y, norms):
    """Factors of matrices, three in a program, and roots of sums of squares."""
    i = tile.program_id(0) * 3
    t = tile.load(x, (i, 0, 0), (3, 5, 5))
    t = t @ tile.swap_axes(t, 1, 2) + tile.eye(5, dtype=tile.f64)
    rows = tile.load(r, (i, 0), (3, 7))
    norm = tile.sqrt((rows * rows).sum(axis=1, keepdims=True))
    tile.store(y, (i, 0, 0), tile.cholesky(t) * norm.reshape(3, 1, 1))
    tile.store(norms, i, norm.reshape(3))


@pytest.mark.parametrize("count", [1, 3, 5])
@pytest.mark.parametrize("saved", ["y", "norms", ("norms", "y")])
def test_saved_outputs_are_loaded(rng, count, saved):
    x, r = draw(rng, count, 5, 5), draw(rng, count, 7)
    y, norms = np.empty((count, 5, 5)), np.empty(count)
    normalized_factor(x, r, y, norms)
    cotangents = draw(rng, count, 5, 5), draw(rng, count)
    expected = tile.vjp(normalized_factor)(x, r, *cotangents)
    function = tile.vjp(normalized_factor, saved=saved)
    outputs = {"y": y, "norms": norms}
    given = outputs[saved] if isinstance(saved, str) else [outputs[n] for n in saved]
    for arrays in given, {n: outputs[n] for n in outputs if n in saved}:
        for found, right in zip(function(x, r, *cotangents, saved=arrays), expected):
            expect_close(found, right, 1e-12)
    if "norms" in saved:
        wrong = function(x, r, *cotangents, saved={**{n: outputs[n] for n in outputs
                                                      if n in saved},
                                                   "norms": 2 * norms})
        assert np.abs(wrong[1] - expected[1]).max() > 1e-3


@pytest.mark.parametrize("saved, given, message", [
    ("y", None, "expected saved=... of a call of tile.vjp(normalized_factor), the outputs "
                "'y', got none"),
    (None, np.empty((2, 5, 5)), "names no saved outputs, got one"),
    ("y", np.empty((2, 5, 4)), "expected the shape of the saved outputs of 'y'"),
    ("y", [np.empty((2, 5, 5))] * 2, "expected saved outputs for 'y', got 2"),
    ("z", None, "expected names of parameters of 'normalized_factor' as saved"),
    ("x", np.empty((2, 5, 5)), "expected an array to load values from that the kernel "
                               "writes, got 'x'"),
])
def test_wrong_saved_outputs(rng, saved, given, message):
    x, r, cotangents = draw(rng, 2, 5, 5), draw(rng, 2, 7), (draw(rng, 2, 5, 5), draw(rng, 2))
    more = {} if given is None else {"saved": given}
    with pytest.raises(tile.TileError) as error:
        tile.vjp(normalized_factor, saved=saved)(x, r, *cotangents, **more)
    assert message in str(error.value)


def test_elements_that_several_blocks_load(rng):
    """Checks a function that launches a kernel for each operand, with the same bits in
    each run, and atomic additions."""
    gemm = make_gemm(m=16, n=16, k=8)
    a, b, g = (draw(rng, *shape, dtype=np.float32)
               for shape in ((19, 21), (21, 33), (19, 33)))
    first, second = tile.vjp(gemm)(a, b, g), tile.vjp(gemm)(a, b, g)
    atomic = tile.vjp(gemm, atomics=True)(a, b, g)
    for found in (first, second, atomic):
        expect_close(found[0], (g @ b.T.astype(float)).astype(np.float32), 1e-6)
        expect_close(found[1], (a.T.astype(float) @ g).astype(np.float32), 1e-6)
    np.testing.assert_array_equal(first[0], second[0])
    np.testing.assert_array_equal(first[1], second[1])


# ----------------------------------------------------------------------------
# Arrays
# ----------------------------------------------------------------------------


def test_strided_arrays(rng):
    x, dy = draw(rng, 9, 70)[::2, :64], draw(rng, 64, 5).T
    w, s = draw(rng, 5, 64), np.float64(3)
    gradient = tile.vjp(multiply, wrt="x")(x, w, dy, s)
    assert gradient.flags.c_contiguous
    expect_close(gradient, s * w * dy)
    y = np.empty((5, 64))
    expect_close(tile.jvp(multiply, wrt="w")(w, w, y, s, tangents=dy), s * w * dy)


def test_a_cotangent_may_repeat_elements_and_be_read_only(rng):
    x = draw(rng, 5, 64)
    dy = np.broadcast_to(draw(rng, 64), (5, 64))
    assert not dy.flags.writeable
    w, s = draw(rng, 5, 64), np.float64(3)
    expect_close(tile.vjp(multiply, wrt="x")(x, w, dy, s), s * w * dy)


def test_arguments_are_not_written(rng):
    given = [draw(rng, 5, 64) for _ in range(3)]
    before = [array.copy() for array in given]
    tile.vjp(multiply)(*given, np.float64(2))
    tile.grad(multiply)(*given, np.float64(2))
    tile.jvp(multiply)(*given, np.float64(2), tangents=given[:2])
    for array, copy in zip(given, before):
        np.testing.assert_array_equal(array, copy)


def test_a_second_call_gives_the_same_bits(rng):
    x, w, dy = (draw(rng, 5, 64, dtype=np.float32) for _ in range(3))
    first = tile.vjp(multiply)(x, w, dy, 0.1)
    second = tile.vjp(multiply)(x, w, dy, 0.1)
    for a, b in zip(first, second):
        assert a is not b
        np.testing.assert_array_equal(a.view(np.int32), b.view(np.int32))


def test_given_gradients_are_overwritten_or_accumulated(rng):
    x, dy = draw(rng, 99), draw(rng, 99)
    given = draw(rng, 99)
    before = given.copy()
    found = tile.vjp(cube)(x, dy, gradients=given, accumulate=True)
    assert found is given
    expect_close(given, before + 3 * x * x * dy)
    tile.vjp(cube)(x, dy, gradients={"x": given})
    expect_close(given, 3 * x * x * dy)
    columns = np.full((99, 3), np.nan)
    tile.vjp(cube)(x, dy, gradients=columns[:, 1])
    expect_close(columns[:, 1], 3 * x * x * dy)
    assert np.isnan(columns[:, ::2]).all()


@tile.kernel(grid=lambda x: x.shape[0])
def scaled_rows(x, w, y):
    """Each program loads w: its gradient is a sum of parts."""
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 64)) * tile.load(w, (0, 0), (1, 64))
    tile.store(y, (i, 0), tile.sin(t))


@tile.kernel(grid=lambda x: x.shape[0])
def neighbours(x, y):
    """Each program loads elements twice, and not all of them."""
    i = tile.program_id(0)
    tile.store(y, (i, 0), tile.load(x, (i, 0), (1, 64)) * tile.load(x, (i, 1), (1, 64)))


@tile.kernel(grid=lambda c: (tile.cdiv(c.shape[0], 16), tile.cdiv(c.shape[1], 16)))
def product(a, b, c):
    """Several programs load the same elements: a loop over them adds up gradients."""
    i, j = tile.program_id(0) * 16, tile.program_id(1) * 16
    acc = tile.zeros((16, 16), tile.f64)
    for k in range(0, a.shape[1], 16):
        acc += tile.load(a, (i, k), (16, 16)) @ tile.load(b, (k, j), (16, 16))
    tile.store(c, (i, j), acc)


@pytest.mark.parametrize("atomics", [False, True])
@pytest.mark.parametrize("kernel, shapes, cotangent, more", [
    (multiply, [(5, 64), (5, 64)], (5, 64), (np.float64(0.5),)),
    (neighbours, [(5, 67)], (5, 64), ()),
    (powers, [(5, 64)], (5, 64), (2,)),
    (product, [(37, 50), (50, 29)], (37, 29), ()),
    (scaled_rows, [(41, 64), (1, 64)], (41, 64), ())],
    ids=["stores", "additions", "loop", "owners", "parts"])
def test_all_kinds_of_gradients_are_accumulated(rng, kernel, shapes, cotangent, more,
                                                atomics):
    inputs, dy = [draw(rng, *shape) for shape in shapes], draw(rng, *cotangent)
    derivative = tile.vjp(kernel, atomics=atomics)
    found = derivative(*inputs, dy, *more)
    gradients = found if isinstance(found, tuple) else (found,)
    given = [draw(rng, *shape) for shape in shapes]
    expected = [before + gradient for before, gradient in zip(given, gradients)]
    derivative(*inputs, dy, *more, gradients=given, accumulate=True)
    for one, right in zip(given, expected):
        expect_close(one, right)


def test_accumulated_sums_are_rounded_once(rng):
    """The sum of an f16 gradient and its array differs from the exact sum by at most half
    the distance of two f16 values, apart from the error of the sum in f32."""
    a, b, dy = (draw(rng, 48, 48, dtype=np.float16) for _ in range(3))
    given = (100 * draw(rng, 48, 48)).astype(np.float16)
    exact = given.astype(np.float64) + dy.astype(np.float64) @ b.T.astype(np.float64)
    tile.vjp(make_gemm(m=16, n=16, k=16), wrt="a")(a, b, dy, gradients=given,
                                                   accumulate=True)
    unit = np.spacing(np.abs(exact).astype(np.float16)).astype(np.float64)
    assert (np.abs(given - exact) / unit).max() <= 0.51


@pytest.mark.parametrize("atomics", [False, True])
@pytest.mark.parametrize("kernel, inputs, outputs, more, words", [
    (cube, [(130,)], [(130,)], (), {}),
    (multiply, [(5, 64), (5, 64)], [(5, 64)], (np.float64(0.5),), {}),
    (neighbours, [(5, 67)], [(5, 64)], (), {}),
    (powers, [(5, 64)], [(5, 64)], (2,), {}),
    (product, [(37, 50), (50, 29)], [(37, 29)], (), {}),
    (scaled_rows, [(41, 64), (1, 64)], [(41, 64)], (), {}),
    (normalized_factor, [(5, 5, 5), (5, 7)], [(5, 5, 5), (5,)], (), {}),
    (blocked_softmax, [(6, 35), (35, 4)], [(6, 4), (6,)], (),
     {"exponential": tile.exp2, "logarithm": tile.log2})],
    ids=["stores", "scalar", "additions", "loop", "owners", "parts", "factor", "softmax"])
def test_value_and_grad_writes_the_outputs(rng, kernel, inputs, outputs, more, words,
                                           atomics):
    inputs = [draw(rng, *shape) for shape in inputs]
    given, expected = ([np.full(shape, np.nan) for shape in outputs] for _ in range(2))
    kernel(*inputs, *expected, *more, **words)
    right = tile.grad(kernel)(*inputs, *expected, *more, **words)
    values, gradients = tile.value_and_grad(kernel, atomics=atomics)(
        *inputs, *given, *more, **words)
    several = values if isinstance(values, tuple) else (values,)
    assert all(value is array for value, array in zip(several, given))
    for array, one in zip(given, expected):
        expect_close(array, one)
    for gradient, one in zip(*(found if isinstance(found, tuple) else (found,)
                               for found in (gradients, right))):
        expect_close(gradient, one)


def test_value_and_grad_writes_outputs_that_are_not_differentiated(rng):
    x, y, z = draw(rng, 7, 64), np.full((7, 64), np.nan), np.full((7, 64), np.nan)
    value, gradient = tile.value_and_grad(two_outputs, outputs="z")[7](x, y, z)
    assert value is z
    expect_close(z, x * x)
    expect_close(y, np.sin(x))
    expect_close(gradient, 2 * x)


def test_value_and_grad_accumulates(rng):
    x, y, before = draw(rng, 99), np.full(99, np.nan), draw(rng, 99)
    given = before.copy()
    tile.value_and_grad(cube)(x, y, gradients=given, accumulate=True)
    expect_close(y, x * x * x)
    expect_close(given, before + 3 * x * x)


def test_value_and_grad_checks_the_outputs(rng):
    both = tile.value_and_grad(cube)
    x, y = draw(rng, 99), np.empty(99)
    with pytest.raises(tile.ArgumentError, match="'y', which .* to share no memory with 'x'"):
        both(x, x)
    with pytest.raises(tile.ArgumentError, match="to share no memory"):
        both(x, y, gradients=y)
    y.flags.writeable = False
    with pytest.raises(tile.ArgumentError, match="'y'.*read-only"):
        both(x, y)


def test_an_array_may_be_given_twice(rng):
    x, dy = draw(rng, 3, 64), draw(rng, 3, 64)
    dx, dw = tile.vjp(multiply)(x, x, dy, np.float64(2))
    expect_close(dx + dw, 4 * x * dy)


def test_empty_arrays():
    x = np.empty(0)
    assert tile.vjp(cube)(x, x.copy()).shape == (0,)


def test_aligned_gradients(rng):
    @tile.kernel(grid=1, alignment={"x": 4096})
    def double(x, y):
        tile.store(y, 0, 2 * tile.load(x, 0, 64))

    room = np.empty(1024, np.float64)
    first = -room.ctypes.data % 4096 // 8
    x, dy = room[first:first + 64], draw(rng, 64)
    x[...] = 1
    for _ in range(4):
        gradient = tile.vjp(double)(x, dy)
        assert gradient.ctypes.data % 4096 == 0
        expect_close(gradient, 2 * dy)


# ----------------------------------------------------------------------------
# Programs
# ----------------------------------------------------------------------------


ARRAY = tile.ir.ArrayType((None,), tile.f32)


def test_the_program_is_that_of_the_derivative_alone():
    text = tile.vjp(cube).trace(ARRAY, ARRAY)
    assert " @cube__adjoint(" in text and "@cube(" not in text
    assert "tile.kernel @cube__tangent(" in tile.jvp(cube).trace(ARRAY, ARRAY)


def test_the_metadata_names_what_the_derivative_needs():
    made = tile.vjp(multiply, wrt="x").compile(
        *[tile.ir.ArrayType((None, None), tile.f32)] * 3, tile.f32, arch="sm_80",
        outputs=("ptx", "metadata"))
    assert ".entry multiply__adjoint" in made["ptx"].decode()
    [function] = json.loads(made["metadata"])["functions"]
    found = [(argument["name"], argument["access"]) for argument in function["arguments"]]
    # x is not needed: its sizes are those of the gradient.
    assert found[:-3] == [("w", "read"), ("s", "read"),
                          ("y__cotangent", "read"), ("x__gradient", "write")]


def test_arguments_of_a_function_have_names():
    array = tile.ir.ArrayType((None, None), tile.f32)
    made = tile.vjp(powers).compile(array, array, tile.index, arch="sm_80",
                                    outputs=("ptx", "metadata"))
    [function] = json.loads(made["metadata"])["functions"]
    assert [argument["name"] for argument in function["arguments"]] == [
        "x", "count", "y__cotangent", "x__gradient", "grid_x", "grid_y", "grid_z"]


def test_programs_are_made_once(rng, monkeypatch):
    x, dy = draw(rng, 99, dtype=np.float32), draw(rng, 99, dtype=np.float32)
    first = tile.vjp(cube)
    first(x, dy, n=16)
    monkeypatch.setattr(tile.library, "differentiate", None)
    for derivative in (first, tile.vjp(cube)):
        expect_close(derivative(x, dy, n=16), 3 * x * x * dy, 1e-6)


def test_a_changed_global_changes_the_derivative(rng):
    x, dy = draw(rng, 64), draw(rng, 64)
    global factor
    for factor in (2.0, 3.0):
        expect_close(tile.vjp(times_factor)(x, dy), factor * dy)


factor = 1.0


@tile.kernel(grid=1)
def times_factor(x, y):
    tile.store(y, 0, tile.load(x, 0, 64) * factor)


def test_the_last_call_can_be_inspected(rng):
    derivative = tile.vjp(cube)
    with pytest.raises(tile.TileError, match="expected a call of tile.vjp"):
        derivative.ir
    derivative(draw(rng, 64), draw(rng, 64))
    assert "@cube__adjoint" in derivative.ir["traced"]
    special = derivative.specialize(ARRAY, ARRAY, arch="sm_80")
    assert "@cube__adjoint" in special.ir["tile-decompose"]


def test_a_profile_has_each_kernel_of_a_function(rng):
    x, dy = draw(rng, 2, 64), draw(rng, 2, 64)
    with tile.emulator(), tile.profile() as profile:
        tile.vjp(powers)(x, dy, 2)
    assert all(launch.kernel.startswith("powers__adjoint")
               for launch in profile.launches)
    assert profile.total.bytes >= x.nbytes + dy.nbytes
    assert any("tile.load(x" in line.source for line in profile.lines)


def test_a_derivative_is_pickled_with_its_kernel(rng):
    derivative = pickle.loads(pickle.dumps(tile.vjp(multiply, wrt="w")))
    x, w, dy = (draw(rng, 3, 64) for _ in range(3))
    expect_close(derivative(x, w, dy, np.float64(2)), 2 * x * dy)


def test_errors_are_at_the_operation(rng):
    @tile.kernel(grid=1)
    def no_rule(x, y):
        t = tile.load(x, 0, 64)
        t = t.astype(tile.f8e4m3)  # no rule
        tile.store(y, 0, t.astype(tile.f32))

    with pytest.raises(tile.CompileError) as raised:
        tile.vjp(no_rule)(*[np.zeros(64, np.float32)] * 2)
    first = raised.value.diagnostics[0]
    assert first.file == __file__
    assert "# no rule" in linecache.getline(__file__, first.line)


# ----------------------------------------------------------------------------
# gradcheck
# ----------------------------------------------------------------------------


def test_gradcheck_finds_nothing(rng):
    x, w, y = (draw(rng, 5, 64) for _ in range(3))
    found = tile.gradcheck(multiply, (x, w, y, np.float64(2)))
    assert set(found.differences) == {"x", "w"}
    assert max(found.differences.values()) < 1e-8 and found.inner_product < 1e-13
    assert str(found).startswith("multiply: gradients differ from central differences by")
    single = tile.gradcheck(cube, (x[0].astype(np.float32), y[0].astype(np.float32)),
                            {"n": 32}, elements=3)
    assert 0 < single.differences["x"] < 1e-3


def test_gradcheck_of_complex_arrays(rng):
    @tile.kernel(grid=1)
    def square(x, y):
        t = tile.load(x, 0, 64)
        tile.store(y, 0, t * t)

    x = draw(rng, 64) + 1j * draw(rng, 64)
    found = tile.gradcheck(square, (x, np.empty_like(x)))
    assert found.differences["x"] < 1e-8 and found.inner_product < 1e-13


def test_gradcheck_finds_a_kernel_that_is_not_smooth():
    @tile.kernel(grid=1)
    def steps(x, y):
        tile.store(y, 0, tile.floor(tile.load(x, 0, 64) * 1e9) * 1e-9)

    x = np.linspace(0.1, 1, 64)
    with pytest.raises(tile.GradientError, match=r"expected the gradient by 'x' at \[\d+\] "
                       r"to be -?\d\.\d+, the central difference of 'steps', got 0\.0"):
        tile.gradcheck(steps, (x, np.empty(64)))


def test_gradcheck_leaves_the_arguments(rng):
    x, y = draw(rng, 64), draw(rng, 64)
    before = x.copy(), y.copy()
    tile.gradcheck(cube, (x, y))
    np.testing.assert_array_equal((x, y), before)
