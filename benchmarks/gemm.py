#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks compiled matmuls against float64 and times them with cuBLAS.

The kernels are cubins with their metadata, so the second command needs a GPU and
PyTorch, but no compiler:

  python3 gemm.py --compile build/bin/tile-compile --cubins DIR --only compile
  python3 gemm.py --cubins DIR --commit HASH --out FILE

The measured programs are listed in product.py; --program NAME, which may be repeated,
measures other programs instead. product.py explains their names. README.md describes
how times are measured. Without a GPU, --dry-run prints the launches.
"""

import argparse
import math
import re
import subprocess
import sys
from pathlib import Path

import check
import launcher
import product
import tables
import timing
from launcher import BenchmarkError
from matrices import OFFSET, PADDED, TIGHT, Matmul, describe_all, find_program

CHECK_SIZES = [(1, 1, 1), (17, 33, 65), (64, 48, 80), (130, 70, 0),
               (1000, 1000, 1000), (16, 4096, 4096), (4095, 4097, 4093),
               (4096, 4096, 4096), (8192, 8192, 8192)]
BATCHED_CHECK_SIZES = [(1, 1, 1, 1), (3, 17, 33, 65), (5, 64, 48, 80),
                       (2, 130, 70, 0), (100, 64, 64, 64), (7, 500, 300, 200),
                       (1000, 32, 32, 32)]
# Each memory layout, with the largest M for which it is checked.
LAYOUTS = [(TIGHT, math.inf), (PADDED, 4096), (OFFSET, 1024)]
RECTANGLES = [(16, 4096, 4096), (4095, 4097, 4093)]
# CUBES are sizes for tensor cores, SMALL_CUBES for FMA.
CUBES = [1024, 2048, 4096, 8192]
SMALL_CUBES = [512, 1024, 2048, 4096]
LONG = [(256, 256, 16384), (128, 512, 65536), (1024, 1024, 16384)]
BATCHES = [(4096, 32, 32, 32), (2048, 64, 64, 64), (512, 128, 128, 128),
           (64, 512, 512, 512)]
MATRIX_OPERANDS = ("f16", "bf16", "e4m3", "e5m2", "i8")


def get_check_sizes(program):
    """Returns the sizes at which a program is checked."""
    if program.batched:
        return BATCHED_CHECK_SIZES
    # The workspace for the largest C would need some GiB.
    return CHECK_SIZES[:6] + LONG[:1] if program.parts else CHECK_SIZES


def get_time_sizes(program):
    """Returns the sizes at which a program is timed."""
    if program.batched:
        return BATCHES
    if program.parts:
        return LONG
    has_unit = (program.facts.operand in MATRIX_OPERANDS or
                program.facts.precision == "tf32" or
                program.facts.operand == "f64")
    return [*((n,) * 3 for n in (CUBES if has_unit else SMALL_CUBES)),
            *RECTANGLES]


def get_profile_sizes(program):
    """Returns the sizes at which a program is launched for a profiler."""
    return [(64, 512, 512, 512) if program.batched else (2048,) * 3]


def check_kernel(torch, driver, kernel, sizes):
    """Checks the results at every size, in tight, padded and misaligned matrices."""
    checks = []
    for size in sizes:
        for layout, largest in LAYOUTS:
            if size[-3] > largest or (find_program(kernel).sizes and
                                      layout is not TIGHT):
                continue
            found = check.Check(kernel.label, size, layout.name)
            try:
                multiplied = Matmul(torch, driver, kernel, size, layout)
                found.entry = multiplied.launch.entry["symbol"]
                check.run_and_compare(torch, multiplied, found)
                del multiplied
            except (BenchmarkError, RuntimeError) as error:
                found.problem = get_first_line(error)
            checks.append(found)
            print(f"  {product.format_pair(size):>16} {layout.name:>6}  "
                  f"{found.entry}: worst {found.worst:.3g} of the bound, norm "
                  f"{found.norm:.2g} {found.problem or 'ok'}", flush=True)
    torch.cuda.empty_cache()
    return checks


def time_kernel(torch, driver, kernel, sizes):
    """Times the kernel at every size. A size that fails gets a timing with a
    problem."""
    timings = []
    for size in sizes:
        try:
            found = timing.time_kernel(torch, driver, kernel, size)
        except (BenchmarkError, RuntimeError) as error:
            found = [timing.Timing(kernel.label, size,
                                   problem=get_first_line(error))]
        torch.cuda.empty_cache()
        timings += found
        for t in found:
            print(f"  {t.label} {format_size(t.size)}: "
                  f"{t.problem or format_times(t)}", flush=True)
    return timings


def get_first_line(error):
    return (str(error).strip() or type(error).__name__).splitlines()[0]


# ---------------------------------------------------------------------------
# Tables
# ---------------------------------------------------------------------------

def format_size(size):
    """Formats a size: N for NxNxN, BxMxNxK for a batch."""
    is_cube = len(size) == 3 and len(set(size)) == 1
    return product.format_pair(size[0] if is_cube else size)


def format_times(t):
    """Formats a timing as text."""
    beside = (f"{t.peer} {t.theirs:.1f} us, {t.theirs / t.ours:.1%}" if t.peer
              else "no peer")
    return f"{t.ours:.1f} us, {beside}, series within {t.spread:.1%}"


def format_timing(t):
    """Formats a timing as a row of the table of times."""
    theirs = [""] * 4
    if t.peer:
        theirs = [t.peer, f"{t.theirs:.1f}", f"{t.get_teraflops(t.theirs):.1f}",
                  tables.format_percent(t.theirs / t.ours)]
    return [t.label, format_size(t.size), f"{t.ours:.1f}",
            f"{t.get_teraflops(t.ours):.1f}", *theirs,
            tables.format_percent(t.spread)]


def format_timings(timings, facts):
    """Formats the table of times; the percentage is our speed relative to the
    peer's. Timings with a problem are left out."""
    return tables.format_csv(
        ["program", "size", "us", "tflops", "peer", "peer_us", "peer_tflops",
         "percent_of_peer", "spread_percent"],
        [format_timing(t) for t in timings if not t.problem], facts)


