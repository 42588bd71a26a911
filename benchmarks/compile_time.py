#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times tile-compile, as whole processes, on the examples, a matmul of each type,
Fourier transforms and a factorisation.

  python3 compile_time.py --compiler build/bin/tile-compile --out FILE

Each time is wall time from the start of the process to its end. With `--emit=cubin` it
includes ptxas. The first run of each program is not counted. The exit status is 1 if a
program does not compile, or if --check is given and a median is over its limit: 0.15 s
to PTX, 0.5 s to a cubin, and the limits of TRANSFORMS.
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import factor
import fourier
import launcher
import product
import tables

ROOT = Path(__file__).resolve().parent.parent
LIMITS = {"ptx": 0.15, "cubin": 0.5}
TRANSFORMS = {"fft_c64_n16_m16": {"ptx": 0.15, "cubin": 0.6},
              "fft_c64_n1024_m1": {"ptx": 0.15, "cubin": 0.6},
              "fft_c64_n1009_m1": {"ptx": 0.3, "cubin": 1.2},
              "fft_c64_n16384_m1": {"ptx": 0.3, "cubin": 1.2}}
FACTORISATIONS = ["cholesky_f32_n32_m4"]


def find_programs(folder):
    """Returns the examples and the other programs, which are written to `folder`."""
    others = [program for program in product.list_programs()
              if program.order == "nn"]
    others += map(fourier.parse_name, TRANSFORMS)
    others += map(factor.parse_name, FACTORISATIONS)
    return [*sorted(ROOT.glob("examples/*/*.mlir")),
            *launcher.write_programs(folder, others)]


def time_once(command):
    """Returns the seconds of one run, and the error message if it fails, else None."""
    start = time.perf_counter()
    result = subprocess.run(command, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    return seconds, result.stderr.strip() if result.returncode != 0 else None


def time_program(options, program, emit, folder):
    """Returns the seconds of each counted run, and the error message of a run that
    failed, else None."""
    command = [options.compiler, str(program), "-o", f"{folder}/out.{emit}",
               f"--arch={options.arch}", f"--emit={emit}"]
    times = []
    for _ in range(options.runs + 1):
        seconds, message = time_once(command)
        if message is not None:
            return [], message
        times.append(seconds)
    return times[1:], None


def format_times(times):
    """Formats the least, the median and the greatest time."""
    return [f"{f(times):.3f}" for f in (min, statistics.median, max)]


def format_rows(rows, facts):
    return tables.format_csv(
        ["program", "emit", "min_s", "median_s", "max_s", "limit_s"], rows,
        facts)


def get_processor():
    """Returns the processor's name as Linux reports it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default="tile-compile",
                        help="the path of tile-compile")
    parser.add_argument("--arch", default="sm_80",
                        help="tile-compile's default by default")
    parser.add_argument("--runs", type=int, default=10,
                        help="counted runs of each, 10 by default")
    parser.add_argument("--check", action="store_true",
                        help="fail if a median is over the limits")
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--out", metavar="FILE", help="write the table here")
    parser.add_argument("programs", nargs="*", type=Path,
                        help="instead of the examples")
    return parser.parse_args()


def main():
    options = parse_arguments()
    rows, failed = [], False
    with tempfile.TemporaryDirectory() as folder:
        for program in options.programs or find_programs(folder):
            said = []
            for emit, limit in TRANSFORMS.get(program.stem, LIMITS).items():
                try:
                    times, message = time_program(options, program, emit,
                                                  folder)
                except OSError as error:
                    sys.exit(f"compile_time.py: error: {error}")
                if message is not None:
                    print(f"{program}: does not compile:\n{message}",
                          file=sys.stderr)
                    failed = True
                    said.append("does not compile")
                    continue
                over = statistics.median(times) > limit
                failed |= options.check and over
                rows.append([program.stem, emit, *format_times(times),
                             f"{limit}"])
                said.append(" / ".join(format_times(times)) +
                            (" (over)" if over else ""))
            print(f"{program.stem}: {', '.join(said)}", flush=True)
    text = format_rows(rows, tables.format_facts(
        f"{get_processor()}, {os.cpu_count()} processors",
        f"{options.runs} runs", f"commit {options.commit}"))
    print("\n" + text)
    if options.out:
        Path(options.out).write_text(text)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
