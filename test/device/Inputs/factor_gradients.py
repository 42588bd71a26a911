# factor_gradients.py - derivatives of factors and decompositions of matrices
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

import harness
from derivatives import check, draw, make_program, tile

# The two levels of eigenvalues and singular values have different algorithms.
harness.LEVELS_HAVE_SAME_BITS = False

# Factors and decompositions of matrices %x0. Eigenvectors and singular vectors are
# checked by their squares, and by functions of matrices.
FACTORS = {
    "lu": ([(2, 5, 5)], (2, 5, 5), """
  %r, %p = tile.lu %x0 : {x0}, !tile.tile<2x5xi32>
"""),
    "lu unordered": ([(2, 5, 5)], (2, 5, 5), """
  %r, %p = tile.lu %x0 unordered : {x0}, !tile.tile<2x5xi32>
"""),
    "ldlt": ([(2, 5, 5)], (2, 5, 5), """
  %six = arith.constant 6.0 : f64
  %m = tile.add_diagonal %x0, %six : {x0}, f64
  %r = tile.ldlt %m : {x0}
"""),
    "qr": ([(2, 7, 4)], (2, 11, 4), """
  %q, %t = tile.qr %x0 : {x0} to {x0}, !tile.tile<2x4x4xf64>
  %r = tile.join %q, %t axis 1 : {x0}, !tile.tile<2x4x4xf64> to {r}
"""),
    "least squares": ([(2, 7, 4), (2, 7, 3)], (2, 4, 3), """
  %r = tile.least_squares %x0, %x1 : {x0}, {x1} to {r}
"""),
    "eigh": ([(2, 5, 5)], (2, 10, 5), """
  %w, %v = tile.eigh %x0 : {x0} to !tile.tile<2x5xf64>, {x0}
  %s = math.sin %w : !tile.tile<2x5xf64>
  %t = tile.reshape %s : !tile.tile<2x5xf64> to !tile.tile<2x1x5xf64>
  %b = tile.broadcast %t : !tile.tile<2x1x5xf64> to {x0}
  %vs = arith.mulf %v, %b : {x0}
  %vt = tile.transpose %v [0, 2, 1] : {x0} to {x0}
  %z = arith.constant dense<0.0> : {x0}
  %f = tile.matmul %vs, %vt, %z : {x0}, {x0} -> {x0}
  %vv = arith.mulf %v, %v : {x0}
  %r = tile.join %f, %vv axis 1 : {x0}, {x0} to {r}
"""),
    "svd": ([(2, 7, 4)], (2, 18, 4), """
  %u, %w, %v = tile.svd %x0 : {x0} to {x0}, !tile.tile<2x4xf64>, !tile.tile<2x4x4xf64>
  %s = math.sin %w : !tile.tile<2x4xf64>
  %t = tile.reshape %s : !tile.tile<2x4xf64> to !tile.tile<2x1x4xf64>
  %b = tile.broadcast %t : !tile.tile<2x1x4xf64> to {x0}
  %us = arith.mulf %u, %b : {x0}
  %z = arith.constant dense<0.0> : {x0}
  %f = tile.matmul %us, %v, %z : {x0}, !tile.tile<2x4x4xf64> -> {x0}
  %uu = arith.mulf %u, %u : {x0}
  %vv = arith.mulf %v, %v : !tile.tile<2x4x4xf64>
  %r = tile.join %f, %uu, %vv axis 1 : {x0}, {x0}, !tile.tile<2x4x4xf64> to {r}
"""),
    "svd of square matrices": ([(4, 4)], (8, 4), """
  %u, %w, %v = tile.svd %x0 : {x0} to {x0}, !tile.tile<4xf64>, {x0}
  %uu = arith.mulf %u, %u : {x0}
  %vv = arith.mulf %v, %v : {x0}
  %r = tile.join %uu, %vv axis 0 : {x0}, {x0} to {r}
"""),
}
COMPLEX_FACTORS = {
    "lu": ([(2, 4, 4)], (2, 4, 4), """
  %r, %p = tile.lu %x0 : {x0}, !tile.tile<2x4xi32>
"""),
    "ldlt": ([(2, 4, 4)], (2, 4, 4), """
  %r = tile.ldlt %x0 : {x0}
"""),
    "qr": ([(2, 5, 3)], (2, 8, 3), """
  %q, %t = tile.qr %x0 : {x0} to {x0}, !tile.tile<2x3x3xcomplex<f64>>
  %r = tile.join %q, %t axis 1 : {x0}, !tile.tile<2x3x3xcomplex<f64>> to {r}
"""),
    "least squares": ([(5, 3), (5, 2)], (3, 2), """
  %r = tile.least_squares %x0, %x1 : {x0}, {x1} to {r}
"""),
    "eigenvalues": ([(2, 4, 4)], (2, 4), """
  %w, %v = tile.eigh %x0 : {x0} to !tile.tile<2x4xf64>, {x0}
  %r = tile.complex create %w, %w : !tile.tile<2x4xf64>, !tile.tile<2x4xf64> to {r}
"""),
    "singular values": ([(5, 3)], (3,), """
  %u, %w, %v = tile.svd %x0 : {x0} to {x0}, !tile.tile<3xf64>, !tile.tile<3x3xcomplex<f64>>
  %r = tile.complex create %w, %w : !tile.tile<3xf64>, !tile.tile<3xf64> to {r}
"""),
}
# Cases that only --all checks: others have nearly the same rule.
SLOW = {"lu of f64", "svd of square matrices of f64", "lu of complex<f64>",
        "ldlt of complex<f64>", "least squares of complex<f64>",
        "singular values of complex<f64>"}


def check_factors(factors, element, dtype):
    for name, (shapes, result, body) in factors.items():
        if f"{name} of {element}" in SLOW and not harness.IS_FULL:
            continue
        types = {f"x{i}": tile(shape, element) for i, shape in enumerate(shapes)}
        body = body.format(r=tile(result, element), **types)
        check(f"{name} of {element}", make_program(shapes, result, body, element),
              [draw(shape, dtype) for shape in shapes], result)


check_factors(FACTORS, "f64", np.float64)
check_factors(COMPLEX_FACTORS, "complex<f64>", np.complex128)
