# operations.py - runs every program of test/device on the emulator
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   operations.py ARCH...

import pathlib
import re
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[2] / "device"


def find_programs():
    """Returns the programs of test/device that tests run on the emulator with no
    arguments but the machine's. products.py is left out, since products.test runs
    it."""
    for test in sorted((TESTS / "emulator").glob("*.test")):
        for name in re.findall(r"Inputs/(\w+\.py) --on=emulator --arch=sm_90 \|",
                               test.read_text()):
            if name != "products.py":
                yield TESTS / "Inputs" / name


def run(program, architecture):
    """Returns whether the program succeeded, and prints the result."""
    done = subprocess.run(
        [sys.executable, program, "--on=emulator", "--arch=" + architecture],
        capture_output=True, text=True)
    last = (done.stdout.splitlines() or [""])[-1]
    print(program.name, architecture, last if done.returncode == 0 else
          "failed:\n" + done.stdout + done.stderr, flush=True)
    return done.returncode == 0


def main():
    programs = list(find_programs())
    results = [run(program, architecture) for architecture in sys.argv[1:]
               for program in programs]
    if not results or not all(results):
        sys.exit("expected %d programs without failures, got %d failures" % (
            len(results), results.count(False)))


if __name__ == "__main__":
    main()
