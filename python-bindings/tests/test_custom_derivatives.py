# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that are given as derivatives of others, on the host. Where a wrong derivative
is given on purpose, it tells the given one from a derived one."""

import pickle

import numpy as np
import pytest

import tile_mlir as tile

pytestmark = pytest.mark.usefixtures("machine")


@tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
def cube(x, y, *, n=64):
    first = tile.program_id(0) * n
    t = tile.load(x, first, n)
    tile.store(y, first, t * t * t)


factor = 5.0


@tile.custom_adjoint(cube)
@tile.kernel
def cube_adjoint(x, y__cotangent, x__gradient, *, n):
    first = tile.program_id(0) * n
    t = tile.load(x, first, n)
    tile.store(x__gradient, first, factor * t * t * tile.load(y__cotangent, first, n))


@tile.kernel(grid=lambda x: x.shape[0])
def multiply(x, w, y):
    """y = x * w, of a vector w and each row of x."""
    i = tile.program_id(0)
    tile.store(y, (i, 0), tile.load(x, (i, 0), (1, 64)) * tile.load(w, 0, 64))


@tile.custom_adjoint(multiply)
@tile.kernel(grid=1)
def multiply_adjoint(x, w, y__cotangent, x__gradient, w__gradient):
    """Runs as one block, which adds up the gradient of w."""
    of_w = tile.zeros((1, 64), x.dtype)
    for i in tile.range(x.shape[0]):
        g = tile.load(y__cotangent, (i, 0), (1, 64))
        tile.store(x__gradient, (i, 0), g * tile.load(w, 0, 64))
        of_w = of_w + g * tile.load(x, (i, 0), (1, 64))
    tile.store(w__gradient, 0, of_w.reshape(64))


@tile.custom_tangent(multiply)
@tile.kernel(grid=lambda x: x.shape[0])
def multiply_tangent(x, w, x__tangent, w__tangent, y__tangent):
    i = tile.program_id(0)
    a, b = tile.load(x, (i, 0), (1, 64)), tile.load(w, 0, 64)
    da, db = tile.load(x__tangent, (i, 0), (1, 64)), tile.load(w__tangent, 0, 64)
    tile.store(y__tangent, (i, 0), da * b + 3 * a * db)


def draw(rng, *shape, dtype=np.float64):
    return rng.standard_normal(shape).astype(dtype)


def expect_close(found, expected, tolerance=1e-13):
    assert found.shape == expected.shape and found.dtype == expected.dtype
    assert np.abs(found - expected).max() <= tolerance * np.abs(expected).max()


# ----------------------------------------------------------------------------
# Values
# ----------------------------------------------------------------------------


def test_vjp_and_grad_run_the_custom_adjoint(rng):
    x, dy = draw(rng, 99), draw(rng, 99)
    expect_close(tile.vjp(cube)(x, dy), 5 * x * x * dy)
    expect_close(tile.vjp(cube)(x, dy, n=16), 5 * x * x * dy)
    y = np.empty_like(x)
    expect_close(tile.grad(cube)(x, y), 5 * x * x)
    value, gradient = tile.value_and_grad(cube)(x, y)
    expect_close(value, x * x * x)
    expect_close(gradient, 5 * x * x)


def test_the_adjoint_has_its_own_grid(rng):
    x, w, dy = draw(rng, 5, 64), draw(rng, 64), draw(rng, 5, 64)
    dx, dw = tile.vjp(multiply)(x, w, dy)
    expect_close(dx, dy * w)
    expect_close(dw, (dy * x).sum(axis=0))


def test_gradients_that_are_not_requested_are_left_out(rng):
    x, w, dy = draw(rng, 5, 64), draw(rng, 64), draw(rng, 5, 64)
    expect_close(tile.vjp(multiply, wrt="w")(x, w, dy), (dy * x).sum(axis=0))
    assert "x__gradient" not in tile.vjp(multiply, wrt="w").trace(x, w, dy)
    dw, dx = tile.vjp(multiply, wrt=("w", "x"))(x, w, dy)
    expect_close(dx, dy * w)
    expect_close(dw, (dy * x).sum(axis=0))


def test_jvp_runs_the_custom_tangent(rng):
    x, dx, w, dw = (draw(rng, *shape) for shape in ((5, 64), (5, 64), (64,), (64,)))
    found = tile.jvp(multiply)(x, w, np.empty_like(x), tangents=(dx, dw))
    expect_close(found, dx * w + 3 * x * dw)


def test_elements_that_the_adjoint_does_not_write_are_zero(rng):
    x, dy = draw(rng, 130), draw(rng, 130)
    found = tile.vjp(cube)[1](x, dy, gradients=np.full(130, np.nan))
    expect_close(found[:64], 5 * (x * x * dy)[:64])
    assert not found[64:].any()


def test_gradients_are_accumulated(rng):
    x, dy, given = draw(rng, 99), draw(rng, 99), draw(rng, 99)
    before = given.copy()
    tile.vjp(cube)(x, dy, gradients=given, accumulate=True)
    expect_close(given, before + 5 * x * x * dy)


@pytest.mark.parametrize("dtype, tolerance", [(np.float64, 1e-13), (np.float32, 1e-6)])
def test_two_gradients_are_accumulated(rng, dtype, tolerance):
    x, w, dy = (draw(rng, *shape, dtype=dtype) for shape in ((5, 64), (64,), (5, 64)))
    given = [draw(rng, 5, 64, dtype=dtype), draw(rng, 64, dtype=dtype)]
    before = [array.copy() for array in given]
    for _ in range(2):
        tile.vjp(multiply)(x, w, dy, gradients=given, accumulate=True)
    expect_close(given[0], before[0] + 2 * dy * w, tolerance)
    expect_close(given[1], before[1] + 2 * (dy * x).sum(axis=0), tolerance)


def test_a_changed_global_of_the_adjoint(rng):
    global factor
    x, dy = draw(rng, 64), draw(rng, 64)
    try:
        for factor in (2.0, 7.0):
            expect_close(tile.vjp(cube)(x, dy), factor * x * x * dy)
    finally:
        factor = 5.0


def test_an_adjoint_that_is_given_later(rng):
    @tile.kernel(grid=1)
    def double(x, y):
        tile.store(y, 0, 2 * tile.load(x, 0, 64))

    x, dy = draw(rng, 64), draw(rng, 64)
    derivative = tile.vjp(double)
    expect_close(derivative(x, dy), 2 * dy)
    for given in (3, 4):
        @tile.custom_adjoint(double)
        @tile.kernel
        def adjoint(y__cotangent, x__gradient, *, scale=given):
            tile.store(x__gradient, 0, scale * tile.load(y__cotangent, 0, 64))

        expect_close(derivative(x, dy), given * dy)


def test_arguments_that_are_none_and_scalars(rng):
    @tile.kernel(grid=1)
    def scale(x, w, y, s):
        t = tile.load(x, 0, 64) * s
        tile.store(y, 0, t if w is None else t * tile.load(w, 0, 64))

    @tile.custom_adjoint(scale)
    @tile.kernel
    def adjoint(x, w, s, y__cotangent, x__gradient, w__gradient):
        g = tile.load(y__cotangent, 0, 64) * s
        if w is None:
            tile.store(x__gradient, 0, g)
        else:
            tile.store(x__gradient, 0, g * tile.load(w, 0, 64))
            tile.store(w__gradient, 0, g * tile.load(x, 0, 64))

    x, w, dy, s = draw(rng, 64), draw(rng, 64), draw(rng, 64), np.float64(1.5)
    expect_close(tile.vjp(scale)(x, None, dy, s), 1.5 * dy)
    dx, dw = tile.vjp(scale)(x, w, dy, s)
    expect_close(dx, 1.5 * dy * w)
    expect_close(dw, 1.5 * dy * x)


def test_strided_arrays(rng):
    x, w, dy = draw(rng, 10, 70)[::2, :64], draw(rng, 64), draw(rng, 64, 5).T
    dx, dw = tile.vjp(multiply)(x, w, dy)
    expect_close(dx, dy * w)
    expect_close(dw, (dy * x).sum(axis=0))


def test_a_kernel_without_a_derived_one(rng):
    """A kernel that reads its output is refused unless its derivative is given."""
    @tile.kernel(grid=1)
    def through_memory(x, y):
        tile.store(y, 0, tile.load(x, 0, 64) * 2)
        tile.store(y, 0, tile.load(y, 0, 64) * tile.load(x, 0, 64))

    x, dy = draw(rng, 64), draw(rng, 64)
    with pytest.raises(tile.CompileError):
        tile.vjp(through_memory)(x, dy)

    @tile.custom_adjoint(through_memory)
    @tile.kernel
    def adjoint(x, y__cotangent, x__gradient):
        tile.store(x__gradient, 0, 4 * tile.load(x, 0, 64) * tile.load(y__cotangent, 0, 64))

    expect_close(tile.vjp(through_memory)(x, dy), 4 * x * dy)
    found = tile.gradcheck(through_memory, (x, np.empty_like(x)))
    assert found.differences["x"] < 1e-8 and found.inner_product is None


# ----------------------------------------------------------------------------
# Programs
# ----------------------------------------------------------------------------


def test_the_kernel_names_its_adjoint(rng):
    x = draw(rng, 64)
    assert "tile.custom_adjoint = @\"cube_adjoint\"" in cube.trace(x, x)
    text = tile.vjp(cube).trace(x, x)
    assert "tile.kernel @cube__adjoint(" in text and "@cube_adjoint" not in text


def test_errors_of_the_adjoint_are_at_its_line(rng):
    @tile.kernel(grid=1)
    def double(x, y):
        tile.store(y, 0, 2 * tile.load(x, 0, 64))

    @tile.custom_adjoint(double)
    @tile.kernel
    def adjoint(y__cotangent, x__gradient):
        tile.store(x__gradient, 0, tile.load(y__cotangent, 0, 64) + "2")  # here

    x = draw(rng, 64)
    with pytest.raises(tile.CompileError) as raised:
        tile.vjp(double)(x, x)
    assert "here" in str(raised.value)


def test_pickles(rng):
    x, dy = draw(rng, 99), draw(rng, 99)
    expect_close(pickle.loads(pickle.dumps(tile.vjp(cube)))(x, dy), 5 * x * x * dy)


# ----------------------------------------------------------------------------
# Fixed points
# ----------------------------------------------------------------------------


@tile.function
def balance(c):
    """Returns exp(-c), with factors of rows and columns by which their sums are 1."""
    k = tile.exp(-c)
    u, v = tile.ones((c.shape[0], 1), c.dtype), tile.ones((1, c.shape[1]), c.dtype)
    for _ in tile.range(100):
        u = 1 / (k * v).sum(axis=1, keepdims=True)
        v = 1 / (k * u).sum(axis=0, keepdims=True)
    return u * k * v


@tile.kernel(grid=lambda c: c.shape[0])
def sinkhorn(c, p, *, n):
    box = (1, n, n)
    first = (tile.program_id(0), 0, 0)
    tile.store(p, first, balance(tile.load(c, first, box).reshape(n, n)).reshape(box))


@tile.custom_adjoint(sinkhorn)
@tile.kernel
def sinkhorn_adjoint(c, p__cotangent, c__gradient, *, n):
    """Solves (m - p * (a + b)) 1 = 0 and its like for columns, by iterations that have no
    states to be kept. m are the cotangents of the logarithms of p."""
    box = (1, n, n)
    first = (tile.program_id(0), 0, 0)
    p = balance(tile.load(c, first, box).reshape(n, n))
    m = p * tile.load(p__cotangent, first, box).reshape(n, n)
    a, b = tile.zeros((n, 1), c.dtype), tile.zeros((1, n), c.dtype)
    for _ in tile.range(100):
        a = (m - p * b).sum(axis=1, keepdims=True)
        b = (m - p * a).sum(axis=0, keepdims=True)
    tile.store(c__gradient, first, (p * (a + b) - m).reshape(box))


def test_an_implicit_adjoint_of_sinkhorn(rng):
    c = draw(rng, 3, 8, 8)
    p = np.empty_like(c)
    found = tile.gradcheck(sinkhorn, (c, p), {"n": 8}, elements=6)
    assert found.differences["c"] < 1e-8
    sinkhorn(c, p, n=8)
    assert np.abs(p.sum(axis=1) - 1).max() < 1e-14


@tile.function
def settle(x, w):
    """Returns z = tanh(z w + x), where w is a contraction."""
    z = tile.zeros(x.shape, x.dtype)
    for _ in tile.range(60):
        z = tile.tanh(tile.matmul(z, w) + x)
    return z


@tile.kernel(grid=lambda x: tile.cdiv(x.shape[0], 16))
def equilibrium(x, w, z):
    i = tile.program_id(0) * 16
    found = settle(tile.load(x, (i, 0), (16, 16)), tile.load(w, (0, 0), (16, 16)))
    tile.store(z, (i, 0), found)


@tile.custom_adjoint(equilibrium)
@tile.kernel(grid=1)
def equilibrium_adjoint(x, w, z__cotangent, x__gradient, w__gradient):
    """The cotangent h of z w + x solves h = (1 - z^2) (g + h w^T). One block adds up the
    gradient of w."""
    weights = tile.load(w, (0, 0), (16, 16))
    of_w = tile.zeros((16, 16), x.dtype)
    for i in tile.range(0, x.shape[0], 16):
        z = settle(tile.load(x, (i, 0), (16, 16)), weights)
        g = tile.load(z__cotangent, (i, 0), (16, 16))
        h = tile.zeros((16, 16), x.dtype)
        for _ in tile.range(60):
            h = (1 - z * z) * (g + tile.matmul(h, weights.T))
        tile.store(x__gradient, (i, 0), h)
        of_w = of_w + tile.matmul(z.T, h)
    tile.store(w__gradient, (0, 0), of_w)


def test_an_implicit_adjoint_of_an_equilibrium(rng):
    x, w = draw(rng, 23, 16), draw(rng, 16, 16) / 12
    found = tile.gradcheck(equilibrium, (x, w, np.empty_like(x)), elements=6)
    assert max(found.differences.values()) < 1e-8


# ----------------------------------------------------------------------------
# Functions
# ----------------------------------------------------------------------------


@tile.function
def rounded(x, scale):
    return tile.floor(x * scale) / scale


@tile.custom_adjoint(rounded)
@tile.function
def rounded_adjoint(x, scale, dy):
    """The straight-through estimator, twice, to tell it from any other."""
    return 2 * dy


@tile.custom_tangent(rounded)
@tile.function
def rounded_tangent(x, scale, dx):
    return 3 * dx


@tile.kernel(grid=lambda x: x.shape[0])
def quantise(x, w, y):
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 96))
    tile.store(y, (i, 0), rounded(t * t, 4.0) * tile.load(w, 0, 96))


@tile.function
def divide_positive(a, b):
    """Returns a / b, and whether b is positive; for other b the quotient is 0."""
    positive = b > 0
    return tile.where(positive, a / tile.where(positive, b, 1), 0), positive


@tile.custom_adjoint(divide_positive)
@tile.function
def divide_positive_adjoint(a, b, dq):
    scaled = tile.where(b > 0, dq / b, 0)
    return scaled, -scaled * a / b


@tile.kernel(grid=1)
def repeat(x, b, y):
    t, total = tile.load(x, 0, 64), tile.zeros(64, x.dtype)
    for _ in tile.range(5):
        t, positive = divide_positive(t, tile.load(b, 0, 64))
        total = total + tile.where(positive, t, 0)
    tile.store(y, 0, total)


def test_a_function_has_a_custom_adjoint(rng):
    x, w, dy = draw(rng, 3, 96), draw(rng, 96), draw(rng, 3, 96)
    y = np.empty_like(x)
    quantise(x, w, y)
    values = np.floor(x * x * 4) / 4
    expect_close(y, values * w)
    dx, dw = tile.vjp(quantise)(x, w, dy)
    expect_close(dx, 4 * x * w * dy)
    expect_close(dw, (values * dy).sum(axis=0))


def test_a_function_has_a_custom_tangent(rng):
    x, w, dx, dw = (draw(rng, *shape) for shape in ((3, 96), (96,), (3, 96), (96,)))
    found = tile.jvp(quantise)(x, w, np.empty_like(x), tangents=(dx, dw))
    expect_close(found, 6 * x * dx * w + np.floor(x * x * 4) / 4 * dw)


def test_a_function_with_a_custom_adjoint_in_a_loop(rng):
    x, b, dy = draw(rng, 64), draw(rng, 64), draw(rng, 64)
    dx, db = tile.vjp(repeat)(x, b, dy)
    powers = [np.where(b > 0, b, 1) ** -k for k in range(1, 6)]
    positive = b > 0
    expect_close(dx, np.where(positive, sum(powers) * dy, 0), 1e-12)
    terms = [-k * power / b for k, power in enumerate(powers, 1)]
    expect_close(db, np.where(positive, sum(terms) * x * dy, 0), 1e-12)


def refuse_function(adjoint, text, kernel_of):
    @tile.function
    def own(x):
        return x * x

    tile.custom_adjoint(own)(tile.function(adjoint))

    @tile.kernel
    def kernel(x, y):
        kernel_of(own, tile.load(x, 0, 64), y)

    with pytest.raises(tile.TileError, match=text):
        tile.vjp(kernel)[1](np.ones(64), np.ones(64))


def store(own, t, y):
    tile.store(y, 0, own(t))


def test_wrong_adjoints_of_functions():
    refuse_function(lambda x, dy: (dy, dy), "to return 1 derivatives.*got 2", store)
    refuse_function(lambda x, dy: dy.sum(), "a tile of shape .64,. .*got a tile", store)
    refuse_function(lambda x, dy: 3.0, "a tile of shape", store)
    held = []

    def keeps(own, t, y):
        held[:] = [t]
        tile.store(y, 0, own(t))

    refuse_function(lambda x, dy: dy * held[0], "arguments or computed in it", keeps)
    with pytest.raises(tile.TileError, match="@tile.function below @tile.custom_adjoint"):
        tile.custom_adjoint(rounded)(multiply)


def test_a_zero_cotangent_is_none(rng):
    @tile.function
    def scaled(x, s):
        return x * s

    @tile.custom_adjoint(scaled)
    @tile.function
    def scaled_adjoint(x, s, dy):
        return dy * s, None

    @tile.kernel
    def kernel(x, s, y):
        tile.store(y, 0, scaled(tile.load(x, 0, 64), tile.load(s, 0, 64)))

    x, s, dy = draw(rng, 64), draw(rng, 64), draw(rng, 64)
    dx, ds = tile.vjp(kernel)[1](x, s, dy)
    expect_close(dx, dy * s)
    assert not ds.any()
