#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares tiles that `tile.auto` chooses with hand-picked ones on a GPU.

  python3 auto.py --out FILE --commit HASH [--kind KIND] [--first N]

The file, docs/performance/auto.csv, has a row for each workload: its kind and sizes, the
values that were chosen, the time of a call with them, the least time of the hand-picked
tiles and that tile, the time of PyTorch's operation, all in microseconds and timed in
turns, the milliseconds of the choice, the values of the entry that a program for unknown
sizes takes and their time, and where it was measured. Then the median and the maximum of
the ratios of the chosen values' times and the hand-picked tile's are printed for each kind,
for the choice and for the entry.

The workloads are the GEMMs of plans.py, with 12 tiles, and ten attentions, softmaxes and
layer norms each. Needs PyTorch and the package tile_mlir.
"""

import argparse
import csv
import datetime
import functools
import json
import operator
import statistics
import time
from collections import defaultdict
from dataclasses import dataclass

import torch
import torch.nn.functional as F

import tile_mlir as tile

from plan_programs import ATTENTION_TILES, GEMM_TILES, layer_norm, make_gemm, softmax
from plans import ATTENTIONS, Workload, attention_kernel, draw_sizes, keep_right, time_plans

AUTO, ENTRY = "auto", "entry"
ROW_TILES = (1, 2, 4, 8, 16)
ROWS = ((65536, 256), (65536, 512), (32768, 1000), (16384, 1024), (8192, 3000),
        (8192, 4096), (4096, 8192), (1024, 16384), (300, 4096), (7777, 777))


@dataclass
class AutoWorkload(Workload):
    """A workload with a plan whose values are chosen: the choice, the milliseconds that it
    took, and the entry of a program for unknown sizes."""
    choice: str = ""
    milliseconds: float = 0
    entry: str = ""


OPERATORS = {"*": operator.mul, "ceildiv": lambda a, b: -(-a // b), "<": operator.lt,
             "<=": operator.le}


def evaluate(expression, arguments):
    """Evaluates a grid's expression of the metadata (docs/ABI.md)."""
    if not isinstance(expression, list):
        return expression
    name, *operands = expression
    if name == "size":
        return arguments[operands[0]].shape[operands[1]]
    a, b = (evaluate(operand, arguments) for operand in operands)
    return OPERATORS[name](a, b)


def find_entry(kernel, arguments, names, **constants):
    """Returns the values of the entry that a program takes for which only the last sizes
    of arrays of rows and heads are known."""
    types = [make_type(one, "d" in constants or "n" in constants) for one in arguments]
    key = str((kernel.__name__, types, constants))
    if key not in functions:
        made = kernel.compile(*types, arch="sm_90a", outputs=("metadata",), **constants,
                              **dict.fromkeys(names, tile.auto))
        [functions[key]] = json.loads(made["metadata"])["functions"]
    [name] = [launch["kernel"] for launch in functions[key]["launches"]
              if 0 not in (evaluate(n, arguments) for n in launch["grid"])]
    return {word: int(name.rpartition(f"_{word}")[2].partition("_")[0]) for word in names}


functions = {}


def make_type(argument, is_last_known):
    if isinstance(argument, float):
        return tile.f32
    element = {torch.float16: tile.f16, torch.float32: tile.f32}[argument.dtype]
    last = argument.shape[-1] if is_last_known and element == tile.f16 else None
    return tile.ir.ArrayType((None,) * (argument.ndim - 1) + (last,), element)


def add_plans(work, kernel, arguments, tiles, **constants):
    """Adds the call with values that are chosen, that of an entry, and one for each
    tile."""
    entry = find_entry(kernel, arguments, list(tiles[0]), **constants)
    work.entry = "x".join(map(str, entry.values()))
    work.plans[ENTRY] = functools.partial(kernel, *arguments, **entry, **constants)
    auto = dict.fromkeys(tiles[0], tile.auto)
    start = time.perf_counter()
    choice = kernel.choose(*arguments, **auto, **constants)
    work.milliseconds = (time.perf_counter() - start) * 1e3
    work.choice = "x".join(map(str, choice.values.values()))
    work.plans[AUTO] = functools.partial(kernel, *arguments, **auto, **constants)
    for values in tiles:
        work.plans["x".join(map(str, values.values()))] = functools.partial(
            kernel, *arguments, **values, **constants)


