#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the memory-bound programs against float64, and compares their times with
PyTorch's compiler and Triton.

  python3 memory_bound.py --compile build/bin/tile-compile --cubins DIR \\
      --only compile
  python3 memory_bound.py --cubins DIR --commit HASH --out FILE

The measured programs are listed in memory_programs.py; --program NAME, which may be
repeated, measures other programs instead. The first command makes cubins, the second
needs a GPU and PyTorch but no compiler. The exit status is 1 if a program does not
compile or a result is wrong; programs with wrong results are not timed.
"""

from dataclasses import dataclass, field

import launcher
import memory_peers
import memory_programs
import runner
import tables
import timing
from launcher import BenchmarkError

# Timed extents by kind: rows of a matrix, or elements of a vector.
TIMED = {
    "reduce_scale": [442368], "softmax": [8192], "layer_norm": [8192],
    "online_softmax": [8192], "row_scan": [8192], "axpby": [2 ** 28], "sum_by_element": [4096 ** 2],
    "sum_of_squares": [4096 ** 2],
}
LARGE_SUM = 16384 ** 2
# Additional extents to check: one, and extents that no block divides.
CHECKED = [1, 7, 1003]
A, B, C = 1.5, -0.75, 0.25
F16, F32, F64 = 2.0 ** -11, 2.0 ** -24, 2.0 ** -53


@dataclass
class Workload:
    """One program with one set of arrays, on which it may run repeatedly."""
    program: memory_programs.Program
    inputs: list
    output: object
    launch: launcher.Launch
    kept: list = field(default_factory=list)

    @property
    def bytes(self):
        arrays = [*self.inputs]
        if self.output.numel() > 1:
            arrays.append(self.output)
        return sum(array.numel() * array.element_size() for array in arrays)


def get_dtype(torch, element):
    return {"f16": torch.float16, "f32": torch.float32,
            "f64": torch.float64}[element]


def is_sum(program):
    return program.kind.startswith("sum_")


def describe(tensor, shape=None, strides=None):
    return launcher.Array(tensor.data_ptr(), tuple(shape or tensor.shape),
                          tuple(strides or tensor.stride()))


def make_workload(torch, driver, kernel, program, extent):
    """Makes random normal inputs, and an output of NaN, or of zero for a sum."""
    dtype = get_dtype(torch, program.element)
    is_vector = is_sum(program) or program.kind == "axpby"
    shape = (extent,) if is_vector else (extent, program.columns)
    inputs = [torch.randn(shape, device="cuda", dtype=torch.float32).to(dtype)
              for _ in range(2 if program.kind == "axpby" else 1)]
    arguments = [describe(x) for x in inputs]
    if is_sum(program):
        output = torch.zeros(1, device="cuda", dtype=dtype)
        repeated = program.kind == "sum_by_element"
        arguments.append(describe(output, (extent,), (0,)) if repeated
                         else describe(output))
    else:
        output = torch.full_like(inputs[0], float("nan"))
        arguments.append(describe(output))
    if program.kind == "axpby":
        arguments += [A, B, C]
    kept = []

    def allocate(size):
        kept.append(torch.empty(size, dtype=torch.uint8, device="cuda"))
        return kept[-1].data_ptr()

    launch = launcher.Launch(driver, kernel, arguments, allocate)
    return Workload(program, inputs, output, launch, kept)


# ---------------------------------------------------------------------------
# Checks
# ---------------------------------------------------------------------------

def get_reference(torch, workload):
    """Returns the result in float64, and the bound of each error."""
    program = workload.program
    x = workload.inputs[0].double()
    unit = F16 if program.element == "f16" else F32
    if is_sum(program):
        total = (x * x).sum().reshape(1)
        # With one addition per element, the errors have random signs and grow as a
        # random walk.
        steps = 200
        if program.kind == "sum_by_element":
            steps += 5 * x.numel() ** 0.5
        return total, steps * {"f64": F64, "f32": F32}[program.element] * total
    if program.kind == "axpby":
        y = workload.inputs[1].double()
        size = (A * x).abs() + (B * y).abs() + abs(C)
        result = A * x + B * y + C
        return result, unit * result.abs() + 4 * F32 * size
    if program.kind == "reduce_scale":
        result = x / x.abs().amax(1, keepdim=True)
        return result, unit * result.abs() + 2 * F32 * result.abs()
    if program.kind == "row_scan":
        size = x.abs().cumsum(1)
        return x.cumsum(1), unit * x.cumsum(1).abs() + 40 * F32 * size
    if program.kind.endswith("softmax"):
        result = torch.softmax(x, 1)
        # Denormal values of f16 have an error of 2^-25.
        return result, (unit + 40 * F32) * result + 2.0 ** -25 * (unit == F16)
    mean = x.mean(1, keepdim=True)
    variance = ((x - mean) ** 2).mean(1, keepdim=True)
    result = (x - mean) / torch.sqrt(variance + 1e-5)
    return result, unit * result.abs() + 40 * F32 * (1 + result.abs())


def check_workload(torch, workload):
    """Returns the largest ratio of an error to its bound; raises BenchmarkError if the
    ratio exceeds 1."""
    torch.cuda.synchronize()
    workload.launch(torch.cuda.current_stream().cuda_stream)
    torch.cuda.synchronize()
    reference, bound = get_reference(torch, workload)
    part = ((workload.output.double() - reference).abs()
            / bound.clamp_min(1e-300)).max().item()
    if not part <= 1:
        raise BenchmarkError(f"{workload.program.name} of "
                             f"{tuple(workload.inputs[0].shape)}: error "
                             f"{part:.3g} times its bound")
    return part


def check_program(torch, driver, kernel, program):
    worst = 0.0
    for extent in [*CHECKED, *TIMED[program.kind]]:
        workload = make_workload(torch, driver, kernel, program, extent)
        worst = max(worst, check_workload(torch, workload))
        del workload
        torch.cuda.empty_cache()
    print(f"  {program.name}: worst {worst:.3g} of the bound", flush=True)
    return worst


# ---------------------------------------------------------------------------
# Times
# ---------------------------------------------------------------------------

def get_extents(program):
    """Returns the timed extents. Sums with the most columns are timed on a larger
    array."""
    is_large = (program.kind == "sum_of_squares" and program.element == "f32"
                and program.columns >= 8192)
    return [LARGE_SUM] if is_large else TIMED[program.kind]


@dataclass
class Row:
    """The median times of our program and of a peer in microseconds."""
    name: str
    extent: int
    bytes: int
    ours: float
    peer: str
    theirs: float
    spread: float


def time_program(torch, driver, kernel, program, extent):
    """Times our program and the peers in turns, on sets of arrays that exceed the L2
    cache."""
    first = make_workload(torch, driver, kernel, program, extent)
    properties = torch.cuda.get_device_properties(0)
    num_sets = timing.count_sets(properties.L2_cache_size, first.bytes)
    # One atomic addition per element is so slow that a graph of one call takes long
    # enough.
    if program.kind == "sum_by_element":
        num_sets = 1
    workloads = [first] + [
        make_workload(torch, driver, kernel, program, extent)
        for _ in range(num_sets - 1)]
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()

    def launch(workload):
        return lambda: workload.launch(stream.cuda_stream)

    sides = [timing.Side(torch, "ours", list(map(launch, workloads)), stream)]
    for peer in memory_peers.find_peers(torch, program, (A, B, C)):
        calls = [peer.prepare(w.inputs, w.output.clone()) for w in workloads]
        calls[0]()
        torch.cuda.synchronize()
        sides.append(timing.Side(torch, peer.name, calls, stream))
    timing.run_series(torch, sides, timing.time_replays(torch, sides),
                      num_sets)
    ours, *peers = sides
    best = min(peers, key=timing.Side.get_time, default=None)
    row = Row(program.name, extent, first.bytes, ours.get_time(),
              best.name if best else "",
              best.get_time() if best else float("nan"),
              max(ours.get_spread(), best.get_spread() if best else 0))
    print(f"  {row.name} {extent}: {row.ours:.2f} us; " + ", ".join(
        f"{side.name} {side.get_time():.2f}" for side in peers), flush=True)
    return [row]


def format_row(row):
    peer = ([row.peer, f"{row.theirs:.1f}",
             tables.format_percent(row.theirs / row.ours)]
            if row.peer else [""] * 3)
    return [row.name, str(row.extent), f"{row.ours:.1f}",
            f"{row.bytes / row.ours * 1e-3:.0f}", *peer,
            tables.format_percent(row.spread)]


def format_rows(rows, facts):
    return tables.format_csv(
        ["program", "extent", "us", "gbytes_per_s", "peer", "peer_us",
         "percent_of_peer", "spread_percent"], map(format_row, rows), facts)


if __name__ == "__main__":
    runner.main(runner.Benchmark(
        __doc__, memory_programs.list_programs(), memory_programs.parse_name,
        check_program, get_extents, time_program, format_rows,
        memory_peers.get_versions()))
