# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on a GPU, on arrays of PyTorch and CuPy: needs both libraries and a GPU.

  python3 gpu.py
"""

import sys

import numpy as np
import torch

import tile_mlir as tile
from tile_mlir.launching.arguments import describe, pack_all
from tile_mlir.launching.programs import find_arch

from kernels import make_gemm, make_scale


gemm = make_gemm(m=128, n=128, k=32)
scale = make_scale(n=1000)


def check(name, found, expected, tolerance):
    error = abs(np.asarray(found, np.float64) - expected).max()
    error /= abs(expected).max()
    print(f"{name}: {error:.2e}")
    if not error <= tolerance:
        sys.exit(f"expected at most {tolerance:.2e}")


def check_torch():
    for dtype in torch.float16, torch.bfloat16, torch.float32:
        a = torch.randn(1003, 517, device="cuda").to(dtype)
        b = torch.randn(700, 517, device="cuda").to(dtype).T  # not contiguous
        c = torch.full((1003, 700), float("nan"), device="cuda")
        gemm(a, b, c)
        expected = (a.double() @ b.double()).cpu().numpy()
        check(f"gemm of {dtype}", c.cpu(), expected, 1e-5)


def check_stream():
    """Checks launches on PyTorch's current stream, and in a CUDA graph that is captured
    from it."""
    x = torch.randn(12345, device="cuda")
    y = torch.full_like(x, float("nan"))
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.cuda._sleep(50_000_000)
        x.mul_(2)
        scale(x, y, 3.0)
    side.synchronize()
    check("stream", y.cpu(), 3 * x.double().cpu().numpy(), 1e-6)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        scale(x, y, 5.0)
    y.fill_(float("nan"))
    graph.replay()
    torch.cuda.synchronize()
    check("graph", y.cpu(), 5 * x.double().cpu().numpy(), 1e-6)


def check_cupy():
    import cupy
    x = cupy.random.standard_normal(777, dtype=cupy.float32)
    y = cupy.full_like(x, cupy.nan)
    scale(x, y, 2.0)
    cupy.cuda.Device().synchronize()
    check("cupy", cupy.asnumpy(y), 2 * cupy.asnumpy(x).astype(np.float64), 1e-6)


def check_plans():
    """Checks calls whose arrays, sizes, scalars and keywords differ from the last
    call's."""
    arrays = [torch.randn(n, device="cuda") for n in (1000, 1000, 2345, 0, 17)]
    for s in (2.0, -0.0, 0.0, 3, True):
        for x in arrays + arrays[::-1]:
            for words in ({}, {"n": 100}, {"n": 1000}):
                y = torch.full_like(x, float("nan"))
                scale(x, y, s, **words)
                expected = x.cpu().numpy() * np.float32(s)
                np.testing.assert_array_equal(y.cpu().numpy(), expected)
                assert (np.signbit(y.cpu().numpy()) ==
                        np.signbit(expected)).all()
    half = torch.randn(1000, device="cuda").half()
    y = torch.full_like(half, float("nan"))
    scale(half, y, 2.0)
    assert torch.equal(y, half * 2)
    rows = torch.randn(1000, 2, device="cuda")[:, 0]  # every other element
    y = torch.full_like(arrays[0], float("nan"))
    scale(rows, y, 2.0)
    assert torch.equal(y, rows * 2)
    print("plans: right")


FACTOR = 2.0


@tile.kernel(grid=lambda x: x.shape[0], fixed={"x": 1})
def center(x, y):
    row = tile.load(x, (tile.program_id(0), 0), x.shape[1])
    tile.store(y, (tile.program_id(0), 0), (row - row.mean()) * FACTOR)


