# gradients.py - derivatives of operations and of programs with them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from derivatives import (check, differentiate, draw, expect_close, make_program,
                         run_adjoint, tile, wrap)
from harness import InOut

# Operations on one value, and the interval in which it is drawn.
UNARY = {
    "arith.negf": (None, None), "math.absf": (None, None), "math.acos": (-.9, .9),
    "math.acosh": (1.1, 3), "math.asin": (-.9, .9), "math.asinh": (None, None),
    "math.atan": (None, None), "math.atanh": (-.9, .9), "math.cbrt": (.1, 3),
    "math.cos": (None, None), "math.cosh": (None, None), "math.erf": (None, None),
    "math.erfc": (None, None), "math.exp": (None, None), "math.exp2": (None, None),
    "math.expm1": (None, None), "math.log": (.1, 3), "math.log10": (.1, 3),
    "math.log1p": (-.9, 3), "math.log2": (.1, 3), "math.rsqrt": (.1, 3),
    "math.sin": (None, None), "math.sinh": (None, None), "math.sqrt": (.1, 3),
    "math.tan": (-1, 1), "math.tanh": (None, None),
}
BINARY = {
    "arith.addf": (None, None), "arith.subf": (None, None),
    "arith.mulf": (None, None), "arith.divf": (.5, 2), "arith.remf": (.5, 2),
    "arith.maximumf": (None, None), "arith.minimumf": (None, None),
    "arith.maxnumf": (None, None), "arith.minnumf": (None, None),
    "math.atan2": (None, None), "math.copysign": (None, None),
    "math.powf": (.5, 2),
}
# Bodies on x0, and perhaps x1, with the shapes of the inputs and of the result.
SHAPES = {
    "transpose": ([(5, 7)], (7, 5), """
  %r = tile.transpose %x0 [1, 0] : {x0} to {r}
"""),
    "reshape": ([(6, 7)], (14, 3), """
  %r = tile.reshape %x0 : {x0} to {r}
"""),
    "broadcast": ([(1, 7)], (5, 7), """
  %r = tile.broadcast %x0 : {x0} to {r}
"""),
    "broadcast dims": ([(5,)], (5, 7), """
  %r = tile.broadcast %x0 dims [0] : {x0} to {r}
"""),
    "view": ([(9, 11)], (3, 5), """
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = tile.view %x0[%c2, %c4] : {x0} to {r}
"""),
    "view of a row": ([(9, 11)], (5,), """
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = tile.view %x0[%c2, %c4] : {x0} to {r}
"""),
    "view with steps": ([(9, 11)], (3, 4), """
  %c8 = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  %r = tile.view %x0[%c8, %c2] steps [-3, 2] : {x0} to {r}
"""),
    "insert": ([(3, 5), (9, 11)], (9, 11), """
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = tile.insert %x0 into %x1[%c2, %c4] : {x0} into {x1}
"""),
    "join": ([(3, 5), (3, 2)], (3, 7), """
  %r = tile.join %x0, %x1 axis 1 : {x0}, {x1} to {r}
"""),
    "take": ([(9, 5)], (13, 5), """
  %i = tile.iota axis 0 : !tile.tile<13x1xi32>
  %c3 = arith.constant dense<3> : !tile.tile<13x1xi32>
  %j = arith.divsi %i, %c3 : !tile.tile<13x1xi32>
  %r = tile.take %x0 at %j axis 0 : {x0}, !tile.tile<13x1xi32> to {r}
"""),
    "extract and fill": ([(3, 5)], (7,), """
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %e = tile.extract %x0[%c2, %c4] : {x0}
  %s = arith.mulf %e, %e : f64
  %r = tile.fill %s : {r}
"""),
    "insert a scalar": ([(3, 5), (1, 1)], (3, 5), """
  %c2 = arith.constant 2 : index
  %e = tile.extract %x1[%c0, %c0] : {x1}
  %r = tile.insert %e into %x0[%c2, %c2] : f64 into {x0}
"""),
    "sort": ([(5, 7), (5, 7)], (5, 14), """
  %s:2 = tile.sort %x0, %x1 axis 1 descending : {x0}, {x1}
  %r = tile.join %s#0, %s#1 axis 1 : {x0}, {x1} to {r}
"""),
    "top k": ([(5, 7)], (3, 7), """
  %r, %i = tile.top_k %x0 axis 0 : {x0} to {r}, !tile.tile<3x7xi32>
"""),
    "arg reduce": ([(5, 7)], (5,), """
  %r, %i = tile.arg_reduce max %x0 axis 1 : {x0} to {r}, !tile.tile<5xi32>
"""),
    "arg reduce all": ([(5, 7)], (1, 1), """
  %r, %i = tile.arg_reduce min %x0 keep : {x0} to {r}, !tile.tile<1x1xi64>
"""),
    "put": ([(3, 5), (9, 5)], (9, 5), """
  %i = tile.iota axis 0 : !tile.tile<3x1xi32>
  %c4 = arith.constant dense<4> : !tile.tile<3x1xi32>
  %j = arith.muli %i, %c4 : !tile.tile<3x1xi32>
  %n = tile.iota axis 1 : !tile.tile<3x5xi32>
  %c2 = arith.constant dense<2> : !tile.tile<3x5xi32>
  %m = arith.cmpi ne, %n, %c2 : !tile.tile<3x5xi32>
  %r = tile.put %x0 into %x1 at %j axis 0 mask %m : !tile.tile<3x5xi1> : {x0}, !tile.tile<3x1xi32> into {x1}
"""),
    "put add": ([(13, 5), (4, 5)], (4, 5), """
  %i = tile.iota axis 0 : !tile.tile<13x1xi8>
  %c3 = arith.constant dense<3> : !tile.tile<13x1xi8>
  %j = arith.divsi %i, %c3 : !tile.tile<13x1xi8>
  %r = tile.put add %x0 into %x1 at %j axis 0 : {x0}, !tile.tile<13x1xi8> into {x1}
"""),
    "reduce add": ([(5, 7)], (7,), """
  %r = tile.reduce add %x0 axis 0 : {x0} to {r}
"""),
    "reduce all": ([(5, 7)], (1, 1), """
  %r = tile.reduce add %x0 keep : {x0} to {r}
"""),
    "reduce max": ([(5, 7)], (5,), """
  %r = tile.reduce max %x0 axis 1 : {x0} to {r}
"""),
    "reduce min": ([(5, 7)], (1, 7), """
  %r = tile.reduce min %x0 axis 0 keep : {x0} to {r}
"""),
    "reduce mul": ([(5, 7)], (5,), """
  %r = tile.reduce mul %x0 axis 1 : {x0} to {r}
"""),
    "scan": ([(5, 7)], (5, 7), """
  %r = tile.scan add %x0 axis 1 : {x0}
"""),
    "scan exclusive": ([(5, 7)], (5, 7), """
  %r = tile.scan add %x0 axis 0 exclusive reverse : {x0}
"""),
    "scans by mul": ([(5, 7)], (20, 7), """
  %i = tile.iota axis 1 : !tile.tile<5x7xi32>
  %c2 = arith.constant dense<2> : !tile.tile<5x7xi32>
  %c = arith.cmpi eq, %i, %c2 : !tile.tile<5x7xi32>
  %n = arith.negf %x0 : {x0}
  %z = arith.addf %x0, %n : {x0}
  %v = tile.select %c, %z, %x0 : !tile.tile<5x7xi1>, {x0}
  %s0 = tile.scan mul %v axis 1 : {x0}
  %s1 = tile.scan mul %x0 axis 0 exclusive : {x0}
  %s2 = tile.scan mul %x0 axis 1 reverse : {x0}
  %s3 = tile.scan mul %x0 exclusive reverse : {x0}
  %r = tile.join %s0, %s1, %s2, %s3 axis 0 : {x0}, {x0}, {x0}, {x0} to {r}
"""),
    "scans by max and min": ([(5, 7)], (20, 7), """
  %s0 = tile.scan max %x0 axis 1 : {x0}
  %s1 = tile.scan min %x0 axis 0 reverse : {x0}
  %s2 = tile.scan min %x0 : {x0}
  %t = tile.scan max %x0 axis 1 exclusive : {x0}
  %i = tile.iota axis 1 : !tile.tile<5x7xi32>
  %first = arith.constant dense<0> : !tile.tile<5x7xi32>
  %c = arith.cmpi eq, %i, %first : !tile.tile<5x7xi32>
  %s3 = tile.select %c, %x0, %t : !tile.tile<5x7xi1>, {x0}
  %r = tile.join %s0, %s1, %s2, %s3 axis 0 : {x0}, {x0}, {x0}, {x0} to {r}
"""),
    "select": ([(5, 7), (5, 7)], (5, 7), """
  %c = arith.cmpf olt, %x0, %x1 : {x0}
  %s = arith.mulf %x0, %x0 : {x0}
  %r = tile.select %c, %s, %x1 : !tile.tile<5x7xi1>, {x0}
"""),
    "clampf and sincos": ([(5, 7), (5, 7)], (5, 7), """
  %one = arith.constant dense<1.0> : {x0}
  %high = arith.addf %x1, %one : {x0}
  %v = math.clampf %x0 to [%x1, %high] : {x0}
  %s, %c = math.sincos %v : {x0}
  %w = arith.mulf %s, %x0 : {x0}
  %r = arith.addf %w, %c : {x0}
"""),
    "scalars": ([(5, 7), (5, 7)], (5, 7), """
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tile.extract %x0[%c1, %c3] : {x0}
  %f = tile.extract %x1[%c3, %c1] : {x0}
  %zero = arith.constant 0.0 : f64
  %isLess = arith.cmpf olt, %e, %zero : f64
  %i = tile.iota axis 1 from %e step %f : {x0}
  %v = tile.select %isLess, %i, %x1 : i1, {x0}
  %w = tile.select %isLess, %x0, %i : i1, {x0}
  %r = tile.map %v, %w : {x0}, {x0} to {r} {{
  ^bb0(%p: f64, %q: f64):
    %isLow = arith.cmpf olt, %q, %e : f64
    %u = scf.if %isLow -> f64 {{
      %m = arith.mulf %p, %e : f64
      scf.yield %m : f64
    }} else {{
      %d = arith.mulf %q, %f : f64
      scf.yield %d : f64
    }}
    %z = arith.mulf %u, %f : f64
    tile.yield %z : f64
  }}
"""),
    "map with a loop": ([(5, 7), (5, 7)], (5, 14), """
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %s:2 = tile.map %x0, %x1 : {x0}, {x0} to {x0}, {x0} {{
  ^bb0(%p: f64, %q: f64):
    %u, %w = scf.for %k = %c0 to %c5 step %c1 iter_args(%a = %p, %b = %q) -> (f64, f64) {{
      %m = arith.mulf %a, %b : f64
      %t = math.sin %m : f64
      %d = arith.subf %b, %p : f64
      scf.yield %d, %t : f64, f64
    }}
    tile.yield %u, %w : f64, f64
  }}
  %r = tile.join %s#0, %s#1 axis 1 : {x0}, {x0} to {r}
"""),
    "stack": ([(5, 3), (9,)], (4, 5), """
  %n = tile.iota axis 0 : !tile.tile<5x3xi32>
  %c2 = arith.constant dense<2> : !tile.tile<5x3xi32>
  %m = arith.cmpi ne, %n, %c2 : !tile.tile<5x3xi32>
  %two = arith.constant 2 : i32
  %s, %k, %i = tile.push %x0 mask %m onto %x1, %two : {x0} onto {x1}
  %o = tile.iota axis 1 : !tile.tile<4x5xi32>
  %d2 = arith.constant dense<2> : !tile.tile<4x5xi32>
  %l = arith.cmpi ne, %o, %d2 : !tile.tile<4x5xi32>
  %r, %g, %j = tile.pop %s, %k mask %l : {x1} to {r}
"""),
    "fma": ([(5, 7), (5, 7)], (5, 7), """
  %r = math.fma %x0, %x1, %x0 : {x0}
"""),
    "fpowi": ([(5, 7)], (5, 7), """
  %n = tile.iota axis 1 : !tile.tile<5x7xi32>
  %r = math.fpowi %x0, %n : {x0}, !tile.tile<5x7xi32>
"""),
    "matmul": ([(5, 7), (7, 3)], (5, 3), """
  %z = arith.constant dense<0.0> : {r}
  %r = tile.matmul %x0, %x1, %z : {x0}, {x1} -> {r}
"""),
    "batched matmul": ([(5, 7), (2, 7, 3)], (2, 5, 3), """
  %z = arith.constant dense<0.0> : {r}
  %r = tile.matmul %x0, %x1, %z : {x0}, {x1} -> {r}
"""),
    "square of a matmul": ([(5, 5)], (5, 5), """
  %s = tile.matmul %x0, %x0, %x0 : {x0}, {x0} -> {r}
  %r = arith.mulf %s, %s : {r}
"""),
    "softmax": ([(5, 7)], (5, 7), """
  %m = tile.reduce max %x0 axis 1 keep : {x0} to !tile.tile<5x1xf64>
  %b = tile.broadcast %m : !tile.tile<5x1xf64> to {x0}
  %d = arith.subf %x0, %b : {x0}
  %e = math.exp %d : {x0}
  %s = tile.reduce add %e axis 1 keep : {x0} to !tile.tile<5x1xf64>
  %t = tile.broadcast %s : !tile.tile<5x1xf64> to {x0}
  %r = arith.divf %e, %t : {x0}
"""),
}
# Regions that combine tuples of {e}, with their identities: the maximum and the sum of
# exponentials, the count, mean and sum of squares (Welford), and affine functions, whose
# order matters, of real and of complex elements.
COMBINERS = {
    "softmax": (["0xFFF0000000000000", "0.0"], """
  ^bb0(%m: {e}, %s: {e}, %n: {e}, %t: {e}):
    %k = arith.maximumf %m, %n : {e}
    %dm = arith.subf %m, %k : {e}
    %dn = arith.subf %n, %k : {e}
    %em = math.exp %dm : {e}
    %en = math.exp %dn : {e}
    %sm = arith.mulf %s, %em : {e}
    %sn = arith.mulf %t, %en : {e}
    %u = arith.addf %sm, %sn : {e}
    tile.yield %k, %u : {e}, {e}
"""),
    "welford": (["0.0", "0.0", "0.0"], """
  ^bb0(%n: {e}, %m: {e}, %s: {e}, %k: {e}, %o: {e}, %t: {e}):
    %zero = arith.constant 0.0 : {e}
    %one = arith.constant 1.0 : {e}
    %c = arith.addf %n, %k : {e}
    %isNone = arith.cmpf oeq, %c, %zero : {e}
    %safe = arith.select %isNone, %one, %c : {e}
    %d = arith.subf %o, %m : {e}
    %f = arith.divf %k, %safe : {e}
    %df = arith.mulf %d, %f : {e}
    %mean = arith.addf %m, %df : {e}
    %dd = arith.mulf %d, %df : {e}
    %ddn = arith.mulf %dd, %n : {e}
    %st = arith.addf %s, %t : {e}
    %sum = arith.addf %st, %ddn : {e}
    tile.yield %c, %mean, %sum : {e}, {e}, {e}
"""),
    "affine": (["1.0", "0.0"], """
  ^bb0(%a: {e}, %b: {e}, %c: {e}, %d: {e}):
    %p = arith.mulf %a, %c : {e}
    %q = arith.mulf %b, %c : {e}
    %s = arith.addf %q, %d : {e}
    tile.yield %p, %s : {e}, {e}
"""),
    "complex affine": (["[1.0, 0.0]", "[0.0, 0.0]"], """
  ^bb0(%a: {e}, %b: {e}, %c: {e}, %d: {e}):
    %p = complex.mul %a, %c : {e}
    %q = complex.mul %b, %c : {e}
    %s = complex.add %q, %d : {e}
    tile.yield %p, %s : {e}, {e}
"""),
}
COMPLEX = {
    "add": 2, "sub": 2, "mul": 2, "div": 2, "neg": 1, "conj": 1, "exp": 1,
}


