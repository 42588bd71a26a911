# wavefronts.py - the compiler's report and the emulator count the same
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   python3 wavefronts.py PROGRAM KERNEL ELEMENT M,N,K
#
# Multiplies on the emulator and compares, line by line, the wavefronts of
# shared memory that it counts with those that the report predicts: those of one block
# and one execution, times blocks and executions. The sizes are multiples of the
# tile and fulfil the assumptions of the kernel's first body.

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "benchmarks"))

from wavefronts import count_executions

ARCH = "--arch=sm_90"
DTYPES = {"f16": np.float16, "f32": np.float32}


def get_report(program):
    """Returns the first body of the report."""
    done = subprocess.run(
        ["tile-compile", program, ARCH, "--emit=report", "--json", "-o", "-"],
        stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)["kernels"][0]


def get_profile(program, kernel, element, m, n, k):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, shape in (("a", (m, k)), ("b", (k, n))):
            np.save(folder / name, np.ones(shape, DTYPES[element]))
        subprocess.run(
            ["tile-run", program, kernel, folder / "a.npy", folder / "b.npy",
             "out=%s:%dx%d" % (folder / "c.npy", m, n), "--on=emulator", ARCH,
             "--profile-json=%s" % (folder / "profile.json")], check=True)
        return json.loads((folder / "profile.json").read_text())


def predict(accesses, blocks, steps):
    """Returns wavefronts by line of the compiler's report."""
    lines = collections.Counter()
    for access, count in zip(accesses, count_executions(accesses, steps)):
        lines["%s:%d" % (access["file"], access["line"])] += access["wavefronts"] * count * blocks
    return lines


def count(instructions):
    """Returns wavefronts by line of a profile, whose locations have columns."""
    lines = collections.Counter()
    for row in instructions:
        if row["wavefronts"]:
            lines[row["location"].rsplit(":", 1)[0]] += row["wavefronts"]
    return lines


def main():
    program, kernel, element, size = sys.argv[1:]
    m, n, k = map(int, size.split(","))
    tile = {"gemm_f16": (128, 128, 64), "gemm_f32": (32, 64, 64)}[kernel]
    blocks, steps = (m // tile[0]) * (n // tile[1]), k // tile[2]
    expected = predict(get_report(program)["accesses"], blocks, steps)
    counted = count(get_profile(program, kernel, element, m, n, k)
                    ["instructions"])
    if expected != counted:
        sys.exit("%s: expected wavefronts %s (the report's), got %s" % (
            kernel, dict(expected), dict(counted)))
    print("%s: %d wavefronts on %d lines, as the report says" % (
        kernel, sum(counted.values()), len(counted)))


if __name__ == "__main__":
    main()
