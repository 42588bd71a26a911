# check_report.py - checks that the report in JSON is consistent, and agrees with tile-layout
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   PATH=build/bin:$PATH python3 check_report.py REPORT.json
#
# Every tile has the fields that docs/Report.md names, tile-layout draws every
# layout, instructions by line add up to those of the entry, and the roofline
# agrees with the values next to it.

import collections
import json
import subprocess
import sys

TILE = {"file", "line", "operation", "type", "storage", "reason", "layout",
        "elementBytes"}


def draw(tile):
    words = ["tile-layout", tile["layout"], "--draw"]
    if tile["storage"] == "shared":
        words.append("--element-bytes=%d" % tile["elementBytes"])
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0 and len(done.stdout.splitlines()) > 2, (
        words, done.stderr)


def check_lines(kernel):
    lines = collections.Counter()
    for line in kernel["lineInstructions"]:
        assert line["file"] and line["line"] > 0, line
        lines.update(line["instructions"])
    assert lines == kernel["instructions"], kernel["symbol"]
    assert len(kernel["lineInstructions"]) > 2


def check_work(work):
    assert sum(work["blockFlops"].values()) * work["blocks"] == work["flops"]
    assert "memory" in work["microseconds"] and work["part"]


def main():
    kernels = json.load(open(sys.argv[1]))["kernels"]
    layouts = 0
    for kernel in kernels:
        assert isinstance(kernel["grid"], list), kernel["grid"]
        for tile in kernel["tiles"]:
            assert set(tile) == TILE, tile
            assert tile["storage"] in ("register", "shared") and tile["reason"]
            if tile["layout"]:
                draw(tile)
                layouts += 1
        check_lines(kernel)
        # Whether rows are copied or shifted is known only at run time.
        if not kernel["generalOf"]:
            check_work(kernel["work"])
    assert layouts >= 4 * len(kernels), layouts


main()