# Operations on matrices %m, which are positive definite, and %x1.
POSITIVE = """
  %t = tile.transpose %x0 [0, 2, 1] : {x0} to {x0}
  %z = arith.constant dense<0.0> : {x0}
  %p = tile.matmul %x0, %t, %z : {x0}, {x0} -> {x0}
  %six = arith.constant 6.0 : f64
  %m = tile.add_diagonal %p, %six : {x0}, f64
"""
MATRICES = {
    "cholesky": ([(2, 5, 5)], (2, 5, 5), "  %r = tile.cholesky %m : {x0}\n"),
    "upper cholesky": ([(2, 5, 5)], (2, 5, 5),
                       "  %r = tile.cholesky %m upper : {x0}\n"),
    "cholesky derivative": ([(2, 5, 5), (2, 5, 5)], (2, 5, 5), """
  %l = tile.cholesky %m : {x0}
  %r = tile.cholesky_derivative %l, %x1 : {x0}
"""),
    "transposed cholesky derivative": ([(2, 5, 5), (2, 5, 5)], (2, 5, 5), """
  %l = tile.cholesky %m : {x0}
  %r = tile.cholesky_derivative %l, %x1 transposed : {x0}
"""),
    "solve": ([(2, 5, 5), (2, 5, 3)], (2, 5, 3),
              "  %r = tile.solve %m, %x1 : {x0}, {x1}\n"),
    "solve spd": ([(2, 5, 5), (2, 5, 3)], (2, 5, 3),
                  "  %r = tile.solve %m, %x1 spd : {x0}, {x1}\n"),
    "determinant": ([(2, 5, 5)], (2,),
                    "  %r = tile.determinant %m : {x0} to {r}\n"),
    "logdet": ([(2, 5, 5)], (2,),
               "  %s, %r = tile.logdet %m : {x0} to {r}\n"),
    "inverse": ([(2, 5, 5)], (2, 5, 5), "  %r = tile.inverse %m : {x0}\n"),
    "diagonal": ([(2, 5, 5)], (2, 5),
                 "  %r = tile.diagonal %m : {x0} to {r}\n"),
    "add diagonal": ([(2, 5, 5), (2, 5)], (2, 5, 5), """
  %d = arith.mulf %x1, %x1 : {x1}
  %r = tile.add_diagonal %m, %d : {x0}, {x1}
"""),
    "add a scalar to the diagonal": ([(2, 5, 5)], (2, 5, 5), """
  %e = tile.extract %m[%c0, %c0, %c0] : {x0}
  %r = tile.add_diagonal %m, %e : {x0}, f64
"""),
}
for words in ("", "upper", "transposed", "unit", "right", "upper transposed",
              "upper right", "transposed right", "upper transposed unit right"):
    MATRICES["triangular solve " + words] = (
        [(2, 5, 5), (2, 3, 5) if "right" in words else (2, 5, 3)],
        (2, 3, 5) if "right" in words else (2, 5, 3),
        "  %r = tile.triangular_solve %m, %x1 " + words + " : {x0}, {x1}\n")
