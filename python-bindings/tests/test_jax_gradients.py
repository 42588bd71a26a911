# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of kernels within JAX's computations, on the host: needs JAX, and the
library of launch/xla.c."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402

import tile_mlir as tile  # noqa: E402
from tile_mlir.interoperation import jax_library  # noqa: E402

if not jax_library.FILE.exists():
    pytest.skip("no library of launch/xla.c", allow_module_level=True)


@pytest.fixture(autouse=True)
def doubles():
    with jax.enable_x64(True):
        yield


@tile.kernel(grid=lambda x: x.shape[0])
def sine(x, w, y):
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 64)) * tile.load(w, (i, 0), (1, 64))
    tile.store(y, (i, 0), tile.sin(t))


@tile.kernel(grid=lambda x: x.shape[0])
def powers(x, y, *, count):
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 64))
    for _ in tile.range(count):
        t = t * t
    tile.store(y, (i, 0), t)


@tile.kernel(grid=lambda x: x.shape[0])
def largest(x, y, places):
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 64))
    tile.store(y, (i, 0), t.max(axis=1, keepdims=True))
    tile.store(places, (i, 0), tile.argmax(t, axis=1, keepdims=True))


def like(x):
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


def apply(x, w):
    return tile.jax_call(sine, like(x))(x, w)


def reference(x, w):
    return jnp.sin(x * w)


def draw(rng, *shape):
    return jnp.asarray(rng.standard_normal(shape))


def expect_close(found, expected, tolerance=1e-13):
    assert found.shape == expected.shape and found.dtype == expected.dtype
    assert jnp.abs(found - expected).max() <= tolerance * jnp.abs(expected).max()


@pytest.mark.parametrize("wrap", [lambda f: f, jax.jit])
def test_grad(rng, wrap):
    x, w, g = draw(rng, 5, 64), draw(rng, 5, 64), draw(rng, 5, 64)
    found = wrap(jax.grad(lambda *both: (apply(*both) * g).sum(), (0, 1)))(x, w)
    expected = jax.grad(lambda *both: (reference(*both) * g).sum(), (0, 1))(x, w)
    for gradient, right in zip(found, expected):
        expect_close(gradient, right)


@tile.kernel(grid=lambda x: x.shape[0])
def add_scaled(x, w, v, y):
    """y = x w + v: the gradients need x and w, not v."""
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 64)) * tile.load(w, (i, 0), (1, 64))
    tile.store(y, (i, 0), t + tile.load(v, (i, 0), (1, 64)))


@pytest.mark.parametrize("wrt, kept", [((0, 1, 2), {0, 1}), ((0,), {1}), ((2,), set())])
def test_only_needed_operands_are_kept(rng, wrt, kept):
    given = [draw(rng, 5, 64) for _ in range(3)]

    def function(*some):
        operands = list(given)
        for index, value in zip(wrt, some):
            operands[index] = value
        return tile.jax_call(add_scaled, like(given[0]))(*operands)

    _, pull_back = jax.vjp(function, *(given[index] for index in wrt))
    leaves = [leaf for leaf in jax.tree_util.tree_leaves(pull_back) if leaf.size > 1]
    found = {index for index, operand in enumerate(given)
             if any(jnp.array_equal(leaf, operand) for leaf in leaves)}
    assert found == kept
    g = draw(rng, 5, 64)
    right = (g * given[1], g * given[0], g)
    for index, gradient in zip(wrt, pull_back(g)):
        expect_close(gradient, right[index])


def test_jvp(rng):
    x, w, dx, dw = (draw(rng, 5, 64) for _ in range(4))
    for found, right in zip(jax.jvp(apply, (x, w), (dx, dw)),
                            jax.jvp(reference, (x, w), (dx, dw))):
        expect_close(found, right)
    found = jax.jvp(lambda w: apply(x, w), (w,), (dw,))[1]
    expect_close(found, jax.jvp(lambda w: reference(x, w), (w,), (dw,))[1])


