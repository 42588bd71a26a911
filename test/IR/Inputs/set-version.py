# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# set-version.py IN OUT VERSION [INDEX]: writes a copy of a bytecode file with another
# version of a dialect: the first one with a version, or that of the index. The version
# is a section of its own (id 3, as a varint 7) of one varint; below 64 a varint is one
# byte, 2 * n + 1.

import re
import sys

name, result, version = sys.argv[1], sys.argv[2], int(sys.argv[3])
data = open(name, "rb").read()
sections = list(re.finditer(rb"\x07\x03[\x03\x05\x07\x09\x0b\x0d\x0f]", data[:64]))
position = sections[int(sys.argv[4]) if len(sys.argv) > 4 else 0].start() + 2
open(result, "wb").write(
    data[:position] + bytes([2 * version + 1]) + data[position + 1:])
