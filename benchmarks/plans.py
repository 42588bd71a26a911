#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records the times of several plans of each of many workloads on a GPU.

  python3 plans.py --out FILE --commit HASH [--kind KIND] [--first N]

A plan is what a compiler or its user chooses for a workload: the extents of tiles, the
warps, the stages of a loop (plan_programs.py). The file, docs/performance/plans.csv, has a
row for each plan of each workload: its kind and sizes, the plan, the median time of a
call in microseconds, empty where the plan cannot be compiled, and where it was measured.
Plans of one workload are timed in turns. `peer` as plan is PyTorch's operation.
rank_plans.py ranks the plans by their estimated times.

The workloads are 60 GEMMs of f16 whose M, N and K are drawn log-uniformly between 64
and 8192, in multiples of 8, 10 attentions, and 10 softmaxes and layer norms (kind
`rows` of --kind, in the file `softmax` and `layer_norm`). Needs
PyTorch and the package tile_mlir.
"""

import argparse
import csv
import datetime
import functools
import itertools
import math
import random
import sys
from dataclasses import dataclass, field
from pathlib import Path

import torch
import torch.nn.functional as F

import tile_mlir as tile

sys.path.insert(0, str(Path(__file__).resolve().parent.parent /
                       "python-bindings/programs"))
from bursts import Bursts, time_in_turns
from flash_attention import attention_kernel
from plan_programs import (ATTENTION_TILES, GEMM_PLANS, ROW_PLANS, layer_norm, make_gemm,
                           make_rows, softmax)

BURSTS = Bursts(series=3, pause_seconds=0.02, seconds=0.004, sleep_cycles=3_000_000)
# The floor of a GEMM: the rates of an H100 SXM (NVIDIA H100 datasheet).
FLOPS, BYTES = 989e12, 3.35e12
LEAST_SECONDS = 5e-6


@dataclass
class Workload:
    """A workload: its kind, its sizes as text, and for each plan, as text, a function
    that makes the call. Each call computes `result`, which `expected` is near."""
    kind: str
    sizes: str
    plans: dict = field(default_factory=dict)
    result: torch.Tensor = None
    expected: torch.Tensor = None


# ----------------------------------------------------------------------------
# GEMM
# ----------------------------------------------------------------------------

def draw_sizes(count, seed=46):
    """Draws M, N and K whose floor on the machine is at least LEAST_SECONDS."""
    draw, sizes = random.Random(seed), []
    while len(sizes) < count:
        m, n, k = (8 * round(math.exp(draw.uniform(math.log(64), math.log(8192))) / 8)
                   for _ in range(3))
        floor = max(2 * m * n * k / FLOPS, 2 * (m * k + k * n + m * n) / BYTES)
        if floor >= LEAST_SECONDS:
            sizes.append((m, n, k))
    return sizes


def list_gemms():
    for m, n, k in draw_sizes(60):
        yield functools.partial(prepare_gemm, m, n, k)


def prepare_gemm(m, n, k):
    a, b = (torch.randn(s, device="cuda", dtype=torch.float16)
            for s in ((m, k), (k, n)))
    c = torch.empty(m, n, device="cuda", dtype=torch.float16)
    work = Workload("gemm", f"{m}x{n}x{k}", result=c, expected=a.double() @ b.double())
    for name, (tm, tn, tk), options in GEMM_PLANS:
        work.plans[name] = functools.partial(make_gemm(options), a, b, c, m=tm, n=tn,
                                             k=tk)
    work.plans["peer"] = lambda: torch.mm(a, b, out=c)
    return work


# ----------------------------------------------------------------------------
# Attention
# ----------------------------------------------------------------------------

ATTENTIONS = [(16, 16, 512, 64, False), (4, 16, 2048, 64, False),
              (2, 8, 4096, 64, True), (1, 16, 8192, 64, True), (8, 12, 1000, 64, True),
              (8, 16, 512, 128, False), (4, 16, 2048, 128, False),
              (2, 8, 4096, 128, True), (1, 16, 8192, 128, True),
              (3, 7, 1500, 128, False)]


def list_attentions():
    for sizes in ATTENTIONS:
        yield functools.partial(prepare_attention, *sizes)


def prepare_attention(batch, heads, length, d, causal):
    q, k, v = (torch.randn(batch, heads, length, d, device="cuda", dtype=torch.float16)
               for _ in range(3))
    o = torch.empty_like(q)
    lse = torch.empty(batch, heads, length, device="cuda")
    head = [x[:1, :1].double() for x in (q, k, v)]
    work = Workload("attention", f"{batch}x{heads}x{length}x{d}" +
                    (" causal" if causal else ""), result=o[:1, :1],
                    expected=F.scaled_dot_product_attention(*head, is_causal=causal))
    for m, n in ATTENTION_TILES:
        work.plans[f"{m}x{n}"] = functools.partial(
            attention_kernel, q, k, v, o, lse, d ** -0.5, d=d, causal=causal, m=m, n=n)
    work.plans["peer"] = lambda: F.scaled_dot_product_attention(q, k, v,
                                                                is_causal=causal)
    return work


# ----------------------------------------------------------------------------
# Rows
# ----------------------------------------------------------------------------

ROWS = [(is_softmax, rows, columns) for is_softmax, rows, columns in
        ((True, 65536, 256), (True, 32768, 1000), (True, 8192, 4096),
         (True, 4096, 8192), (True, 1024, 16384), (False, 65536, 512),
         (False, 16384, 1024), (False, 8192, 3000), (False, 4096, 8192),
         (False, 300, 4096))]


def list_rows():
    for sizes in ROWS:
        yield functools.partial(prepare_rows, *sizes)


def prepare_rows(is_softmax, rows, columns):
    x = torch.randn(rows, columns, device="cuda", dtype=torch.float16)
    y = torch.empty_like(x)
    peer = (lambda x: torch.softmax(x, 1)) if is_softmax else \
        (lambda x: F.layer_norm(x, (columns,)))
    function = softmax if is_softmax else layer_norm
    work = Workload(function.__name__, f"{rows}x{columns}", result=y[:32],
                    expected=peer(x[:32].double()))
    for m, block in ROW_PLANS:
        work.plans[f"{m} rows block={block}"] = functools.partial(
            make_rows(function, block), x, y, m=m, n=columns)
    work.plans["peer"] = lambda: peer(x)
    return work


# ----------------------------------------------------------------------------
# Measuring
# ----------------------------------------------------------------------------

KINDS = {"gemm": list_gemms, "attention": list_attentions, "rows": list_rows}


def keep_right(work):
    """Returns the plans that can be compiled and are right; the others are printed."""
    plans = {}
    for name, call in work.plans.items():
        work.result.fill_(float("nan"))
        try:
            call()
        except tile.TileError as error:
            print(f"{work.kind} {work.sizes} {name}: {str(error)[:160]}", flush=True)
            continue
        error = ((work.result.double() - work.expected).norm() / work.expected.norm())
        if name == "peer" or error < 2e-3:
            plans[name] = call
        else:
            print(f"{work.kind} {work.sizes} {name}: error {error:.1e}", flush=True)
    return plans


def time_plans(plans):
    return dict(zip(plans, time_in_turns(list(plans.values()), BURSTS)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--first", type=int, help="only the first workloads of a kind")
    arguments = parser.parse_args()
    torch.manual_seed(1)
    with open(arguments.out, "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["kind", "sizes", "plan", "microseconds", "measured"])
        measured = (f"{torch.cuda.get_device_name()}, "
                    f"{datetime.date.today()}, {arguments.commit}")
        for kind in arguments.kind or KINDS:
            for prepare in itertools.islice(KINDS[kind](), arguments.first):
                work = prepare()
                times = time_plans(keep_right(work))
                for name in work.plans:
                    found = f"{times[name]:.2f}" if name in times else ""
                    table.writerow([work.kind, work.sizes, name, found, measured])
                file.flush()


if __name__ == "__main__":
    main()
