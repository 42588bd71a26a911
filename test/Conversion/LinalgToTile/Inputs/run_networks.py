#!/usr/bin/env python3
# run_networks.py - networks of linalg as kernels, against NumPy in float64
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   run_networks.py FOLDER NAME[,NAME...] OPTION...
#
# Converts NAME.mlir of this folder by -convert-linalg-to-tile, runs its function
# `main` by tile-run with the options, in FOLDER, on random normal data, and
# compares each result.

import os
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
# Of the largest number of a result: sums of some hundred terms in f32.
BOUND = 2e-5


def erf(x):
    import math
    return np.vectorize(math.erf)(x)


def linear(x, w, b):
    return x @ w.T + b


def normalize(x, scale, shift):
    d = x - x.mean(-1, keepdims=True)
    return d / np.sqrt((d**2).mean(-1, keepdims=True) + 1e-5) * scale + shift


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention(q, k, v, mask=0):
    return softmax(q @ np.swapaxes(k, -1, -2) / 4 + mask) @ v


def causal_attention(q, k, v):
    length = q.shape[-2]
    return attention(q, k, v, np.triu(np.full((length, length), -np.inf), 1))


def mlp(x, w0, b0, w1, b1):
    return linear(np.maximum(linear(x, w0, b0), 0), w1, b1)


def convolve(x, w, b, stride=1):
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], (2, 3))
    windows = windows[:, :, ::stride, ::stride]
    return np.einsum("ncyxhw,fchw->nfyx", windows, w) + b[:, None, None]


def convolution(x, w0, b0, w1, b1, w2, b2):
    x = np.maximum(convolve(np.pad(x, [(0, 0)] * 2 + [(1, 1)] * 2), w0, b0), 0)
    n, f, h, w = x.shape
    x = x.reshape(n, f, h // 2, 2, w // 2, 2).max((3, 5))
    x = np.maximum(convolve(x, w1, b1, 2), 0)
    return linear(x.mean((2, 3)), w2, b2)


def transformer(x, g0, s0, wqkv, bqkv, wo, bo, g1, s1, w1, b1, w2, b2):
    n, length, width = x.shape
    q, k, v = (linear(normalize(x, g0, s0), wqkv, bqkv)
               .reshape(n, length, 3, 4, width // 4).transpose(2, 0, 3, 1, 4))
    weights = softmax(q @ k.transpose(0, 1, 3, 2) / (width // 4)**0.5)
    z = (weights @ v).transpose(0, 2, 1, 3).reshape(n, length, width)
    x = x + linear(z, wo, bo)
    h = linear(normalize(x, g1, s1), w1, b1)
    return x + linear(h / 2 * (1 + erf(h / 2**0.5)), w2, b2)


def embedding(places, table):
    return table[places]


LAYER = [(2, 9, 32), (32,), (32,), (96, 32), (96,), (32, 32), (32,), (32,),
         (32,), (64, 32), (64,), (32, 64), (32,)]
MLP = [(33, 17), (33,), (5, 33), (5,)]
LONG = [(2, 3, 70, 16), (2, 3, 201, 16), (2, 3, 201, 16)]
IMAGES = [(2, 3, 12, 12), (8, 3, 3, 3), (8,), (16, 8, 3, 3), (16,), (10, 16),
          (10,)]

# Of each network the shapes of its arguments, and what it computes.
NETWORKS = {
    "mlp": ([(9, 17), *MLP], mlp),
    "mlp-any-rows": ([(147, 17), *MLP], mlp),
    "layer-norm": ([(3, 7, 33), (33,), (33,)], normalize),
    "softmax": ([(3, 7, 33)], softmax),
    "attention": ([(2, 3, 19, 16)] + [(2, 3, 21, 16)] * 2, attention),
    "long-attention": (LONG, attention),
    "scaled-attention": (LONG, attention),
    "causal-attention": ([LONG[1]] * 3, causal_attention),
    "convolution": (IMAGES, convolution),
    "embedding": ([(2, 5), (11, 7)], embedding),
    "transformer": (LAYER, transformer),
    "join": ([(3, 4), (3, 5)],
             lambda a, b: np.concatenate([a, b], 1)[:, 2:7] * 2),
    "pad": ([(3, 4)], lambda x: np.pad(x, [(0, 0), (1, 2)])),
    "means": ([(3, 4, 5)], lambda x: (x.mean(1), x.sum(), x.max(0))),
}


def call(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(words), done.stderr))
    return done


def make_arguments(rng, name, shapes):
    arrays = [rng.standard_normal(shape, dtype=np.float32) for shape in shapes]
    if name == "embedding":
        arrays[0] = rng.integers(0, shapes[1][0], shapes[0])
    return arrays


def run(name, folder, options):
    shapes, compute = NETWORKS[name]
    rng = np.random.default_rng(len(name))
    arrays = make_arguments(rng, name, shapes)
    expected = compute(*[a if a.dtype == np.int64 else a.astype(np.float64)
                         for a in arrays])
    expected = expected if isinstance(expected, tuple) else (expected,)
    net = "%s/%s.mlir" % (folder, name)
    call("tile-opt", "%s/%s.mlir" % (HERE, name), "-convert-linalg-to-tile",
         "-o", net)
    words = []
    for number, array in enumerate(arrays):
        words.append("%s/%d.npy" % (folder, number))
        np.save(words[-1], array)
    results = []
    for number, array in enumerate(expected):
        results.append("%s/out%d.npy" % (folder, number))
        shape = "x".join(map(str, np.shape(array)))
        words.append("out=%s%s" % (results[-1], ":" + shape if shape else ""))
    call("tile-run", net, "main", *words, *options)
    worst = 0
    for path, array in zip(results, expected):
        found = np.load(path)
        if found.shape != np.shape(array):
            sys.exit("%s: expected a result of %s, got %s"
                     % (name, np.shape(array), found.shape))
        worst = max(worst, np.abs(found - array).max() / np.abs(array).max())
    if not worst <= BOUND:
        sys.exit("%s: expected an error of at most %g, got %g"
                 % (name, BOUND, worst))
    print("%s: right" % name)


def main(folder, names, *options):
    for name in names.split(",") if names != "all" else NETWORKS:
        run(name, folder, options)


if __name__ == "__main__":
    main(*sys.argv[1:])
