#!/usr/bin/env python3
# levels.py - tile-run on the CPU path, from level source and from decomposed
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   levels.py --on=cpu PROGRAM.mlir KERNEL ARG...
#
# Takes the arguments of tile-run. A program with composite operations is run twice:
# with their own lowerings, and with the operations decomposed. The results must have
# the same bits.

import functools
import os
import subprocess
import sys
import tempfile

AGREED = "same bits from level decomposed"


def run(words, run_tile=None):
    """Returns the completed process of tile-run, and whether there were two levels to
    compare. `run_tile`, if not None, runs tile-run's arguments instead."""
    run_tile = run_tile or functools.partial(call, "tile-run")
    with tempfile.TemporaryDirectory() as folder:
        moved, results = move_results(words, folder)
        moved[moved.index("--on=cpu")] = "--on=cpu-decomposed"
        second = run_tile(*moved)
        done = run_tile(*words)
        has_levels = "operations, found none" not in second.stderr
        if done.returncode == 0 and has_levels:
            compare(second, results)
        return done, has_levels


def call(*words):
    return subprocess.run(words, capture_output=True, text=True)


def move_results(words, folder):
    """Returns the arguments with results in a folder, and pairs of the original
    and the new path of each result."""
    moved, pairs = [], []
    for index, word in enumerate(words):
        kind, _, rest = word.partition("=")
        target = os.path.join(folder, "%d.npy" % index)
        if kind == "out":
            path, colon, shape = rest.partition(":")
            word = "out=" + target + colon + shape
            pairs.append((path, target))
        elif kind == "inout":
            path, _, result = rest.partition(":")
            word = "inout=%s:%s" % (path, target)
            pairs.append((result or path, target))
        moved.append(word)
    return moved, pairs


def compare(decomposed, results):
    if decomposed.returncode != 0:
        raise SystemExit("expected a run from level decomposed, got\n" +
                         decomposed.stderr)
    for path, target in results:
        with open(path, "rb") as first, open(target, "rb") as second:
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
