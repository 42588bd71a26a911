# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-page.py PAGE LEAST [FOLDER]: checks that the page shows the actual
# output of the tools, in LEAST examples or more.
#
#   - in blocks of ```console, a line with "$ " is a command of the shell, run
#     in the folder, else in the sources' root; the lines up to the next one are
#     its output, including errors, where "..." is any text of a line;
#   - in tables with the head "| expression | value |", each row is an
#     expression and its value.

import pathlib
import re
import shlex
import subprocess
import sys

page = pathlib.Path(sys.argv[1])
folder = sys.argv[3] if len(sys.argv) > 3 else page.parent.parent
lines = page.read_text().splitlines()
problems = []
examples = 0


def output_of(command):
    return subprocess.run(command, shell=True, cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True).stdout


def is_shown(expected, actual):
    parts = map(re.escape, expected.split("..."))
    return re.fullmatch(".*".join(parts), actual) is not None


def check(line, command, expected):
    global examples
    examples += 1
    actual = output_of(command)
    if not is_shown(expected, actual.rstrip("\n")):
        problems.append("line %d: %s\n  the page has\n%s\n  the tool prints\n%s"
                        % (line, command, expected, actual))


def check_console(first):
    """Checks the commands of the block whose first line has index `first`."""
    last = lines.index("```", first)
    starts = [i for i in range(first, last) if lines[i].startswith("$ ")]
    for start, end in zip(starts, starts[1:] + [last]):
        check(start + 1, lines[start][2:],
              "\n".join(lines[start + 1:end]))


def check_table(first):
    """Checks the rows of the table whose first row has index `first`."""
    for i in range(first, len(lines)):
        row = re.fullmatch(r"\| `(.*)` \| `(.*)` \|", lines[i])
        if not row:
            break
        check(i + 1, shlex.join(["tile-layout", row[1]]), row[2])
    if i == first or lines[i].startswith("|"):
        problems.append("line %d: expected rows of `expression` and `value`"
                        % (i + 1))


for i, line in enumerate(lines):
    if line == "```console":
        check_console(i + 1)
    if line == "| expression | value |":
        check_table(i + 2)

least = int(sys.argv[2])
if examples < least:
    problems.append("expected %d examples or more, found %d"
                    % (least, examples))
for problem in problems:
    print("error:", problem)
sys.exit(bool(problems))
