#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times kernels and their gradients, on a GPU.

  python3 gradients.py [NAME...]

Needs PyTorch and the package tile_mlir. Prints a row of a CSV file for each kernel: its
time and that of its gradients, by all inputs unless its case names some, in microseconds,
their ratio, the ratio to reach, and the largest difference of the gradients from those of
PyTorch in f64, in units of the largest gradient; then the time, ratio and difference of
gradients that load saved outputs. Calls are timed in bursts, the kernel and its gradients
in turns.
"""

import inspect
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional

import torch

import tile_mlir as tile

from bursts import time_in_turns

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples/32_crba"))
from crba import crba
from crba_loop import crba_loop


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


@tile.kernel(grid=lambda signals, rows: tile.cdiv(signals.shape[0], rows))
def fft_filter(signals, response, filtered, *, n=1024, rows=4):
    i = tile.program_id(0) * rows
    spectrum = tile.rfft(tile.load(signals, (i, 0), (rows, n)))
    changed = spectrum * tile.load(response, 0, n // 2 + 1)
    tile.store(filtered, (i, 0), tile.irfft(changed, n))


# ----------------------------------------------------------------------------
# Cases
# ----------------------------------------------------------------------------


def draw(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda", dtype=torch.float32).to(dtype)


def draw_positive(count, n):
    a = draw(count, n, n)
    return a @ a.transpose(1, 2) + n * torch.eye(n, device="cuda")


def symmetrise(matrices):
    """Returns symmetric matrices with the lower triangles of `matrices`, the elements
    that a Cholesky factorisation reads."""
    return matrices.tril() + matrices.tril(-1).mT


def find_inertia(j, m, r):
    """Returns the results of examples/32_crba."""
    robots, rows, dofs = j.shape
    j, m = j.view(robots, -1, 6, dofs), m.view(robots, -1, 6, 6)
    h = (j.mT @ m @ j).sum(1) + torch.diag_embed(r)
    return h, torch.linalg.cholesky(symmetrise(h))


def make_robots(*shape, robots=16384, bodies=13, dofs=18):
    """Returns the arguments of a kernel of examples/32_crba; `shape` is that of the
    inertias of a robot."""
    m = draw(robots, bodies, 6, 6)
    m = m @ m.mT / 6 + torch.eye(6, device="cuda")
    inputs = [draw(robots, 6 * bodies, dofs), m.reshape(robots, *shape),
              draw(robots, dofs).abs()]
    return inputs, [torch.empty(robots, dofs, dofs, device="cuda") for _ in range(2)], {}


@dataclass(frozen=True)
class Case:
    """A kernel, the ratio of times to reach if there is one, the function in PyTorch,
    and a function that returns inputs, an output or a list of them, and the kernel's
    keywords. Inputs are differentiated by if their indices are in `wrt`, or all."""

    kernel: Callable
    ratio: Optional[float]
    reference: Callable
    make: Callable
    wrt: Optional[tuple[int, ...]] = None


def make_rows(count, n, dtype, *weights):
    def make():
        x = draw(count, n, dtype=dtype)
        return [x, *[draw(n, dtype=dtype) for _ in range(weights[0] if weights else 0)]
                ], torch.empty_like(x), {"n": n}
    return make


def filter_rows(signals, response):
    return torch.fft.irfft(torch.fft.rfft(signals) * response, signals.shape[1])


def make_signals(count=65536, n=1024):
    signals = draw(count, n)
    return [signals, draw(n // 2 + 1)], torch.empty_like(signals), {"n": n}


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
    "cholesky": Case(
        cholesky, 2.0, lambda a: torch.linalg.cholesky(symmetrise(a)), lambda: (
            [draw_positive(16384, 32)], torch.empty(16384, 32, 32, device="cuda"),
            {"n": 32})),
    "solve": Case(solve, 1.8, torch.linalg.solve, lambda: (
        [draw_positive(16384, 32), draw(16384, 32)],
        torch.empty(16384, 32, device="cuda"), {"n": 32})),
    # By signals, the gradients are filtered cotangents.
    "fft_filter": Case(fft_filter, 1.05, filter_rows, make_signals, (0,)),
    "fft_response": Case(fft_filter, None, filter_rows, make_signals),
    "crba": Case(crba, 3.0, find_inertia, lambda: make_robots(13, 6, 6)),
    "crba_loop": Case(crba_loop, 3.0, find_inertia, lambda: make_robots(13 * 6, 6)),
}


# ----------------------------------------------------------------------------
# Times and errors
# ----------------------------------------------------------------------------


def find_error(case, inputs, cotangents, gradients):
    wide = [x.double().requires_grad_() for x in inputs]
    results = case.reference(*wide)
    results = results if isinstance(results, tuple) else (results,)
    torch.autograd.backward(results, [c.double() for c in cotangents])
    return max(((found.double() - wide[index].grad).abs().max()
                / wide[index].grad.abs().max()).item()
               for index, found in gradients.items())


def measure(name):
    case = CASES[name]
    inputs, outputs, words = case.make()
    outputs = outputs if isinstance(outputs, list) else [outputs]
    cotangents = [torch.randn_like(output) for output in outputs]
    by = case.wrt or range(len(inputs))
    names = list(inspect.signature(case.kernel).parameters)
    wrt = [names[index] for index in by]
    saved = names[len(inputs):len(inputs) + len(outputs)]
    again, loading = ({index: torch.full_like(inputs[index], float("nan"))
                       for index in by} for _ in range(2))
    recomputed = tile.vjp(case.kernel, wrt=wrt)
    loaded = tile.vjp(case.kernel, wrt=wrt, saved=saved)
    calls = [
        lambda: case.kernel(*inputs, *outputs, **words),
        lambda: recomputed(*inputs, *cotangents, gradients=list(again.values()), **words),
        lambda: loaded(*inputs, *cotangents, gradients=list(loading.values()),
                       saved=outputs, **words)]
    for call in calls:
        call()
    forward, *backward = time_in_turns(calls)
    errors = [find_error(case, inputs, cotangents, gradients)
              for gradients in (again, loading)]
    columns = [[f"{us:.1f}", f"{us / forward:.2f}"] for us in backward]
    print(",".join([name, f"{forward:.1f}", *columns[0], str(case.ratio or ""),
                    f"{errors[0]:.1e}", *columns[1], f"{errors[1]:.1e}"]), flush=True)


def main():
    print(f"# {torch.cuda.get_device_name()}")
    print("kernel,forward,backward,ratio,goal,error,saved,saved_ratio,saved_error")
    for name in sys.argv[1:] or CASES:
        try:
            measure(name)
        except (tile.TileError, RuntimeError) as error:
            print(f"{name},{type(error).__name__}: {str(error)[:300]}", flush=True)
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
