# check-linalg.py ROOT: checks the group and the passes that docs/Linalg.md shows
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "docs/Linalg.md").read_text()
group, = re.findall(r"```mlir\n(.*?)```", page, re.S)
if group not in (root / "docs/reference/dialect/FusionGroups.md").read_text():
    sys.exit("expected the block of mlir in docs/reference/dialect/FusionGroups.md")

listed = re.findall(r"^-(tile-[\w-]+)  ", page, re.M)
records = (root / "include/tile/Conversion/LinalgToTile.td").read_text()
flags = dict(re.findall(r'^def (\w+) : LinalgPass<"([\w-]+)">', records, re.M))
pipeline = (root / "lib/Conversion/LinalgToTile/LinalgToTile.cpp").read_text()
for step in listed:
    names = [name for name, flag in flags.items() if flag == step]
    if len(names) != 1:
        sys.exit("expected a pass -%s, found %d" % (step, len(names)))
positions = [pipeline.index(name[0].lower() + name[1:] + "(module")
             for step in listed for name, flag in flags.items() if flag == step]
if len(positions) != 5 or positions != sorted(positions):
    sys.exit("expected the five steps of the pipeline in their order, got %s" % listed)
