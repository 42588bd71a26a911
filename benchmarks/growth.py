#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times tile-compile on programs of one kind and of growing length, and checks that
the time grows at most linearly with the length.

  python3 growth.py --compiler build/bin/tile-compile --out FILE
  python3 growth.py --host build/bin/tile-opt
  python3 growth.py --print KIND:LENGTH

With --host, -tile-to-cpu is timed on the kinds of programs for the CPU path. A time is
the median of the processor time of whole processes with --emit=ptx, which depends less
on other work on the machine than wall time does. Growth is linear if t(1000) - t(10) is
at most 12 (t(100) - t(10)): there are 11 times as many additional operations, and a
tenth is allowed for noise. The exit status is 1 if growth is not linear, or if a
program does not compile.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import compile_time
import tables

LENGTHS = (10, 100, 1000)
LIMIT = 12


def write_kernel(arguments, lines):
    body = "".join(f"  {line}\n" for line in lines)
    return (f"tile.kernel @growth({arguments}) attributes "
            f"{{block = 128 : i64}} {{\n{body}  tile.return\n}}\n")


def write_elementwise(length):
    """Writes x = x * y and x = x + y in turns, each on the result of the previous
    one."""
    tile = "!tile.tile<1024xf32>"
    lines = ["%zero = arith.constant 0 : index",
             f"%x0 = tile.load %x[%zero] : memref<?xf32> -> {tile}",
             f"%y0 = tile.load %y[%zero] : memref<?xf32> -> {tile}"]
    for i in range(length):
        name = "addf" if i % 2 else "mulf"
        lines.append(f"%x{i + 1} = arith.{name} %x{i}, %y0 : {tile}")
    lines.append(f"tile.store %x{length}, %x[%zero] : {tile}, memref<?xf32>")
    return write_kernel("%x: memref<?xf32>, %y: memref<?xf32>", lines)


MATRIX = "memref<?x?xf16>"
OPERAND = "!tile.tile<32x32xf16>"
RESULT = "!tile.tile<32x32xf32>"


def write_matmul(result, lhs, rhs, accumulator):
    return (f"{result} = tile.matmul {lhs}, {rhs}, {accumulator} : {OPERAND}, "
            f"{OPERAND} -> {RESULT}")


def write_matmuls(length):
    """Writes matmuls, each of which multiplies the result of the previous one."""
    lines = ["%zero = arith.constant 0 : index",
             f"%c = arith.constant dense<0.0> : {RESULT}",
             f"%x0 = tile.load %x[%zero, %zero] : {MATRIX} -> {OPERAND}",
             f"%y0 = tile.load %y[%zero, %zero] : {MATRIX} -> {OPERAND}"]
    for i in range(length):
        lines.append(write_matmul(f"%p{i}", f"%x{i}", "%y0", "%c"))
        lines.append(f"%x{i + 1} = tile.cast %p{i} : {RESULT} to {OPERAND}")
    lines.append(f"tile.store %x{length}, %x[%zero, %zero] : {OPERAND}, "
                 f"{MATRIX}")
    return write_kernel(f"%x: {MATRIX}, %y: {MATRIX}", lines)


def write_loads(length):
    """Writes a sum of matmuls of two loaded tiles: three operations for each term."""
    count = length // 3
    lines = ["%zero = arith.constant 0 : index",
             f"%c0 = arith.constant dense<0.0> : {RESULT}"]
    for i in range(count):
        lines.append(f"%k{i} = arith.constant {32 * i} : index")
        lines.append(f"%a{i} = tile.load %a[%zero, %k{i}] : {MATRIX} -> "
                     f"{OPERAND}")
        lines.append(f"%b{i} = tile.load %b[%k{i}, %zero] : {MATRIX} -> "
                     f"{OPERAND}")
        lines.append(write_matmul(f"%c{i + 1}", f"%a{i}", f"%b{i}", f"%c{i}"))
    lines.append(f"tile.store %c{count}, %c[%zero, %zero] : {RESULT}, "
                 "memref<?x?xf32>")
    return write_kernel(f"%a: {MATRIX}, %b: {MATRIX}, %c: memref<?x?xf32>",
                        lines)


def write_reductions(length):
    """Writes repeated subtractions of the row sums of a tile: four operations each
    time."""
    tile = "!tile.tile<64x64xf32>"
    count = length // 4
    lines = ["%zero = arith.constant 0 : index",
             f"%x0 = tile.load %x[%zero, %zero] : memref<64x64xf32> -> {tile}"]
    for i in range(count):
        lines += [f"%s{i} = tile.reduce add %x{i} axis 1 : {tile} to "
                  "!tile.tile<64xf32>",
                  f"%c{i} = tile.reshape %s{i} : !tile.tile<64xf32> to "
                  "!tile.tile<64x1xf32>",
                  f"%b{i} = tile.broadcast %c{i} : !tile.tile<64x1xf32> to "
                  f"{tile}",
                  f"%x{i + 1} = arith.subf %x{i}, %b{i} : {tile}"]
    lines.append(f"tile.store %x{count}, %x[%zero, %zero] : {tile}, "
                 "memref<64x64xf32>")
    return write_kernel("%x: memref<64x64xf32>", lines)


