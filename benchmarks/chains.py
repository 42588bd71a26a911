#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks attention and fused layers against float64, and compares their times
with those of FlashAttention-2, cuDNN and Triton.

  python3 chains.py --compile build/bin/tile-compile --cubins DIR --only compile
  python3 chains.py --cubins DIR --commit HASH --out FILE

The measured programs are listed in chain_programs.py; --program NAME, which may be
repeated, measures other programs instead. The first command makes cubins, the second
needs a GPU and PyTorch but no compiler. The exit status is 1 if a program does not
compile or a result is wrong; programs with wrong results are not timed.
"""

import math
from dataclasses import dataclass, field

import chain_peers
import chain_programs
import gemm
import launcher
import runner
import tables
import timing
from launcher import BenchmarkError

# (heads, length) and rows that are timed: batches of 4 and 16 with 32 heads.
TIMED_ATTENTION = [(16 * 32, 1024), (4 * 32, 4096)]
TIMED_ROWS = [2 ** 20]
# Additional extents to check: one, and lengths that no block divides.
CHECKED_ATTENTION = [(1, 1), (3, 77), (2, 257), (2, 1000)]
CHECKED_ROWS = [1, 77, 100003]
UNITS = {"f16": 2.0 ** -11, "bf16": 2.0 ** -8}


@dataclass
class Workload:
    """One program with one set of arrays, on which it may run repeatedly."""
    program: object
    inputs: list
    output: object
    launch: launcher.Launch
    kept: list = field(default_factory=list)


def is_attention(program):
    return isinstance(program, chain_programs.Attention)


def count_operations(program, extent):
    """Counts the multiplications and additions of the matmuls. Causal attention counts
    half of them, as its peers do."""
    if is_attention(program):
        heads, length = extent
        full = 4 * heads * length * length * program.columns
        return full / 2 if program.is_causal else full
    h = program.hidden
    return 2 * extent * (chain_programs.INPUTS * h + 2 * h * h
                         + chain_programs.OUTPUTS * h)


def make_workload(torch, driver, kernel, program, extent):
    """Makes random normal inputs, and an output of NaN."""
    dtype = {"f16": torch.float16, "bf16": torch.bfloat16}[program.element]

    def normal(*shape, scale=1.0):
        return (torch.randn(shape, device="cuda") * scale).to(dtype)

    if is_attention(program):
        shape = (*extent, program.columns)
        inputs = [normal(*shape) for _ in range(3)]
    else:
        h = program.hidden
        extents = [chain_programs.INPUTS, h, h, h, chain_programs.OUTPUTS]
        inputs = [normal(extent, extents[0])] + [
            normal(a, b, scale=math.sqrt(2 / a))
            for a, b in zip(extents, extents[1:])]
        shape = (extent, chain_programs.OUTPUTS)
    output = torch.full(shape, float("nan"), device="cuda", dtype=dtype)
    kept = []

    def allocate(size):
        kept.append(torch.empty(size, dtype=torch.uint8, device="cuda"))
        return kept[-1].data_ptr()

    arguments = [launcher.Array(x.data_ptr(), tuple(x.shape), tuple(x.stride()))
                 for x in [*inputs, output]]
    return Workload(program, inputs, output,
                    launcher.Launch(driver, kernel, arguments, allocate), kept)


def get_reference(torch, workload):
    """Returns the result in float64, and the bound of each error: powers and
    layers between matmuls are rounded to the arrays' type."""
    program, unit = workload.program, UNITS[workload.program.element]
    if is_attention(program):
        results, bounds = [], []
        for q, k, v in zip(*(x.double() for x in workload.inputs)):
            s = q @ k.T / math.sqrt(program.columns)
            if program.is_causal:
                above = torch.ones_like(s, dtype=torch.bool).triu(1)
                s = s.masked_fill(above, -math.inf)
            p = torch.softmax(s, 1)
            results.append(p @ v)
            bounds.append(unit * (p @ v).abs() + 2 * unit * (p @ v.abs()))
        return torch.stack(results), torch.stack(bounds)
    # A layer multiplies the rounding errors of its input by its weights, as it does
    # values.
    x, *weights = (value.double() for value in workload.inputs)
    error = torch.zeros_like(x)
    for i, w in enumerate(weights):
        size = x.abs() @ w.abs()
        error = error @ w.abs() + 2.0 ** -20 * size
        x = x @ w
        if i + 1 < len(weights):
            x = x.clamp_min(0)
        error = error + unit * (x.abs() + error)
    return x, error


