#!/usr/bin/env python3
# run_forms.py - the functions of this folder's tests, against NumPy in float64
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   run_forms.py FOLDER OPTION...
#
# Converts the files of ../*.mlir and runs their functions by tile-run with the
# options, in FOLDER, on random data. A result is right where each number is
# within the bound of its sum (benchmarks/README.md), or of a few roundings.

import os
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(5)


def normal(*shape, dtype=np.float32):
    return rng.standard_normal(shape).astype(dtype)


def integers(low, high, shape, dtype):
    return rng.integers(low, high, shape).astype(dtype)


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def windows(x, size, stride=(1, 1), dilation=(1, 1)):
    """Those of the last two dimensions, as two more."""
    reach = [d * (n - 1) + 1 for d, n in zip(dilation, size)]
    w = np.lib.stride_tricks.sliding_window_view(x, reach, (-2, -1))
    return w[..., ::stride[0], ::stride[1], ::dilation[0], ::dilation[1]]


def nchw(x, w, bias):
    x = np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)])
    return np.einsum("ncyxhw,fchw->nfyx", windows(x, (3, 3)), w) \
        + bias[:, None, None]


def nhwc(x, w, c):
    parts = windows(x.transpose(0, 3, 1, 2), (3, 2), (2, 2), (2, 3))
    return c + np.einsum("ncyxhw,hwcf->nyxf", parts, w)


def depthwise(x, w, c):
    parts = windows(x.transpose(0, 3, 1, 2), (3, 3))
    return c + np.einsum("ncyxhw,hwc->nyxc", parts, w)


def fused(a, b, bias, old):
    return np.maximum(np.exp(a) @ b.T + bias, 0) + old


def joined(x):
    return x.sum(1), x * (x.sum(1) + x.max(1))[:, None]


f64 = np.float64
# Of each function its file, its arguments, what it computes, and the terms of
# its sums.
FORMS = {
    "plain": ("product", lambda: [normal(45, 131), normal(131, 70),
                                  normal(45, 70)],
              lambda a, b, c: c + a @ b, 131),
    "halves": ("product", lambda: [normal(512, 256, dtype=np.float16),
                                   normal(256, 512, dtype=np.float16)],
               lambda a, b: a @ b, 256),
    "fused": ("product", lambda: [normal(45, 100), normal(70, 100), normal(70),
                                  normal(45, 70)], fused, 100),
    "batch": ("product", lambda: [normal(5, 40, 33, dtype=f64),
                                  normal(40, 50, dtype=f64),
                                  normal(5, 33, 50, dtype=f64)],
              lambda a, b, c: c + a.transpose(0, 2, 1) @ b, 40),
    "bytes": ("product", lambda: [integers(-128, 128, (64, 64), np.int8),
                                  integers(-128, 128, (64, 64), np.int8),
                                  integers(-9, 9, (64, 64), np.int32)],
              lambda a, b, c: c + a.astype(np.int32) @ b, 0),
    "vector": ("product", lambda: [normal(7, 1000), normal(1000), normal(7)],
               lambda a, x, y: y + a @ x, 1000),
    "softmax": ("rows", lambda: [normal(5, 1000), normal(5, 1000)],
                lambda x, _: softmax(x), 1000),
    "any_row": ("rows", lambda: [normal(5, 2100), normal(5, 2100)],
                lambda x, _: softmax(x), 2100),
    "columns": ("rows", lambda: [integers(-9**8, 9**8, (5000, 300), np.int32),
                                 integers(-9**7, 9**8, 300, np.int32)],
                lambda x, low: np.minimum(low, x.min(0)), 0),
    "joined": ("rows", lambda: [normal(40, 50)], joined, 50),
    "behind_product": ("rows", lambda: [normal(100, 64), normal(64, 48),
                                        normal(100, 48)],
                       lambda a, b, _: softmax(a @ b), 64),
    "chain": ("elements", lambda: [normal(37, 141), normal(37, 141), "1.5"],
              lambda x, y, s: np.tanh(x + y) * s, 1),
    "transpose": ("elements",
                  lambda: [normal(30, 20, 10, dtype=np.float16),
                           normal(10, 30, 20, dtype=np.float16)],
                  lambda x, _: x.transpose(2, 0, 1), 0),
    "pad": ("elements", lambda: [normal(33, 40)],
            lambda x: np.pad(x, [(1, 0), (0, 3)], constant_values=1), 0),
    "slice": ("elements", lambda: [normal(50, 400), "7"],
              lambda x, first: x[:, first:first + 300:3], 0),
    "join": ("elements", lambda: [normal(20, 101), normal(20, 30)],
             lambda x, y: np.concatenate([x, y], 1), 0),
    "places": ("elements", lambda: [],
               lambda: (np.arange(100), np.full(7, 2.0, np.float32)), 0),
    "conversions": ("elements",
                    lambda: [integers(0, 2, 1000, bool),
                             integers(1, 3, 1000, np.int32)],
                    lambda x, y: np.zeros(1000, np.int32), 0),
    "nchw": ("convolution", lambda: [normal(2, 5, 9, 37), normal(19, 5, 3, 3),
                                     normal(19)], nchw, 45),
    "nhwc": ("convolution", lambda: [normal(3, 20, 41, 33),
                                     normal(3, 2, 33, 10),
                                     normal(3, 8, 19, 10)], nhwc, 198),
    "depthwise": ("convolution", lambda: [normal(2, 10, 21, 40),
                                          normal(3, 3, 40),
                                          normal(2, 8, 19, 40)], depthwise, 9),
    "pooling": ("convolution", lambda: [normal(3, 7, 20, 20)],
                lambda x: windows(x, (3, 3), (2, 2)).max((-2, -1)), 0),
    "rows": ("gather", lambda: [integers(1, 101, 37, np.int32),
                                normal(100, 70)],
             lambda places, table: table[places - 1], 0),
    "elements": ("gather", lambda: [integers(0, 50, (9, 31), np.int64),
                                    normal(50)],
                 lambda places, table: 2 * table[places], 0),
    "reverse": ("gather", lambda: [normal(40, 60)], lambda x: x[:, ::-1], 0),
    "two": ("host", lambda: [normal(37, 33), normal(33, 20), normal(20, 9)],
            lambda a, b, c: a @ b @ c, 660),
    "reshaped": ("host", lambda: [normal(2, 9, 30), normal(30, 20)],
                 lambda a, b: (a @ b).reshape(2, 9, 4, 5), 30),
    "returned": ("host", lambda: [normal(11, 7)],
                 lambda a: (a, a + a, a + a), 0),
    "total": ("host", lambda: [normal(33, 50), normal()],
              lambda a, b: b + a.sum(), 1650),
    "deep": ("host", lambda: [normal(2, 3, 4, 19, 133)], np.abs, 0),
}


