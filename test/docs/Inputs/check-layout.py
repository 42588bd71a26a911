# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-layout.py PAGE: what the page shows of tile-layout is what it prints.
#
#   - in blocks of ```console, a line with "$ " is a command; the lines up to
#     the next one are what it prints, errors included;
#   - in tables with the head "| expression | value |", each row is an
#     expression and its value.

import re
import shlex
import subprocess
import sys

lines = open(sys.argv[1]).read().splitlines()
problems = []
examples = 0


def output_of(command):
    return subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True).stdout


def check(number, command, expected):
    global examples
    examples += 1
    actual = output_of(command)
    if actual.rstrip("\n") != expected:
        problems.append("line %d: %s\n  the page has\n%s\n  the tool prints\n%s"
                        % (number, shlex.join(command), expected, actual))


def check_console(first):
    """The commands of the block whose first line has index `first`."""
    last = lines.index("```", first)
    starts = [i for i in range(first, last) if lines[i].startswith("$ ")]
    for start, end in zip(starts, starts[1:] + [last]):
        check(start + 1, shlex.split(lines[start][2:]),
              "\n".join(lines[start + 1:end]))


def check_table(first):
    """The rows of the table whose first row has index `first`."""
    for i in range(first, len(lines)):
        row = re.fullmatch(r"\| `(.*)` \| `(.*)` \|", lines[i])
        if not row:
            break
        check(i + 1, ["tile-layout", row[1]], row[2])
    if i == first or lines[i].startswith("|"):
        problems.append("line %d: expected rows of `expression` and `value`"
                        % (i + 1))


for i, line in enumerate(lines):
    if line == "```console":
        check_console(i + 1)
    if line == "| expression | value |":
        check_table(i + 2)

if examples < 50:
    problems.append("expected the examples of an essay, found %d" % examples)
for problem in problems:
    print("error:", problem)
sys.exit(bool(problems))
