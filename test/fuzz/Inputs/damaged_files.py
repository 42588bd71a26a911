# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reads files damaged by libFuzzer (test/fuzz/readers). None may crash a reader or the
# compiler, take 30 seconds, or, except for bytecode, take more than 4 GB. Prints the
# content of a row of logs/testing.csv.
#
#   damaged_files.py KIND --cases=N [--seed=S] [--keep=DIR]
#
# KIND is text, bytecode, npy or metadata; the tools are those on PATH. The cases run
# in rounds of 500, each with its own seed, so that a round depends only on the tools.
# Inputs that fail are kept in DIR.

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = sorted(glob.glob(os.path.join(TESTS, "..", "examples", "*", "*.mlir")))
ROUND = 500


def make_text(directory):
    for path in PROGRAMS + glob.glob(os.path.join(TESTS, "IR", "*.mlir")):
        shutil.copy(path, directory)
    programs = subprocess.run(["tile-fuzz", "--print", "--seed=1", "--count=20"],
                              capture_output=True, text=True, check=True).stdout
    for index, program in enumerate(programs.split("// seed ")[1:]):
        with open(os.path.join(directory, "random-%d.mlir" % index), "w") as file:
            file.write("// " + program)


def make_bytecode(directory):
    for path in PROGRAMS:
        output = os.path.join(directory, os.path.basename(path) + "bc")
        subprocess.run(["tile-opt", path, "--emit-bytecode", "-o", output],
                       check=True)
    shutil.copy(os.path.join(TESTS, "IR", "Inputs", "version-1.mlirbc"), directory)


def make_npy(directory):
    import numpy as np
    arrays = [np.arange(4, dtype="f4"), np.asfortranarray(np.ones((3, 4), "i8")),
              np.zeros((2, 0), "f2"), np.array(3.5), np.ones((2, 2), "c8"),
              np.ones(3, "?")]
    for index, array in enumerate(arrays):
        np.save(os.path.join(directory, "%d.npy" % index), array)


def make_metadata(directory):
    shutil.copy(os.path.join(TESTS, "tools", "tile-run", "Inputs", "fake.json"),
                directory)


MAKE = {"text": make_text, "bytecode": make_bytecode, "npy": make_npy,
        "metadata": make_metadata}


def run_round(kind, seeds, seed, cases, keep):
    """Runs libFuzzer once; returns its exit status, count of cases and output."""
    # libFuzzer watches the memory in a thread of its own, but bytecode is read in a
    # child process only if there is no other thread.
    memory = 0 if kind == "bytecode" else 4000
    with tempfile.TemporaryDirectory() as corpus:
        run = subprocess.run(
            ["tile-fuzz-" + kind, "-seed=%d" % seed, "-runs=%d" % cases,
             "-timeout=30", "-rss_limit_mb=%d" % memory,
             "-print_final_stats=1",
             "-artifact_prefix=%s/" % keep, corpus, seeds],
            capture_output=True, text=True, errors="replace")
    done = re.search(r"number_of_executed_units: (\d+)", run.stderr)
    return run.returncode, int(done.group(1)) if done else 0, run.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=sorted(MAKE))
    parser.add_argument("--cases", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    keep = options.keep or tempfile.mkdtemp()
    os.makedirs(keep, exist_ok=True)
    seed, cases, failures = options.seed, 0, 0
    with tempfile.TemporaryDirectory() as seeds:
        MAKE[options.kind](seeds)
        while cases < options.cases:
            status, done, output = run_round(
                options.kind, seeds, seed, min(ROUND, options.cases - cases), keep)
            if done == 0:
                sys.exit("expected cases to run, got\n" + output)
            if status != 0:
                failures += 1
                print(output[-4000:])
            cases += done
            seed += 1
    print("%s: seeds %d to %d, %d cases, %d failures" % (
        options.kind, options.seed, seed - 1, cases, failures))
    sys.exit(failures != 0)


main()