# Fourier transforms: the operation, and the types of the source and the result.
TRANSFORMS = [
    ("fft", "complex<f64>", (3, 12), "complex<f64>", (3, 12)),
    ("ifft", "complex<f64>", (3, 11), "complex<f64>", (3, 11)),
    ("rfft", "f64", (3, 12), "complex<f64>", (3, 7)),
    ("rfft", "f64", (3, 11), "complex<f64>", (3, 6)),
    ("irfft", "complex<f64>", (3, 7), "f64", (3, 12)),
    ("irfft", "complex<f64>", (3, 6), "f64", (3, 11)),
]


# Programs, with the shapes of the inputs and of the result, and the grid.
PROGRAMS = {
    "a map": ([(5, 7), (7,)], (5, 7), "1,1,1", """
  %x0 = tile.load %a0[%c0, %c0] : memref<5x7xf64> -> !tile.tile<5x7xf64>
  %x1 = tile.load %a1[%c0] : memref<7xf64> -> !tile.tile<7xf64>
  %n = tile.iota axis 1 : !tile.tile<5x7xi32>
  %r, %u = tile.map %x0, %x1, %n : !tile.tile<5x7xf64>, !tile.tile<7xf64>, !tile.tile<5x7xi32> to !tile.tile<5x7xf64>, !tile.tile<5x7xi32> {
  ^bb0(%p: f64, %q: f64, %i: i32):
    %c3 = arith.constant 3 : i32
    %isLow = arith.cmpi slt, %i, %c3 : i32
    %s = math.sin %p : f64
    %v = scf.if %isLow -> f64 {
      %m = arith.mulf %s, %q : f64
      scf.yield %m : f64
    } else {
      %e = math.exp %q : f64
      %d = arith.divf %p, %e : f64
      scf.yield %d : f64
    }
    %w = arith.mulf %v, %v : f64
    tile.yield %w, %i : f64, i32
  }
  tile.store %r, %y[%c0, %c0] : !tile.tile<5x7xf64>, memref<5x7xf64>
"""),
    "a branch": ([(5,), (5,)], (5,), "1,1,1", """
  %x0 = tile.load %a0[%c0] : memref<5xf64> -> !tile.tile<5xf64>
  %x1 = tile.load %a1[%c0] : memref<5xf64> -> !tile.tile<5xf64>
  %s = tile.reduce add %x0 : !tile.tile<5xf64> to !tile.tile<f64>
  %t = tile.extract %s[] : !tile.tile<f64>
  %zero = arith.constant 0.0 : f64
  %isLess = arith.cmpf olt, %t, %zero : f64
  %m = arith.mulf %x0, %x1 : !tile.tile<5xf64>
  %r, %k = scf.if %isLess -> (!tile.tile<5xf64>, i32) {
    %one = arith.constant 1 : i32
    %e = math.exp %m : !tile.tile<5xf64>
    scf.yield %e, %one : !tile.tile<5xf64>, i32
  } else {
    %two = arith.constant 2 : i32
    %e = math.sin %x0 : !tile.tile<5xf64>
    scf.yield %e, %two : !tile.tile<5xf64>, i32
  }
  %z = arith.mulf %r, %m : !tile.tile<5xf64>
  tile.store %z, %y[%c0] : !tile.tile<5xf64>, memref<5xf64>
"""),
    "a sum of rows": ([(11, 5)], (5,), "1,1,1", """
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c11 = arith.constant 11 : index
  %zero = arith.constant dense<0.0> : !tile.tile<5xf64>
  %r = scf.for %i = %c1 to %c11 step %c3 iter_args(%sum = %zero) -> !tile.tile<5xf64> {
    %v = tile.load %a0[%i, %c0] : memref<11x5xf64> -> !tile.tile<5xf64>
    %w = arith.mulf %v, %v : !tile.tile<5xf64>
    %next = arith.addf %sum, %w : !tile.tile<5xf64>
    scf.yield %next : !tile.tile<5xf64>
  }
  tile.store %r, %y[%c0] : !tile.tile<5xf64>, memref<5xf64>
"""),
    "the last value of a loop": ([(11, 5)], (5,), "1,1,1", """
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  %zero = arith.constant dense<0.0> : !tile.tile<5xf64>
  %r = scf.for %i = %c0 to %c11 step %c1 iter_args(%last = %zero) -> !tile.tile<5xf64> {
    %v = tile.load %a0[%i, %c0] : memref<11x5xf64> -> !tile.tile<5xf64>
    %w = arith.mulf %v, %v : !tile.tile<5xf64>
    scf.yield %w : !tile.tile<5xf64>
  }
  tile.store %r, %y[%c0] : !tile.tile<5xf64>, memref<5xf64>
"""),
    "stores of branches and parts": ([(10,)], (10,), "1,1,1", """
  %c5 = arith.constant 5 : index
  %x0 = tile.load %a0[%c0] : memref<10xf64> -> !tile.tile<5xf64>
  %x1 = tile.load %a0[%c5] : memref<10xf64> -> !tile.tile<5xf64>
  %s = tile.reduce add %x0 : !tile.tile<5xf64> to !tile.tile<f64>
  %t = tile.extract %s[] : !tile.tile<f64>
  %zero = arith.constant 0.0 : f64
  %isLess = arith.cmpf olt, %t, %zero : f64
  scf.if %isLess {
    %e = arith.mulf %x0, %x1 : !tile.tile<5xf64>
    tile.store %e, %y[%c0] : !tile.tile<5xf64>, memref<10xf64>
  } else {
    %e = math.sin %x0 : !tile.tile<5xf64>
    tile.store %e, %y[%c0] : !tile.tile<5xf64>, memref<10xf64>
  }
  tile.store %x1, %y[%c5] : !tile.tile<5xf64>, memref<10xf64>
"""),
    "a loop that runs never": ([(5,), (11, 5)], (5,), "1,1,1", """
  %c11 = arith.constant 11 : index
  %c1 = arith.constant 1 : index
  %one = tile.num_programs x
  %x0 = tile.load %a0[%c0] : memref<5xf64> -> !tile.tile<5xf64>
  %r = scf.for %i = %c11 to %one step %c1 iter_args(%sum = %x0) -> !tile.tile<5xf64> {
    %v = tile.load %a1[%i, %c0] : memref<11x5xf64> -> !tile.tile<5xf64>
    %w = arith.mulf %v, %v : !tile.tile<5xf64>
    %next = arith.addf %sum, %w : !tile.tile<5xf64>
    scf.yield %next : !tile.tile<5xf64>
  }
  tile.store %r, %y[%c0] : !tile.tile<5xf64>, memref<5xf64>
"""),
    "a value from before a loop": ([(5,), (11, 5)], (5,), "1,1,1", """
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  %x0 = tile.load %a0[%c0] : memref<5xf64> -> !tile.tile<5xf64>
  %f = math.exp %x0 : !tile.tile<5xf64>
  %r = scf.for %i = %c0 to %c11 step %c1 iter_args(%sum = %x0) -> !tile.tile<5xf64> {
    %v = tile.load %a1[%i, %c0] : memref<11x5xf64> -> !tile.tile<5xf64>
    %w = arith.mulf %v, %f : !tile.tile<5xf64>
    %u = arith.divf %w, %x0 : !tile.tile<5xf64>
    %next = arith.subf %u, %sum : !tile.tile<5xf64>
    scf.yield %next : !tile.tile<5xf64>
  }
  %z = arith.mulf %r, %f : !tile.tile<5xf64>
  tile.store %z, %y[%c0] : !tile.tile<5xf64>, memref<5xf64>
"""),
    "a branch in nested loops": ([(3, 7, 5)], (5,), "1,1,1", """
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant dense<0.0> : !tile.tile<5xf64>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %zero) -> !tile.tile<5xf64> {
    %t = scf.for %j = %c0 to %c7 step %c2 iter_args(%part = %sum) -> !tile.tile<5xf64> {
      %v = tile.load %a0[%i, %j, %c0] : memref<3x7x5xf64> -> !tile.tile<5xf64>
      %isEven = arith.cmpi slt, %i, %j : index
      %w = scf.if %isEven -> !tile.tile<5xf64> {
        %s = arith.mulf %v, %v : !tile.tile<5xf64>
        scf.yield %s : !tile.tile<5xf64>
      } else {
        scf.yield %v : !tile.tile<5xf64>
      }
      %next = arith.addf %part, %w : !tile.tile<5xf64>
      scf.yield %next : !tile.tile<5xf64>
    }
    scf.yield %t : !tile.tile<5xf64>
  }
  tile.store %r, %y[%c0] : !tile.tile<5xf64>, memref<5xf64>
"""),
    "a matmul along K": ([(9, 23), (23, 7)], (9, 7), "1,1,1", """
  %c4 = arith.constant 4 : index
  %c23 = arith.constant 23 : index
  %zero = arith.constant dense<0.0> : !tile.tile<9x7xf64>
  %r = scf.for %k = %c0 to %c23 step %c4 iter_args(%acc = %zero) -> !tile.tile<9x7xf64> {
    %l = tile.load %a0[%c0, %k] : memref<9x23xf64> -> !tile.tile<9x4xf64>
    %s = tile.load %a1[%k, %c0] : memref<23x7xf64> -> !tile.tile<4x7xf64>
    %next = tile.matmul %l, %s, %acc : !tile.tile<9x4xf64>, !tile.tile<4x7xf64> -> !tile.tile<9x7xf64>
    scf.yield %next : !tile.tile<9x7xf64>
  }
  tile.store %r, %y[%c0, %c0] : !tile.tile<9x7xf64>, memref<9x7xf64>
"""),
    "stores in a loop": ([(11, 5), (5,)], (11, 5), "1,1,1", """
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  %x1 = tile.load %a1[%c0] : memref<5xf64> -> !tile.tile<5xf64>
  scf.for %i = %c0 to %c11 step %c1 {
    %v = tile.load %a0[%i, %c0] : memref<11x5xf64> -> !tile.tile<5xf64>
    %w = arith.mulf %v, %x1 : !tile.tile<5xf64>
    tile.store %w, %y[%i, %c0] : !tile.tile<5xf64>, memref<11x5xf64>
  }
"""),
    "a grid with an end": ([(53,), (3, 53)], (53,), "4,1,1", """
  %c16 = arith.constant 16 : index
  %c1 = arith.constant 1 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c16 : index
  %x0 = tile.load %a0[%i] : memref<53xf64> -> !tile.tile<16xf64>
  %x1 = tile.load %a1[%c1, %i] : memref<3x53xf64> -> !tile.tile<16xf64>
  %v = arith.mulf %x0, %x1 : !tile.tile<16xf64>
  tile.store %v, %y[%i] : !tile.tile<16xf64>, memref<53xf64>
"""),
    "overlapping loads": ([(21,)], (16,), "1,1,1", """
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %x0 = tile.load %a0[%c0] : memref<21xf64> -> !tile.tile<16xf64>
  %x1 = tile.load %a0[%c2] : memref<21xf64> -> !tile.tile<16xf64>
  %x2 = tile.load %a0[%c5] : memref<21xf64> -> !tile.tile<16xf64>
  %v = arith.mulf %x0, %x1 : !tile.tile<16xf64>
  %w = arith.divf %v, %x2 : !tile.tile<16xf64>
  tile.store %w, %y[%c0] : !tile.tile<16xf64>, memref<16xf64>
"""),
    "loads with masks, pads and dims": ([(9, 3, 13)], (9, 13), "3,1,1", """
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c4 : index
  %pad = arith.constant 3.0 : f64
  %n = tile.iota axis 1 : !tile.tile<4x13xi32>
  %c5 = arith.constant dense<5> : !tile.tile<4x13xi32>
  %m = arith.cmpi ne, %n, %c5 : !tile.tile<4x13xi32>
  %x0 = tile.load %a0[%i, %c1, %c0] dims [0, 2] mask %m : !tile.tile<4x13xi1> pad %pad : memref<9x3x13xf64> -> !tile.tile<4x13xf64>
  %v = arith.mulf %x0, %x0 : !tile.tile<4x13xf64>
  tile.store %v, %y[%i, %c0] : !tile.tile<4x13xf64>, memref<9x13xf64>
"""),
}

