# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of benchmarks that have a list of programs. It makes cubins of the
programs, checks each on the GPU, and times those with right results.

A program has a `name`, by which its files are named, and `write()`, which returns its
text.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import gemm
import launcher
from launcher import BenchmarkError


@dataclass
class Benchmark:
    """The functions and data that differ between benchmarks. `check` and `time` take
    PyTorch, the driver, the kernel and its program; `time` also takes an extent. Both
    raise BenchmarkError for a wrong result."""
    description: str
    programs: list
    parse_name: Callable
    check: Callable
    get_extents: Callable
    time: Callable  # returns rows of the table
    format_rows: Callable  # formats rows with the facts of their run
    versions: tuple = ()  # versions of peers other than PyTorch


def parse_arguments(benchmark):
    parser = argparse.ArgumentParser(
        description=benchmark.description,
        formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cubins", required=True, metavar="DIR", type=Path)
    parser.add_argument("--compile", metavar="TILE_COMPILE",
                        help="first make them of the programs")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--program", action="append", metavar="NAME",
                        type=benchmark.parse_name,
                        help="instead of the usual programs")
    parser.add_argument("--kernel", default="", metavar="REGEX",
                        help="only programs whose name matches")
    parser.add_argument("--only", choices=["compile", "check", "time"])
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--out", metavar="FILE", help="write the table here")
    return parser.parse_args()


def measure(benchmark, programs, options):
    """Checks each program, then times it. Writes the table after each program. Returns
    the number of programs that are wrong."""
    kernels = {kernel.label: kernel
               for kernel in launcher.load_kernels(options.cubins)}
    torch = gemm.import_torch()
    driver = launcher.Driver()
    facts = gemm.format_facts(options.commit, f"torch {torch.__version__}",
                              *benchmark.versions)
    rows, wrong = [], 0
    for program in programs:
        try:
            what = torch, driver, kernels[program.name], program
            if options.only != "time":
                benchmark.check(*what)
            if options.only != "check":
                for extent in benchmark.get_extents(program):
                    rows += benchmark.time(*what, extent)
        except (BenchmarkError, KeyError, RuntimeError) as error:
            print(f"{program.name}: {gemm.get_first_line(error)}",
                  file=sys.stderr)
            wrong += 1
        torch.cuda.empty_cache()
        if options.out and rows:
            Path(options.out).write_text(benchmark.format_rows(rows, facts))
    return wrong


def run(benchmark):
    """Runs the stages that the command line requests; returns how many programs do
    not compile or are wrong."""
    options = parse_arguments(benchmark)
    programs = [program for program in options.program or benchmark.programs
                if re.search(options.kernel, program.name)]
    failures = 0
    if options.compile:
        failures = launcher.compile_programs(
            options.compile, launcher.write_programs(options.cubins, programs),
            options.cubins, options.arch)
    if options.only != "compile" and not failures:
        failures = measure(benchmark, programs, options)
    return failures


def main(benchmark):
    """Runs the benchmark and exits, with 1 if something failed."""
    try:
        sys.exit(run(benchmark) != 0)
    except BenchmarkError as error:
        sys.exit(f"{Path(sys.argv[0]).name}: error: {error}")