def check_workload(torch, workload):
    """Returns the largest ratio of an error to its bound; raises BenchmarkError if the
    ratio exceeds 1."""
    torch.cuda.synchronize()
    workload.launch(torch.cuda.current_stream().cuda_stream)
    torch.cuda.synchronize()
    reference, bound = get_reference(torch, workload)
    part = ((workload.output.double() - reference).abs()
            / bound.clamp_min(1e-300)).nan_to_num(math.inf).max().item()
    if not part <= 1:
        raise BenchmarkError(f"{workload.program.name} of "
                             f"{tuple(workload.inputs[0].shape)}: error "
                             f"{part:.3g} times its bound")
    return part


def check_program(torch, driver, kernel, program):
    extents = CHECKED_ATTENTION if is_attention(program) else CHECKED_ROWS
    worst = 0.0
    for extent in extents:
        workload = make_workload(torch, driver, kernel, program, extent)
        worst = max(worst, check_workload(torch, workload))
    print(f"  {program.name}: worst {worst:.3g} of the bound", flush=True)


def get_extents(program):
    return TIMED_ATTENTION if is_attention(program) else TIMED_ROWS


@dataclass
class Row:
    """The median times of our program and of a peer in microseconds."""
    name: str
    extent: object
    operations: float
    ours: float
    peer: str
    theirs: float
    spread: float


def time_program(torch, driver, kernel, program, extent):
    """Times our program and the peers in turns, on sets of arrays that exceed the L2
    cache."""
    workloads = [make_workload(torch, driver, kernel, program, extent)
                 for _ in range(2)]
    check_workload(torch, workloads[0])
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()

    def launch(workload):
        return lambda: workload.launch(stream.cuda_stream)

    sides = [timing.Side(torch, "ours", list(map(launch, workloads)), stream)]
    for peer in chain_peers.find_peers(torch, program):
        try:
            calls = [peer.prepare(w.inputs) for w in workloads]
            calls[0]()
            torch.cuda.synchronize()
            sides.append(timing.Side(torch, peer.name, calls, stream))
        except RuntimeError as error:
            print(f"  {peer.name}: {gemm.get_first_line(error)}")
    timing.run_series(torch, sides, timing.time_replays(torch, sides),
                      len(workloads))
    ours, *peers = sides
    operations = count_operations(program, extent)
    print(f"  {program.name} {extent}: " + ", ".join(
        f"{side.name} {side.get_time():.1f} us "
        f"{operations / side.get_time() * 1e-6:.0f} TFLOP/s"
        for side in sides), flush=True)
    return [Row(program.name, extent, operations, ours.get_time(), side.name,
                side.get_time(), max(ours.get_spread(), side.get_spread()))
            for side in peers]


def format_row(row):
    extent = ("x".join(map(str, row.extent)) if isinstance(row.extent, tuple)
              else str(row.extent))
    return [row.name, extent, f"{row.ours:.1f}",
            f"{row.operations / row.ours * 1e-6:.0f}", row.peer,
            f"{row.theirs:.1f}", f"{row.operations / row.theirs * 1e-6:.0f}",
            tables.format_percent(row.theirs / row.ours),
            tables.format_percent(row.spread)]


def format_rows(rows, facts):
    return tables.format_csv(
        ["program", "size", "us", "tflops", "peer", "peer_us", "peer_tflops",
         "percent_of_peer", "spread_percent"], map(format_row, rows), facts)


if __name__ == "__main__":
    runner.main(runner.Benchmark(
        __doc__, chain_programs.list_programs(), chain_programs.parse,
        check_program, get_extents, time_program, format_rows,
        chain_peers.get_versions()))
