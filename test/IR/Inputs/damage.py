# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# damage.py FILE: runs tile-opt on FILE cut off at many positions, and with
# bytes changed. Each run must end by itself: with an error, or successfully if
# the damage does not matter. Prints how many runs did so.

import random
import subprocess
import sys

data = open(sys.argv[1], "rb").read()
chance = random.Random(1)
inputs = [data[:length] for length in range(0, len(data), len(data) // 20)]
for _ in range(25):
    changed = bytearray(data)
    # Printable, so that text stays text.
    changed[chance.randrange(len(data))] = chance.randrange(32, 127)
    inputs.append(bytes(changed))
for text in inputs:
    status = subprocess.run(["tile-opt"], input=text, capture_output=True)
    if status.returncode not in (0, 1):
        sys.stdout.buffer.write(text)
        sys.exit("tile-opt ended with %d" % status.returncode)
print(len(inputs), "damaged files")
