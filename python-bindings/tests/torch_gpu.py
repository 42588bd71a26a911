# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as operators of PyTorch on a GPU, and on two GPUs if there are two: needs
PyTorch 2.5 or later.

  python3 torch_gpu.py
"""

import sys

import torch
from torch import Tensor

import tile_mlir as tile
from kernels import make_gemm, make_scale


gemm = make_gemm(m=128, n=128, k=32)
scale = make_scale(n=1000)


@tile.kernel(grid=lambda x, total, *, n: tile.cdiv(x.shape[0], n))
def add_to(x, total, *, n=1000):
    first = tile.program_id(0) * n
    sum = tile.load(total, first, n) + tile.load(x, first, n)
    tile.store(total, first, sum)


@tile.torch_op("tile_gpu::scaled")
def scaled(x: Tensor, s: float) -> Tensor:
    y = torch.full_like(x, float("nan"))
    scale(x, y, s)
    return y


@tile.torch_op("tile_gpu::product")
def matmul(a: Tensor, b: Tensor) -> Tensor:
    c = a.new_full((a.shape[0], b.shape[1]), float("nan"))
    gemm(a, b, c)
    return c


@tile.torch_op("tile_gpu::add_", mutates_args=["total"])
def add_(x: Tensor, total: Tensor) -> None:
    add_to(x, total)


def keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def differentiate(ctx, gradient):
    a, b = ctx.saved_tensors
    return matmul(gradient, b.T), matmul(a.T, gradient)


matmul.register_autograd(differentiate, setup_context=keep)


# ----------------------------------------------------------------------------
# Checks
# ----------------------------------------------------------------------------


def check(name, found, expected, tolerance):
    """Checks the error relative to the largest element; a NaN is an error."""
    assert found.shape == expected.shape, (found.shape, expected.shape)
    error = (found.double() - expected.double()).abs().max()
    error = (error / expected.double().abs().max()).item()
    print(f"{name}: {error:.2e}")
    if not error <= tolerance:
        sys.exit(f"expected at most {tolerance:.2e}")


def expect(name, call, kind, text):
    try:
        call()
    except kind as error:
        if text in str(error):
            print(f"{name}: refused")
            return
        sys.exit(f"{name}: expected {text!r}, got: {error}")
    sys.exit(f"{name}: expected {kind.__name__}: {text}")


TOLERANCES = {torch.float16: 1e-3, torch.bfloat16: 1e-2, torch.float32: 1e-5}


def check_calls():
    for dtype, tolerance in TOLERANCES.items():
        a = torch.randn(1003, 517, device="cuda").to(dtype)
        b = torch.randn(700, 517, device="cuda").to(dtype).T  # not contiguous
        check(f"operator of {dtype}", matmul(a, b), a.double() @ b.double(),
              tolerance)


def check_opcheck():
    torch.library.opcheck(scaled, (torch.randn(12345, device="cuda"), 2.5))
    torch.library.opcheck(scaled, (torch.randn(777, device="cuda")[::2], -1.0))
    torch.library.opcheck(matmul, (
        torch.randn(300, 77, device="cuda", requires_grad=True),
        torch.randn(77, 129, device="cuda", requires_grad=True)))
    torch.library.opcheck(add_, (torch.randn(12345, device="cuda"),
                                 torch.randn(12345, device="cuda")))
    print("opcheck: right")


def check_compile(mode=None):
    @torch.compile(fullgraph=True, mode=mode)
    def program(a, b):
        return torch.tanh(matmul(a * 0.1, b.T)) + scaled(a[:, 0].contiguous(),
                                                         2.0)[:, None]

    for _ in range(3):  # with CUDA graphs the third run is a replay
        a = torch.randn(1003, 517, device="cuda")
        b = torch.randn(700, 517, device="cuda")
        a64, b64 = a.double(), b.double()
        check(f"torch.compile, {mode}", program(a, b).clone(),
              torch.tanh(a64 * 0.1 @ b64.T) + 2 * a64[:, :1], 1e-5)


def check_sizes_of_run_time():
    torch._dynamo.reset()
    counter = torch._dynamo.testing.CompileCounterWithBackend("inductor")

    def run(a, b):
        return matmul(a, b) * 2

    program = torch.compile(run, fullgraph=True, dynamic=True, backend=counter)
    for m, n, k in ((300, 77, 129), (1000, 31, 700), (45, 450, 45)):
        a = torch.randn(m, k, device="cuda")
        b = torch.randn(k, n, device="cuda")
        check(f"sizes {m}, {n}, {k}", program(a, b),
              2 * (a.double() @ b.double()), 1e-5)
    if counter.frame_count != 1:
        sys.exit(f"expected one program for all sizes, got {counter.frame_count}")


def check_mutation():
    @torch.compile(fullgraph=True)
    def program(x, total):
        before = total * 2
        add_(x, total)
        part = total.clone()
        add_(x, part)
        return before, total * 3, part

    x, total = torch.randn(12345, device="cuda"), torch.randn(12345, device="cuda")
    given = total.clone()
    before, after, part = program(x, given)
    x, total = x.double(), total.double()
    check("mutation: the argument", given, total + x, 1e-6)
    check("mutation: before", before, total * 2, 1e-6)
    check("mutation: after", after, (total + x) * 3, 1e-6)
    check("mutation: a copy", part, total + x + x, 1e-6)


def check_autograd():
    def program(a, b):
        return torch.sin(matmul(a, b)).sum()

    for run in program, torch.compile(program, fullgraph=True):
        a = torch.randn(203, 117, device="cuda", requires_grad=True)
        b = torch.randn(117, 300, device="cuda", requires_grad=True)
        run(a, b).backward()
        a64, b64 = (t.detach().double().requires_grad_() for t in (a, b))
        program64 = torch.sin(a64 @ b64).sum()
        program64.backward()
        check("gradient of a", a.grad, a64.grad, 1e-4)
        check("gradient of b", b.grad, b64.grad, 1e-4)


def check_graph():
    a = torch.randn(203, 117, device="cuda")
    b = torch.randn(117, 300, device="cuda")
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):  # compiles the kernels that the graph will have
        matmul(a, b)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        c = matmul(a, b)
    for _ in range(2):
        a.normal_()
        c.fill_(float("nan"))
        graph.replay()
        torch.cuda.synchronize()
        check("CUDA graph", c, a.double() @ b.double(), 1e-5)


def check_refusals():
    @tile.torch_op("tile_gpu::wrong_")
    def wrong_(x: Tensor, total: Tensor) -> None:
        add_to(x, total)

    x, total = torch.randn(77, device="cuda"), torch.randn(77, device="cuda")
    given = total.clone()
    expect("what is not in mutates_args", lambda: wrong_(x, given),
           tile.ArgumentError, "expected 'total' among mutates_args")
    torch.cuda.synchronize()
    assert torch.equal(given, total)
    expect("host and GPU", lambda: add_(x.cpu(), total), tile.ArgumentError,
           "expected arrays of one device, got 'x' on the host, 'total' on GPU 0")


# ----------------------------------------------------------------------------
# Two GPUs
# ----------------------------------------------------------------------------


def check_two_gpus():
    results = []
    for _ in range(3):  # later calls use plans
        for device in "cuda:0", "cuda:1":
            a = torch.randn(403, 117, device=device)
            b = torch.randn(117, 300, device=device)
            results.append((a, b, matmul(a, b)))
    for a, b, c in results:
        assert c.device == a.device
        check(f"on {c.device}", c, a.double() @ b.double(), 1e-5)
    with torch.cuda.device(1):  # not the device of the arrays
        x = torch.randn(12345, device="cuda:0")
        check("from the other GPU", scaled(x, 2.0), x.double() * 2, 1e-6)
        assert torch.cuda.current_device() == 1
    check_streams_of_two_gpus()
    x, y = torch.randn(77, device="cuda:0"), torch.randn(77, device="cuda:1")
    for _ in range(2):
        expect("two GPUs", lambda: add_to(x, y), tile.ArgumentError,
               "expected arrays of one device, got 'x' on GPU 0, 'total' on GPU 1")


def check_streams_of_two_gpus():
    """Checks launches on the stream of the arrays' GPU, whichever GPU is current."""
    x = torch.randn(12345, device="cuda:1")
    expected = x.double() * 2 * 3
    torch.cuda.synchronize(1)
    side = torch.cuda.Stream(device=1)
    with torch.cuda.stream(side):
        with torch.cuda.device(1):
            torch.cuda._sleep(50_000_000)
        x.mul_(2)
        with torch.cuda.device(0):
            y = scaled(x, 3.0)
    side.synchronize()
    check("stream of the second GPU", y, expected, 1e-6)


if __name__ == "__main__":
    torch.manual_seed(7)
    check_calls()
    check_opcheck()
    check_compile()
    check_compile("reduce-overhead")
    check_sizes_of_run_time()
    check_mutation()
    check_autograd()
    check_graph()
    check_refusals()
    if torch.cuda.device_count() > 1:
        check_two_gpus()
    else:
        print("one GPU: what needs two was not checked")
    print("all right")
