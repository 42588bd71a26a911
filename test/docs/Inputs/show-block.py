# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# show-block.py PAGE KIND INDEX: prints the page's INDEXth block of ```KIND,
# counted from 1, as the content of a file.

import re
import sys
import textwrap

page, kind, index = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(page) as file:
    blocks = re.findall(r"^ *```%s\n(.*?)^ *```$" % re.escape(kind), file.read(),
                        re.M | re.S)
if not 1 <= index <= len(blocks):
    sys.exit("error: %s: expected %d blocks of %s, found %d"
             % (page, index, kind, len(blocks)))
print(textwrap.dedent(blocks[index - 1]), end="")