# Programs whose gradients are added atomically.
ATOMIC = {
    "gathers": ([(11, 9)], (10, 7), "2,1,1", """
  %c5 = arith.constant 5 : index
  %c1 = arith.constant 1 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c5 : index
  %n = tile.iota axis 0 : !tile.tile<5x1xi32>
  %c4 = arith.constant dense<4> : !tile.tile<5x1xi32>
  %c3 = arith.constant dense<3> : !tile.tile<5x1xi32>
  %m = arith.muli %n, %c4 : !tile.tile<5x1xi32>
  %rows = arith.subi %m, %c3 : !tile.tile<5x1xi32>
  %half = arith.divsi %n, %c3 : !tile.tile<5x1xi32>
  %columns = tile.iota axis 1 : !tile.tile<5x7xi64>
  %five = arith.constant dense<5> : !tile.tile<5x7xi64>
  %mask = arith.cmpi ne, %columns, %five : !tile.tile<5x7xi64>
  %pad = arith.constant 3.0 : f64
  %v = tile.gather %a0[%c1, %p] at %rows axis 0 mask %mask : !tile.tile<5x7xi1> pad %pad : memref<11x9xf64>, !tile.tile<5x1xi32> -> !tile.tile<5x7xf64>
  %w = tile.gather %a0[%p, %c0] at %half, %columns axes [0, 1] : memref<11x9xf64>, !tile.tile<5x1xi32>, !tile.tile<5x7xi64> -> !tile.tile<5x7xf64>
  %u = tile.gather %a0[%c0, %p] dims [1, 0] at %half axis 0 : memref<11x9xf64>, !tile.tile<5x1xi32> -> !tile.tile<5x7xf64>
  %s = arith.mulf %v, %w : !tile.tile<5x7xf64>
  %t = arith.addf %s, %u : !tile.tile<5x7xf64>
  tile.store %t, %y[%i, %c0] : !tile.tile<5x7xf64>, memref<10x7xf64>
"""),
}

