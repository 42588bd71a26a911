# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-blocks.py ROOT TABLE: checks the table of code blocks: it lists the
# number of blocks of each kind on each page (README.md, benchmarks/README.md,
# examples/*/README.md, docs/*.md), and the tests that run or read them, or
# another purpose; each test names the page. A block without a kind is a "text".

import collections
import csv
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
pages = [root / "README.md", root / "benchmarks/README.md",
         *root.glob("examples/*/README.md"), *root.glob("docs/*.md")]
problems = []


def count_blocks():
    count = collections.Counter()
    for page in pages:
        name = str(page.relative_to(root))
        kinds = re.findall(r"^ *```(\S*)\n.*?^ *```$", page.read_text(), re.M | re.S)
        count.update((name, kind or "text") for kind in kinds)
    return count


def check_tests(page, tests):
    for test in re.findall(r"\S+\.test", tests):
        path = root / "test" / test
        text = path.read_text() if path.exists() else ""
        if page not in text and not (page.startswith("docs/") and "docs/*.md" in text):
            problems.append("%s: expected test/%s to name it" % (page, test))


found = count_blocks()
with open(sys.argv[2], newline="") as file:
    for row in csv.DictReader(file):
        count = found.pop((row["page"], row["kind"]), 0)
        if count != int(row["blocks"]):
            problems.append("%s: expected %s blocks of %s, found %d"
                            % (row["page"], row["blocks"], row["kind"], count))
        check_tests(row["page"], row["tests"])
for page, kind in sorted(found):
    problems.append("%s: expected a test of its blocks of %s, found none"
                    % (page, kind))
for problem in problems:
    print("error:", problem)
sys.exit(bool(problems))
