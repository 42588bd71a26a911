#!/usr/bin/env python3
# levels.py - tile-run on the CPU path, from level source and from decomposed
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   levels.py --on=cpu PROGRAM.mlir KERNEL ARG...
#
# Takes the words of tile-run. A program with composite operations is run twice:
# as it is, by their own lowerings, and from the text that -tile-decompose leaves,
# which has none. The results must have the same bits.

import functools
import os
import subprocess
import sys
import tempfile

AGREED = "same bits from level decomposed"


def run(words, run_tile=None):
    """What came of tile-run, and whether there were two levels to compare.
    `run_tile` runs its words in another way."""
    run_tile = run_tile or functools.partial(call, "tile-run")
    with open(find_program(words)) as file:
        decomposed = decompose(file.read())
    if not decomposed:
        return run_tile(*words), False
    with tempfile.TemporaryDirectory() as folder:
        other = os.path.join(folder, os.path.basename(find_program(words)))
        with open(other, "w") as file:
            file.write(decomposed)
        moved, results = move_results(words, folder)
        moved[moved.index(find_program(words))] = other
        second = run_tile(*moved)
        done = run_tile(*words)
        if done.returncode == 0:
            compare(second, results)
        return done, True


def call(*words):
    return subprocess.run(words, capture_output=True, text=True)


def find_program(words):
    return next(word for word in words if word.endswith(".mlir"))


@functools.cache
def decompose(text):
    """A program's text at level decomposed, where that is another one."""
    def opt(*options):
        return subprocess.run(["tile-opt", "-", "-tile-canonical-form", *options],
                              input=text, capture_output=True, text=True)

    inlined = opt("-tile-verify-level=level=decomposed")
    if "expected no composite operation" not in inlined.stderr:
        return None
    done = opt("-tile-decompose", "-mlir-print-debuginfo")
    if done.returncode != 0:
        raise SystemExit("expected a program that can be decomposed, got\n" +
                         done.stderr)
    return done.stdout


def move_results(words, folder):
    """The words with results in a folder, and pairs of where they would be and
    where they are."""
    moved, pairs = [], []
    for number, word in enumerate(words):
        kind, _, rest = word.partition("=")
        place = os.path.join(folder, "%d.npy" % number)
        if kind == "out":
            path, colon, shape = rest.partition(":")
            word = "out=" + place + colon + shape
            pairs.append((path, place))
        elif kind == "inout":
            path, _, result = rest.partition(":")
            word = "inout=%s:%s" % (path, place)
            pairs.append((result or path, place))
        moved.append(word)
    return moved, pairs


def compare(decomposed, results):
    if decomposed.returncode != 0:
        raise SystemExit("expected a run from level decomposed, got\n" +
                         decomposed.stderr)
    for path, place in results:
        with open(path, "rb") as first, open(place, "rb") as second:
            if first.read() != second.read():
                raise SystemExit("expected the same bits from level decomposed "
                                 "in " + path)


def main():
    done, has_levels = run(sys.argv[1:])
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    if has_levels:
        sys.stderr.write(AGREED + "\n")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