# Programs that add to their output.
ADDITIONS = {
    "a scatter": ([(5, 7), (5, 7)], (11, 9), "2,1,1", """
  %p = tile.program_id x
  %n = tile.iota axis 0 : !tile.tile<5x1xi32>
  %c3 = arith.constant dense<3> : !tile.tile<5x1xi32>
  %half = arith.divsi %n, %c3 : !tile.tile<5x1xi32>
  %m = arith.muli %n, %c3 : !tile.tile<5x1xi32>
  %columns = tile.iota axis 1 : !tile.tile<5x7xi64>
  %five = arith.constant dense<5> : !tile.tile<5x7xi64>
  %mask = arith.cmpi ne, %columns, %five : !tile.tile<5x7xi64>
  %x0 = tile.load %a0[%c0, %c0] : memref<5x7xf64> -> !tile.tile<5x7xf64>
  %x1 = tile.load %a1[%c0, %c0] : memref<5x7xf64> -> !tile.tile<5x7xf64>
  %v = arith.mulf %x0, %x1 : !tile.tile<5x7xf64>
  tile.scatter %v, %y[%p, %p] at %m axis 0 mask %mask : !tile.tile<5x7xi1> atomic add : !tile.tile<5x7xf64>, memref<11x9xf64>, !tile.tile<5x1xi32>
  tile.scatter %x0, %y[%c0, %p] at %half, %columns axes [0, 1] atomic add : !tile.tile<5x7xf64>, memref<11x9xf64>, !tile.tile<5x1xi32>, !tile.tile<5x7xi64>
"""),
    "an atomic update": ([(5, 7)], (11, 9), "3,1,1", """
  %c3 = arith.constant 3 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c3 : index
  %columns = tile.iota axis 1 : !tile.tile<5x7xi32>
  %five = arith.constant dense<5> : !tile.tile<5x7xi32>
  %mask = arith.cmpi ne, %columns, %five : !tile.tile<5x7xi32>
  %x0 = tile.load %a0[%c0, %c0] : memref<5x7xf64> -> !tile.tile<5x7xf64>
  %v = arith.mulf %x0, %x0 : !tile.tile<5x7xf64>
  %old = tile.atomic_rmw add %v, %y[%i, %p] mask %mask : !tile.tile<5x7xi1> : !tile.tile<5x7xf64>, memref<11x9xf64>
"""),
}


