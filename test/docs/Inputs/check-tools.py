# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-tools.py ROOT FOLDER: each tool of tools/ has a row in the table of
# docs/Tools.md and a command in its block of ```sh; each line of the block, run
# in the folder, exits with 0, or with N where it says "# exits with N".

import pathlib
import re
import shlex
import subprocess
import sys

root, folder = pathlib.Path(sys.argv[1]), sys.argv[2]
page = (root / "docs/Tools.md").read_text()
problems = []

rows = re.findall(r"^\| `(tile-[a-z-]+)` \|", page, re.M)
commands = re.search(r"^```sh\n(.*?)^```", page, re.M | re.S)[1].splitlines()
# Libraries that other programs load are no tools of their own.
libraries = {"tile-mlir-plugin"}
tools = sorted(path.name for path in (root / "tools").iterdir()
               if path.is_dir() and path.name not in libraries)
if sorted(rows) != tools:
    problems.append("expected rows of %s, found %s" % (tools, rows))
for tool in tools:
    if not any(line.startswith(tool + " ") or line == tool
               for line in commands):
        problems.append("expected a command of %s, found none" % tool)

for line in commands:
    expected = re.search(r"# exits with (\d)", line)
    expected = int(expected[1]) if expected else 0
    # The python that has NumPy.
    command = re.sub(r"^python3\b", shlex.quote(sys.executable), line)
    done = subprocess.run(["bash", "-c", command], cwd=folder, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode != expected:
        problems.append("%s\n  expected exit code %d, found %d\n%s"
                        % (line, expected, done.returncode, done.stderr))
for problem in problems:
    print("error:", problem)
sys.exit(bool(problems))