def get_largest(values):
    """Returns the largest value, or NaN if a value is NaN."""
    values = list(values)
    return next((x for x in values if math.isnan(x)), max(values))


def format_checks(checks, facts):
    """Formats the worst comparison of each kernel and size, over the layouts."""
    groups, rows = {}, []
    for found in checks:
        groups.setdefault((found.label, found.size), []).append(found)
    for (label, size), group in groups.items():
        problems = [f"{c.layout}: {c.problem}" for c in group if c.problem]
        rows.append([label, product.format_pair(size),
                     "; ".join(dict.fromkeys(c.entry for c in group)),
                     f"{get_largest(c.worst for c in group):.3f}",
                     f"{get_largest(c.norm for c in group):.1e}",
                     "; ".join(problems) or "ok"])
    return tables.format_csv(
        ["program", "size", "entry_points", "worst_error_of_bound",
         "error_in_norm", "result"], rows, facts)


def write_tables(options, facts, checks, timings):
    """Writes the requested tables that have rows, and returns them."""
    texts = []
    for rows, form, path in ((checks, format_checks, options.out_checks),
                             (timings, format_timings, options.out)):
        if rows:
            texts.append(form(rows, facts))
            if path:
                Path(path).write_text(texts[-1])
    return texts


def query_card(what):
    """Returns a property of the first GPU from nvidia-smi."""
    try:
        answer = subprocess.run(
            ["nvidia-smi", f"--query-gpu={what}", "--format=csv,noheader"],
            capture_output=True, text=True)
        return answer.stdout.splitlines()[0].strip()
    except (OSError, IndexError):
        return "unknown"


def get_card():
    return query_card("name")


def get_driver_version():
    return query_card("driver_version")


def format_facts(commit, *facts):
    """Formats the facts of a measurement: date, GPU, driver, `facts` and commit."""
    return tables.format_facts(
        get_card(), f"driver {get_driver_version()}", *facts,
        f"commit {commit}")


# ---------------------------------------------------------------------------
# The command
# ---------------------------------------------------------------------------

def parse_size(text):
    """Parses BxMxNxK, MxNxK, or one extent for all three."""
    extents = [int(part) for part in text.split("x")]
    if len(extents) not in (1, 3, 4) or min(extents) < 0:
        raise argparse.ArgumentTypeError("expected N, MxNxK or BxMxNxK, "
                                         f"found {text}")
    return tuple(extents * 3 if len(extents) == 1 else extents)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cubins", required=True, metavar="DIR",
                        help="cubins with their metadata beside them")
    parser.add_argument("--compile", metavar="TILE_COMPILE",
                        help="first make them of the programs")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--kernel", default="", metavar="REGEX",
                        help="only kernels whose label matches")
    parser.add_argument("--program", action="append", metavar="NAME",
                        type=product.parse_name,
                        help="instead of the usual programs")
    parser.add_argument("--only",
                        choices=["compile", "check", "time", "launch"],
                        help="this stage alone; launch: once, for a profiler")
    parser.add_argument("--size", type=parse_size, action="append",
                        metavar="N|MxNxK|BxMxNxK",
                        help="instead of the usual sizes; of a batch the last")
    parser.add_argument("--commit", default="unknown",
                        help="the commit that compiled, for the table")
    parser.add_argument("--out", metavar="FILE",
                        help="write the table of times here")
    parser.add_argument("--out-checks", metavar="FILE",
                        help="write the table of checks here")
    parser.add_argument("--dry-run", action="store_true",
                        help="say what would be launched; needs no GPU")
    return parser.parse_args()


