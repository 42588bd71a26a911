#!/usr/bin/env python3
# run_forms.py - compares the functions of this folder's tests with the reference
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   run_forms.py FOLDER OPTION...
#
# Converts the files of .. that FORMS names and runs their functions by tile-run with
# the options, in FOLDER, on random data. Each result is compared with reference.py's,
# by compare.py's bound.

import os
import sys

import numpy as np

from compare import compare, convert
from reference import Reference

HERE = os.path.dirname(os.path.abspath(__file__))
ALL = range(20)
rng = np.random.default_rng(5)


def normal(*shape, dtype=np.float32):
    return rng.standard_normal(shape).astype(dtype)


def integers(low, high, shape, dtype):
    return rng.integers(low, high, shape).astype(dtype)


f64 = np.float64
# The functions of each file: arguments, the terms of sums (zero: no error), and
# the arguments that enter linearly.
FORMS = {
    "product": {
        "plain": (lambda: [normal(45, 131), normal(131, 70), normal(45, 70)],
                  131, ALL),
        "halves": (lambda: [normal(512, 256, dtype=np.float16),
                            normal(256, 512, dtype=np.float16)], 256, ALL),
        "fused": (lambda: [normal(45, 100), normal(70, 100), normal(70),
                           normal(45, 70)], 103, ALL),
        "batch": (lambda: [normal(5, 40, 33, dtype=f64),
                           normal(40, 50, dtype=f64),
                           normal(5, 33, 50, dtype=f64)], 40, ALL),
        "bytes": (lambda: [integers(-128, 128, (64, 64), np.int8),
                           integers(-128, 128, (64, 64), np.int8),
                           integers(-9, 9, (64, 64), np.int32)], 0, ()),
        "repeated": (lambda: [normal(5, 8), normal(2, 8), normal(5, 2, 7)],
                     8, ALL),
        "vector": (lambda: [normal(7, 1000), normal(1000), normal(7)],
                   1000, ALL),
    },
    "rows": {
        "softmax": (lambda: [normal(5, 1000), normal(5, 1000)], 1000, ()),
        "any_row": (lambda: [normal(5, 2100), normal(5, 2100)], 2100, ()),
        "columns": (lambda: [integers(-9**8, 9**8, (5000, 300), np.int32),
                             integers(-9**7, 9**8, 300, np.int32)], 0, ()),
        "joined": (lambda: [normal(40, 50)], 52, ALL),
        "behind_product": (lambda: [normal(100, 64), normal(64, 48),
                                    normal(100, 48)], 1024, ()),
    },
    "elements": {
        "chain": (lambda: [normal(37, 141), normal(37, 141), 1.5], 4, ALL),
        "transpose": (lambda: [normal(30, 20, 10, dtype=np.float16),
                               normal(10, 30, 20, dtype=np.float16)], 0, ()),
        "pad": (lambda: [normal(33, 40)], 0, ()),
        "slice": (lambda: [normal(50, 400), 7], 0, ()),
        "join": (lambda: [normal(20, 101), normal(20, 30)], 0, ()),
        "insertions": (lambda: [normal(3), normal(), normal(30, 70), 29],
                       0, ()),
        "places": (lambda: [], 0, ()),
        "spread": (lambda: [normal(5, 9), normal(20, 70), 4], 0, ()),
        "beyond_one": (lambda: [normal(33, 64)], 0, ()),
        "difference": (lambda: [integers(-2**31, 2**31, 100, np.int32),
                                integers(-2**31, 2**31, 100, np.int32)], 0, ()),
        "conversions": (lambda: [integers(0, 2, 1000, bool),
                                 integers(1, 3, 1000, np.int32)], 0, ()),
    },
    "convolution": {
        "nchw": (lambda: [normal(2, 5, 9, 37), normal(19, 5, 3, 3),
                          normal(19)], 45, ALL),
        "nhwc": (lambda: [normal(3, 20, 41, 33), normal(3, 2, 33, 10),
                          normal(3, 8, 19, 10)], 198, ALL),
        "depthwise": (lambda: [normal(2, 10, 21, 40), normal(3, 3, 40),
                               normal(2, 8, 19, 40)], 9, ALL),
        "pooling": (lambda: [normal(3, 7, 20, 20)], 0, ()),
        "transposed": (lambda: [normal(2, 5, 9, 11), normal(7, 5, 3, 3)],
                       45, ALL),
    },
    "gather": {
        "rows": (lambda: [integers(1, 101, 37, np.int32), normal(100, 70)],
                 0, ()),
        "elements": (lambda: [integers(0, 50, (9, 31), np.int64), normal(50)],
                     0, ()),
        "reverse": (lambda: [normal(40, 60)], 0, ()),
    },
    "buffers": {
        "layer": (lambda: [normal(45, 33), normal(33, 20), normal(20),
                           normal(45, 20)], 34, ALL),
        "accumulate": (lambda: [normal(40, 30), normal(30, 40),
                                normal(40, 40)], 30, ALL),
        "exchange": (lambda: [normal(5, 70), normal(70, 5)], 0, ()),
        "views": (lambda: [normal(6, 8), integers(0, 8, 8, np.int32),
                           normal(6, 8), normal(48)], 0, ()),
        "returned": (lambda: [normal(1000), 1.5], 1, ALL),
        "constant": (lambda: [normal(20, 70)], 1, ALL),
        "copies": (lambda: [normal(5, 9), normal(4, 9)], 0, ()),
    },
    "host": {
        "two": (lambda: [normal(37, 33), normal(33, 20), normal(20, 9)],
                53, ALL),
        "reshaped": (lambda: [normal(2, 9, 30), normal(30, 20)], 30, ALL),
        "returned": (lambda: [normal(11, 7)], 0, ()),
        "table": (lambda: [normal(4, 3), integers(0, 3, 9, np.int32)], 3, ALL),
        "total": (lambda: [normal(33, 50), normal()], 1650, ALL),
        "deep": (lambda: [normal(2, 3, 4, 19, 133)], 0, ()),
    },
}


def main(folder, *options):
    for file, functions in FORMS.items():
        path = "%s/../%s.mlir" % (HERE, file)
        reference = Reference(path, folder)
        kernels = convert(path, folder)
        for name, (make, terms, linear) in functions.items():
            problem = compare(reference, kernels, name, make(), linear, terms,
                              folder, options)
            if problem:
                sys.exit("%s: %s" % (file, problem))
    print("%d functions are right" % sum(map(len, FORMS.values())))


if __name__ == "__main__":
    main(*sys.argv[1:])
