#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times kernels and their gradients, on a GPU.

  python3 gradients.py [NAME...]

Needs PyTorch and the package tile_mlir. Prints a row of a CSV file for each kernel: its
time and that of its gradients by all inputs, in microseconds, their ratio, the ratio to
reach, and the largest difference of the gradients from those of PyTorch in f64, in units
of the largest gradient. Calls are timed in bursts, the kernel and its gradients in
turns.
"""

import statistics
import sys
import time
from dataclasses import dataclass
from typing import Callable

import torch

import tile_mlir as tile

SERIES, PAUSE_SECONDS, BURST_SECONDS = 5, 0.1, 0.01
MOST_CALLS, SLEEP_CYCLES = 20, 60_000_000


# ----------------------------------------------------------------------------
# Kernels
# ----------------------------------------------------------------------------


@tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
def tanh(x, y, *, n=4096):
    i = tile.program_id(0) * n
    tile.store(y, i, tile.tanh(tile.load(x, i, n)))


@tile.kernel(grid=lambda a, n: tile.cdiv(a.shape[0], n))
def gated(a, b, y, *, n=4096):
    i = tile.program_id(0) * n
    t = tile.load(a, i, n)
    tile.store(y, i, t * tile.sigmoid(t) * tile.load(b, i, n))


@tile.kernel(grid=lambda x: x.shape[0])
def row_sum(x, y, *, n):
    i = tile.program_id(0)
    tile.store(y, i, tile.load(x, (i, 0), n).astype(tile.f32).sum())


@tile.kernel(grid=lambda x: x.shape[0])
def prefix_sum(x, y, *, n):
    i = tile.program_id(0)
    tile.store(y, (i, 0), tile.cumsum(tile.load(x, (i, 0), n), axis=0))


@tile.kernel(grid=lambda x: x.shape[0])
def softmax(x, y, *, n):
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), n).astype(tile.f32)
    e = tile.exp(t - t.max())
    tile.store(y, (i, 0), e / e.sum())


@tile.kernel(grid=lambda x: x.shape[0])
def layer_norm(x, w, b, y, *, n):
    i = tile.program_id(0)
    v = tile.load(x, (i, 0), n).astype(tile.f32)
    mean = v.mean()
    scale = tile.rsqrt(((v - mean) * (v - mean)).mean() + 1e-5)
    tile.store(y, (i, 0),
               (v - mean) * scale * tile.load(w, 0, n) + tile.load(b, 0, n))


@tile.kernel(grid=lambda x: x.shape[0])
def rms_norm(x, w, y, *, n):
    i = tile.program_id(0)
    v = tile.load(x, (i, 0), n).astype(tile.f32)
    tile.store(y, (i, 0), v * tile.rsqrt((v * v).mean() + 1e-5) * tile.load(w, 0, n))


@tile.kernel(grid=lambda c, m, n: (tile.cdiv(c.shape[0], m), tile.cdiv(c.shape[1], n)))
def matmul(a, b, c, *, m=128, n=128, k=64):
    i, j = tile.program_id(0) * m, tile.program_id(1) * n
    acc = tile.zeros((m, n))
    for s in range(0, a.shape[1], k):
        acc += tile.load(a, (i, s), (m, k)) @ tile.load(b, (s, j), (k, n))
    tile.store(c, (i, j), acc)


@tile.kernel(grid=lambda x, m: tile.cdiv(x.shape[0], m))
def mlp(x, v, w, y, *, m=64, d=64, h=64):
    i = tile.program_id(0) * m
    hidden = tile.relu(tile.load(x, (i, 0), (m, d)) @ tile.load(v, (0, 0), (d, h)))
    tile.store(y, (i, 0),
               hidden.astype(tile.f16) @ tile.load(w, (0, 0), (h, d)))


@tile.kernel(grid=lambda a: a.shape[0])
def cholesky(a, y, *, n):
    i = tile.program_id(0)
    tile.store(y, (i, 0, 0), tile.cholesky(tile.load(a, (i, 0, 0), (n, n))))


@tile.kernel(grid=lambda a: a.shape[0])
def solve(a, b, y, *, n):
    i = tile.program_id(0)
    tile.store(y, (i, 0), tile.solve(tile.load(a, (i, 0, 0), (n, n)),
                                     tile.load(b, (i, 0), n)))


# ----------------------------------------------------------------------------
# Cases
# ----------------------------------------------------------------------------


def draw(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda", dtype=torch.float32).to(dtype)


def draw_positive(count, n):
    a = draw(count, n, n)
    return a @ a.transpose(1, 2) + n * torch.eye(n, device="cuda")


@dataclass(frozen=True)
class Case:
    """A kernel, the ratio of times to reach, the function in PyTorch, and a function
    that returns inputs, an output and the kernel's keywords."""

    kernel: Callable
    ratio: float
    reference: Callable
    make: Callable


