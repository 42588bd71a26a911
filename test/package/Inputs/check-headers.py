# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-headers.py INCLUDE: checks that each header and .td file there includes
# only project files that are also there.

import pathlib
import re
import sys

include = pathlib.Path(sys.argv[1])
INCLUDE = re.compile(r'^#?\s*include "(tile(?:-c)?/[^"]*)"', re.MULTILINE)
problems = []
count = 0
for path in sorted(include.rglob("*")):
    if not path.is_file():
        continue
    if path.suffix not in (".h", ".td", ".inc"):
        problems.append("expected headers and .td files, got %s" % path)
        continue
    for name in INCLUDE.findall(path.read_text()):
        count += 1
        if not (include / name).exists():
            problems.append("%s includes %s, which is not installed"
                            % (path.relative_to(include), name))
if not count:
    problems.append("expected headers of the project in %s" % include)
for problem in problems:
    print("error:", problem)
sys.exit(bool(problems))
