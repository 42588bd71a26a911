# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of matrices that are composed of the dialect's factorisations and matmuls,
on the last two dimensions of tiles; the dimensions before them count matrices."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Optional, Sequence

from .. import elements
from ..control_flow.function import function
from ..elements import Element
from ..language.arithmetic import absolute, divide
from ..language.casts import bitcast
from ..language.conditions import where
from ..language.conversions import convert
from ..language.extremes import clip
from ..language.shapes import expand_dims
from ..tracing.trace import fail
from ..tracing.values import Operand, Tile, check_tile
from .diagonals import add_diagonal
from .factorizations import adjoint, svd
from .matmuls import matmul
from .systems import solve

# ----------------------------------------------------------------------------
# Pseudo-inverses
# ----------------------------------------------------------------------------


def pinv(matrices: Tile, *, rtol: Optional[Operand] = None) -> Tile:
    """Returns the Moore-Penrose pseudo-inverses of matrices, which may have any extents
    that `svd` takes: V diag(1 / s) U', with zero in place of 1 / s for singular values
    of at most `rtol` times the largest one. The default `rtol` is the larger extent
    times the distance from one to the next value of the type."""
    u, s, v = svd(matrices)
    if rtol is None:
        rtol = max(matrices.shape[-2:]) * 2.0 ** -_FORMATS[s.dtype.name].mantissa
    is_kept = s > rtol * s[..., :1]
    inverses = where(is_kept, divide(1.0, where(is_kept, s, 1.0)), 0.0)
    return (adjoint(v) * expand_dims(inverses, -2)) @ adjoint(u)


# ----------------------------------------------------------------------------
# Exponentials
# ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Format:
    """A floating-point type: the integer type `word` of the same width, the count of
    bits of the mantissa, and the bias of the exponent. `degree` is the degree of a Pade
    approximant of the exponential function whose backward error is below the roundoff
    for matrices with norm1 up to `bound`: N. J. Higham, "The Scaling and Squaring
    Method for the Matrix Exponential Revisited", SIAM J. Matrix Anal. Appl. 26 (2005),
    pages 1179 to 1193."""

    word: Element
    mantissa: int
    bias: int
    degree: int
    bound: float


_FORMATS = {
    elements.f32.name: _Format(elements.i32, 23, 127, 7, 3.925724783138660),
    elements.f64.name: _Format(elements.i64, 52, 1023, 13, 5.371920351148152)}


def expm(matrices: Tile) -> Tile:
    """Returns the exponentials of square matrices of f32, f64 and complex elements: a
    Pade approximant of the exponential of A / 2^s, squared s times, where s is the
    least integer, zero or greater, for which norm1(A / 2^s) is below the bound of the
    approximant. Each matrix of a tile has its own s."""
    if check_tile(matrices, 2).shape[-1] != matrices.shape[-2]:
        fail(f"expected square matrices for expm, got a {matrices!r}")
    form = _FORMATS.get(matrices.dtype.part.name)
    if form is None:
        fail(f"expected matrices of f32, f64, complex64 or complex128 for expm, got a "
             f"{matrices!r}")
    norms = absolute(matrices).sum(-2, keepdims=True).max(-1, keepdims=True)
    counts, scales = _choose_scales(norms, form)
    return _square(_approximate(matrices * scales, form.degree), counts)


def _choose_scales(norms: Tile, form: _Format) -> tuple[Tile, Tile]:
    """Returns, for each matrix, how often it is halved, s, and the scale 2^-s. Both are
    computed from the exponents of `norms`."""
    exponents = (bitcast(norms / form.bound, form.word) >> form.mantissa) - form.bias
    counts = clip(exponents + 1, 0, form.bias - 1)
    scales = bitcast((form.bias - counts) << form.mantissa, norms.dtype)
    return convert(counts, elements.i32), scales


def _approximate(matrices: Tile, degree: int) -> Tile:
    """Returns the approximant P(A) / P(-A), with the polynomial P of degree 7 or 13.
    Its even powers of A add up to V and its odd powers to U, so that P(A) = V + U and
    P(-A) = V - U."""
    coefficients = [float(math.factorial(2 * degree - j) //
                          (math.factorial(degree - j) * math.factorial(j)))
                    for j in range(degree + 1)]
    square = matmul(matrices, matrices)
    fourth = matmul(square, square)
    powers = [square, fourth, matmul(square, fourth)]
    even = _evaluate(powers, coefficients[::2])
    odd = matmul(matrices, _evaluate(powers, coefficients[1::2]))
    return solve(even - odd, even + odd)


def _evaluate(powers: Sequence[Tile], coefficients: Sequence[float]) -> Tile:
    """Evaluates a polynomial of degree 3 or 6 with these coefficients, the constant one
    first, at the matrix B; `powers` are B, B^2 and B^3."""
    first, low, high = coefficients[0], coefficients[1:4], coefficients[4:]
    found = add_diagonal(_combine(powers, low), first)
    return matmul(powers[-1], _combine(powers, high), found) if high else found


def _combine(powers: Sequence[Tile], coefficients: Sequence[float]) -> Tile:
    first, *rest = (power * c for power, c in zip(powers, coefficients))
    for term in rest:
        first = first + term
    return first


@function
def _square(matrices: Tile, counts: Tile) -> Tile:
    """Squares each matrix as often as its element of `counts` specifies."""
    for step in range(counts.max()):
        matrices = where(counts > step, matmul(matrices, matrices), matrices)
    return matrices
