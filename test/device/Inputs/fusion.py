# fusion.py - elementwise operations before and after a matmul, in registers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   fusion.py --on=cpu
#   fusion.py --on=emulator --arch=sm_90
#   fusion.py --on=cuda --arch=sm_80
#
# Each program multiplies tiles that BODIES computes from tiles of A and B, in every
# operand order, and is compared with float64. One more program ends in a bias, an
# activation, a residual and the maximum of each row.

import math

import harness
import numpy as np
from harness import Out, decode, encode

RANDOM = np.random.default_rng(9)
SIZES = [(17, 33, 65), (130, 70, 72)]
ORDERS = ("nn", "nt", "tn", "tt")
M, N, K = 64, 64, 32

HEAD = """
#grid = #tile.grid<affine_map<(m, n) -> (m ceildiv %(M)d, n ceildiv %(N)d)>
                   of [[0, 0], [1, 1]]>
tile.kernel @f(%%A: %(A)s, %%B: %(B)s, %%S: memref<?x?xf16>,
               %%T: memref<?x?xf16>, %%C: memref<?x?xf32>)
    attributes {grid = #grid} {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%cm = arith.constant %(M)d : index
  %%cn = arith.constant %(N)d : index
  %%ck = arith.constant %(K)d : index
  %%bm = tile.program_id x
  %%bn = tile.program_id y
  %%m = arith.muli %%bm, %%cm : index
  %%n = arith.muli %%bn, %%cn : index
  %%depth = memref.dim %%A, %%c1 : %(A)s
  %%zero = arith.constant dense<0.0> : !tile.tile<%(M)dx%(N)dxf32>
  %(before)s
  %%sum = scf.for %%k = %%c0 to %%depth step %%ck
      iter_args(%%acc = %%zero) -> !tile.tile<%(M)dx%(N)dxf32> {
    %%x = tile.load %%A[%%m, %%k] : %(A)s -> !tile.tile<%(M)dx%(K)dx%(a)s>
    %%y = tile.load %%B[%%k, %%n] : %(B)s -> !tile.tile<%(K)dx%(N)dx%(b)s>
    %(body)s
    %%d = tile.matmul %%%(lhs)s, %%q, %%acc
        : !tile.tile<%(M)dx%(K)dx%(t)s>, !tile.tile<%(K)dx%(N)dx%(t)s>
        -> !tile.tile<%(M)dx%(N)dxf32>
    scf.yield %%d : !tile.tile<%(M)dx%(N)dxf32>
  }
  tile.store %%sum, %%C[%%m, %%n] : !tile.tile<%(M)dx%(N)dxf32>, memref<?x?xf32>
  tile.return
}
"""


def cast(result, value, to, operand):
    shape = "%dx%d" % ((M, K) if operand == "a" else (K, N))
    source, target = to
    return "%%%s = tile.cast %%%s : !tile.tile<%sx%s> to !tile.tile<%sx%s>" % (
        result, value, shape, source, shape, target)


def scale(result, value, factor, shape, operand, element="f16"):
    """Returns lines that multiply a tile by a broadcast of `factor`."""
    full = "%dx%d" % ((M, K) if operand == "a" else (K, N))
    return """%%%(r)s_b = tile.broadcast %%%(f)s : !tile.tile<%(s)sx%(e)s> to !tile.tile<%(full)sx%(e)s>
    %%%(r)s = arith.mulf %%%(v)s, %%%(r)s_b : !tile.tile<%(full)sx%(e)s>""" % {
        "r": result, "f": factor, "s": shape, "full": full, "v": value,
        "e": element}


def load(result, array, coordinates, shape):
    return "%%%s = tile.load %%%s[%s] : memref<?x?xf16> -> !tile.tile<%sxf16>" % (
        result, array, coordinates, shape)


