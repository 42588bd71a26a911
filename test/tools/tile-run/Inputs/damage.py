# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# damage.py FILE WORD...: runs the command WORD... with the file truncated at many
# positions, and with bytes changed. The command reads FILE itself or, if FILE is
# not one of the words, its damaged copy next to the other inputs. Each run must
# end by itself, with a message if it fails. Prints how many did.

import os
import random
import subprocess
import sys

path, command = sys.argv[1], sys.argv[2:]
data = open(path, "rb").read()
target = next((word for word in command
               if os.path.basename(word) == os.path.basename(path)), path)
chance = random.Random(1)
inputs = [data[:length] for length in range(0, len(data), len(data) // 60 + 1)]
for _ in range(60):
    changed = bytearray(data)
    changed[chance.randrange(len(data))] = chance.randrange(256)
    inputs.append(bytes(changed))
for contents in inputs:
    with open(target, "wb") as file:
        file.write(contents)
    run = subprocess.run(command, capture_output=True)
    if run.returncode not in (0, 1, 2) or (run.returncode and
                                           b"error" not in run.stderr):
        sys.stdout.buffer.write(contents + b"\n" + run.stderr)
        sys.exit("%s ended with %d" % (command, run.returncode))
with open(target, "wb") as file:
    file.write(data)
print(len(inputs), "damaged files")