def check_matrices():
    for name, (shapes, result, body) in MATRICES.items():
        types = {f"x{i}": tile(shape) for i, shape in enumerate(shapes)}
        body = (POSITIVE + body).format(r=tile(result), **types)
        check(name, make_program(shapes, result, body),
              [draw(shape, np.float64) for shape in shapes], result)


def check_transforms():
    """Checks transforms by the real and imaginary parts of their complex values."""
    for name, source, shape, result, result_shape in TRANSFORMS:
        for norm in "none", "by_n", "ortho":
            types = (f"{tile(shape, source)}" if source == result else
                     f"{tile(shape, source)} to {tile(result_shape, result)}")
            body = f"  %u = tile.{name} %v norm {norm} : {types}\n"
            check(f"{name} of {shape[-1]}, norm {norm}",
                  make_program(*in_parts(source, shape, result, result_shape, body)),
                  [draw((2, *shape), np.float64)], (2, *result_shape))


def in_parts(source, shape, result, result_shape, body):
    """Returns the arguments of make_program for an operation from %v to %u, on two
    arrays of real elements as one: the real and the imaginary parts."""
    def split(name, shape, is_complex):
        whole = tile((2, *shape))
        parts = "".join(
            f"  %{name}{i} = tile.view %x0[%i{i}, %c0, %c0] : {whole} to "
            f"{tile(shape)}\n" for i in range(2))
        join = (f"tile.complex create %{name}0, %{name}1 : {tile(shape)}, "
                f"{tile(shape)} to {tile(shape, 'complex<f64>')}" if is_complex else
                f"arith.mulf %{name}0, %{name}1 : {tile(shape)}")
        return parts + f"  %{name} = {join}\n"

    single = tile((1, *result_shape))
    kinds = ("re", "im") if result != "f64" else (None, None)
    parts = "".join(
        (f"  %p{i} = tile.complex {kind} %u : {tile(result_shape, result)} to "
         f"{tile(result_shape)}\n" if kind else
         f"  %p{i} = arith.mulf %u, %u : {tile(result_shape)}\n") +
        f"  %q{i} = tile.reshape %p{i} : {tile(result_shape)} to {single}\n"
        for i, kind in enumerate(kinds))
    body = ("  %i0 = arith.constant 0 : index\n  %i1 = arith.constant 1 : index\n" +
            split("v", shape, source != "f64") + body + parts +
            f"  %r = tile.join %q0, %q1 axis 0 : {single}, {single} to "
            f"{tile((2, *result_shape))}\n")
    return [(2, *shape)], (2, *result_shape), body