def write_accumulators(length):
    """Writes matmuls that all have the same tile of zeros as their accumulator, and
    adds their results."""
    tile = "!tile.tile<8x8xf32>"
    lines = ["%zero = arith.constant 0 : index",
             "%none = arith.constant 0.0 : f32",
             f"%c = tile.fill %none : {tile}",
             f"%x0 = tile.load %x[%zero, %zero] : memref<8x8xf32> -> {tile}"]
    for i in range(length // 2):
        lines += [f"%p{i} = tile.matmul %x{i}, %x0, %c : {tile}, {tile} -> "
                  f"{tile}",
                  f"%x{i + 1} = arith.addf %x{i}, %p{i} : {tile}"]
    lines.append(f"tile.store %x{length // 2}, %x[%zero, %zero] : {tile}, "
                 "memref<8x8xf32>")
    return write_kernel("%x: memref<8x8xf32>", lines)


KINDS = {"elementwise": write_elementwise, "products": write_matmuls,
         "loads_with_products": write_loads}
HOST_KINDS = {"reductions": write_reductions,
              "accumulators": write_accumulators}
ALL_KINDS = KINDS | HOST_KINDS


def is_linear(times):
    """Whether the medians of the three lengths grow linearly."""
    small, middle, large = times
    return large - small <= LIMIT * (middle - small)


def format_row(name, arch, medians):
    small, middle, large = medians
    growth = (large - small) / (middle - small)
    return [name, arch, *(f"{median:.3f}" for median in medians),
            f"{growth:.1f}"]


def format_rows(rows, facts):
    return tables.format_csv(
        ["program", "architecture", *(f"s_{n}" for n in LENGTHS), "growth"],
        rows, facts)


def time_once(command):
    """Returns the seconds of processor time, and the error message if the command
    fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode != 0:
        return 0, result.stderr.strip()
    return (after.ru_utime + after.ru_stime
            - before.ru_utime - before.ru_stime), None


def make_command(options, program, arch, folder):
    if options.host:
        return [options.host, program, "-tile-to-cpu", "-o", f"{folder}/out.mlir"]
    return [options.compiler, program, "-o", f"{folder}/out.ptx",
            f"--arch={arch}", "--emit=ptx"]


def measure(options, kind, arch, folder):
    """Returns the median time of each length."""
    medians = []
    for length in LENGTHS:
        program = Path(folder) / f"{kind}_{length}.mlir"
        program.write_text(ALL_KINDS[kind](length))
        times = []
        for _ in range(options.runs):
            seconds, message = time_once(
                make_command(options, str(program), arch, folder))
            if message is not None:
                sys.exit(f"{kind}:{length} does not compile:\n{message}")
            times.append(seconds)
        medians.append(statistics.median(times))
    return medians


def parse_program(text):
    kind, _, length = text.partition(":")
    if kind not in ALL_KINDS or not length.isdigit():
        raise argparse.ArgumentTypeError(
            f"expected KIND:LENGTH with a kind of {', '.join(ALL_KINDS)}, "
            f"found '{text}'")
    return ALL_KINDS[kind](int(length))


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default="tile-compile",
                        help="the path of tile-compile")
    parser.add_argument("--arch", action="append",
                        help="sm_80 and sm_90a by default")
    parser.add_argument("--host", metavar="TILE_OPT",
                        help="the path of tile-opt, to time the CPU path")
    parser.add_argument("--kind", action="append", choices=ALL_KINDS,
                        help="all by default")
    parser.add_argument("--runs", type=int, default=5,
                        help="counted runs of each, 5 by default")
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--out", metavar="FILE", help="write the table here")
    parser.add_argument("--print", type=parse_program, dest="program",
                        metavar="KIND:LENGTH",
                        help="print a program instead")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if options.program:
        print(options.program, end="")
        return 0
    rows, failed = [], False
    with tempfile.TemporaryDirectory() as folder:
        archs = ["cpu"] if options.host else options.arch or ["sm_80", "sm_90a"]
        for kind in options.kind or (HOST_KINDS if options.host else KINDS):
            for arch in archs:
                medians = measure(options, kind, arch, folder)
                failed |= not is_linear(medians)
                rows.append(format_row(kind, arch, medians))
                print(": ".join([kind, ", ".join(rows[-1][1:])]), flush=True)
    text = format_rows(rows, tables.format_facts(
        f"{compile_time.get_processor()}, {os.cpu_count()} processors",
        f"medians of {options.runs} runs in seconds of the processor",
        f"commit {options.commit}"))
    print("\n" + text)
    if options.out:
        Path(options.out).write_text(text)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
