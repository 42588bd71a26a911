#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the classic optimization steps of an f32 matmul, each compared with the step
before.

Each step is a set of parameters of warp tiling (docs/WarpTiling.md), written as
a name of product.py:

  python3 sgemm_steps.py                    the steps and their names
  python3 sgemm_steps.py --folder DIR       a file STEP.mlir each
  python3 sgemm_steps.py --compile build/bin/tile-compile --cubins DIR \\
      --only compile
  python3 sgemm_steps.py --cubins DIR --commit HASH --out FILE

The third command makes cubins. The last one needs a GPU and PyTorch; it checks each
result, then times it. The exit status is 1 if a result is wrong, or if a step has less
than ALLOWED times the speed of the step before, at a size of at least FIRST_JUDGED.
"""

import argparse
import sys
from pathlib import Path

import gemm
import launcher
import product
import tables
from launcher import BenchmarkError
from matrices import find_program

STEPS = {
    # A thread computes one element of C from a row of A and a column of B in global
    # memory.
    "naive": "gemm_f32_32x32x8_b1024_w32x1_u1x1_t1x1_fma_global_v1_s1",
    # The block copies tiles of A and B to shared memory first.
    "shared_block": "gemm_f32_32x32x32_b1024_w32x1_u1x1_t1x1_fma_v1_s1",
    # A thread has eight elements of a column, and an element of B in a register.
    "thread_1d": "gemm_f32_64x64x8_b512_w8x2_u1x1_t8x1_fma_v1_s1",
    # A thread has 8x8 elements, so that each loaded element is used eight times.
    "thread_2d": "gemm_f32_128x128x8_b256_w8x1_u1x1_t8x8_fma_v1_s1",
    # A thread copies 16 bytes at a time.
    "vectorised": "gemm_f32_128x128x8_b256_w8x1_u1x1_t8x8_fma_v4_s1",
    # A warp has 32x64 of C, in two sub-tiles of 32x32.
    "warp_tiled": "gemm_f32_128x128x16_b256_w4x2_u1x2_t8x4_fma_v4_s1",
    # The cost model chooses all parameters, including the stages in flight.
    "chosen": "gemm_f32_128x128x16",
}
SIZES = [256, 512, 1024, 2048, 4096]
FIRST_JUDGED = 1024
ALLOWED = 0.97
CHECK_SIZES = [(17, 33, 65), (256, 256, 256), (1024, 1024, 1024)]


def get_program(step):
    return product.parse_name(STEPS[step])


def write_steps(folder):
    """Writes STEP.mlir for each step."""
    folder.mkdir(parents=True, exist_ok=True)
    for step in STEPS:
        (folder / f"{step}.mlir").write_text(get_program(step).write())


def load_steps(folder):
    """Returns the steps in order, each with its kernel."""
    kernels = {kernel.label: kernel for kernel in launcher.load_kernels(folder)
               if find_program(kernel)}
    missing = [name for name in STEPS.values() if name not in kernels]
    if missing:
        raise BenchmarkError(f"{folder}: expected {missing[0]}.cubin; make it "
                             "with --compile TILE_COMPILE")
    return {step: kernels[name] for step, name in STEPS.items()}


def is_slower(size, speed):
    """Whether a step is too slow. `speed` is relative to the step before."""
    return size >= FIRST_JUDGED and not speed >= ALLOWED


def format_row(step, timing, before):
    """Returns a row of the table, and whether the step failed or is too slow."""
    row = [step, gemm.format_size(timing.size)]
    if timing.problem:
        return row + [timing.problem], True
    speed = before.ours / timing.ours if before else 1.0
    peer = (tables.format_percent(timing.theirs / timing.ours)
            if timing.peer else "")
    return [*row, f"{timing.ours:.1f}",
            f"{timing.get_teraflops(timing.ours):.2f}",
            f"{speed:.2f}" if before else "", peer,
            tables.format_percent(timing.spread)
            ], is_slower(timing.size[0], speed)


def format_timings(timings, facts):
    """Formats the table of `timings`, {step: {size: timing}}, sorted by size and then
    by step. Also returns the rows of steps that failed, which are not in the table, or
    are too slow."""
    rows, refused = [], []
    sizes = list(dict.fromkeys(size for found in timings.values()
                               for size in found))
    for size in sizes:
        before = None
        for step, found in timings.items():
            row, is_refused = format_row(step, found[size], before)
            rows += [row] * (not found[size].problem)
            refused += [" ".join(row[:2])] * is_refused
            before = None if found[size].problem else found[size]
    return tables.format_csv(
        ["step", "size", "us", "tflops", "speed_of_step_before",
         "percent_of_cublas", "spread_percent"], rows, facts), refused


def measure(steps, options):
    """Checks and times every step; returns the problems."""
    torch = gemm.import_torch()
    driver = launcher.Driver()
    sizes = [(n,) * 3 for n in options.size or SIZES]
    problems, timings = [], {}
    for step, kernel in steps.items():
        print(f"{step}: {kernel.label}")
        if options.only != "time":
            problems += [f"{step}: {found.problem}" for found in
                         gemm.check_kernel(torch, driver, kernel, CHECK_SIZES)
                         if found.problem]
        if options.only != "check":
            timings[step] = {found.size: found for found in gemm.time_kernel(
                torch, driver, kernel, sizes)}
    if timings:
        text, refused = format_timings(timings, gemm.format_facts(
            options.commit, f"torch {torch.__version__}"))
        print("\n" + text)
        if options.out:
            Path(options.out).write_text(text)
        problems += [f"{row}: less than {ALLOWED} of the speed of the step "
                     "before" for row in refused]
    return problems


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", type=Path, metavar="DIR",
                        help="write the programs here")
    parser.add_argument("--cubins", metavar="DIR",
                        help="cubins with their metadata beside them")
    parser.add_argument("--compile", metavar="TILE_COMPILE",
                        help="first make them of the programs")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--only", choices=["compile", "check", "time"],
                        help="this stage alone")
    parser.add_argument("--size", type=int, action="append", metavar="N",
                        help="instead of the usual sizes")
    parser.add_argument("--commit", default="unknown",
                        help="the commit that compiled, for the table")
    parser.add_argument("--out", metavar="FILE", help="write the table here")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if options.folder:
        return write_steps(options.folder)
    if not options.cubins:
        print("\n".join(f"{step:13} {name}" for step, name in STEPS.items()))
        return 0
    if options.compile:
        failures = launcher.compile_programs(
            options.compile,
            launcher.write_programs(options.cubins, map(get_program, STEPS)),
            options.cubins, options.arch)
        if failures:
            return 1
    steps = load_steps(options.cubins)
    if options.only == "compile":
        return 0
    problems = measure(steps, options)
    print("\n".join(problems) or "every step is right and fast enough")
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchmarkError as error:
        sys.exit(f"sgemm_steps.py: error: {error}")
