#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damages bytecode files at random, and imports them.

  python3 mutate.py FOLDER SEED COUNT

Each must end in a program or a located error within 10 s; tile-compile is found by PATH.
Prints the others, with the bytes that were damaged, and the counts.
"""

import collections
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 10
FILES = sorted(Path(sys.argv[1]).glob("*.tileirbc"))


def damage(data, draw):
    for _ in range(draw.choice((1, 1, 2, 4))):
        if not data:
            return
        at = draw.randrange(len(data))
        kind = draw.random()
        if kind < 0.7:
            data[at:at + 1] = [draw.choice((0, 1, 2, 3, 127, 128, 255,
                                            draw.randrange(256)))]
        elif kind < 0.8:
            del data[at]
        elif kind < 0.9:
            data.insert(at, draw.randrange(256))
        else:
            del data[at:]


def classify(path):
    """Returns `result`, `error`, or the name of a fault."""
    try:
        done = subprocess.run(["tile-compile", path, "--emit=source", "-o", "-"],
                              capture_output=True, text=True, errors="replace",
                              timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "timeout"
    if done.returncode == 0:
        return "result"
    if done.returncode != 1:
        return f"crash {done.returncode}"
    located = re.match(r"[^\n]*:\d+:\d+: error: ", done.stderr)
    return "error" if located else "no location"


def main():
    counts = collections.Counter()
    first, count = int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.tileirbc"
        for seed in range(first, first + count):
            draw = random.Random(seed)
            file = draw.choice(FILES)
            data = bytearray(file.read_bytes())
            damage(data, draw)
            path.write_bytes(data)
            found = classify(path)
            counts[found] += 1
            if found not in ("result", "error"):
                print(f"seed {seed}, {file.name}: {found}: {data.hex()}")
    wrong = count - counts["result"] - counts["error"]
    print(f"{count} files, {wrong} wrong;", dict(counts))


main()