# By name: element types of A, of B and of the matmul's operands; operations before
# the loop and in it; a function that computes the operands from a, b, s and t; the
# shapes of the arrays S and T.
BODIES = {
    "columns": ("f16", "i8", "f16",
                load("s", "S", "%c0, %n", "1x%d" % N),
                [cast("w", "y", ("i8", "f16"), "b"),
                 scale("q", "w", "s", "1x%d" % N, "b")],
                lambda a, b, s, t: (a, b * s), ("1n", "11")),
    "rows": ("f16", "f16", "f16", load("s", "S", "%m, %c0", "%dx1" % M),
             [scale("p", "x", "s", "%dx1" % M, "a"),
              "%q = arith.addf %y, %y : !tile.tile<32x64xf16>"],
             lambda a, b, s, t: (a * s, b + b), ("m1", "11")),
    "steps": ("f16", "i8", "f16", "",
              [load("s", "S", "%c0, %k", "1x%d" % K),
               load("t", "T", "%k, %c0", "%dx1" % K),
               scale("p", "x", "s", "1x%d" % K, "a"),
               cast("w", "y", ("i8", "f16"), "b"),
               scale("q", "w", "t", "%dx1" % K, "b")],
              lambda a, b, s, t: (a * s, b * t), ("1k", "k1")),
    "bf16": ("bf16", "i8", "bf16", "",
             ["%p = arith.negf %x : !tile.tile<64x32xbf16>",
              cast("q", "y", ("i8", "bf16"), "b")],
             lambda a, b, s, t: (-a, b), ("11", "11")),
    "selected": ("f16", "i8", "f16", "",
                 ["%zero16 = arith.constant dense<0.0> : !tile.tile<64x32xf16>",
                  "%is = arith.cmpf ogt, %x, %zero16 : !tile.tile<64x32xf16>",
                  "%p = tile.select %is, %x, %zero16 : !tile.tile<64x32xi1>, "
                  "!tile.tile<64x32xf16>",
                  cast("q", "y", ("i8", "f16"), "b")],
                 lambda a, b, s, t: (np.maximum(a, 0), b), ("11", "11")),
}


def draw(shape, element):
    """Returns small integers, so that all results are exact."""
    values = RANDOM.integers(-4, 5, shape)
    return encode(values.astype(float), element)


def array_type(element, order):
    return "memref<?x?x%s, strided<[%s]>>" % (
        element, "?, 1" if order == "n" else "1, ?")


def lay(array, order):
    return array if order == "n" else np.ascontiguousarray(array.T).T


def write(a, b, t, order, before, body, depth=K):
    return HEAD % {"M": M, "N": N, "K": depth, "a": a, "b": b, "t": t,
                   "A": array_type(a, order[0]), "B": array_type(b, order[1]),
                   "before": before, "body": body,
                   "lhs": "p" if "%p =" in body else "x"}


def check_operands():
    for name, (a, b, t, before, body, compute, shapes) in BODIES.items():
        for order in ORDERS:
            text = write(a, b, t, order, before, "\n    ".join(body))
            for m, n, k in SIZES:
                extents = {"m": m, "n": n, "k": k, "1": 1}
                s, u = (draw([extents[c] for c in shape], "f16")
                        for shape in shapes)
                x, y = draw((m, k), a), draw((k, n), b)
                out = harness.run(text, "f", lay(x, order[0]),
                                  lay(y, order[1]), s, u, Out(m, n), grid=None)
                left, right = compute(
                    decode(x, a).astype(float), decode(y, b).astype(float),
                    s.astype(float), u.astype(float))
                harness.same(out.astype(float) + 0.0, left @ right + 0.0,
                             "%s %s %dx%dx%d" % (name, order, m, n, k))