def test_vjp_and_linearize(rng):
    x, w, g = draw(rng, 5, 64), draw(rng, 5, 64), draw(rng, 5, 64)
    value, pull_back = jax.vjp(apply, x, w)
    expect_close(value, reference(x, w))
    expect_close(pull_back(g)[1], jax.vjp(reference, x, w)[1](g)[1])
    value, push_forward = jax.linearize(lambda x: apply(x, w), x)
    expect_close(push_forward(g), w * jnp.cos(x * w) * g)


def test_vmap(rng):
    x, w = draw(rng, 3, 5, 64), draw(rng, 5, 64)
    expect_close(jax.vmap(apply, (0, None))(x, w), reference(x, w))
    found = jax.vmap(jax.grad(lambda x, w: apply(x, w).sum()), (0, None))(x, w)
    expect_close(found, w * jnp.cos(x * w))
    found = jax.grad(lambda w: jax.vmap(apply, (0, None))(x, w).sum())(w)
    expect_close(found, (x * jnp.cos(x * w)).sum(0))


def test_second_order(rng):
    x, w, v = draw(rng, 2, 64), draw(rng, 2, 64), draw(rng, 2, 64)

    def differentiate(function):
        def inner(x):
            return (jax.grad(lambda x: function(x, w).sum())(x) * v).sum()

        return (jax.grad(inner)(x),
                jax.jvp(jax.grad(lambda x: (function(x, w) * v).sum()), (x,), (v,))[1],
                jax.jvp(lambda x: jax.jvp(lambda x: function(x, w), (x,), (v,))[1],
                        (x,), (v,))[1])

    for found, right in zip(differentiate(apply), differentiate(reference)):
        expect_close(found, right, 1e-12)


def test_a_second_derivative_that_is_zero(rng):
    @tile.kernel(grid=lambda x: x.shape[0])
    def multiply(x, w, y):
        i = tile.program_id(0)
        t = tile.load(x, (i, 0), (1, 64)) * tile.load(w, (i, 0), (1, 64))
        tile.store(y, (i, 0), t)

    x, w = draw(rng, 2, 64), draw(rng, 2, 64)

    def differentiate(x):
        return jax.grad(lambda x: tile.jax_call(multiply, like(x))(x, w).sum())(x)

    expect_close(differentiate(x), w)
    assert not jax.grad(lambda x: differentiate(x).sum())(x).any()


def test_a_loop_that_carries_a_value(rng):
    x = jnp.asarray(rng.uniform(0.5, 1.3, (3, 64)))

    def apply(x):
        return tile.jax_call(powers, like(x))(x, count=3)

    expect_close(jax.grad(lambda x: apply(x).sum())(x), 8 * x ** 7)
    expect_close(jax.jit(jax.grad(lambda x: apply(x).sum()))(x), 8 * x ** 7)


def test_integer_results_have_no_derivative(rng):
    x = draw(rng, 3, 64)
    shapes = [jax.ShapeDtypeStruct((3, 1), x.dtype),
              jax.ShapeDtypeStruct((3, 1), jnp.int32)]

    def apply(x):
        y, places = tile.jax_call(largest, shapes)(x)
        return y.sum(), places

    found, places = jax.grad(apply, has_aux=True)(x)
    expected = np.zeros((3, 64))
    np.put_along_axis(expected, np.asarray(places), 1, 1)
    np.testing.assert_array_equal(found, expected)


def test_errors_are_at_the_operation():
    @tile.kernel(grid=1)
    def no_rule(x, y):
        t = tile.load(x, 0, 64).astype(tile.f8e4m3)
        tile.store(y, 0, t.astype(tile.f64))

    x = jnp.zeros(64)
    with pytest.raises(tile.CompileError, match="f8e4m3"):
        jax.grad(lambda x: tile.jax_call(no_rule, like(x))(x).sum())(x)


@tile.kernel(grid=lambda x: x.shape[0])
def times_rows(x, y):
    i = tile.program_id(0)
    tile.store(y, (i, 0), tile.load(x, (i, 0), (1, 64)) * y.shape[0])


