# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hover-all.py SOURCE_DIR: each operation, attribute and type of the .td files
# has its summary, its description's first line, its constraints and its
# examples in a hover.

import pathlib
import re
import sys

from client import Editor

problems = []


def records():
    """Returns the name in programs and the record of each definition."""
    folder = pathlib.Path(sys.argv[1]) / "include/tile/IR"
    for file in sorted(folder.rglob("*.td")):
        text = file.read_text()
        for record in re.split(r"^(?=(?:def|class|let|include) )", text,
                               flags=re.M):
            mnemonic = re.search(r'let mnemonic = "(\w+)"', record)
            if match := re.match(r'def \w+ : Tile_\w*Op\w*<"(\w+)"', record):
                yield "tile." + match[1], record
            elif match := re.match(r'def \w+ : TileGpu_Op<"(\w+)"', record):
                yield "tile_gpu." + match[1], record
            elif match := re.match(r'def \w+ : Tile_Attr<"\w+", "(\w+)"',
                                   record):
                yield "#tile." + match[1], record
            elif match := re.match(r'def \w+ : Tile_EnumAttr<\w+, "(\w+)"',
                                   record):
                yield "#tile." + match[1], record
            elif record.startswith("def") and "TypeDef<" in record:
                yield "!tile." + mnemonic[1], record


def expected_lines(record):
    """The lines of a record that a hover must show: summary, text, constraints."""
    if summary := re.search(r'let summary = "([^"]*)"', record):
        yield summary[1][1:]
    if description := re.search(r"let description = \[\{(.*?)\}\]", record,
                                re.S):
        for line in description[1].splitlines():
            yield line.strip()


found = dict(records())
text = "\n".join(found) + "\n"
editor = Editor("--phases=false")
editor.write_text("all.mlir", text)
for line, (name, record) in enumerate(found.items()):
    shown, _ = editor.hover("all.mlir", line, len(name) // 2)
    if shown is None:
        problems.append("%s: expected a hover, found none" % name)
        continue
    for expected in expected_lines(record):
        if expected not in shown:
            problems.append("%s: expected '%s', found %s"
                            % (name, expected, shown))
            break
    if name.startswith(("tile.", "tile_gpu.")) and "Example" not in shown:
        problems.append("%s: expected an example, found %s" % (name, shown))
for problem in problems:
    print("error:", problem)
print("%d operations, %d attributes, %d types" % tuple(
    sum(name.startswith(sign) for name in found) for sign in ("t", "#", "!")))
sys.exit(bool(problems) or editor.exit())
