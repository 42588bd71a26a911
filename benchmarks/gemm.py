#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks compiled matrix products against float64 and times them with cuBLAS.

The kernels are cubins with their metadata, so this runs where there is a GPU
and PyTorch but no compiler:

  python3 gemm.py --compile build/bin/tile-compile --cubins DIR --only compile
  python3 gemm.py --cubins DIR --commit HASH --out FILE

What is measured is listed in product.py; --program NAME, of any number, takes
others instead, by the names that product.py explains. The method of the times is in docs/Performance.md. Without a GPU, --dry-run
says what would be launched.
"""

import argparse
import math
import re
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import launcher
import product
import tables
from launcher import Array, BenchmarkError

CHECK_SIZES = [(1, 1, 1), (17, 33, 65), (130, 70, 0), (1000, 1000, 1000),
               (4095, 4097, 4093), (4096, 4096, 4096)]
TIME_SIZES = {"f16": [1024, 2048, 4096, 8192], "f32": [512, 1024, 2048, 4096]}
# Accumulation of f16 and f32 products: c of the bound is K times this.
ROUNDING = {"f16": 2.0 ** -23, "bf16": 2.0 ** -23, "f32": 2.0 ** -24,
            "f64": 2.0 ** -53}
UNIT_ROUNDOFF = {"f16": 2.0 ** -11, "bf16": 2.0 ** -8, "f32": 2.0 ** -24,
                 "f64": 2.0 ** -53}
NORM_BOUND = {"f16": 2e-5, "bf16": 2e-5, "f32": 3e-6, "f64": 1e-14}
# Elements behind each matrix.
GUARD = 64
SERIES = 3
PAUSE_SECONDS = 0.1
WARM_UP_SECONDS = 0.003
SERIES_SECONDS = 0.012
MIN_REPLAYS = 3


# ---------------------------------------------------------------------------
# Matrices
# ---------------------------------------------------------------------------

@dataclass(frozen=True)
class Layout:
    """How a matrix lies in memory: elements before it, and how the distance
    between rows (or columns) follows from their length."""
    name: str
    offset: int
    pad: int

    def get_leading(self, length):
        """Elements from one row to the next: with `pad`, a multiple of 16
        that leaves at least `pad` elements between rows."""
        if self.pad == 0:
            return max(length, 1)
        return -(-(length + self.pad) // 16) * 16


TIGHT = Layout("tight", 0, 0)
# Rows aligned at every size: the fast entry point meets odd edges.
PADDED = Layout("padded", 0, 8)
OFFSET = Layout("offset", 1, 0)


def get_strides(declared, rows, cols, layout):
    """The strides for an argument: column-major if its first one is 1."""
    if declared["strides"][1] == 1:
        return layout.get_leading(cols), 1
    if declared["strides"][0] == 1:
        return 1, layout.get_leading(rows)
    raise BenchmarkError(f"argument '{declared['name']}': neither row-major "
                         "nor column-major")


def get_span(rows, cols, strides, layout):
    """Elements of the memory around a matrix: its offset, its padding, and
    some behind it."""
    length, leading = ((rows, strides[0]) if strides[1] == 1
                       else (cols, strides[1]))
    return layout.offset + max(length, 1) * leading + GUARD


def describe(layout, rows, cols, declared, address=0):
    """The argument as the launcher sees it."""
    strides = get_strides(declared, rows, cols, layout)
    size = launcher.BYTES[declared["type"]]
    return Array(address + layout.offset * size, (rows, cols), strides)


class Matrix:
    """A matrix on the GPU: NaN around it, and in it until something is put."""

    def __init__(self, torch, declared, rows, cols, layout):
        self.torch = torch
        strides = get_strides(declared, rows, cols, layout)
        types = {"f16": torch.float16, "bf16": torch.bfloat16,
                 "f32": torch.float32, "f64": torch.float64}
        if declared["type"] not in types:
            raise BenchmarkError(f"no matrices of {declared['type']}")
        self.memory = torch.full(
            (get_span(rows, cols, strides, layout),), float("nan"),
            dtype=types[declared["type"]], device="cuda")
        self.values = self.memory.as_strided((rows, cols), strides,
                                             layout.offset)
        self.argument = describe(layout, rows, cols, declared,
                                 self.memory.data_ptr())

    def fill_random(self):
        """Normal random values in the matrix, NaN stays around it."""
        self.values.copy_(self.torch.randn(
            self.values.shape, dtype=self.torch.float32, device="cuda"))

    def poison(self):
        self.memory.fill_(float("nan"))

    def is_clean_around(self):
        """True if nothing was written around the matrix."""
        outside = self.torch.ones_like(self.memory, dtype=self.torch.bool)
        outside.as_strided(self.values.shape, self.values.stride(),
                           self.values.storage_offset()).fill_(False)
        return bool(self.torch.isnan(self.memory[outside]).all())


class Product:
    """C = A B on the GPU, ready to be launched and to be compared."""

    def __init__(self, torch, driver, kernel, size, layout):
        m, n, k = size
        self.torch = torch
        shapes = [(m, k), (k, n), (m, n)]
        self.a, self.b, self.c = (
            Matrix(torch, declared, *shape, layout)
            for declared, shape in zip(kernel.arguments, shapes))
        self.a.fill_random()
        self.b.fill_random()
        self.workspaces = []
        self.launch = launcher.Launch(
            driver, kernel, [x.argument for x in (self.a, self.b, self.c)],
            self.allocate)

    def allocate(self, size):
        """Device memory that lives as long as this; torch aligns to 512."""
        self.workspaces.append(self.torch.empty(
            size, dtype=self.torch.uint8, device="cuda"))
        return self.workspaces[-1].data_ptr()

    def run(self):
        self.launch(self.torch.cuda.current_stream().cuda_stream)


def is_product(kernel):
    """True for three matrices A, B, C with C written, and nothing else."""
    arguments = kernel.arguments
    return (len(arguments) == 3 and
            all(a["kind"] == "array" and len(a["shape"]) == 2
                for a in arguments) and
            [a["access"] for a in arguments] == ["read", "read", "write"] and
            arguments[0]["type"] == arguments[1]["type"] and
            arguments[0]["type"] in ROUNDING)


# ---------------------------------------------------------------------------
# Accuracy
# ---------------------------------------------------------------------------

@dataclass
class Check:
    """What one comparison with float64 found. `worst` is the largest error
    over its bound, `norm` the relative error in the Frobenius norm."""
    label: str
    size: tuple
    layout: str
    entry: str
    worst: float = float("nan")
    norm: float = float("nan")
    problem: str = ""


def compare(torch, product, check, in_type, out_type):
    """Fills in `check` by the elementwise bound of the accuracy contract."""
    a, b = product.a.values.double(), product.b.values.double()
    out = product.c.values.double()
    reference = a @ b
    bound = (a.abs() @ b.abs()).mul_(a.shape[1] * ROUNDING[in_type])
    bound.add_(reference.abs(), alpha=UNIT_ROUNDOFF[out_type])
    error = (out - reference).abs_()
    num_wrong = int((~(error <= bound)).sum())
    ratio = torch.where(error == 0, torch.zeros_like(error), error / bound)
    check.worst = float(ratio.max())
    norm = float(reference.norm())
    check.norm = float(error.norm()) / norm if norm > 0 else check.worst
    num_unwritten = int(torch.isnan(out).sum())
    if num_unwritten:
        check.problem = f"{num_unwritten} elements are NaN or not written"
    elif num_wrong:
        check.problem = f"{num_wrong} elements are beyond the bound"
    elif a.shape[1] >= 64 and not check.norm <= NORM_BOUND[in_type]:
        check.problem = f"the norm is beyond {NORM_BOUND[in_type]:g}"
    elif not product.c.is_clean_around():
        check.problem = "memory around C was written"


def check_kernel(torch, driver, kernel, sizes):
    """Compares at every size, in tight, padded and misaligned matrices."""
    checks = []
    for size in sizes:
        for layout in (TIGHT, PADDED, OFFSET):
            if layout is OFFSET and size[0] > 1024:
                continue
            product = Product(torch, driver, kernel, size, layout)
            check = Check(kernel.label, size, layout.name,
                          product.launch.entry["symbol"])
            product.c.poison()
            product.run()
            torch.cuda.synchronize()
            compare(torch, product, check, kernel.arguments[0]["type"],
                    kernel.arguments[2]["type"])
            checks.append(check)
            print(f"  {format_size(size):>16} {layout.name:>6}  "
                  f"{check.entry}: worst {check.worst:.3g} of the bound, norm "
                  f"{check.norm:.2g} {check.problem or 'ok'}", flush=True)
            del product
    return checks


# ---------------------------------------------------------------------------
# Times
# ---------------------------------------------------------------------------

@dataclass
class Timing:
    """Medians of one workload, in microseconds."""
    label: str
    size: int
    entry: str
    ours: float
    theirs: float
    spread: float

    def get_teraflops(self, time_us):
        return 2 * self.size ** 3 / time_us * 1e-6


def count_sets(l2_bytes, set_bytes):
    """Input sets that exceed three times the L2 together, two at least."""
    return max(2, 3 * l2_bytes // set_bytes + 1)


def capture(torch, calls, stream):
    """A CUDA graph that holds all of `calls`, which it has run before."""
    with torch.cuda.stream(stream):
        for call in calls:
            call()
    stream.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for call in calls:
            call()
    return graph


def time_replay(torch, graph):
    """Seconds of one replay by events around it, the host waiting."""
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    start.record()
    graph.replay()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1000


def time_series(torch, graph, one_replay):
    """The median of a burst of replays, after a pause and a warm-up."""
    time.sleep(PAUSE_SECONDS)
    for _ in range(int(WARM_UP_SECONDS / one_replay) + 1):
        graph.replay()
    count = max(MIN_REPLAYS, round(SERIES_SECONDS / one_replay))
    events = [torch.cuda.Event(enable_timing=True) for _ in range(count + 1)]
    events[0].record()
    for event in events[1:]:
        graph.replay()
        event.record()
    torch.cuda.synchronize()
    return statistics.median(before.elapsed_time(after) / 1000
                             for before, after in zip(events, events[1:]))


def compare_with_library(products, outputs):
    """Refuses to time a kernel that does not do what the library does."""
    for product, output in zip(products[:2], outputs):
        ours, theirs = product.c.values.double(), output.double()
        error = float((ours - theirs).norm() / theirs.norm())
        if not error < 2e-3:
            raise BenchmarkError(f"{product.launch.entry['symbol']}: differs "
                                 f"from cuBLAS by {error:g} in the norm")


def time_kernel(torch, driver, kernel, size):
    """Times one size, interleaved with cuBLAS on the same inputs."""
    properties = torch.cuda.get_device_properties(0)
    elements = [launcher.BYTES[a["type"]] for a in kernel.arguments]
    num_sets = count_sets(properties.L2_cache_size, sum(elements) * size ** 2)
    products = [Product(torch, driver, kernel, (size,) * 3, TIGHT)
                for _ in range(num_sets)]
    outputs = [torch.empty((size, size), dtype=p.a.values.dtype,
                           device="cuda") for p in products]

    def multiply(product, output):
        return lambda: torch.mm(product.a.values, product.b.values, out=output)

    stream = torch.cuda.Stream()
    torch.cuda.synchronize()
    graphs = [capture(torch, [p.run for p in products], stream),
              capture(torch, [multiply(p, o)
                              for p, o in zip(products, outputs)], stream)]
    torch.cuda.synchronize()
    compare_with_library(products, outputs)
    replays = [min(time_replay(torch, graph) for _ in range(3))
               for graph in graphs]
    series = [[], []]
    for _ in range(SERIES):
        for side, graph in enumerate(graphs):
            series[side].append(time_series(torch, graph, replays[side])
                                / num_sets * 1e6)
    ours, theirs = (statistics.median(s) for s in series)
    spread = max((max(s) - min(s)) / statistics.median(s) for s in series)
    return Timing(kernel.label, size, products[0].launch.entry["symbol"],
                  ours, theirs, spread)


def time_all(torch, driver, kernels, sizes):
    """Times every kernel at the sizes of its type; prints as it goes."""
    timings = []
    for kernel in kernels:
        for size in sizes or TIME_SIZES.get(kernel.arguments[0]["type"], []):
            timing = time_kernel(torch, driver, kernel, size)
            torch.cuda.empty_cache()
            timings.append(timing)
            print(f"  {timing.label} {size}: {timing.ours:.1f} us, cuBLAS "
                  f"{timing.theirs:.1f} us, {timing.theirs / timing.ours:.1%}, "
                  f"series within {timing.spread:.1%}", flush=True)
    return timings


# ---------------------------------------------------------------------------
# Tables
# ---------------------------------------------------------------------------

def format_size(size):
    return "x".join(str(extent) for extent in size)


def format_timings(timings):
    """The table of times; the ratio is our speed over cuBLAS's."""
    rows = [[f"{t.label} {t.size}", f"{t.ours:.1f}",
             f"{t.get_teraflops(t.ours):.1f}", f"{t.theirs:.1f}",
             f"{t.get_teraflops(t.theirs):.1f}", f"{t.theirs / t.ours:.1%}",
             f"{t.spread:.1%}"] for t in timings]
    return tables.format_table(
        ["workload", "ours, us", "ours, TFLOP/s", "cuBLAS, us",
         "cuBLAS, TFLOP/s", "speed of cuBLAS's", "series within"], rows)


