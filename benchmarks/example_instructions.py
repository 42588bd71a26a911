#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions that determine each example's speed: accesses of memory by
their width, copies, barriers, waits, exchanges within a warp and matrix instructions.

  python3 example_instructions.py --compiler build/bin/tile-compile           compares
  python3 example_instructions.py --compiler build/bin/tile-compile --update  records

test/examples/instructions.csv has a row for each of these instructions of each entry
point. Unlike ptx_manifest.csv, it does not show every change of the code. A changed row
means, for example, that a pipeline was lost, or that vector accesses became scalar:

  06_gemm_f16 sm_80 gemm_f16: cp.async 24 -> 0, ld.global.128 0 -> 24

The exit status is 1 if there are differences.
"""

import argparse
import collections
import concurrent.futures
import csv
import os
import re
import shutil
import sys
from pathlib import Path

import ptx_manifest

ROOT = Path(__file__).resolve().parent.parent
COUNTS = ROOT / "test" / "examples" / "instructions.csv"
ARCHITECTURES = ("sm_80", "sm_90a")
HEADER = ["example", "architecture", "entry", "instruction", "count"]

# Memory accesses. Their rows also state the width in bits.
ACCESSES = ("ld.global", "st.global", "ld.shared", "st.shared", "ld.local",
            "st.local")
# The other instructions, by the prefixes of their names.
OTHERS = ("ldmatrix", "stmatrix", "mma.sync", "wgmma.mma_async", "wgmma.fence",
          "wgmma.commit_group", "wgmma.wait_group", "cp.async.wait",
          "cp.async.commit", "cp.async", "bar.warp.sync", "bar", "fence",
          "shfl.sync", "redux.sync", "atom", "red")


def classify(instruction):
    """Returns the name of the row that counts an instruction; None if no row does."""
    for name in ACCESSES:
        if instruction.startswith(name + "."):
            vector = re.search(r"\.v(\d)\.", instruction)
            bits = int(re.search(r"\.[bfus](\d+)$", instruction)[1])
            return f"{name}.{bits * int(vector[1] if vector else 1)}"
    return next((name for name in OTHERS if instruction.startswith(name)), None)


def count(compiler, path, architecture):
    """Returns the rows of an example on an architecture."""
    result = ptx_manifest.emit_ptx(compiler, path, architecture)
    if result.returncode != 0:
        raise ptx_manifest.ManifestError(f"{path}: does not compile:\n"
                                         f"{result.stderr}")
    counts = collections.Counter()
    for entry, lines in ptx_manifest.split_functions(result.stdout).items():
        for name in map(classify, ptx_manifest.list_instructions(lines)):
            if name:
                counts[path.parent.name, architecture, entry, name] += 1
    return counts


def count_all(compiler, jobs):
    cases = [(path, architecture)
             for path in sorted(ROOT.glob("examples/*/*.mlir"))
             for architecture in ARCHITECTURES]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return sum(pool.map(lambda case: count(compiler, *case), cases),
                   collections.Counter())


def read_counts(path):
    with open(path, newline="") as file:
        return collections.Counter({tuple(row[:4]): int(row[4])
                                    for row in list(csv.reader(file))[1:]})


def write_counts(path, counts):
    with open(path, "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(HEADER)
        rows.writerows([*key, count] for key, count in sorted(counts.items()))


def list_differences(recorded, made):
    """Returns a line for each entry point with a count that differs."""
    changes = collections.defaultdict(list)
    for key in sorted({*recorded, *made}):
        if recorded[key] != made[key]:
            changes[key[:3]].append(f"{key[3]} {recorded[key]} -> {made[key]}")
    return [f"{' '.join(key)}: {', '.join(texts)}"
            for key, texts in changes.items()]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default="tile-compile",
                        help="the path of tile-compile")
    parser.add_argument("--counts", type=Path, default=COUNTS)
    parser.add_argument("--update", action="store_true",
                        help="record what is made now")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    compiler = shutil.which(options.compiler)
    if not compiler:
        sys.exit(f"expected a compiler, found no '{options.compiler}'")
    made = count_all(os.path.abspath(compiler), options.jobs)
    recorded = (read_counts(options.counts) if options.counts.exists()
                else collections.Counter())
    differences = list_differences(recorded, made)
    print("".join(line + "\n" for line in differences), end="")
    entries = len({key[:3] for key in made})
    print(f"{entries} entry points, {len(differences)} with differences")
    if options.update:
        write_counts(options.counts, made)
    return int(bool(differences) and not options.update)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ptx_manifest.ManifestError as error:
        sys.exit(f"example_instructions.py: error: {error}")