def make_rows(count, n, dtype, *weights):
    def make():
        x = draw(count, n, dtype=dtype)
        return [x, *[draw(n, dtype=dtype) for _ in range(weights[0] if weights else 0)]
                ], torch.empty_like(x), {"n": n}
    return make


bf16, f16 = torch.bfloat16, torch.float16
CASES = {
    "tanh": Case(tanh, 1.6, torch.tanh, lambda: (
        [draw(1 << 26)], torch.empty(1 << 26, device="cuda"), {})),
    "gated": Case(gated, 1.75, lambda a, b: a * torch.sigmoid(a) * b, lambda: (
        [draw(1 << 26), draw(1 << 26)], torch.empty(1 << 26, device="cuda"), {})),
    "row_sum": Case(row_sum, 1.1, lambda x: x.sum(1), lambda: (
        [draw(16384, 4096)], torch.empty(16384, device="cuda"), {"n": 4096})),
    "prefix_sum": Case(prefix_sum, 1.1, lambda x: x.cumsum(1),
                       make_rows(16384, 4096, torch.float32)),
    "softmax": Case(softmax, 1.55, lambda x: torch.softmax(x, 1),
                    make_rows(16384, 4096, bf16)),
    "layer_norm": Case(layer_norm, 1.6, lambda x, w, b: torch.layer_norm(
        x, x.shape[1:], w, b, 1e-5), make_rows(16384, 4096, bf16, 2)),
    "rms_norm": Case(rms_norm, 1.6, lambda x, w: x * torch.rsqrt(
        (x * x).mean(1, keepdim=True) + 1e-5) * w, make_rows(16384, 4096, bf16, 1)),
    "matmul": Case(matmul, 2.05, torch.matmul, lambda: (
        [draw(4096, 4096, dtype=f16), draw(4096, 4096, dtype=f16)],
        torch.empty(4096, 4096, device="cuda", dtype=f16), {})),
    "mlp": Case(mlp, 3.3, lambda x, v, w: torch.relu(x @ v) @ w, lambda: (
        [draw(1 << 18, 64, dtype=f16), draw(64, 64, dtype=f16) / 8,
         draw(64, 64, dtype=f16) / 8],
        torch.empty(1 << 18, 64, device="cuda", dtype=f16), {})),
    # Cholesky reads the lower triangle only.
    "cholesky": Case(cholesky, 2.0, lambda a: torch.linalg.cholesky(
        a.tril() + a.tril(-1).transpose(1, 2)), lambda: (
        [draw_positive(16384, 32)], torch.empty(16384, 32, 32, device="cuda"),
        {"n": 32})),
    "solve": Case(solve, 1.8, torch.linalg.solve, lambda: (
        [draw_positive(16384, 32), draw(16384, 32)],
        torch.empty(16384, 32, device="cuda"), {"n": 32})),
}


# ----------------------------------------------------------------------------
# Times and errors
# ----------------------------------------------------------------------------


def time_calls(call, count):
    """Returns the time of a call among `count` that are queued, in microseconds."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    # The GPU waits until the calls are queued, so that the host's time is hidden.
    torch.cuda._sleep(SLEEP_CYCLES)
    start.record()
    for _ in range(count):
        call()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e3 / count


def time_burst(call):
    """Returns the time of a call in a burst, in microseconds."""
    one = time_calls(call, 2)
    return time_calls(call, min(MOST_CALLS, max(2, int(BURST_SECONDS * 1e6 / one))))


def find_error(case, inputs, cotangent, gradients):
    wide = [x.double().requires_grad_() for x in inputs]
    case.reference(*wide).backward(cotangent.double())
    return max(((found.double() - x.grad).abs().max() / x.grad.abs().max()).item()
               for found, x in zip(gradients, wide))


def measure(name):
    case = CASES[name]
    inputs, output, words = case.make()
    cotangent = torch.randn_like(output)
    gradients = [torch.full_like(x, float("nan")) for x in inputs]
    derivative = tile.vjp(case.kernel)
    calls = [
        lambda: case.kernel(*inputs, output, **words),
        lambda: derivative(*inputs, cotangent, gradients=gradients, **words)]
    for call in calls:
        call()
    times = [[], []]
    for _ in range(SERIES):
        for call, found in zip(calls, times):
            time.sleep(PAUSE_SECONDS)
            found.append(time_burst(call))
    forward, backward = map(statistics.median, times)
    error = find_error(case, inputs, cotangent, gradients)
    print(f"{name},{forward:.1f},{backward:.1f},{backward / forward:.2f},"
          f"{case.ratio},{error:.1e}", flush=True)


def main():
    print(f"# {torch.cuda.get_device_name()}")
    print("kernel,forward,backward,ratio,goal,error")
    for name in sys.argv[1:] or CASES:
        try:
            measure(name)
        except (tile.TileError, RuntimeError) as error:
            print(f"{name},{type(error).__name__}: {str(error)[:300]}", flush=True)
        torch.cuda.empty_cache()


main()