def check_programs():
    for name, (shapes, result, grid, body) in PROGRAMS.items():
        check(name, wrap(shapes, result, body),
              [draw(shape, np.float64) for shape in shapes], result, grid)
    for name, (shapes, result, grid, body) in ATOMIC.items():
        check(name, wrap(shapes, result, body),
              [draw(shape, np.float64) for shape in shapes], result, grid, " atomics")
    for name, (shapes, result, grid, body) in ADDITIONS.items():
        check(name, wrap(shapes, result, body),
              [draw(shape, np.float64) for shape in shapes], result, grid, " atomics",
              InOut(np.zeros(result)))


def check_elementwise():
    shape = (5, 9)
    for name, (low, high) in UNARY.items():
        body = f"  %r = {name} %x0 : {tile(shape)}\n"
        check(name, make_program([shape], shape, body),
              [draw(shape, np.float64, low, high)], shape)
    for name, (low, high) in BINARY.items():
        body = f"  %r = {name} %x0, %x1 : {tile(shape)}\n"
        check(name, make_program([shape, shape], shape, body),
              [draw(shape, np.float64, low, high) for _ in range(2)], shape)


def check_shapes():
    for name, (shapes, result, body) in SHAPES.items():
        types = {f"x{i}": tile(shape) for i, shape in enumerate(shapes)}
        program = make_program(shapes, result, body.format(r=tile(result), **types))
        check(name, program, [draw(shape, np.float64) for shape in shapes], result)
        check(name + " f32", program.replace("f64", "f32"),
              [draw(shape, np.float32) for shape in shapes], result)


