# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-readme.py ROOT: checks that what the pages name exists:
#
#   - each line of the README's map starts with a folder or file;
#   - each relative link of the README, of the pages of docs, but for generated ones, and
#     of benchmarks/README.md leads to a file, and to a heading of it;
#   - a heading that a source names, as in: docs/rationale/Dialect.md, "Tile type", is
#     there;
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



def read_text(page):
    """Returns a page without its code, in blocks and in lines."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    return re.sub(r"(?<!`)`[^`\n]+`(?!`)", "`code`", text)


def headings(page):
    """Returns the headings of a page as written, without those in code."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    return re.findall(r"^#+ (.*)$", text, flags=re.M)


def anchor(heading):
    """Returns the anchor of a heading, by GitHub's rule."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


for page in [root / "README.md", *sorted((root / "docs").glob("*.md")),
             *sorted((root / "docs/rationale").glob("*.md")),
             root / "benchmarks/README.md", root / "python-bindings/README.md"]:
    for link in re.findall(r"\]\(([^)]+)\)", read_text(page)):
        if "://" in link:
            continue
        name, _, fragment = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists():
            problems.append("%s links to %s" % (page.name, link))
        elif fragment and fragment not in map(anchor, headings(target)):
            problems.append("%s links to %s: no such heading"
                            % (page.name, link))

# A comment may continue in the next line.
NAMED = re.compile(r'docs/((?:\w+/)?\w+\.md),[\s#/*]*"([^"]*)"')
named = 0
for folder in "include", "lib", "tools", "test", "benchmarks":
    for source in (root / folder).rglob("*"):
        if source.suffix not in (".h", ".cpp", ".td", ".txt", ".py", ".test",
                                 ".mlir") or source == pathlib.Path(__file__):
            continue
        for page, heading in NAMED.findall(source.read_text()):
            named += 1
            heading = " ".join(re.sub(r"[#/]", " ", heading).split())
            if heading not in headings(root / "docs" / page):
                problems.append("%s names %s, \"%s\": no such heading"
                                % (source, page, heading))
if not named:
    problems.append("expected a source that names a heading")

program = (root / "examples/01_vector_add/vector_add.mlir").read_text()
program = "".join(line for line in program.splitlines(True)
                  if not line.startswith("//")).strip()
if program not in readme:
    problems.append("README.md shows another program than"
                    " examples/01_vector_add/vector_add.mlir")
for problem in problems:
    print("error:", problem)
sys.exit(bool(problems))