def choose_programs(options):
    """Returns the programs that the options select."""
    return [program for program in options.program or product.list_programs()
            if re.search(options.kernel, program.name)]


def is_wanted(label, options):
    """Whether the options select the kernel."""
    names = [program.name for program in options.program or []]
    return ((not names or label in names) and
            re.search(options.kernel, label) is not None)


def choose_sizes(kernel, options, get_usual):
    """Returns the sizes for a kernel: the sizes of --size that have the kernel's rank,
    or, without --size, its static sizes, if it has any, else the usual ones."""
    program = find_program(kernel)
    if not options.size:
        return [program.sizes] if program.sizes else get_usual(program)
    return [size for size in options.size
            if program.batched == (len(size) == 4)]


def dry_run(kernels, options):
    """Prints the entry point, grid and parameters of every launch that a check
    needs."""
    for kernel in kernels:
        for size in choose_sizes(kernel, options, get_check_sizes):
            for layout, largest in LAYOUTS:
                if size[-3] > largest:
                    continue
                arguments = describe_all(layout, size, kernel, 0x100000)
                entry = launcher.choose_entry(kernel, arguments)
                values = [p.value for p in
                          launcher.get_parameters(kernel, arguments)]
                print(f"{kernel.label} {product.format_pair(size)} "
                      f"{layout.name}: {entry['symbol']}, grid "
                      f"{launcher.get_grid(kernel, arguments)}, parameters "
                      f"{values}")


def import_torch():
    """Returns PyTorch, after making the GPU's primary context current and disabling
    TF32."""
    try:
        import torch
    except ImportError as error:
        raise BenchmarkError(f"PyTorch is needed: {error}") from error
    if not torch.cuda.is_available():
        raise BenchmarkError("PyTorch finds no GPU; try --dry-run")
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    torch.manual_seed(1)
    torch.zeros(1, device="cuda")
    return torch


def launch_once(torch, driver, kernels, options):
    """Launches each kernel once per size, and no other tile kernel."""
    for kernel in kernels:
        for size in choose_sizes(kernel, options, get_profile_sizes):
            multiplied = Matmul(torch, driver, kernel, size, TIGHT)
            torch.cuda.synchronize()
            multiplied.run()
            torch.cuda.synchronize()
            print(f"{kernel.label} {format_size(size)}: "
                  f"{multiplied.launch.entry['symbol']}")


def measure(torch, kernels, options):
    """Checks each kernel, then times it if its results are right. Writes the tables
    after each kernel. Returns the number of kernels that are wrong or cannot be
    timed."""
    driver = launcher.Driver()
    if options.only == "launch":
        launch_once(torch, driver, kernels, options)
        return 0
    facts = format_facts(options.commit, f"torch {torch.__version__}")
    checks, timings, texts, failures = [], [], [], 0
    for kernel in kernels:
        print(kernel.label)
        found = []
        if options.only != "time":
            found = check_kernel(
                torch, driver, kernel,
                choose_sizes(kernel, options, get_check_sizes))
            checks += found
        if options.only != "check" and not any(c.problem for c in found):
            found = time_kernel(
                torch, driver, kernel,
                choose_sizes(kernel, options, get_time_sizes))
            timings += found
        failures += any(x.problem for x in found)
        texts = write_tables(options, facts, checks, timings)
    print("", *texts, sep="\n")
    return failures


def main():
    options = parse_arguments()
    failures = 0
    if options.compile:
        failures += launcher.compile_programs(
            options.compile,
            launcher.write_programs(options.cubins, choose_programs(options)),
            options.cubins, options.arch)
    if options.only == "compile":
        return min(failures, 1)
    kernels = [kernel for kernel in launcher.load_kernels(options.cubins)
               if find_program(kernel) and is_wanted(kernel.label, options)]
    if not kernels:
        raise BenchmarkError(f"{options.cubins}: no matrix product matches "
                             f"'{options.kernel}'")
    if options.dry_run:
        dry_run(kernels, options)
        return min(failures, 1)
    failures += measure(import_torch(), kernels, options)
    return min(failures, 1)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchmarkError as error:
        sys.exit(f"gemm.py: error: {error}")
