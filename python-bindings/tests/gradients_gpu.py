# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of kernels on a GPU, and their arrays: needs PyTorch 2.5 or later.

  python3 gradients_gpu.py
"""

import sys
import threading

import torch
from torch import Tensor

import tile_mlir as tile
from kernels import make_gemm

gemm = make_gemm(m=64, n=64, k=32)


@tile.kernel(grid=lambda x: x.shape[0])
def sine(x, w, y, s):
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 256)) * tile.load(w, (i, 0), (1, 256))
    tile.store(y, (i, 0), tile.sin(t * s))


@tile.kernel(grid=lambda x: x.shape[0])
def powers(x, y, count):
    """y = x ** (2 ** count): the derivative is a function that allocates an array."""
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), (1, 256))
    for _ in range(count):
        t = t * t
    tile.store(y, (i, 0), t)


@tile.kernel(grid=lambda x: x.shape[0])
def scaled(x, w, y):
    i = tile.program_id(0)
    tile.store(y, (i, 0), tile.load(x, (i, 0), (1, 256)) * tile.load(w, 0, 256))


@tile.custom_adjoint(scaled)
@tile.kernel(grid=1)
def scaled_adjoint(x, w, y__cotangent, x__gradient, w__gradient):
    """Runs as one block. The wrong factor 5 tells it from a derived adjoint."""
    of_w = tile.zeros((1, 256), x.dtype)
    for i in tile.range(x.shape[0]):
        g = tile.load(y__cotangent, (i, 0), (1, 256))
        tile.store(x__gradient, (i, 0), 5 * g * tile.load(w, 0, 256))
        of_w = of_w + g * tile.load(x, (i, 0), (1, 256))
    tile.store(w__gradient, 0, of_w.reshape(256))


@tile.torch_op("tile_gpu::scaled", differentiable=True)
def scaled_of(x: Tensor, w: Tensor) -> Tensor:
    y = torch.empty_like(x)
    scaled(x, w, y)
    return y


@tile.torch_op("tile_gpu::sine", differentiable=True)
def sine_of(x: Tensor, w: Tensor, s: float) -> Tensor:
    y = torch.empty_like(x)
    sine(x, w, y, s)
    return y


def draw(*shape):
    return torch.randn(*shape, device="cuda")


def check(name, found, expected, tolerance):
    """Checks the error relative to the largest element; a NaN is an error."""
    assert found.shape == expected.shape, (found.shape, expected.shape)
    error = (found.double() - expected).abs().max() / expected.abs().max()
    print(f"{name}: {error.item():.2e}")
    if not error.item() <= tolerance:
        sys.exit(f"expected at most {tolerance:.2e}")


def check_kernel():
    x, w, g, s = draw(333, 250), draw(333, 250), draw(333, 250), 1.5
    cosine = s * torch.cos(s * x.double() * w.double())
    dx, dw = tile.vjp(sine)(x, w, g, s)
    check("gradient", dx, cosine * w * g, 1e-5)
    check("gradient of w", dw, cosine * x * g, 1e-5)
    y = torch.empty_like(x)
    check("tangent", tile.jvp(sine, wrt="x")(x, w, y, s, tangents=g), cosine * w * g, 1e-5)
    value, _ = tile.value_and_grad(sine)(x, w, y, s)
    check("value", value, torch.sin(s * x.double() * w.double()), 1e-5)
    into = torch.ones_like(x)
    tile.vjp(sine, wrt="x")(x.T.contiguous().T, w, g, s, gradients=into, accumulate=True)
    check("accumulated", into, 1 + cosine * w * g, 1e-5)


def check_function():
    """Checks calls of a function with other arguments while earlier ones run, and with
    the same arguments again."""
    for count in (1, 3, 3, 2):
        for rows in (100, 1000, 1000):
            x = torch.rand(rows, 200, device="cuda") + 0.5
            g = draw(rows, 200)
            n = 2 ** count
            for _ in range(2):
                found = tile.vjp(powers)(x, g, count)
            check(f"loop of {count}", found, n * x.double() ** (n - 1) * g, 1e-4)


def check_memory():
    """Checks calls, by plans, of a function that needs memory: on two streams at once, by
    two threads, and in a graph."""
    given = [(torch.rand(512, 200, device="cuda") + 0.5, draw(512, 200))
             for _ in range(2)]
    expected = [4 * x.double() ** 3 * g for x, g in given]
    derivative = tile.vjp(powers)
    derivative(*given[0], 2)
    torch.cuda.synchronize()

    def run(index, found):
        with torch.cuda.stream(torch.cuda.Stream()):
            for _ in range(50):
                found.append(derivative(*given[index], 2))
            torch.cuda.current_stream().synchronize()

    found = [[], []]
    threads = [threading.Thread(target=run, args=(index, found[index]))
               for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for index in range(2):
        assert len(found[index]) == 50
        for gradient in found[index]:
            check("on two streams", gradient, expected[index], 1e-4)

    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = derivative(*given[0], 2)
    given[0][1].mul_(2)
    derivative(*given[1], 2)
    graph.replay()
    torch.cuda.synchronize()
    check("in a graph", captured, 2 * expected[0], 1e-4)


def check_plans():
    """Checks that later calls have other arrays and the right results, also with other
    sizes and scalars, and without elements."""
    derivative, both = tile.vjp(sine), tile.value_and_grad(sine)
    for rows in (333, 333, 100, 333, 0):
        for s in (1.5, 0.5):
            x, w, g = draw(rows, 256), draw(rows, 256), draw(rows, 256)
            cosine = s * torch.cos(s * x.double() * w.double())
            dx, dw = derivative(x, w, g, s)
            y, (ones, _) = both(x, w, torch.empty_like(x), s)
            if rows == 0:
                assert dx.shape == dw.shape == ones.shape == (0, 256)
                continue
            check("gradient by a plan", dx, cosine * w * g, 1e-5)
            check("value by a plan", y, torch.sin(s * x.double() * w), 1e-5)
            check("gradient of the sum by a plan", ones, cosine * w, 1e-5)
            into = [torch.ones_like(x), torch.ones_like(x)]
            for _ in range(2):
                derivative(x, w, g, s, gradients=into, accumulate=True)
            check("accumulated by a plan", into[1], 1 + 2 * cosine * x * g, 1e-5)


def check_matmul():
    a, b, g = draw(150, 90), draw(90, 130), draw(150, 130)
    da, db = tile.vjp(gemm)(a, b, g)
    check("gradient of a", da, g.double() @ b.double().T, 2e-3)
    check("gradient of b", db, a.double().T @ g.double(), 2e-3)
    again = tile.vjp(gemm)(a, b, g)
    assert all(map(torch.equal, (da, db), again))


def check_stream():
    """Checks that zeros, kernels and sums are on the stream that is given."""
    stream = torch.cuda.Stream()
    x, w, g = draw(4000, 256), draw(4000, 256), draw(4000, 256)
    stream.wait_stream(torch.cuda.current_stream())
    expected = torch.cos(x.double() * w.double()) * w * g
    for use in (torch.cuda.stream(stream), tile.stream(stream.cuda_stream)):
        with use:
            found = tile.vjp(sine, wrt="x")(x, w, g, 1.0)
            tile.vjp(sine, wrt="x")(x, w, g, 1.0, gradients=found, accumulate=True)
        stream.synchronize()
        check("on a stream", found, 2 * expected, 1e-5)


def check_operator():
    for function in (sine_of, torch.compile(sine_of, fullgraph=True)):
        x, w = draw(333, 256).requires_grad_(), draw(333, 256)
        function(x, w, 0.5).sum().backward()
        expected = 0.5 * w * torch.cos(0.5 * x.detach().double() * w)
        check("autograd", x.grad, expected, 1e-5)


def check_custom_adjoint():
    x, w, g = draw(333, 256).requires_grad_(), draw(256).requires_grad_(), draw(333, 256)
    scaled_of(x, w).backward(g)
    of_x, of_w = 5 * g.double() * w.detach(), (g.double() * x.detach()).sum(0)
    check("custom adjoint", x.grad, of_x, 1e-5)
    check("custom adjoint of w", w.grad, of_w, 1e-5)
    dx, dw = tile.vjp(scaled)(x.detach(), w.detach(), g)
    check("vjp", dx, of_x, 1e-5)
    check("vjp of w", dw, of_w, 1e-5)


def check_aliases():
    x, w = draw(10, 256), draw(10, 256)
    for other in (x, x[1:], w):
        try:
            tile.vjp(sine, wrt="x")(x, x, w, 1.0, gradients=other)
        except tile.ArgumentError:
            continue
        sys.exit("expected an array that is shared to be refused")


def main():
    torch.manual_seed(7)
    check_kernel()
    check_function()
    check_memory()
    check_plans()
    check_matmul()
    check_stream()
    check_operator()
    check_custom_adjoint()
    check_aliases()
    print("all right")


if __name__ == "__main__":
    main()