def test_the_sizes_of_an_output(rng):
    x, dx = draw(rng, 3, 64), draw(rng, 3, 64)
    function = lambda x: tile.jax_call(times_rows, like(x))(x)  # noqa: E731
    found = jax.grad(lambda x: (function(x) * dx).sum())(x)
    np.testing.assert_allclose(found, 3 * dx, rtol=1e-12)
    _, found = jax.jvp(function, (x,), (dx,))
    np.testing.assert_allclose(found, 3 * dx, rtol=1e-12)


# ----------------------------------------------------------------------------
# Custom derivatives: the wrong factors 5 and 7 tell them from derived ones
# ----------------------------------------------------------------------------


@tile.kernel(grid=lambda x: x.shape[0])
def product(x, w, y):
    i = tile.program_id(0)
    tile.store(y, (i, 0), tile.load(x, (i, 0), (1, 64)) * tile.load(w, (i, 0), (1, 64)))


@tile.custom_adjoint(product)
@tile.kernel(grid=1)
def product_adjoint(x, w, y__cotangent, x__gradient, w__gradient):
    for i in tile.range(x.shape[0]):
        g = tile.load(y__cotangent, (i, 0), (1, 64))
        tile.store(x__gradient, (i, 0), 5 * g * tile.load(w, (i, 0), (1, 64)))
        tile.store(w__gradient, (i, 0), 7 * g * tile.load(x, (i, 0), (1, 64)))


def multiply(x, w):
    return tile.jax_call(product, like(x))(x, w)


def test_a_custom_adjoint(rng):
    x, w = draw(rng, 3, 64), draw(rng, 3, 64)
    for way in (lambda f: f, jax.jit):
        dx, dw = way(jax.grad(lambda *of: (multiply(*of) ** 2).sum(), (0, 1)))(x, w)
        np.testing.assert_allclose(dx, 10 * x * w * w, rtol=1e-12)
        np.testing.assert_allclose(dw, 14 * x * x * w, rtol=1e-12)
        found = way(jax.grad(lambda v: multiply(x, v).sum()))(w)
        np.testing.assert_allclose(found, 7 * x, rtol=1e-12)


def test_a_derivative_of_a_custom_adjoint(rng):
    """The second derivative runs on the grid of the adjoint, one block."""
    x, w, v = (draw(rng, 3, 64) for _ in range(3))
    first = jax.grad(lambda x: multiply(x, w).sum())
    np.testing.assert_allclose(jax.grad(lambda w: (jax.grad(
        lambda x: multiply(x, w).sum())(x) * v).sum())(w), 5 * v, rtol=1e-12)
    np.testing.assert_allclose(first(x), 5 * w, rtol=1e-12)


def test_tangents_of_a_kernel_with_a_custom_adjoint_alone(rng):
    x = draw(rng, 3, 64)
    with pytest.raises(tile.ArgumentError, match="expected tile.custom_tangent of "
                       "'product', which has a tile.custom_adjoint, for its tangents"):
        jax.jvp(multiply, (x, x), (x, x))


@tile.kernel(grid=lambda x: x.shape[0])
def ratio(x, w, y):
    i = tile.program_id(0)
    tile.store(y, (i, 0), tile.load(x, (i, 0), (1, 64)) / tile.load(w, (i, 0), (1, 64)))


@tile.custom_tangent(ratio)
@tile.kernel
def ratio_tangent(x, w, x__tangent, w__tangent, y__tangent):
    i = tile.program_id(0)
    of_x, of_w = (tile.load(t, (i, 0), (1, 64)) for t in (x__tangent, w__tangent))
    tile.store(y__tangent, (i, 0), 5 * of_x + 7 * of_w)


def test_a_custom_tangent(rng):
    x, w, dx, dw = (draw(rng, 3, 64) for _ in range(4))
    divide = lambda *of: tile.jax_call(ratio, like(of[0]))(*of)  # noqa: E731
    _, found = jax.jvp(divide, (x, w), (dx, dw))
    np.testing.assert_allclose(found, 5 * dx + 7 * dw, rtol=1e-12)
    _, found = jax.jvp(lambda x: divide(x, w), (x,), (dx,))
    np.testing.assert_allclose(found, 5 * dx, rtol=1e-12)
