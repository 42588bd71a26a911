# default_blocks.py - reports spills of programs that leave the block size to the compiler
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   python3 default_blocks.py TILE-COMPILE FOLDER
#
# Compiles the programs of Inputs/defaults and prints what ptxas spills of each;
# exits with 1 if there is any.

import json
import pathlib
import subprocess
import sys

PROGRAMS = sorted((pathlib.Path(__file__).parent / "defaults").glob("*.mlir"))
ARCHITECTURES = ("sm_80", "sm_90a")


def count_spills(compiler, program, architecture, folder):
    report = folder / "report.json"
    subprocess.run([compiler, program, "--arch=" + architecture,
                    "--emit=report", "--json", "-o", report], check=True,
                   stderr=subprocess.DEVNULL)
    bodies = json.loads(report.read_text())["kernels"]
    return max(body["assembly"]["spillStoreBytes"] for body in bodies)


def main():
    compiler, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    count = refused = 0
    for program in PROGRAMS:
        for architecture in ARCHITECTURES:
            spills = count_spills(compiler, program, architecture, folder)
            count += 1
            if spills > 0:
                refused += 1
                print("%s for %s: %d bytes of spill stores" %
                      (program.stem, architecture, spills))
    print("%d compilations, %d with spills" % (count, refused))
    return refused != 0


sys.exit(main())
