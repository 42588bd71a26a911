#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks networks that come from PyTorch by torch-mlir and -convert-linalg-to-tile
against float64, and compares their times with torch.compile, eager PyTorch and
hand-written programs.

  python3 networks.py --compile build/bin/tile-compile --cubins DIR --only compile
  python3 networks.py --cubins DIR --commit HASH --out FILE

The measured networks are listed in network_programs.py. The first command makes
cubins, with tile-opt in PATH and torch-mlir (`pip install torch torch-mlir`); the
second needs a GPU and PyTorch but no compiler. The exit status is 1 if a program does
not compile or a result is wrong; programs with wrong results are not timed.
"""

import argparse
import math
from dataclasses import dataclass

import launcher
import network_programs
import runner
import tables
import timing
from launcher import BenchmarkError
from network_programs import HandWritten

# The bound of the error in the norm, as a multiple of the error of PyTorch with the
# same types.
BOUND = 1.5
# The number of heads of attention that are compared, because scores in f64 need much
# memory.
COMPARED_HEADS = 4


def parse_name(name):
    for program in network_programs.list_programs():
        if program.name == name:
            return program
    names = [program.name for program in network_programs.list_programs()]
    raise argparse.ArgumentTypeError(
        f"expected {', '.join(names)}, got {name}")


def find_network(program):
    """Returns the network that a program computes."""
    return next(network for network in network_programs.NETWORKS
                if program in (network, network.hand))


def is_attention(network):
    return "attention" in network.name


def make_inputs(torch, network):
    """Makes random normal inputs; weights are scaled to preserve magnitudes."""
    def make(index, shape):
        is_weights = index > 0 and len(shape) > 1 and not is_attention(network)
        scale = math.prod(shape[1:]) ** -0.5 if is_weights else 1
        return (torch.randn(shape, device="cuda") * scale).half()

    return [make(*pair) for pair in enumerate(network.shapes)]


@dataclass
class Workload:
    inputs: list
    output: object
    launch: launcher.HostFunction
    kept: list


def make_workload(torch, driver, kernel, program, inputs):
    """Prepares a program to run on `inputs`, with its output filled with NaN."""
    network = find_network(program)
    output = torch.full(network.result, float("nan"), device="cuda",
                        dtype=torch.float16)
    arrays = [*inputs, output]
    if isinstance(program, HandWritten) and program.shapes:
        arrays = [array.view(shape)
                  for array, shape in zip(arrays, program.shapes)]
    kept = []

    def allocate(size):
        kept.append(torch.empty(size, dtype=torch.uint8, device="cuda"))
        return kept[-1].data_ptr()

    launch = launcher.HostFunction(driver, kernel, "main", [
        launcher.Array(x.data_ptr(), tuple(x.shape), tuple(x.stride()))
        for x in arrays], allocate)
    return Workload(inputs, output, launch, kept)


def measure_errors(torch, network, inputs, outputs):
    """Returns the error of each output in the norm, relative to the norm of the exact
    result."""
    def cut(x):
        return x[:1, :COMPARED_HEADS] if is_attention(network) else x

    exact = network.function(*(cut(x).double() for x in inputs))
    return [((cut(x).double() - exact).norm() / exact.norm()).item()
            for x in outputs]


def check_program(torch, driver, kernel, program):
    network = find_network(program)
    inputs = make_inputs(torch, network)
    workload = make_workload(torch, driver, kernel, program, inputs)
    torch.cuda.synchronize()
    workload.launch(torch.cuda.current_stream().cuda_stream)
    torch.cuda.synchronize()
    ours, theirs = measure_errors(
        torch, network, inputs, [workload.output, network.function(*inputs)])
    if not ours <= BOUND * theirs:
        raise BenchmarkError(f"{program.name}: error {ours:.3g} in the norm, "
                             f"PyTorch's is {theirs:.3g}")
    print(f"  {program.name}: error {ours:.3g} in the norm, PyTorch's "
          f"{theirs:.3g}", flush=True)


@dataclass
class Row:
    name: str
    ours: float
    peer: str
    theirs: float
    spread: float


def time_program(torch, driver, kernel, program, _):
    """Times our program, the hand-written one and PyTorch in turns, on two sets of
    arrays, most of which exceed the L2 cache."""
    sets = [make_inputs(torch, program) for _ in range(2)]
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()
    kept = []

    def make_side(name, program, kernel):
        workloads = [make_workload(torch, driver, kernel, program, inputs)
                     for inputs in sets]
        kept.extend(workloads)
        return timing.Side(torch, name, [
            lambda workload=w: workload.launch(stream.cuda_stream)
            for w in workloads], stream)

    sides = [make_side("ours", program, kernel)]
    if program.hand:
        kernels = {found.label: found for found in
                   launcher.load_kernels(kernel.cubin.parent)}
        sides.append(make_side("by hand", program.hand,
                               kernels[program.hand.name]))
    compiled = torch.compile(program.function)
    for name, function in (("torch.compile", compiled),
                           ("PyTorch", program.function)):
        for inputs in sets:
            function(*inputs)
        torch.cuda.synchronize()
        sides.append(timing.Side(torch, name, [
            lambda inputs=inputs, f=function: f(*inputs) for inputs in sets],
            stream))
    timing.run_series(torch, sides, timing.time_replays(torch, sides),
                      len(sets))
    ours, *peers = sides
    print(f"  {program.name}: " + ", ".join(
        f"{side.name} {side.get_time():.1f} us" for side in sides), flush=True)
    return [Row(program.name, ours.get_time(), side.name, side.get_time(),
                max(ours.get_spread(), side.get_spread())) for side in peers]


def format_rows(rows, facts):
    return tables.format_csv(
        ["program", "us", "peer", "peer_us", "percent_of_peer",
         "spread_percent"],
        [[row.name, f"{row.ours:.1f}", row.peer, f"{row.theirs:.1f}",
          tables.format_percent(row.theirs / row.ours),
          tables.format_percent(row.spread)] for row in rows], facts)


def get_extents(program):
    """Returns no extents for a hand-written program, which is timed with its
    network."""
    return [] if isinstance(program, HandWritten) else [None]


if __name__ == "__main__":
    runner.main(runner.Benchmark(
        __doc__, network_programs.list_programs(), parse_name, check_program,
        get_extents, time_program, format_rows))
