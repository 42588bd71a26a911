# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of operators of PyTorch, on the host: needs PyTorch."""

import functools
from typing import List

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import tile_mlir as tile  # noqa: E402

Tensor = torch.Tensor
compile = functools.partial(torch.compile, fullgraph=True, backend="aot_eager")


@pytest.fixture(autouse=True)
def machine():
    torch.manual_seed(7)
    torch._dynamo.reset()
    with tile.cpu():
        yield


@tile.kernel(grid=lambda x: x.shape[0])
def sine(x, w, y, s):
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 64)) * tile.load(w, (i, 0), (1, 64))
    tile.store(y, (i, 0), tile.sin(t * s))


@tile.torch_op("tile_gradients::sine", differentiable=True)
def sine_of(x: Tensor, w: Tensor, s: float) -> Tensor:
    y = torch.empty_like(x)
    sine(x, w, y, np.float64(s))
    return y


@tile.torch_op("tile_gradients::twice", differentiable=True)
def twice(x: Tensor, w: Tensor, *, s: float = 0.5) -> List[Tensor]:
    between, y = torch.empty_like(x), torch.empty_like(x)
    sine(x, w, between, np.float64(s))
    sine(between, w, y, np.float64(1))
    return [between, y]


def draw(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


@pytest.mark.parametrize("is_compiled", [False, True])
def test_autograd(is_compiled):
    function = compile(sine_of) if is_compiled else sine_of
    x, w, g = draw(5, 64), draw(5, 64), draw(5, 64).detach()
    function(x, w, 1.5).backward(g)
    expected = 1.5 * torch.cos(1.5 * x * w) * g
    torch.testing.assert_close(x.grad, expected * w, rtol=1e-13, atol=1e-13)
    torch.testing.assert_close(w.grad, expected * x, rtol=1e-13, atol=1e-13)


def test_several_kernels():
    x, w = draw(5, 64), draw(5, 64)
    gradients = torch.autograd.grad(sum(map(torch.sum, twice(x, w, s=0.7))), (x, w))
    between = torch.sin(0.7 * x * w)
    expected = torch.autograd.grad((between + torch.sin(between * w)).sum(), (x, w))
    for found, right in zip(gradients, expected):
        torch.testing.assert_close(found, right, rtol=1e-13, atol=1e-13)


def test_gradcheck():
    x, w = draw(2, 64), draw(2, 64)
    assert torch.autograd.gradcheck(lambda x, w: sine_of(x, w, 0.5), (x, w))


def test_double_backward():
    x, w = draw(2, 64), draw(2, 64)
    assert torch.autograd.gradgradcheck(lambda x, w: sine_of(x, w, 0.5), (x, w))


def test_second_derivative_of_several_kernels():
    x, w = draw(2, 64), draw(2, 64)
    gradient, = torch.autograd.grad(twice(x, w)[1].sum(), x, create_graph=True)
    with pytest.raises(tile.ArgumentError, match="expected one kernel in the operator "
                       "'tile_gradients::twice' for a second derivative, got 2"):
        gradient.sum().backward()


def test_one_input():
    x, w = draw(5, 64), draw(5, 64).detach()
    sine_of(x, w, 2.0).sum().backward()
    torch.testing.assert_close(x.grad, 2 * w * torch.cos(2 * x * w))


def test_a_cotangent_that_repeats_one_element():
    x, w = draw(5, 64), draw(5, 64)
    sine_of(x, w, 1.0).sum().backward()
    torch.testing.assert_close(w.grad, x * torch.cos(x * w))


def test_a_changed_input_is_found():
    x, w = draw(5, 64), draw(5, 64)
    y = sine_of(x, w, 1.0).sum()
    with torch.no_grad():
        w.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_a_second_backward_gives_the_same_bits():
    x, w = draw(5, 64), draw(5, 64)
    y = sine_of(x, w, 1.0).sum()
    first, = torch.autograd.grad(y, x, retain_graph=True)
    second, = torch.autograd.grad(y, x)
    assert torch.equal(first.view(torch.int64), second.view(torch.int64))


# ----------------------------------------------------------------------------
# Functions that are refused
# ----------------------------------------------------------------------------


def refuse(function, text):
    x = draw(5, 64)
    with pytest.raises(tile.ArgumentError, match=text):
        function(x).sum().backward()


def test_an_operation_before_the_kernel():
    @tile.torch_op("tile_gradients::before", differentiable=True)
    def before(x: Tensor) -> Tensor:
        y = torch.empty_like(x)
        sine(x * 2, x, y, np.float64(1))
        return y

    refuse(before, "expected kernels that read arguments of the function, as they are, or "
           "tensors that kernels wrote, in the differentiable operator "
           "'tile_gradients::before', got the result of 'mul' for 'x' of 'sine'")


def test_an_operation_after_the_kernel():
    @tile.torch_op("tile_gradients::after", differentiable=True)
    def after(x: Tensor) -> Tensor:
        y = torch.empty_like(x)
        sine(x, x, y, np.float64(1))
        return y * 2

    refuse(after, "to return tensors that kernels write, got the result of 'mul' as "
           "result 0")


def test_operators_that_write_arguments():
    with pytest.raises(tile.ArgumentError, match="got one that writes its arguments"):
        tile.torch_op("tile_gradients::kernel", sine, mutates_args=["y"],
                      differentiable=True)
    with pytest.raises(tile.ArgumentError, match="got fake="):
        tile.torch_op("tile_gradients::fake", sine_of, fake=torch.empty_like,
                      differentiable=True)


def test_derivatives_of_tensors():
    x, w, g = (draw(3, 64).detach() for _ in range(3))
    dx, dw = tile.vjp(sine)(x, w, g, np.float64(1))
    torch.testing.assert_close(dx, w * torch.cos(x * w) * g)
    into = torch.zeros_like(x)
    tile.vjp(sine, wrt="w")(x, w, g, np.float64(1), gradients=into, accumulate=True)
    assert torch.equal(into, dw)
    checked = tile.gradcheck(sine, (x, w, torch.empty_like(x), np.float64(1)))
    assert max(checked.differences.values()) < 1e-8


# ----------------------------------------------------------------------------
# Custom adjoints: the wrong factors 5 and 7 tell them from derived ones
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


@tile.torch_op("tile_gradients::product", differentiable=True)
def product_of(x: Tensor, w: Tensor) -> Tensor:
    y = torch.empty_like(x)
    product(x, w, y)
    return y


@pytest.mark.parametrize("is_compiled", [False, True])
def test_a_custom_adjoint(is_compiled):
    function = compile(product_of) if is_compiled else product_of
    x, w, g = draw(5, 64), draw(5, 64), draw(5, 64).detach()
    function(x, w).backward(g)
    torch.testing.assert_close(x.grad, 5 * g * w, rtol=1e-13, atol=1e-13)
    torch.testing.assert_close(w.grad, 7 * g * x, rtol=1e-13, atol=1e-13)
    w.grad = None
    function(x.detach(), w).backward(g)
    torch.testing.assert_close(w.grad, 7 * g * x, rtol=1e-13, atol=1e-13)


def test_a_second_derivative_of_a_custom_adjoint():
    """Runs on the grid of the adjoint, one block."""
    x, w, v = draw(5, 64), draw(5, 64), draw(5, 64).detach()
    [first] = torch.autograd.grad(product_of(x, w).sum(), x, create_graph=True)
    torch.testing.assert_close(first, 5 * w, rtol=1e-13, atol=1e-13)
    [second] = torch.autograd.grad((first * v).sum(), w)
    torch.testing.assert_close(second, 5 * v, rtol=1e-13, atol=1e-13)


@tile.kernel(grid=lambda a: a.shape[0])
def factor(a, y, size):
    i = tile.program_id(0)
    lower = tile.cholesky(tile.load(a, (i, 0, 0), (6, 6)))
    tile.store(y, (i, 0, 0), lower)
    tile.store(size, i, tile.sin(lower.sum()))


@tile.torch_op("tile_gradients::factor", differentiable=True)
def factor_of(a: Tensor) -> List[Tensor]:
    y, size = torch.empty_like(a), a.new_empty(a.shape[0])
    factor(a, y, size)
    return [y, size]


def draw_positive(count, n):
    a = torch.randn(count, n, n, dtype=torch.float64)
    return (a @ a.mT + n * torch.eye(n)).requires_grad_()


def expect_factor(a, of_lower, of_size):
    wide = a.detach().requires_grad_()
    lower = torch.linalg.cholesky(wide.tril() + wide.tril(-1).mT)
    results = lower, torch.sin(lower.sum((1, 2)))
    torch.autograd.backward(results, (of_lower, of_size))
    return wide.grad


@pytest.mark.parametrize("is_compiled", [False, True])
def test_results_that_the_derivative_loads_are_saved(is_compiled):
    function = compile(factor_of) if is_compiled else factor_of
    a = draw_positive(4, 6)
    cotangents = draw(4, 6, 6).detach(), draw(4).detach()
    lower, size = function(a)
    if not is_compiled:
        # The other result is small, but depends on the factor, which is loaded.
        saved = [tensor.data_ptr() for tensor in lower.grad_fn.saved_tensors]
        assert a.data_ptr() not in saved[1:] and lower.data_ptr() in saved[1:]
    torch.autograd.backward((lower, size), cotangents)
    expected = expect_factor(a, *cotangents)
    torch.testing.assert_close(a.grad, expected, rtol=1e-11, atol=1e-11)


def test_saved_results_give_second_derivatives():
    a, g = draw_positive(2, 6), draw(2, 6, 6).detach()

    def take(function):
        x = a.detach().requires_grad_()
        [gradient] = torch.autograd.grad((function(x)[0] * g).sum(), x, create_graph=True)
        return torch.autograd.grad((gradient * gradient).sum(), x)[0]

    expected = take(lambda x: [torch.linalg.cholesky(x.tril() + x.tril(-1).mT)])
    torch.testing.assert_close(take(factor_of), expected, rtol=1e-9, atol=1e-9)


def test_a_saved_result_that_was_changed():
    lower, _ = factor_of(draw_positive(2, 6))
    with torch.no_grad():
        lower.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        lower.sum().backward()
