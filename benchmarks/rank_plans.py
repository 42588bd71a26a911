#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks the plans of plans.py by their estimated times. No GPU is needed.

  python3 rank_plans.py [--all]

For each kind of workload in docs/performance/plans.csv, prints the measured time of the
plan with the least estimate, as a multiple of the least measured time: the median and the
maximum over the workloads. Then prints each workload with more than 1.12, with --all every
workload: the multiple, the plan with the least estimate, and the fastest plan. Among plans
with the same estimate the first one of the table counts.
"""

import argparse
import csv
import functools
import statistics
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python-bindings/programs"))
from flash_attention import attention_kernel
from plan_programs import GEMM_PLANS, layer_norm, make_gemm, make_rows, softmax

ARCHITECTURE = "sm_90a"
MOST = 1.12
GEMMS = {name: (extents, options) for name, extents, options in GEMM_PLANS}


def read_plans():
    """Returns the times of the plans of each workload, by its kind and its sizes."""
    times = defaultdict(dict)
    with open(ROOT / "docs/performance/plans.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["plan"] != "peer" and row["microseconds"]:
                times[row["kind"], row["sizes"]][row["plan"]] = float(row["microseconds"])
    return times


def make_array(*shape, dtype=np.float16):
    return np.empty(shape, dtype)  # whose memory is never used


def estimate_gemm(sizes, plan):
    m, n, k = map(int, sizes.split("x"))
    (tm, tn, tk), options = GEMMS[plan]
    return make_gemm(options).estimate(
        make_array(m, k), make_array(k, n), make_array(m, n), m=tm, n=tn, k=tk,
        arch=ARCHITECTURE)


def estimate_attention(sizes, plan):
    extents, *causal = sizes.split()
    batch, heads, length, d = map(int, extents.split("x"))
    m, n = map(int, plan.split("x"))
    q, k, v, o = (make_array(batch, heads, length, d) for _ in range(4))
    lse = make_array(batch, heads, length, dtype=np.float32)
    return attention_kernel.estimate(q, k, v, o, lse, d ** -0.5, d=d, causal=bool(causal),
                                     m=m, n=n, arch=ARCHITECTURE)


def estimate_rows(function, sizes, plan):
    rows, columns = map(int, sizes.split("x"))
    m, block = plan.split(" rows block=")
    return make_rows(function, int(block)).estimate(
        make_array(rows, columns), make_array(rows, columns), m=int(m), n=columns,
        arch=ARCHITECTURE)


KINDS = {"gemm": estimate_gemm, "attention": estimate_attention,
         "softmax": functools.partial(estimate_rows, softmax),
         "layer_norm": functools.partial(estimate_rows, layer_norm)}


def rank(kind, sizes, plans):
    """Returns the multiple of a workload, and the plans that are ranked first and are
    first."""
    first = min(plans, key=lambda plan: KINDS[kind](sizes, plan).microseconds)
    fastest = min(plans, key=plans.get)
    return plans[first] / plans[fastest], first, fastest


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--all", action="store_true", help="print every workload")
    arguments = parser.parse_args()
    ranks = {work: rank(*work, plans) for work, plans in read_plans().items()}
    for kind in KINDS:
        ratios = [ratio for (own, _), (ratio, *_) in ranks.items() if own == kind]
        print(f"{kind}: {len(ratios)} workloads, median {statistics.median(ratios):.2f}, "
              f"maximum {max(ratios):.2f}")
    for (kind, sizes), (ratio, first, fastest) in ranks.items():
        if arguments.all or ratio > MOST:
            print(f"{ratio:.2f} {kind} {sizes}: {first}, fastest {fastest}")


if __name__ == "__main__":
    main()