def check_fixed():
    """Checks fixed extents, and a global variable that changes between launches."""
    global FACTOR
    for factor in (2.0, 2.0, 3.0, 2.0):
        FACTOR = factor
        for shape in [(3, 1000), (1000, 3), (3, 1000), (5, 1000), (2, 777)]:
            x = torch.randn(shape, device="cuda")
            for _ in range(2):
                y = torch.full_like(x, float("nan"))
                center(x, y)
                wide = x.double()
                expected = (wide - wide.mean(dim=1, keepdim=True)) * factor
                assert (y - expected).abs().max() < 1e-5, (factor, shape)
    print("fixed extents and globals: right")


def check_prepared():
    x = torch.randn(777, device="cuda")
    y = torch.empty_like(x)
    launch = scale.prepare(x, y, 3.0)
    side = torch.cuda.Stream()
    for stream in (torch.cuda.current_stream(), side):
        with torch.cuda.stream(stream):
            torch.cuda._sleep(20_000_000)
            x.normal_()
            y.fill_(float("nan"))
            launch()
        torch.cuda.synchronize()
        assert torch.equal(y, x * 3)
    import cupy
    x = cupy.random.standard_normal(777, dtype=cupy.float32)
    y = cupy.full_like(x, cupy.nan)
    scale.prepare(x, y, 3.0)()
    assert (y == x * 3).all()
    print("prepared: right")


@tile.kernel(grid=1)
def weigh(bias, x, weights, y, total):
    t = tile.load(x, 0, 777)
    if bias is not None:
        t += bias[()]
    if weights is not None:
        t *= tile.load(weights, 0, 777)
    tile.store(y, 0, t)
    y[0] = 5.0
    total[()] = t.sum() + x[-1]


def check_forms():
    """Checks arguments that are None, arrays of rank 0 and elements. Each form is
    launched several times, with other arrays, so that plans are used too."""
    for _ in range(3):
        x, weights = torch.randn(2, 777, device="cuda")
        for bias in (None, torch.randn((), device="cuda")):
            for w in (None, weights):
                y, total = torch.full_like(x, float("nan")), torch.zeros((), device="cuda")
                weigh(bias, x, w, y, total)
                expected = x.double() + (0 if bias is None else bias.double())
                expected *= 1 if w is None else w.double()
                assert abs(total - (expected.sum() + x[-1])) < 1e-3
                expected[0] = 5
                assert (y - expected).abs().max() < 1e-5
    print("forms of arguments: right")


@tile.kernel(fixed={"a": (1, 2)})
def compute(a, y, *, function):
    """Applies a function to one matrix for each block."""
    m, n = a.shape[1:]
    found = function(tile.load(a, (tile.program_id(0), 0, 0), (1, m, n)))
    tile.store(y, (tile.program_id(0), 0, 0), found)


def check_functions():
    """Checks functions of matrices, and 2-D transforms, against NumPy in float64."""
    rng = np.random.default_rng(1)
    a = rng.standard_normal((50, 5, 9)).astype(np.float32)
    square = 3 * a[:, :, :5]
    rest = np.zeros_like(square, np.float64) + square / 2.0 ** 30
    for _ in range(30):
        rest = 2 * rest + rest @ rest
    for name, function, given, expected in [
            ("pinv", tile.pinv, a, np.linalg.pinv(a.astype(np.float64))),
            ("pinv of columns", lambda a: tile.pinv(a.mT), a,
             np.linalg.pinv(a.astype(np.float64)).swapaxes(1, 2)),
            ("least norm", lambda a: tile.least_squares(a, a[:, :, :2]), a,
             np.linalg.pinv(a.astype(np.float64)) @ a[:, :, :2]),
            ("expm", tile.expm, square, rest + np.eye(5)),
            ("fft2", lambda a: tile.real(tile.rfft2(a)), a, np.fft.rfft2(a).real)]:
        y = torch.full(expected.shape, float("nan"), device="cuda")
        compute[50](torch.from_numpy(np.ascontiguousarray(given)).cuda(), y,
                          function=function)
        check(name, y.cpu(), expected, 1e-4)


@tile.kernel(grid=1)
def combine(a, b, y):
    a, b = tile.load(a, 0, 100), tile.load(b, 0, 100)
    tile.store(y, 0, tile.where(a < b, a + b * a[3], tile.exp(a)))


