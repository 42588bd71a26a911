# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the host time of derivatives from Python, on PyTorch tensors.

  python3 gradient_time.py

Needs a GPU and PyTorch. For a kernel of single elements, a matmul and a softmax, prints the
host time of a call of the kernel and of its derivatives in microseconds: the least and the
median of the mean times of several series. The calls are measured alternately, and the
stream is empty before each series. `launches` is the number of kernels that a call
launches; the sizes are small, so that the GPU is faster than the host.
"""

import statistics
import time

import torch

import tile_mlir as tile

ROUNDS, CALLS = 20, 200


@tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
def tanh(x, y, *, n=1024):
    i = tile.program_id(0) * n
    tile.store(y, i, tile.tanh(tile.load(x, i, n)))


@tile.kernel(grid=lambda c, m, n: (tile.cdiv(c.shape[0], m), tile.cdiv(c.shape[1], n)))
def matmul(a, b, c, *, m=64, n=64, k=32):
    i, j = tile.program_id(0) * m, tile.program_id(1) * n
    acc = tile.zeros((m, n))
    for s in range(0, a.shape[1], k):
        acc += tile.load(a, (i, s), (m, k)) @ tile.load(b, (s, j), (k, n))
    tile.store(c, (i, j), acc)


@tile.kernel(grid=lambda x: x.shape[0])
def softmax(x, y, *, n=256):
    i = tile.program_id(0)
    t = tile.load(x, (i, 0), n).astype(tile.f32)
    e = tile.exp(t - t.max())
    tile.store(y, (i, 0), e / e.sum())


@tile.kernel(grid=lambda x: x.shape[0])
def scale(x, w, y, *, n=256):
    """Its gradient by w is a sum over programs, which needs a temporary array."""
    i = tile.program_id(0)
    tile.store(y, (i, 0), tile.load(x, (i, 0), n) * tile.load(w, 0, n))


@tile.torch_op("tile_time::tanh", differentiable=True)
def tanh_of(x: torch.Tensor) -> torch.Tensor:
    y = torch.empty_like(x)
    tanh(x, y)
    return y


def draw(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda").to(dtype)


def make_ways(kernel, inputs, output):
    """Returns the calls to be measured, by their names."""
    cotangent, gradients = torch.randn_like(output), list(map(torch.empty_like, inputs))
    vjp, grad, both = tile.vjp(kernel), tile.grad(kernel), tile.value_and_grad(kernel)
    return {
        "the kernel": lambda: kernel(*inputs, output),
        "vjp": lambda: vjp(*inputs, cotangent),
        "vjp, to given arrays": lambda: vjp(*inputs, cotangent, gradients=gradients),
        "vjp, accumulated": lambda: vjp(*inputs, cotangent, gradients=gradients,
                                        accumulate=True),
        "grad": lambda: grad(*inputs, output),
        "value_and_grad": lambda: both(*inputs, output)}


def make_torch_ways():
    x = draw(1 << 14).requires_grad_()
    y, g = tanh_of(x), draw(1 << 14)
    eager = torch.tanh(x)
    return {"autograd of torch_op": lambda: torch.autograd.grad(y, x, g, retain_graph=True),
            "autograd of torch.tanh": lambda: torch.autograd.grad(eager, x, g,
                                                                  retain_graph=True),
            "torch.empty": lambda: torch.empty(1 << 14, device="cuda")}


def count_launches(call):
    with torch.profiler.profile(
            activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        call()
        torch.cuda.synchronize()
    return sum(event.count for event in profile.key_averages()
               if event.device_type == torch.autograd.DeviceType.CUDA)


def time_series(call):
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    return (time.perf_counter() - start) / CALLS * 1e6


def measure(name, ways):
    for way in ways.values():
        way()
        way()
    times = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, call in ways.items():
            times[way].append(time_series(call))
    for way, found in times.items():
        print(f"{name}, {way}: {min(found):.2f} us, median "
              f"{statistics.median(found):.2f}, {count_launches(ways[way])} launches",
              flush=True)


def main():
    print(f"# {torch.cuda.get_device_name()}")
    f16 = torch.float16
    measure("tanh", make_ways(tanh, [draw(1 << 14)], draw(1 << 14)))
    measure("matmul", make_ways(matmul, [draw(256, 256, dtype=f16) for _ in range(2)],
                                draw(256, 256, dtype=f16)))
    measure("softmax", make_ways(softmax, [draw(64, 256, dtype=torch.bfloat16)],
                                 draw(64, 256, dtype=torch.bfloat16)))
    measure("scale", make_ways(scale, [draw(64, 256), draw(256)], draw(64, 256)))
    measure("PyTorch", make_torch_ways())


if __name__ == "__main__":
    main()
