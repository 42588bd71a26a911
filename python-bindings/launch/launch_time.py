# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the host time of a launch from Python, on PyTorch tensors, and compares it
with the launch of a plan by ctypes and with Triton.

  python3 launch_time.py

Needs a GPU, PyTorch and Triton. The kinds of launch are measured alternately, in
several series of calls; the stream is empty before each series. The figures are the
least and the median of the series' mean times.
"""

import ctypes
import time

import torch
import triton
import triton.language as tl

import tile_mlir as tile

ROUNDS, CALLS = 20, 500


@tile.kernel(grid=1)
def of_three(a, b, c, *, n=1024):
    tile.store(c, 0, tile.load(a, 0, n) + tile.load(b, 0, n))


@tile.kernel(grid=1)
def of_nineteen(a, b, c, d, e, f, g, h, i, j, k, m, o, p, q, r, s, t, u, *,
                n=1024):
    tile.store(u, 0, tile.load(a, 0, n) + tile.load(t, 0, n))


@triton.jit
def triton_three(a, b, c, n: tl.constexpr):
    at = tl.arange(0, n)
    tl.store(c + at, tl.load(a + at) + tl.load(b + at))


@triton.jit
def triton_nineteen(a, b, c, d, e, f, g, h, i, j, k, m, o, p, q, r, s, t, u,
                    n: tl.constexpr):
    at = tl.arange(0, n)
    tl.store(u + at, tl.load(a + at) + tl.load(t + at))


def make_driver_call(tensors):
    """Returns two functions: one launches a plan by ctypes, the other calls a C
    function by ctypes that does nothing."""
    from tile_mlir.launching import runtime, work
    library = runtime.get_library()
    kernel = of_three if len(tensors) == 3 else of_nineteen
    bound = work.bind_work(kernel.definition, 1, tensors, {})
    plan = bound.program.load(0).prepare(bound.packed, bound.blocks)
    stream = torch.cuda.current_stream().cuda_stream
    launch = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)(
        ctypes.cast(library.tile_plan_launch, ctypes.c_void_p).value)
    empty = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)(
        ctypes.cast(library.tile_plan_destroy, ctypes.c_void_p).value)
    return (lambda: launch(plan, stream)), (lambda: empty(None, None))


def time_series(call):
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    return (time.perf_counter() - start) / CALLS * 1e6


def main():
    for count in (3, 19):
        tensors = [torch.randn(1024, device="cuda") for _ in range(count)]
        ours = of_three if count == 3 else of_nineteen
        theirs = triton_three if count == 3 else triton_nineteen
        other = [t.clone() for t in tensors]
        turns = [tensors, other]

        def alternate():
            turns.reverse()
            ours(*turns[0])

        direct, nothing = make_driver_call(tensors)
        ways = {"ours": lambda: ours(*tensors), "ours, other arrays": alternate,
                "ours, with a grid": lambda: ours[1](*tensors),
                "ours, prepared": ours.prepare(*tensors),
                "a plan's launch by ctypes": direct,
                "a call by ctypes": nothing,
                "triton": lambda: theirs[(1,)](*tensors, n=1024),
                "a Python call": lambda: None}
        for way in ways.values():
            way()
        times = {name: [] for name in ways}
        for _ in range(ROUNDS):
            for name, way in ways.items():
                times[name].append(time_series(way))
        for name, found in times.items():
            print(f"{count} arrays, {name}: {min(found):.2f} us, median "
                  f"{sorted(found)[len(found) // 2]:.2f}")


if __name__ == "__main__":
    main()
