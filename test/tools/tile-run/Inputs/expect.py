# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command, and fails unless it ends with a certain exit code.

  expect.py CODE COMMAND...
"""

import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
if code != int(sys.argv[1]):
    print('expected exit code', sys.argv[1] + ', found', code)
    sys.exit(1)
