#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a GPU's results with the emulator's, bit for bit.

The programs are those of test/device. They are recorded on a machine with the compiler:

  TILE_RECORD=DIR python3 test/device/Inputs/compute.py \\
      --on=emulator --arch=sm_90a            (cast, matmul, memory, shape, ...)
  python3 compare_values.py DIR --compile build/bin/tile-compile --arch sm_90a

and run on a machine with a GPU, tile-run and NumPy:

  python3 compare_values.py DIR --tile-run tile-run --out values.csv

The exit status is 1 if a program fails, or integers differ.
"""

import argparse
import collections
import json
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import tables

# The tests store element types that NumPy lacks as integers with the same bits.
# Differences of these integers are differences in codes, too.
WIDTHS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


@dataclass
class Difference:
    """The differences of one result: the count of elements that differ, and the largest
    difference in codes, the integers of `to_codes` (units in the last place). All NaNs
    are equal."""
    kind: str
    elements: int
    different: int
    codes: float


def find_records(folder):
    return sorted(path.parent for path in folder.glob("*/launch.json"))


def compile_record(options, record):
    """Returns the error message of a program that does not compile, else None."""
    done = subprocess.run(
        [options.compile, str(record / "program.mlir"),
         f"--arch={options.arch}", "-o", str(record / "program.cubin")],
        capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr.strip()


def to_codes(array):
    """Maps floating-point values to integers in the same order."""
    if array.dtype.kind == "c":
        array = array.view(array.real.dtype)
    if array.dtype.kind != "f":
        return array.astype(object)
    bits = array.view(WIDTHS[array.dtype.itemsize]).astype(object)
    sign = 1 << (8 * array.dtype.itemsize - 1)
    return np.where(bits >= sign, sign - bits, bits)


def compare(expected, result):
    kind = "floats" if expected.dtype.kind in "fc" else "integers and codes"
    same = expected.tobytes() == result.tobytes()
    if same:
        return Difference(kind, expected.size, 0, 0)
    equal = expected == result
    if kind == "floats":
        equal |= np.isnan(expected) & np.isnan(result)
    # Zeros of different signs are equal but have different codes.
    distance = np.abs(to_codes(np.atleast_1d(expected)) -
                      to_codes(np.atleast_1d(result)))
    distance = distance.reshape(np.atleast_1d(equal).shape + (-1,)).max(axis=-1)
    distance = np.where(np.atleast_1d(equal), 0, distance)
    return Difference(kind, expected.size, int((~equal).sum()),
                      float(distance.max()))


def run_record(options, record):
    """Returns the differences of a program's results, or its error message."""
    launch = json.loads((record / "launch.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        for path in record.glob("*.npy"):
            if not path.name.startswith("result-"):
                shutil.copy(path, folder)
        done = subprocess.run(
            [options.tile_run, "--on=cuda",
             str((record / "program.cubin").resolve()), launch["kernel"],
             *launch["words"]],
            capture_output=True, text=True, cwd=folder)
        if done.returncode != 0:
            return done.stderr.strip()
        return [compare(np.load(path),
                        np.load(Path(folder) / path.name[len("result-"):]))
                for path in sorted(record.glob("result-*.npy"))]


def for_each(records, work, jobs):
    """Returns each record with the result of `work` for it, in the order of the
    records. Several records are processed at a time."""
    with ThreadPoolExecutor(jobs) as pool:
        return list(zip(records, pool.map(work, records)))


def compile_all(options):
    failed = 0
    for record, message in for_each(
            find_records(options.folder),
            lambda record: compile_record(options, record), options.jobs):
        if message is not None:
            print(f"{record.name}: does not compile: {message}",
                  file=sys.stderr)
            failed += 1
    return failed


def format_rows(rows, facts):
    return tables.format_csv(
        ["programs", "results_of", "results", "same_bits",
         "numbers_that_differ", "codes_at_most"],
        [[group, kind, *map(str, row[:3]), f"{row[3]:g}"]
         for (group, kind), row in sorted(rows.items())], facts)


def run_all(options):
    """Prints each program that differs, and the table."""
    rows = collections.defaultdict(lambda: [0, 0, 0, 0.0])
    failed = 0
    for record, differences in for_each(
            find_records(options.folder),
            lambda record: run_record(options, record), options.jobs):
        group = record.name.split("-")[0]
        if isinstance(differences, str):
            print(f"{record.name}: {differences}", file=sys.stderr)
            failed += 1
            continue
        for difference in differences:
            row = rows[group, difference.kind]
            row[0] += 1
            row[1] += difference.different == 0
            row[2] += difference.different
            row[3] = max(row[3], difference.codes)
            if difference.different:
                print(f"{record.name}: {difference.different} of "
                      f"{difference.elements} {difference.kind} differ, by "
                      f"{difference.codes:g} codes at most")
    text = format_rows(rows, tables.format_facts(
        f"{len(find_records(options.folder))} programs",
        f"commit {options.commit}"))
    print("\n" + text)
    if options.out:
        Path(options.out).write_text(text)
    return failed


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--compile", metavar="TILE_COMPILE")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--tile-run")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--out", metavar="FILE")
    options = parser.parse_args()
    if options.tile_run and Path(options.tile_run).exists():
        options.tile_run = str(Path(options.tile_run).resolve())
    if not options.folder.is_dir():
        sys.exit(f"compare_values.py: error: expected a folder of records, got "
                 f"'{options.folder}'")
    failed = compile_all(options) if options.compile else 0
    if options.tile_run:
        failed += run_all(options)
    return int(failed != 0)


if __name__ == "__main__":
    sys.exit(main())
