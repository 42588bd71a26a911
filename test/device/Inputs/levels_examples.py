# levels_examples.py - every example on the CPU path, from both of its levels
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   levels_examples.py EXAMPLES

import glob
import os
import subprocess
import sys

import levels

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "levels.py")


def main():
    checks = sorted(glob.glob(os.path.join(sys.argv[1], "*", "check.py")))
    composite = 0
    for check in checks:
        done = subprocess.run(
            [sys.executable, check, "--on=cpu", "--tile-run=" + RUN],
            capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(check + "\n" + done.stdout + done.stderr)
        composite += levels.AGREED in done.stderr
    print("%d examples as expected, %d of them from both levels" %
          (len(checks), composite))


if __name__ == "__main__":
    main()
