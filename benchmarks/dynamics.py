#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks examples/32_crba, the inertia of robots and its Cholesky factor, against
float64, and compares its times with PyTorch, which runs two batched matmuls, a sum and
cuSOLVER's factorisation.

  python3 dynamics.py --compile build/bin/tile-compile --cubins DIR --only compile
  python3 dynamics.py --cubins DIR --commit HASH --out FILE

A program is named by its file in the folder of the example. The first command makes
cubins, the second needs a GPU and PyTorch but no compiler. The exit status is 1 if a
program does not compile or a result is wrong; programs with wrong results are not
timed.
"""

import argparse
from dataclasses import dataclass, field
from pathlib import Path

import launcher
import runner
import tables
import timing
from launcher import BenchmarkError

EXAMPLES = Path(__file__).resolve().parent.parent / "examples/32_crba"
ROBOTS = [1024, 4096, 16384]
CHECKED = [1, 7, 1003]
UNIT = 2.0 ** -24
# INERTIA_BOUND is the bound of the error of an element of H, in units of u times the
# sum of the absolute values of its terms. FACTOR_BOUND is the bound of LAPACK's test
# ratio of the Cholesky factor (TESTING/LIN/dpot01.f).
INERTIA_BOUND, FACTOR_BOUND = 20, 1.5


@dataclass(frozen=True)
class Program:
    name: str
    dofs: int
    bodies: int

    def write(self):
        return (EXAMPLES / f"{self.name}.mlir").read_text()


PROGRAMS = [Program("crba", 18, 13), Program("crba_loop", 18, 13),
            Program("humanoid", 32, 24)]


def parse_name(name):
    for program in PROGRAMS:
        if program.name == name:
            return program
    raise argparse.ArgumentTypeError(
        f"expected {', '.join(p.name for p in PROGRAMS)}, got {name}")


@dataclass
class Workload:
    inputs: list  # J, M, R
    outputs: list  # H, L
    launch: launcher.Launch
    kept: list = field(default_factory=list)


def describe(tensor):
    return launcher.Array(tensor.data_ptr(), tuple(tensor.shape),
                          tuple(tensor.stride()))


def make_workload(torch, driver, kernel, program, robots):
    """Makes a workload with random inputs, in which inertias of bodies are positive
    definite, and outputs of NaN."""
    n, bodies = program.dofs, program.bodies
    x = torch.randn(robots, bodies, 6, 6, device="cuda")
    m = x @ x.transpose(2, 3) / 6 + torch.eye(6, device="cuda")
    # The program has M as one matrix for each body, or as one matrix of all bodies, one
    # below the other.
    is_apart = len(kernel.arguments[1]["shape"]) == 4
    inputs = [torch.randn(robots, 6 * bodies, n, device="cuda"),
              m if is_apart else m.reshape(robots, 6 * bodies, 6),
              torch.randn(robots, n, device="cuda").abs()]
    outputs = [torch.full((robots, n, n), float("nan"), device="cuda")
               for _ in range(2)]
    kept = []

    def allocate(size):
        kept.append(torch.empty(size, dtype=torch.uint8, device="cuda"))
        return kept[-1].data_ptr()

    launch = launcher.Launch(driver, kernel,
                             [describe(x) for x in [*inputs, *outputs]],
                             allocate)
    return Workload(inputs, outputs, launch, kept)


def split_bodies(j, m):
    """Returns J and M with a dimension of bodies."""
    robots, rows, n = j.shape
    return j.view(robots, -1, 6, n), m.reshape(robots, -1, 6, 6)


def measure_errors(torch, workload):
    """Returns the largest error of an element of H and the largest test ratio of L, in
    the units of INERTIA_BOUND and FACTOR_BOUND."""
    (j, m), r = split_bodies(*workload.inputs[:2]), workload.inputs[2]
    j, m, h, l = (x.double() for x in (j, m, *workload.outputs))
    expected = (j.transpose(2, 3) @ m @ j).sum(1) + torch.diag_embed(r.double())
    size = (j.abs().transpose(2, 3) @ m.abs() @ j.abs()).sum(1)
    error = ((h - expected).abs() / size).max().item() / UNIT
    rest = (h - l @ l.transpose(1, 2)).abs().sum(-2).amax(-1)
    ratio = rest / (h.shape[-1] * h.abs().sum(-2).amax(-1) * UNIT)
    if l.triu(1).abs().max().item() != 0:
        raise BenchmarkError("the upper triangle of L is not zero")
    return error, ratio.max().item()


def check_program(torch, driver, kernel, program):
    worst = [0.0, 0.0]
    for robots in [*CHECKED, *ROBOTS]:
        workload = make_workload(torch, driver, kernel, program, robots)
        torch.cuda.synchronize()
        workload.launch(torch.cuda.current_stream().cuda_stream)
        torch.cuda.synchronize()
        found = measure_errors(torch, workload)
        if not (found[0] <= INERTIA_BOUND and found[1] <= FACTOR_BOUND):
            raise BenchmarkError(f"{program.name} of {robots}: H is off by "
                                 f"{found[0]:.3g} u, ratio {found[1]:.3g}")
        worst = [max(pair) for pair in zip(worst, found)]
    print(f"  {program.name}: H is off by {worst[0]:.3g} u, ratio of L "
          f"{worst[1]:.3g}", flush=True)


def prepare_peer(torch, workload):
    """Returns PyTorch's call. It multiplies by one block-diagonal matrix per robot,
    because batched matmuls of the blocks are slower in PyTorch."""
    (j, m), r = split_bodies(*workload.inputs[:2]), workload.inputs[2]
    robots, bodies = m.shape[:2]
    dense = torch.zeros(robots, bodies, 6, bodies, 6, device="cuda")
    for body in range(bodies):
        dense[:, body, :, body] = m[:, body]
    dense = dense.view(robots, 6 * bodies, 6 * bodies)
    j = workload.inputs[0]

    def call():
        h = torch.bmm(j.transpose(1, 2), torch.bmm(dense, j))
        h.diagonal(dim1=1, dim2=2).add_(r)
        return torch.linalg.cholesky_ex(h)

    return call


@dataclass
class Row:
    name: str
    robots: int
    bytes: int
    ours: float
    theirs: float
    spread: float


def time_program(torch, driver, kernel, program, robots):
    first = make_workload(torch, driver, kernel, program, robots)
    size = sum(x.numel() * x.element_size()
               for x in [*first.inputs, *first.outputs])
    properties = torch.cuda.get_device_properties(0)
    num_sets = timing.count_sets(properties.L2_cache_size, size)
    workloads = [first] + [make_workload(torch, driver, kernel, program, robots)
                           for _ in range(num_sets - 1)]
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()

    def launch(workload):
        return lambda: workload.launch(stream.cuda_stream)

    sides = [timing.Side(torch, "ours", list(map(launch, workloads)), stream),
             timing.Side(torch, "torch",
                         [prepare_peer(torch, w) for w in workloads], stream)]
    timing.run_series(torch, sides, timing.time_replays(torch, sides), num_sets)
    ours, theirs = sides
    row = Row(program.name, robots, size, ours.get_time(), theirs.get_time(),
              max(ours.get_spread(), theirs.get_spread()))
    print(f"  {row.name} {robots}: {row.ours:.2f} us, "
          f"{size / row.ours * 1e-3:.0f} GB/s; PyTorch {row.theirs:.1f}",
          flush=True)
    return [row]


def format_rows(rows, facts):
    return tables.format_csv(
        ["program", "robots", "us", "gbytes_per_s", "peer", "peer_us",
         "percent_of_peer", "spread_percent"],
        [[row.name, str(row.robots), f"{row.ours:.1f}",
          f"{row.bytes / row.ours * 1e-3:.0f}", "torch.bmm and cholesky_ex",
          f"{row.theirs:.1f}", tables.format_percent(row.theirs / row.ours),
          tables.format_percent(row.spread)] for row in rows], facts)


if __name__ == "__main__":
    runner.main(runner.Benchmark(
        __doc__, PROGRAMS, parse_name, check_program, lambda program: ROBOTS,
        time_program, format_rows))
