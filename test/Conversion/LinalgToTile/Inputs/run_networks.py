#!/usr/bin/env python3
# run_networks.py - runs networks of linalg as kernels, compares with the reference
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   run_networks.py FOLDER NAME[,NAME...]|all [--of=NETWORKS] [--buffers] OPTION...
#
# Converts NAME.mlir of the folder NETWORKS, by default this one, by
# -convert-linalg-to-tile, with --buffers after upstream's bufferization, runs
# its function `main` by tile-run with the options, in FOLDER, on random normal
# data, and compares each result with reference.py's, by compare.py's bound.

import os
import sys

import numpy as np

from compare import compare, convert
from reference import Reference, call

HERE = os.path.dirname(os.path.abspath(__file__))
ALL = range(20)
# The terms of each network's sums, and the arguments that enter linearly. The
# effect of a softmax on the error of scores counts as terms of its rows. Networks
# of 16-bit types accumulate in f32: their terms count only successive roundings.
NETWORKS = {
    "mlp": (55, ALL),
    "mlp-any-rows": (55, ALL),
    "layer-norm": (335, None),
    "softmax": (50, ()),
    "attention": (100, (2,)),
    "long-attention": (100, (2,)),
    "scaled-attention": (100, (2,)),
    "causal-attention": (100, (2,)),
    "convolution": (150, ALL),
    "embedding": (0, ()),
    "transformer": (335, None),
    "mlp-f16": (1, ALL),
    "layer-norm-f16": (1, None),
    "attention-bf16": (1, (2,)),
    "causal-attention-f16": (1, (2,)),
    "plain-attention-f16": (2, (2,)),
    "convolution-f16": (1, ALL),
    "transformer-f16": (2, None),
    "join": (0, ()),
    "pad": (0, ()),
    "means": (60, ALL),
}
BUFFERS = """builtin.module(
  one-shot-bufferize{bufferize-function-boundaries
      function-boundary-type-conversion=identity-layout-map},
  buffer-results-to-out-params, canonicalize)"""
# Values of dynamic extents, and the number of rows of a table that is read.
ROWS = 147
TABLE = 11


def make_argument(rng, type, isFirst):
    """Returns a random argument. Weights are scaled such that a matmul keeps the
    magnitude of its operand, as in trained networks."""
    shape = [ROWS if size is None else size for size in type.shape]
    dtype = type.get_dtype()
    if dtype.kind == "i":
        return rng.integers(0, TABLE, shape, dtype)
    isWeights = len(shape) == 2 and not isFirst
    scale = shape[1]**-0.5 if isWeights else 1
    return type.round(rng.standard_normal(shape) * scale)


def bufferize(path, folder):
    """Returns the path of a program on buffers, with results as the last arguments."""
    buffers = "%s/%s" % (folder, os.path.basename(path).replace(".", ".buffers."))
    call("mlir-opt", path, "--pass-pipeline=" + BUFFERS, "-o", buffers)
    return buffers


def run(name, networks, folder, options):
    terms, linear = NETWORKS[name]
    path = "%s/%s.mlir" % (networks, name)
    reference = Reference(path, folder)
    rng = np.random.default_rng(len(name))
    types = reference.signatures["main"][0]
    arguments = [make_argument(rng, type, not index)
                 for index, type in enumerate(types)]
    # Values between operations are rounded to the narrowest type.
    unit = max(type.get_roundoff() for type in types)
    if options[:1] == ("--buffers",):
        path, options = bufferize(path, folder), options[1:]
    problem = compare(reference, convert(path, folder), "main", arguments, linear,
                      terms, folder, options, unit)
    if problem:
        sys.exit("%s: %s" % (name, problem))
    print("%s: right" % name)


def main(folder, names, *options):
    networks = HERE
    if options and options[0].startswith("--of="):
        networks, options = options[0].removeprefix("--of="), options[1:]
    for name in names.split(",") if names != "all" else NETWORKS:
        run(name, networks, folder, options)


if __name__ == "__main__":
    main(*sys.argv[1:])