def check_f8():
    """Checks arithmetic of f8, in which each operation is rounded once."""
    for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
        a, b = (torch.randn(100, device="cuda").to(dtype) for _ in range(2))
        y = torch.zeros(100, device="cuda").to(dtype)
        combine(a, b, y)
        x, z = a.float(), b.float()
        product = (z * x[3]).to(dtype).float()
        expected = torch.where(x < z, (x + product).to(dtype).float(),
                               x.exp().to(dtype).float())
        unit = torch.finfo(dtype).eps
        assert ((y.float() - expected).abs() <= unit * expected.abs()).all()
    print("f8: right")


@tile.kernel(grid=lambda c, m, n: (tile.cdiv(c.shape[0], m), tile.cdiv(c.shape[1], n)))
def product(a, b, c, *, m=tile.auto, n=tile.auto, k=tile.auto):
    i, j = tile.program_id(0) * m, tile.program_id(1) * n
    acc = tile.zeros((m, n))
    for p in range(0, a.shape[1], k):
        acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
    tile.store(c, (i, j), acc)


def check_entries():
    """Runs the program of a kernel for unknown sizes, whose function chooses an entry."""
    types = [tile.ir.ArrayType((None, None), element)
             for element in (tile.f16, tile.f16, tile.f32)]
    program, _ = product.definition.find_program(types, {}, find_arch(0))
    for m, n, k in (1, 9, 33), (100, 70, 45), (517, 1003, 259), (4099, 3001, 100):
        a = torch.randn(m, k, device="cuda").half()
        b = torch.randn(k, n, device="cuda").half()
        c = torch.full((m, n), float("nan"), device="cuda")
        packed = pack_all([describe("", x) for x in (a, b, c)], types)
        program.load(0).launch([argument for argument, _ in packed], (), 0)
        torch.cuda.synchronize()
        check(f"entries {m}x{n}x{k}", c.cpu(), (a.double() @ b.double()).cpu().numpy(), 1e-3)


def check_overlap():
    """Checks that overlapping arrays are refused, also if there is a plan for disjoint
    arrays."""
    x, y = torch.randn(2, 1000, device="cuda")
    scale(x, y, 2.0)
    for read, written in [(x, x), (x[:-1], x[1:]), (y, y), (x[1:], x[:-1])]:
        for _ in range(2):
            try:
                scale(read, written, 2.0)
            except tile.ArgumentError as error:
                assert "to share no memory with 'x'" in str(error), error
            else:
                sys.exit("expected a refusal of arrays that overlap")
    both = torch.randn(2000, device="cuda")
    expected = both[::2] * 2
    scale(both[::2], both[1::2], 2.0)
    assert torch.equal(both[1::2], expected)
    print("overlap: refused")


def check_refusals():
    x = torch.zeros(100, device="cuda")
    for arguments, kind, text in [
            ((x, np.zeros(100, np.float32), 1.0), tile.ArgumentError,
             "expected arrays of one device, got 'x' on GPU 0, 'y' on the host"),
            ((x.to("meta"), x, 1.0), tile.ArgumentError,
             "expected 'x' on the host or on a GPU, got it on meta")]:
        try:
            scale(*arguments)
        except kind as error:
            assert text in str(error), error
        else:
            sys.exit(f"expected {kind.__name__}: {text}")
    print("refusals: 2")


def check_host_tensors():
    x = torch.randn(99)
    y = torch.full_like(x, float("nan"))
    with tile.cpu():
        scale(x, y, 2.0)
    check("tensors of the host", y, 2 * x.double().numpy(), 1e-6)


if __name__ == "__main__":
    check_torch()
    check_stream()
    check_cupy()
    check_plans()
    check_fixed()
    check_prepared()
    check_forms()
    check_functions()
    check_f8()
    check_entries()
    check_overlap()
    check_refusals()
    check_host_tensors()
    print("all right")