def prepare_gemm(m, n, k):
    a, b = (torch.randn(s, device="cuda", dtype=torch.float16) for s in ((m, k), (k, n)))
    c = torch.empty(m, n, device="cuda", dtype=torch.float16)
    work = AutoWorkload("gemm", f"{m}x{n}x{k}", result=c, expected=a.double() @ b.double())
    add_plans(work, make_gemm(""), (a, b, c),
              [dict(zip("mnk", extents)) for extents in GEMM_TILES])
    work.plans["peer"] = lambda: torch.mm(a, b, out=c)
    return work


def prepare_attention(batch, heads, length, d, causal):
    q, k, v = (torch.randn(batch, heads, length, d, device="cuda", dtype=torch.float16)
               for _ in range(3))
    o, lse = torch.empty_like(q), torch.empty(batch, heads, length, device="cuda")
    head = [x[:1, :1].double() for x in (q, k, v)]
    expected = F.scaled_dot_product_attention(*head, is_causal=causal)
    sizes = f"{batch}x{heads}x{length}x{d}" + (" causal" if causal else "")
    work = AutoWorkload("attention", sizes, result=o[:1, :1], expected=expected)
    add_plans(work, attention_kernel, (q, k, v, o, lse, d ** -0.5),
              [{"m": m, "n": n} for m, n in ATTENTION_TILES], d=d, causal=causal)
    work.plans["peer"] = lambda: F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return work


def prepare_rows(function, peer, rows, columns):
    x = torch.randn(rows, columns, device="cuda", dtype=torch.float16)
    y = torch.empty_like(x)
    work = AutoWorkload(function.__name__, f"{rows}x{columns}", result=y[:32],
                        expected=peer(x[:32].double()))
    kernel = tile.kernel(grid=lambda y, m: tile.cdiv(y.shape[0], m))(function)
    add_plans(work, kernel, (x, y), [{"m": m} for m in ROW_TILES], n=columns)
    work.plans["peer"] = lambda: peer(x)
    return work


def list_works(kind):
    if kind == "gemm":
        return [functools.partial(prepare_gemm, *sizes) for sizes in draw_sizes(60)]
    if kind == "attention":
        return [functools.partial(prepare_attention, *sizes) for sizes in ATTENTIONS]
    function, peer = KINDS[kind]
    return [functools.partial(prepare_rows, function, peer, *sizes) for sizes in ROWS]


KINDS = {"gemm": None, "attention": None,
         "softmax": (softmax, lambda x: torch.softmax(x, 1)),
         "layer_norm": (layer_norm, lambda x: F.layer_norm(x, x.shape[1:]))}


def measure(prepare):
    """Returns the row of a workload, and the ratios of the times of the choice and of the
    entry to the least of the hand-picked tiles."""
    work = prepare()
    times = time_plans(keep_right(work))
    peer, auto, entry = (times.pop(name) for name in ("peer", AUTO, ENTRY))
    best = min(times, key=times.get)
    return [work.kind, work.sizes, work.choice, f"{auto:.2f}", f"{times[best]:.2f}", best,
            f"{peer:.2f}", f"{work.milliseconds:.1f}", work.entry, f"{entry:.2f}"
            ], (auto / times[best], entry / times[best])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--first", type=int, help="only the first workloads of a kind")
    arguments = parser.parse_args()
    torch.manual_seed(1)
    measured = (f"{torch.cuda.get_device_name()}, {datetime.date.today()}, "
                f"{arguments.commit}")
    ratios = defaultdict(list)
    with open(arguments.out, "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["kind", "sizes", "choice", "microseconds", "best", "tile", "peer",
                        "milliseconds", "entry", "entry_microseconds", "measured"])
        for kind in arguments.kind or KINDS:
            for prepare in list_works(kind)[:arguments.first]:
                row, found = measure(prepare)
                ratios[kind].append(found)
                table.writerow([*row, measured])
                file.flush()
                print(*row, *(f"{ratio:.3f}" for ratio in found), flush=True)
    for kind, found in ratios.items():
        for name, of_name in zip((AUTO, ENTRY), zip(*found)):
            print(f"{kind}: {name}: {len(found)} workloads, median "
                  f"{statistics.median(of_name):.3f}, maximum {max(of_name):.3f}")


if __name__ == "__main__":
    main()
