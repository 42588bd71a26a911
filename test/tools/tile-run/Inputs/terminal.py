# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# terminal.py COMMAND...: runs the command with a terminal as standard error,
# prints its standard output, and then the terminal's text, with a new line for
# each carriage return and "^" for an escape.

import os
import pty
import subprocess
import sys

terminal, end = pty.openpty()
run = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=end,
                       env=os.environ | {"TERM": "xterm"})
os.close(end)
output = run.stdout.read()
shown = b""
try:
    while part := os.read(terminal, 1024):
        shown += part
except OSError:  # the other end is closed
    pass
print(output.decode() + "----")
print(shown.decode().replace("\r\n", "\n").replace("\r", "\n")
      .replace("\033", "^"), end="")
sys.exit(run.wait())
