# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-phases.py PAGE: checks that the phases of `tile-opt --help` have the
# indices, titles and passes of the page's sections, and the order of -tile-to-nvvm.

import re
import subprocess
import sys


def read_help():
    """Returns [(index, title, [pass])] from the head of --help."""
    text = subprocess.run(["tile-opt", "--help"], capture_output=True,
                          text=True, check=True).stdout
    phases = []
    for line in text.partition("USAGE:")[0].splitlines():
        if title := re.fullmatch(r" *(\d+)\. (.*)", line):
            phases.append((int(title[1]), title[2], []))
        elif name := re.match(r" +-(\S+)", line):
            phases[-1][2].append(name[1])
    return phases


def read_page(path):
    """Returns {number: (title, section)} of the page's sections."""
    with open(path) as file:
        text = file.read()
    return {int(index): (title, section) for index, title, section in
            re.findall(r"^## (\d+)\. (.*)\n((?:(?!#).*\n)*)", text, re.M)}


def read_pipeline():
    """Returns this project's passes in -tile-to-nvvm, in order of first use."""
    text = subprocess.run(
        ["tile-opt", "--tile-to-nvvm", "--dump-pass-pipeline", "-o",
         "/dev/null"], input="", capture_output=True, text=True).stderr
    return list(dict.fromkeys(re.findall(r"^ +((?:convert-)?tile-[a-z-]+)",
                                         text, re.M)))


phases = read_help()
page = read_page(sys.argv[1])
assert [index for index, _, _ in phases] == sorted(page), (phases, page)
for index, title, passes in phases:
    heading, section = page[index]
    assert title.lower().startswith(heading.lower()), (title, heading)
    for name in passes:
        assert "`-%s`" % name in section, (name, heading)
listed = [name for _, _, passes in phases for name in passes]
pipeline = read_pipeline()
assert len(pipeline) > 10, pipeline
# tile-verify-level first runs before phase 8, so it is not in the listed order.
pipeline.remove("tile-verify-level")
assert [name for name in listed if name in pipeline] == pipeline, (listed,
                                                                   pipeline)