def get_largest(numbers):
    """The largest number, NaN if there is one."""
    numbers = list(numbers)
    return next((x for x in numbers if math.isnan(x)), max(numbers))


def format_checks(checks):
    """The worst comparison of each kernel and size over its layouts."""
    groups = {}
    for check in checks:
        groups.setdefault((check.label, check.size), []).append(check)
    rows = []
    for (label, size), group in groups.items():
        problems = [f"{c.layout}: {c.problem}" for c in group if c.problem]
        rows.append([f"{label} {format_size(size)}",
                     ", ".join(dict.fromkeys(c.entry for c in group)),
                     f"{get_largest(c.worst for c in group):.3f}",
                     f"{get_largest(c.norm for c in group):.1e}",
                     "; ".join(problems) or "ok"])
    return tables.format_table(
        ["product", "entry points", "worst error / bound", "error in norm",
         "result"], rows)


def query_card(what):
    """What nvidia-smi says of the first GPU."""
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


def format_heading(commit, *facts):
    """The date, the card and the commit: the line above every table."""
    return tables.format_heading(
        get_card(), f"driver {get_driver_version()}", *facts,
        f"commit {commit}")


# ---------------------------------------------------------------------------
# The command
# ---------------------------------------------------------------------------

def parse_size(text):
    """MxNxK, or one number for all three."""
    extents = [int(part) for part in text.split("x")]
    if len(extents) not in (1, 3) or min(extents) < 0:
        raise argparse.ArgumentTypeError(f"expected N or MxNxK, found {text}")
    return tuple(extents * (3 // len(extents)))


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
                        metavar="N|MxNxK", help="instead of the usual sizes")
    parser.add_argument("--commit", default="unknown",
                        help="the commit that compiled, for the table")
    parser.add_argument("--out", metavar="FILE", help="write the tables here")
    parser.add_argument("--dry-run", action="store_true",
                        help="say what would be launched; needs no GPU")
    return parser.parse_args()


def choose_programs(options):
    """The programs that the command is about."""
    return [program for program in options.program or product.list_programs()
            if re.search(options.kernel, program.name)]


def is_wanted(label, options):
    """True for a kernel that the command is about."""
    names = [program.name for program in options.program or []]
    return ((not names or label in names) and
            re.search(options.kernel, label) is not None)


def dry_run(kernels, sizes):
    """Prints the entry point, grid and parameters of every check."""
    for kernel in kernels:
        for m, n, k in sizes:
            for layout in (TIGHT, PADDED, OFFSET):
                arguments = [
                    describe(layout, rows, cols, declared, 0x100000)
                    for declared, (rows, cols) in zip(
                        kernel.arguments, [(m, k), (k, n), (m, n)])]
                entry = launcher.choose_entry(kernel, arguments)
                values = [p.value for p in
                          launcher.get_parameters(kernel, arguments)]
                print(f"{kernel.label} {m}x{n}x{k} {layout.name}: "
                      f"{entry['symbol']}, grid "
                      f"{launcher.get_grid(kernel, arguments)}, parameters "
                      f"{values}")


def import_torch():
    """PyTorch with a GPU, its primary context current, and TF32 off."""
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


def launch_once(torch, driver, kernels, sizes):
    """One launch of each kernel and size, and nothing else of ours."""
    for kernel in kernels:
        for size in sizes:
            product = Product(torch, driver, kernel, size, TIGHT)
            product.c.poison()
            torch.cuda.synchronize()
            product.run()
            torch.cuda.synchronize()
            print(f"{kernel.label} {format_size(size)}: "
                  f"{product.launch.entry['symbol']}")


def measure(torch, kernels, options):
    """Checks, then times what passed. Returns the text and the failures."""
    driver = launcher.Driver()
    if options.only == "launch":
        launch_once(torch, driver, kernels, options.size or [(2048,) * 3])
        return "", 0
    heading = format_heading(options.commit, f"torch {torch.__version__}")
    text, failures, sound = heading + "\n", 0, kernels
    if options.only != "time":
        checks = []
        for kernel in kernels:
            print(f"checking {kernel.label}")
            checks += check_kernel(torch, driver, kernel,
                                   options.size or CHECK_SIZES)
            torch.cuda.empty_cache()
        wrong = {check.label for check in checks if check.problem}
        failures = len(wrong)
        sound = [kernel for kernel in kernels if kernel.label not in wrong]
        text += format_checks(checks) + "\n"
    if options.only != "check":
        print("timing")
        sizes = [size[0] for size in options.size or []]
        text += format_timings(time_all(torch, driver, sound, sizes))
    return text, failures


def main():
    options = parse_arguments()
    failures = 0
    if options.compile:
        failures += launcher.compile_programs(
            options.compile,
            product.write_programs(options.cubins, choose_programs(options)),
            options.cubins, options.arch)
    if options.only == "compile":
        return min(failures, 1)
    kernels = [kernel for kernel in launcher.load_kernels(options.cubins)
               if is_product(kernel) and is_wanted(kernel.label, options)]
    if not kernels:
        raise BenchmarkError(f"{options.cubins}: no matrix product matches "
                             f"'{options.kernel}'")
    if options.dry_run:
        dry_run(kernels, options.size or CHECK_SIZES)
        return min(failures, 1)
    text, wrong = measure(import_torch(), kernels, options)
    print("\n" + text)
    if options.out and text:
        Path(options.out).write_text(text)
    return min(failures + wrong, 1)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchmarkError as error:
        sys.exit(f"gemm.py: error: {error}")