EPILOGUE = """
#grid = #tile.grid<affine_map<(m) -> (m ceildiv 64)> of [[0, 0]]>
tile.kernel @f(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %bias: memref<?x?xf32>,
               %R: memref<?x?xf16>, %C: memref<?x?xf16>, %top: memref<?xf32>)
    attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %bm = tile.program_id x
  %m = arith.muli %bm, %c64 : index
  %depth = memref.dim %A, %c1 : memref<?x?xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %sum = scf.for %k = %c0 to %depth step %c32
      iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
    %x = tile.load %A[%m, %k] : memref<?x?xf16> -> !tile.tile<64x32xf16>
    %y = tile.load %B[%k, %c0] : memref<?x?xf16> -> !tile.tile<32x64xf16>
    %d = tile.matmul %x, %y, %acc
        : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
    scf.yield %d : !tile.tile<64x64xf32>
  }
  %row = tile.load %bias[%c0, %c0] : memref<?x?xf32> -> !tile.tile<1x64xf32>
  %rows = tile.broadcast %row : !tile.tile<1x64xf32> to !tile.tile<64x64xf32>
  %h = arith.addf %sum, %rows : !tile.tile<64x64xf32>
  %scale = arith.constant dense<0.70710678> : !tile.tile<64x64xf32>
  %half = arith.constant dense<0.5> : !tile.tile<64x64xf32>
  %one = arith.constant dense<1.0> : !tile.tile<64x64xf32>
  %h1 = arith.mulf %h, %scale : !tile.tile<64x64xf32>
  %h2 = math.erf %h1 : !tile.tile<64x64xf32>
  %h3 = arith.addf %h2, %one : !tile.tile<64x64xf32>
  %h4 = arith.mulf %h3, %half : !tile.tile<64x64xf32>
  %gelu = arith.mulf %h, %h4 : !tile.tile<64x64xf32>
  %r = tile.load %R[%m, %c0] : memref<?x?xf16> -> !tile.tile<64x64xf16>
  %rw = tile.cast %r : !tile.tile<64x64xf16> to !tile.tile<64x64xf32>
  %e = arith.addf %gelu, %rw : !tile.tile<64x64xf32>
  %t = tile.reduce max %e axis 1 : !tile.tile<64x64xf32> to !tile.tile<64xf32>
  %c = tile.cast %e : !tile.tile<64x64xf32> to !tile.tile<64x64xf16>
  tile.store %c, %C[%m, %c0] : !tile.tile<64x64xf16>, memref<?x?xf16>
  tile.store %t, %top[%m] : !tile.tile<64xf32>, memref<?xf32>
  tile.return
}
"""


def check_epilogue():
    m, n, k = 130, 64, 72
    a, b = (encode(RANDOM.standard_normal(shape) / 8, "f16")
            for shape in ((m, k), (k, n)))
    bias = RANDOM.standard_normal((1, n)).astype(np.float32)
    residual = encode(RANDOM.standard_normal((m, n)), "f16")
    c, top = harness.run(EPILOGUE, "f", a, b, bias, residual, Out(m, n), Out(m),
                         grid=None)
    h = a.astype(float) @ b.astype(float) + bias
    erf = np.vectorize(math.erf)
    expected = h * (erf(h * 0.70710678) + 1) / 2 + residual
    harness.near(top.astype(float), expected.max(axis=1), 1e-5, "row maximum")
    harness.near(c.astype(float), expected,
                 1e-5 + np.abs(expected) * 2.0 ** -11, "bias, gelu, residual")


def check_padding():
    """Checks a tile extent along K that instructions pad: the padding must not count,
    even where the operand's computation would turn it into nonzero values."""
    body = """%p = math.exp %x : !tile.tile<64x24xf16>
    %w = tile.cast %y : !tile.tile<24x64xi8> to !tile.tile<24x64xf16>
    %one = arith.constant dense<1.0> : !tile.tile<24x64xf16>
    %q = arith.addf %w, %one : !tile.tile<24x64xf16>"""
    m, n, k = 17, 33, 48
    for order in ORDERS:
        text = write("f16", "i8", "f16", order, "", body, depth=24)
        x, y = draw((m, k), "f16"), draw((k, n), "i8")
        nothing = np.zeros((1, 1), np.float16)
        out = harness.run(text, "f", lay(x, order[0]), lay(y, order[1]),
                          nothing, nothing, Out(m, n), grid=None)
        left, right = np.exp(x.astype(float)), y.astype(float) + 1
        harness.near(out.astype(float), left @ right,
                     left @ np.abs(right) * 2.0 ** -9, "padding " + order)


check_operands()
check_epilogue()
check_padding()
