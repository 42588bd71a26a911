#!/usr/bin/env python3
# run_random.py - runs random functions of linalg as kernels, compares with the reference
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   run_random.py FOLDER --seed=N --count=N [--on=WAY...] [--buffers] [--verbose]
#
# Writes functions by random_linalg.py in FOLDER, converts each by
# -convert-linalg-to-tile, with --buffers after upstream's bufferization, runs it
# by tile-run on random data in each way, and compares each result with
# reference.py's. Functions that are refused with an error at a line are counted,
# and so are those that upstream's passes do not lower; --verbose prints the
# reasons. The last line is "N functions: R right, U refused, L without
# reference, W wrong". FOLDER keeps the files SEED.mlir of wrong functions.

import argparse
import collections
import glob
import os
import re
import subprocess
import sys

import numpy as np

from compare import get_problem, load, run_kernels
from random_linalg import write_program
from reference import Reference, Type
from run_networks import bufferize

# Values of f16 with larger sizes are not compared, since they may be infinite.
LARGEST = {"f16": 2.0**15}
# Half of the least positive value of a type: the rounding error of results near zero.
LEAST = {"f16": 2.0**-25, "bf16": 2.0**-134, "f32": 2.0**-150}


class Refused(Exception):
    """A function that is not supported, with the reason."""


class Unknown(Exception):
    """A function whose results are not known, with the reason."""


class Wrong(Exception):
    """A function whose conversion, run or results are wrong, with a message."""


def convert(path, kernels):
    done = subprocess.run(["tile-opt", path, "-convert-linalg-to-tile", "-o",
                           kernels], capture_output=True, text=True)
    if done.returncode == 0:
        with open(kernels) as file:
            if "tile.kernel" not in file.read():
                raise Refused("a function of views, which needs no kernel")
        return
    located = re.match(r"%s:\d+:\d+: error: (.*)" % re.escape(path), done.stderr)
    if done.returncode != 1 or not located:
        raise Wrong("tile-opt: " + done.stderr[:2000])
    raise Refused(located[1])


def make_reference(path, folder):
    try:
        return Reference(path, folder)
    except SystemExit as problem:
        raise Unknown(str(problem)) from None


def make_buffers(path, folder):
    """Returns the path of a function on buffers, which writes none of its arguments."""
    with open(path) as file:
        head, rest = file.read().split("\n", 1)
    kept = path.replace(".mlir", ".kept.mlir")
    with open(kept, "w") as file:
        file.write(re.sub(r"(%a\d+: tensor<[^>]*>)",
                          r"\1 {bufferization.writable = false}", head))
        file.write("\n" + rest)
    try:
        return bufferize(kept, folder)
    except SystemExit as problem:
        raise Unknown(str(problem)) from None


def make_argument(rng, type, shape, limit):
    if type.shape is None:
        return shape
    if limit is not None:
        return rng.integers(0, limit, shape).astype(type.get_dtype())
    if type.get_wide_dtype().kind == "f":
        return type.round(rng.standard_normal(shape))
    range = np.iinfo(type.get_dtype())
    return rng.integers(range.min, range.max, shape, type.get_dtype(),
                        endpoint=True)


def take_sign(argument, type):
    isFloat = type.shape is not None and type.get_wide_dtype().kind == "f"
    return np.abs(argument) if isFloat else argument


class Case:
    """A function in files, its arguments and the comparison of its results."""

    def __init__(self, seed, folder):
        self.program = write_program(seed)
        self.stem = "%s/%d" % (folder, seed)
        self.path = self.stem + ".mlir"
        self.folder = folder
        for path, text in (self.path, self.program.text), \
                (self.stem + ".sizes.mlir", self.program.sizes):
            with open(path, "w") as file:
                file.write(text)
        self.rng = np.random.default_rng(seed)

    def check(self, ways, onBuffers):
        kernels = self.stem + ".kernels.mlir"
        convert(make_buffers(self.path, self.folder) if onBuffers else self.path,
                kernels)
        reference = make_reference(self.path, self.folder)
        types, results = reference.signatures["f"]
        arguments = [make_argument(self.rng, *each) for each in
                     zip(types, self.program.shapes, self.program.limits)]
        exact = reference.run("f", arguments)
        bounds = self.get_bounds(types, results, arguments)
        for way in ways:
            paths = run_kernels(kernels, "f", types, arguments, [],
                                [array.shape for array in exact], self.folder,
                                way)
            for index, each in enumerate(zip(paths, exact, bounds, results)):
                self.compare(index, *each, way)

    def get_bounds(self, types, results, arguments):
        """Returns the bounds by element; results of integers must be equal."""
        sizes = make_reference(self.stem + ".sizes.mlir", self.folder).run(
            "f", [take_sign(*pair) for pair in zip(arguments, types)])
        unit = Type(self.program.narrow).get_roundoff()
        least = LEAST.get(self.program.narrow, 0)
        return [np.where(size < LARGEST.get(self.program.narrow, np.inf),
                         (terms + 1) * (unit * size +
                                        least * max(size.max(), 1)), np.inf)
                if type.get_dtype().kind == "f" else 0
                for size, terms, type in zip(sizes, self.program.terms, results)]

    def compare(self, index, path, exact, bound, type, way):
        problem = get_problem(load(path, type), exact, bound, type.get_dtype())
        if problem:
            raise Wrong("%s: result %d: %s" % (" ".join(way), index, problem))

    def remove(self):
        for path in glob.glob(self.stem + ".*"):
            os.remove(path)


def judge(case, ways, onBuffers):
    """Returns the outcome of a function, and a message or None."""
    try:
        case.check(ways, onBuffers)
    except Refused as problem:
        return "refused", problem
    except Unknown as problem:
        return "without reference", problem
    except (Wrong, SystemExit) as problem:
        return "wrong", problem
    return "right", None


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--on", action="append", help="of tile-run, with commas "
                        "for blanks: cpu, emulator,--arch=sm_80")
    parser.add_argument("--buffers", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


def main():
    options = parse_arguments()
    ways = [("--on=" + way).split(",") for way in options.on or ["cpu"]]
    np.seterr(all="ignore")
    counts = collections.Counter()
    for seed in range(options.seed, options.seed + options.count):
        case = Case(seed, options.folder)
        outcome, problem = judge(case, ways, options.buffers)
        counts[outcome] += 1
        if outcome != "wrong":
            case.remove()
        if problem and (options.verbose or outcome == "wrong"):
            print("seed %d is %s: %s" % (seed, outcome, problem))
    print("%d functions: %s" % (options.count, ", ".join(
        "%d %s" % (counts[outcome], outcome)
        for outcome in ("right", "refused", "without reference", "wrong"))))
    return counts["wrong"] != 0


if __name__ == "__main__":
    sys.exit(main())
