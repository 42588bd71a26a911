# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hover.py FILE: prints the hover at each position of the document that a
# comment `// HOVER: TEXT@N` names: character N, from 0, of the first TEXT
# after it that is outside of comments.

import re
import sys

from client import Editor

text = open(sys.argv[1]).read()
editor = Editor("--phases=false")
editor.write_text("a.mlir", text)
editor.published("a.mlir")
program = re.sub(r"//.*", lambda comment: " " * len(comment[0]), text)
for mark in re.finditer(r"// HOVER: (.*)@(\d+)\n", text):
    at = program.index(mark[1], mark.end()) + int(mark[2])
    line = text.count("\n", 0, at)
    character = at - (text.rfind("\n", 0, at) + 1)
    shown, positions = editor.hover("a.mlir", line, character)
    lines = text.splitlines()
    print("== %s" % mark[0][10:-1])
    if shown is None:
        print("nothing")
        continue
    (first, begin), (last, end) = positions
    print("of: %s" % lines[first][begin:end if last == first else None])
    print(shown)
sys.exit(editor.exit())