def call(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(words), done.stderr))


def evaluate(compute, arguments, change):
    numbers = [change(a) if isinstance(a, np.ndarray) else
               int(a) if a.isdigit() else float(a) for a in arguments]
    results = compute(*numbers)
    return results if isinstance(results, tuple) else (results,)


def widen(array):
    return array.astype(f64) if array.dtype.kind == "f" else array


def get_bound(array, exact, terms, sizes):
    """The error of a sum whose terms have the sum `sizes`, and of rounding."""
    if array.dtype.kind != "f":
        return 0
    unit = np.finfo(array.dtype).eps
    in_sum = np.finfo(np.float32).eps if array.itemsize < 8 else unit
    return terms * in_sum * sizes + (unit if terms else 0) * np.abs(exact)


def check(name, found, exact, terms, sizes):
    error = np.abs(widen(found) - exact)
    wrong = ~(error <= get_bound(found, exact, terms, sizes))
    if found.shape != exact.shape or wrong.any():
        sys.exit("%s: expected %s numbers as computed by NumPy, got %s with %d "
                 "wrong ones" % (name, exact.shape, found.shape, wrong.sum()))


def run(name, folder, options):
    file, make, compute, terms = FORMS[name]
    arguments = make()
    exact = evaluate(compute, arguments, widen)
    # Of numbers without sign the sums are those of sizes.
    sizes = evaluate(compute, arguments, lambda a: np.abs(widen(a)))
    words = []
    for number, argument in enumerate(arguments):
        words.append(argument)
        if isinstance(argument, np.ndarray):
            words[-1] = "%s/%d.npy" % (folder, number)
            np.save(words[-1], argument)
    for number, array in enumerate(exact):
        shape = "x".join(map(str, np.shape(array)))
        words.append("out=%s/out%d.npy%s"
                     % (folder, number, ":" + shape if shape else ""))
    call("tile-run", "%s/%s.mlir" % (folder, file), name, *words, *options)
    for number, (array, size) in enumerate(zip(exact, sizes)):
        found = np.load("%s/out%d.npy" % (folder, number))
        check(name, found, np.asarray(array), terms, np.abs(size).max())


def main(folder, *options):
    for file in sorted({form[0] for form in FORMS.values()}):
        call("tile-opt", "%s/../%s.mlir" % (HERE, file),
             "-convert-linalg-to-tile", "-o", "%s/%s.mlir" % (folder, file))
    for name in FORMS:
        run(name, folder, options)
    print("%d functions are right" % len(FORMS))


if __name__ == "__main__":
    main(*sys.argv[1:])
