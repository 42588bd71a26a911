# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-readme.py ROOT: what the pages name is there.
#
#   - each line of the README's map starts with a folder or file;
#   - each relative link of the README and of docs/*.md leads somewhere;
#   - the program that the README shows is that of examples/01_vector_add.

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
readme = (root / "README.md").read_text()
problems = []

blocks = re.findall(r"```(\w*)\n(.*?)```", readme, re.S)
maps = [text for kind, text in blocks if "include/tile/" in text]
if len(maps) != 1:
    problems.append("expected one map in README.md, got %d" % len(maps))
for line in "".join(maps).splitlines():
    for name in line.split("  ")[0].split():
        if not (root / name).exists():
            problems.append("the map of README.md names " + name)

for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if "://" not in link and not (page.parent / link).exists():
            problems.append("%s links to %s" % (page.name, link))

program = (root / "examples/01_vector_add/vector_add.mlir").read_text()
program = "".join(line for line in program.splitlines(True)
                  if not line.startswith("//")).strip()
if program not in readme:
    problems.append("README.md shows another program than"
                    " examples/01_vector_add/vector_add.mlir")
for problem in problems:
    print("error:", problem)
sys.exit(bool(problems))
