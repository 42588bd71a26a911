# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the time from a kernel's first call until its launch, in milliseconds.

  python3 compile_time.py

A matmul is traced, parsed and verified, compiled to a cubin, and, in new processes,
traced and read from the cache on disk. Needs the compiler and ptxas, but no GPU. The
figures are the least and the median time of several runs.
"""

import os
import subprocess
import sys
import tempfile
import time

import tile_mlir as tile
from tile_mlir import ir, library
from tile_mlir.launching import cache

ROUNDS = 20
HALF = ir.ArrayType((None, None), tile.f16)
SINGLE = ir.ArrayType((None, None), tile.f32)
TYPES = HALF, HALF, SINGLE


@tile.kernel(grid=lambda c, m, n: (tile.cdiv(c.shape[0], m),
                                   tile.cdiv(c.shape[1], n)))
def gemm(a, b, c, *, m=64, n=64, k=32):
    i, j = tile.program_id(0) * m, tile.program_id(1) * n
    acc = tile.zeros((m, n))
    for p in range(0, a.shape[1], k):
        acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
    tile.store(c, (i, j), acc)


def time_ms(call, *arguments):
    start = time.perf_counter()
    call(*arguments)
    return (time.perf_counter() - start) * 1e3


def report(name, times):
    print(f"{name}: {min(times):.2f} ms, median {sorted(times)[len(times) // 2]:.2f}")


def check_program(text):
    """Only parses and verifies the program."""
    library.compile_text(text, machine=library.CUDA, arch="sm_90a", outputs=("ir",),
                         stop_after="canonicalize")


def compile_cubin(text):
    library.compile_text(text, machine=library.CUDA, arch="sm_90a",
                         outputs=("cubin", "metadata"))


def start_process():
    """Traces a first program, and reads its cubin from the cache; runs in a new
    process."""
    text = gemm.trace(*TYPES)
    made = cache.compile_kernel(text, "sm_90a", "<gemm>")
    assert made.cubin and not library.get_library.cache_info().currsize


def main():
    if sys.argv[1:] == ["start"]:
        print(time_ms(start_process))
        return
    report("first trace of a process", [time_ms(lambda: gemm.trace(*TYPES))])
    report("trace", [time_ms(lambda: gemm.trace(*TYPES, k=16 * n))
                     for n in range(3, 3 + ROUNDS)])
    text = gemm.trace(*TYPES)
    check_program(text)
    report("parse and check", [time_ms(check_program, text) for _ in range(ROUNDS)])
    report("compile", [time_ms(compile_cubin, text) for _ in range(ROUNDS)])
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TILE_CACHE_DIR"] = folder
        cache.compile_kernel(text, "sm_90a", "<gemm>")
        report("first call of a process, compiled before", [
            float(subprocess.run([sys.executable, __file__, "start"], check=True,
                                 capture_output=True, text=True).stdout)
            for _ in range(ROUNDS)])


if __name__ == "__main__":
    main()
