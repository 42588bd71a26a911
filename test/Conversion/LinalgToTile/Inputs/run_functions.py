#!/usr/bin/env python3
# run_functions.py - runs all functions of a file as kernels, compares with the reference
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   run_functions.py FOLDER FILE OPTION...
#
# Converts the programs of FILE of this folder, each of which is one function,
# by -convert-linalg-to-tile, and runs them by tile-run with the options, in
# FOLDER, on random data. Each result is compared with reference.py's, by
# compare.py's bound for sums of 64 terms.

import os
import sys

import numpy as np

from compare import compare, convert
from reference import Reference

HERE = os.path.dirname(os.path.abspath(__file__))
ALL = range(20)
TERMS = 64
# Value of every dynamic extent.
SIZE = 4


def make_argument(rng, type):
    isFloat = type.get_wide_dtype().kind == "f"
    if type.shape is None:
        return 1.25 if isFloat else 2
    shape = [SIZE if size is None else size for size in type.shape]
    # Divisors and shift amounts are integers that are neither zero nor large.
    return type.round(rng.standard_normal(shape) if isFloat
                      else rng.integers(1, 5, shape))


def write_programs(path, folder):
    """Writes each program of a file to its own file: tile-run compiles a whole file."""
    with open(path) as file:
        programs = file.read().split("// -----")
    paths = ["%s/program%d.mlir" % (folder, i) for i in range(len(programs))]
    for part, program in zip(paths, programs):
        with open(part, "w") as file:
            file.write(program)
    return paths


def main(folder, file, *options):
    path = "%s/%s" % (HERE, file)
    reference = Reference(path, folder)
    rng = np.random.default_rng(5)
    np.seterr(all="ignore")
    for program, (name, (types, _)) in zip(write_programs(path, folder),
                                           reference.signatures.items()):
        arguments = [make_argument(rng, type) for type in types]
        problem = compare(reference, convert(program, folder), name, arguments, ALL,
                          TERMS, folder, options)
        if problem:
            sys.exit("%s: %s" % (file, problem))
    print("%d functions are right" % len(reference.signatures))


if __name__ == "__main__":
    main(*sys.argv[1:])
