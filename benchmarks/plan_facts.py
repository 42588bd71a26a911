#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what the compiler decides for each plan of a GEMM of plans.py. No GPU is needed.

  python3 plan_facts.py --out FILE

The file, docs/performance/plan-facts.csv, has for each plan the extents of its tiles, the
threads of a block, the instruction, the stages, and the blocks that a multiprocessor runs
at a time. It belongs to the compiler that plans.csv was measured with.
"""

import argparse
import csv
import re

import numpy as np

from plan_programs import GEMM_PLANS, make_gemm

ARCHITECTURE = "sm_90a"
# Extents that are no multiples of the tiles', like those of most workloads of plans.py.
M, N, K = 1240, 2024, 1704
FACTS = {"block": r"block: (\d+) threads",
         "instruction": r"products:\n +(\w+),",
         "stages": r" in (\d+) stages",
         "blocks_per_processor": r"occupancy: (\d+) blocks"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()
    a, b, c = (np.empty(shape, np.float16) for shape in ((M, K), (K, N), (M, N)))
    with open(arguments.out, "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["plan", "m", "n", "k", *FACTS])
        for name, (m, n, k), options in GEMM_PLANS:
            report = make_gemm(options).compile(a, b, c, m=m, n=n, k=k,
                                                arch=ARCHITECTURE)["report"].decode()
            table.writerow([name, m, n, k, *(re.search(fact, report)[1]
                                             for fact in FACTS.values())])


if __name__ == "__main__":
    main()
