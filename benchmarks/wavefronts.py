#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the wavefronts of shared memory that the report predicts with ncu's.

The report states, for each access of a block, how many passes over the banks its warps
need. These counts, multiplied by the number of blocks and of executions, are compared
with the hardware counters of one launch:

  python3 gemm.py --compile build/bin/tile-compile --cubins DIR --only compile
  python3 wavefronts.py --cubins DIR --commit HASH --out FILE

The first command needs the compiler, the second a GPU with PyTorch and ncu.
"""

import argparse
import json
import re
import sys
from pathlib import Path

import gemm
import launcher
import matrices
import ncu
import tables
from launcher import BenchmarkError

GEMM = Path(__file__).resolve().parent / "gemm.py"
# The metrics are wavefronts and bank conflicts by instruction, as requested by the
# instructions (sass) and as counted by the data stage, and counts of the instructions.
METRICS = (r"regex:^((sm|smsp)__sass_l1tex_data_(pipe_lsu_wavefronts|"
           r"bank_conflicts_pipe_lsu)_mem_shared(_op_\w+)?"
           r"|l1tex__data_pipe_lsu_wavefronts_mem_shared\w*"
           r"|l1tex__data_bank_conflicts_pipe_lsu_mem_shared\w*"
           r"|smsp__(sass_)?inst_executed_op_(ldsm|ldgsts|shared)\w*)\.sum$")
TOTAL = "l1tex__data_pipe_lsu_wavefronts_mem_shared"
# Operations that run once per step of the loop over K: matmuls, and loads of their
# operands.
OF_STEP = ("tile.matmul", "tile_gpu.load_shared")


def classify(access, instructions):
    """Returns the kind of instruction to which an access of the report compiles."""
    operation = access["operation"]
    if operation.startswith(OF_STEP):
        return "ldmatrix" if any(
            name.startswith("ldmatrix") for name in instructions) else "loads"
    if operation == "tile_gpu.copy_async":
        return "cp.async" if "cp.async" in instructions else "stores"
    return "stores"


def count_executions(accesses, num_steps):
    """Returns how often a block runs each access.

    A matmul runs once per step, and so do the loads of its fragments. A source line may
    have several copies: the copies before the loop run once, each for one step, and the
    last copy, which is in the loop, runs for the remaining steps. All other accesses
    are outside the loop.
    """
    by_line = {}
    for position, access in enumerate(accesses):
        if access["operation"] == "tile_gpu.copy_async":
            by_line.setdefault((access["file"], access["line"]), []).append(position)
    executions = [num_steps if a["operation"].startswith(OF_STEP) else 1
                  for a in accesses]
    for positions in by_line.values():
        for step, position in enumerate(positions[:-1]):
            executions[position] = int(step < num_steps)
        executions[positions[-1]] = max(0, num_steps - len(positions) + 1)
    return executions


def predict(body, num_blocks, num_steps):
    """Returns, by kind of access, the wavefronts of a launch and the part of them that
    bank conflicts cause."""
    wavefronts, conflicts = {}, {}
    executions = count_executions(body["accesses"], num_steps)
    for access, count in zip(body["accesses"], executions):
        if access["wavefronts"] is None:
            raise BenchmarkError(
                f"{body['symbol']}: expected accesses that the report counts, "
                f"got {access['operation']} at {access['location']}")
        kind = classify(access, body["instructions"])
        for result, key in ((wavefronts, "wavefronts"),
                            (conflicts, "conflicts")):
            result[kind] = result.get(kind, 0) + (access[key] * count *
                                                  num_blocks)
    return wavefronts, conflicts


def run_ncu(options, kernel, symbol, metrics):
    """Runs one launch under ncu; returns its metrics by name, and its output."""
    command = [sys.executable, str(GEMM), "--cubins", options.cubins,
               "--kernel", f"^{re.escape(kernel.label)}$", "--only", "launch",
               "--size", str(options.size)]
    text, errors = ncu.run(options.ncu, [
        "--page", "raw", "--kernel-name", symbol, "--metrics", metrics],
        command)
    return ncu.read_metrics(text), text + errors


def collect(options, kernel, symbol):
    """Returns the counters of one launch."""
    values, output = run_ncu(options, kernel, symbol, METRICS)
    if not values:
        print("ncu took no regular expression; asking for each counter",
              file=sys.stderr)
        names = [TOTAL, TOTAL + "_op_ld", TOTAL + "_op_st"]
        for choices in ncu.WAVEFRONTS.values():
            names.append(choices[0])
        values, output = run_ncu(
            options, kernel, symbol,
            ",".join(name + ".sum" for name in dict.fromkeys(names)))
    if not values:
        raise BenchmarkError(f"ncu gave no counters; it printed:\n{output}")
    return values


def make_row(access, predicted, counted, counter):
    """Returns the columns after program and size."""
    return [access, f"{predicted:.0f}", ncu.format_count(counted),
            ncu.format_difference(counted, predicted).rstrip("%"), counter]


def compare(label, size, predicted, values):
    """Returns the rows of the table for one kernel."""
    rows, total = [], 0
    # The total is None as soon as a kind with predicted accesses has no counter.
    for kind, counters in ncu.WAVEFRONTS.items():
        measured, counter = ncu.measure(values, counters)
        if not predicted.get(kind) and not measured:
            continue
        total = None if None in (total, measured) else total + measured
        rows.append(make_row(kind, predicted.get(kind, 0), measured, counter))
    everything = sum(predicted.values())
    rows.append(make_row("all of these", everything, total, "their sum"))
    if TOTAL in values:
        rows.append(make_row("data stage", everything, values[TOTAL], TOTAL))
    return [[label, str(size), *row] for row in rows]


def format_rows(rows, facts):
    return tables.format_csv(
        ["program", "size", "access", "predicted", "counted",
         "difference_percent", "counter"], rows, facts)


def find_body(kernel, symbol):
    """Returns the report of an entry point, from the report file next to the cubin."""
    path = launcher.get_report_path(kernel.cubin)
    try:
        report = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise BenchmarkError(f"{path}: no report: {error}; gemm.py --compile "
                             "makes it") from error
    for body in report["kernels"]:
        if body["symbol"] == symbol:
            return body
    raise BenchmarkError(f"{path}: nothing about '{symbol}'")


def predict_kernel(kernel, size):
    """Returns the entry point that a launch uses, and its predicted counts."""
    arguments = matrices.describe_all(matrices.TIGHT, (size,) * 3, kernel)
    symbol = launcher.choose_entry(kernel, arguments)["symbol"]
    body = find_body(kernel, symbol)
    x, y, z = launcher.get_grid(kernel, arguments)
    # The extent along K of one step of the loop.
    step = matrices.find_program(kernel).tile[2]
    num_steps = -(-size // step)
    return symbol, *predict(body, x * y * z, num_steps)


def is_single_matmul(kernel):
    program = matrices.find_program(kernel)
    return program is not None and not program.batched and not program.parts


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cubins", required=True, metavar="DIR")
    parser.add_argument("--kernel", default="", metavar="REGEX",
                        help="only kernels whose label matches")
    parser.add_argument("--size", type=int, default=4096,
                        help="M, N and K, a multiple of the tile")
    parser.add_argument("--ncu", default="ncu", help="the path of ncu")
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--out", metavar="FILE", help="write the table here")
    parser.add_argument("--dry-run", action="store_true",
                        help="print the prediction alone; needs no GPU")
    return parser.parse_args()


def main():
    options = parse_arguments()
    rows = []
    kernels = [k for k in launcher.load_kernels(options.cubins)
               if is_single_matmul(k) and re.search(options.kernel, k.label)]
    if not kernels:
        raise BenchmarkError(f"no matrix product matches '{options.kernel}'")
    for kernel in kernels:
        symbol, wavefronts, conflicts = predict_kernel(kernel, options.size)
        print(f"{kernel.label} {options.size}, {symbol}: predicted "
              f"{wavefronts}, by bank conflicts {conflicts}", flush=True)
        if options.dry_run:
            continue
        values = collect(options, kernel, symbol)
        for name, value in sorted(values.items()):
            print(f"  {value:>16.0f}  {name}")
        rows += compare(kernel.label, options.size, wavefronts, values)
    if options.dry_run:
        return
    text = format_rows(rows, gemm.format_facts(options.commit))
    print("\n" + text)
    if options.out:
        Path(options.out).write_text(text)


if __name__ == "__main__":
    try:
        main()
    except BenchmarkError as error:
        sys.exit(f"wavefronts.py: error: {error}")
