# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-quotes.py PAGE LEAST FILE...: checks that each block of code that the
# page quotes, LEAST or more, is in one of the files, line for line.

import pathlib
import re
import sys

page, least = pathlib.Path(sys.argv[1]), int(sys.argv[2])
files = ["\n" + pathlib.Path(name).read_text() for name in sys.argv[3:]]
blocks = re.findall(r"^```\w+\n(.*?^)```$", page.read_text(), flags=re.M | re.S)
missing = [block for block in blocks
           if not any("\n" + block in text for text in files)]
for block in missing:
    print("expected in one of %s:\n%s" % (", ".join(sys.argv[3:]), block))
if len(blocks) < least:
    print("expected at least %d quotes, got %d" % (least, len(blocks)))
sys.exit(1 if missing or len(blocks) < least else 0)
