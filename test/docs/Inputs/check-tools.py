# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-tools.py ROOT: checks that each tool of tools/ has a row in the table of
# docs/Tools.md and a command in its block of ```sh.

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "docs/Tools.md").read_text()
problems = []

rows = re.findall(r"^\| `(tile-[a-z-]+)` \|", page, re.M)
commands = re.search(r"^```sh\n(.*?)^```", page, re.M | re.S)[1].splitlines()
# Libraries that other programs load are not tools.
libraries = {"tile-mlir-plugin"}
tools = sorted(path.name for path in (root / "tools").iterdir()
               if path.is_dir() and path.name not in libraries)
if sorted(rows) != tools:
    problems.append("expected rows of %s, found %s" % (tools, rows))
for tool in tools:
    if not any(line.startswith(tool + " ") or line == tool
               for line in commands):
        problems.append("expected a command of %s, found none" % tool)
for problem in problems:
    print("error:", problem)
sys.exit(bool(problems))
