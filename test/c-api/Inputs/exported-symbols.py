# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# exported-symbols.py LIBRARY HEADER...: checks that the library exports exactly
# the functions that the headers declare, and prints them.

import re
import subprocess
import sys

library, headers = sys.argv[1], sys.argv[2:]
declared = set()
for header in headers:
    with open(header) as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
    declared.update(re.findall(r"\b(tile_\w+)\(", text))
lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                       capture_output=True, text=True).stdout.splitlines()
exported = set()
for line in lines:
    kind, symbol = line.split()[-2:]
    name, _, version = symbol.partition("@")
    if kind == "A":  # the version itself
        continue
    exported.add(name)
    if not version.endswith("TILE_0.2"):
        print("error: expected %s of version TILE_0.2, got '%s'"
              % (name, version))
for name in sorted(exported - declared):
    print("error: %s is exported and in no header" % name)
for name in sorted(declared - exported):
    print("error: %s is in a header and not exported" % name)
for name in sorted(exported):
    print(name)