def make_combinations(name, cases, element="f64"):
    """Returns the shapes of the inputs and of the result, and a body, of reductions and
    scans by a region; their results are joined."""
    identities, region = COMBINERS[name]
    count, shape = len(identities), (4, 7)
    whole = tile(shape, element)
    sources, body = [f"%x{i}" for i in range(count)], ""
    if name == "welford":
        # The count of elements has no derivative.
        sources = ["%ones", "%x0", "%x1"]
        body = f"  %ones = arith.constant dense<1.0> : {whole}\n"
    identities = ", ".join(value if "[" in value else f"{value} : {element}"
                           for value in identities)
    parts = []
    for case, words in enumerate(cases):
        result = shape
        if "reduce" in words:
            result = tuple(1 if f"axis {1 - dim}" not in words else extent
                           for dim, extent in enumerate(shape))
        types, results = (", ".join([tile(s, element)] * count)
                          for s in (shape, result))
        operation, _, words = words.partition(" ")
        to = f" to {results}" if operation == "reduce" else ""
        body += (f"  %s{case}:{count} = tile.{operation} {', '.join(sources)} "
                 f"identity [{identities}] {words} : {types}{to} {{"
                 f"{region.format(e=element)}  }}\n")
        for i in range(count):
            parts.append(f"%p{case}_{i}")
            body += (f"  {parts[-1]} = tile.broadcast %s{case}#{i} : "
                     f"{tile(result, element)} to {whole}\n")
    joined = (shape[0] * len(parts), shape[1])
    body += (f"  %r = tile.join {', '.join(parts)} axis 0 : "
             f"{', '.join([whole] * len(parts))} to {tile(joined, element)}\n")
    return [shape] * (count - (name == "welford")), joined, body


def check_combinations():
    """Checks reductions and scans by regions."""
    for name in COMBINERS:
        element, dtype = (("complex<f64>", np.complex128) if "complex" in name else
                          ("f64", np.float64))
        cases = ["reduce axis 1 keep", "scan axis 1"]
        if name == "affine":
            cases = ["reduce keep", "scan axis 1", "scan reverse",
                     "scan axis 0 exclusive reverse"]
        shapes, result, body = make_combinations(name, cases, element)
        check(name, make_program(shapes, result, body, element),
              [draw(shape, dtype) for shape in shapes], result)


def check_ties():
    """Checks the derivatives of equal values, which are conventions."""
    types = {"x0": tile((5,)), "r": tile((10,))}
    program = differentiate(make_program([(5,)], (10,), """
  %low = arith.constant dense<1.0> : {x0}
  %high = arith.constant dense<3.0> : {x0}
  %m = tile.scan max %x0 axis 0 : {x0}
  %c = math.clampf %x0 to [%low, %high] : {x0}
  %r = tile.join %m, %c axis 0 : {x0}, {x0} to {r}
""".format(**types)))
    w = draw((10,), np.float64)
    gradient, = run_adjoint(program, [np.array([1., 3., 3., 0., 2.])], w)
    expected = np.array([.5, .5, .5, 0, 1]) * w[5:]
    expected[:2] += w[0], w[1:5].sum()
    expect_close("ties", "gradient", gradient, expected, 1e-14)


def check_complex():
    shape, element = (5, 9), "complex<f64>"
    for kind, count in COMPLEX.items():
        names = ", ".join(f"%x{i}" for i in range(count))
        types = ", ".join([tile(shape, element)] * count)
        body = (f"  %r = tile.complex {kind} {names} : {types} to "
                f"{tile(shape, element)}\n")
        check("complex " + kind,
              make_program([shape] * count, shape, body, element),
              [draw(shape, np.complex128) for _ in range(count)], shape)
    body = f"""
  %i = tile.iota axis 0 : !tile.tile<5x1xi32>
  %c2 = arith.constant dense<2> : !tile.tile<5x1xi32>
  %j = arith.divsi %i, %c2 : !tile.tile<5x1xi32>
  %t = tile.take %x0 at %j axis 0 : {tile(shape, element)}, !tile.tile<5x1xi32> to {tile(shape, element)}
  %r = tile.scan mul %t axis 1 reverse : {tile(shape, element)}
"""
    check("complex take and scan", make_program([shape], shape, body, element),
          [draw(shape, np.complex128)], shape)
    body = f"""
  %a = tile.complex abs %x0 : {tile(shape, element)} to {tile(shape)}
  %b = tile.complex re %x1 : {tile(shape, element)} to {tile(shape)}
  %c = tile.complex im %x0 : {tile(shape, element)} to {tile(shape)}
  %d = arith.mulf %b, %c : {tile(shape)}
  %r = tile.complex create %a, %d : {tile(shape)}, {tile(shape)} to {tile(shape, element)}
"""
    check("complex parts", make_program([shape] * 2, shape, body, element),
          [draw(shape, np.complex128) for _ in range(2)], shape)


check_elementwise()
check_shapes()
check_combinations()
check_ties()
check_complex()
check_matrices()
check_transforms()
check_programs()
