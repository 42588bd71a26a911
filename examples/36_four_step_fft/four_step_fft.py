# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes Fourier transforms that are too long for one block, by two kernels in four
steps (Bailey, "FFTs in external or hierarchical memory", 1990). The n = h w elements
form rows of h x w, and the result rows of w x h. For index j = w p + q
and frequency k = r + h s, with e(x) = exp(-2 pi i x),
  e(j k / n) = e(p r / h) e(q r / n) e(q s / w).
So columns are transformed, each element is multiplied by e(q r / n), rows are
transformed, and the store transposes the result. A block takes several whole
columns or rows."""

import math

import numpy as np

import tile_mlir as tile

SINE = 2.75573192e-06, -1.98412698e-04, 8.33333333e-03, -1.66666667e-01
COSINE = (-2.75573192e-07, 2.48015873e-05, -1.38888889e-03, 4.16666667e-02,
          -0.5, 1.0)


def evaluate(coefficients, x):
    """Evaluates a polynomial; the coefficient of the greatest power comes first."""
    result, *rest = coefficients
    for c in rest:
        result = tile.fma(x, result, c)
    return result


def make_turns(m, n):
    """Returns e(m / n), as accurate as f32 allows. The turn m / n is split, in
    integers, into quarters, which are exact, and a rest of at most pi / 4, whose only
    errors are those of its multiplication and of pi / (2 n)."""
    quarter = (4 * m + n // 2) // n
    rest = (4 * m - quarter * n).astype(tile.i32)
    angle = rest * (math.pi / (2 * n))
    # The series has all terms that matter in f32; tile.sin would reduce the angle
    # first.
    x2 = angle * angle
    sin = tile.fma(x2 * angle, evaluate(SINE, x2), angle)
    cos = evaluate(COSINE, x2)
    # The factor is cos - i sin, times -i for each quarter.
    is_odd, is_second = (quarter & 1) != 0, (quarter & 2) != 0
    a, b = tile.where(is_odd, -sin, cos), tile.where(is_odd, -cos, -sin)
    return tile.make_complex(tile.where(is_second, -a, a),
                             tile.where(is_second, -b, b))


@tile.kernel(grid=lambda w, some: tile.cdiv(w, some))
def columns(x, turned, *, h, w, some=8):
    first = tile.program_id(0) * some
    y = tile.fft(tile.load(x, (0, first), (some, h), dims=(1, 0)))
    q = first + tile.arange(some, dtype=tile.u32)
    turns = make_turns(q[:, None] * tile.arange(h, dtype=tile.u32), h * w)
    tile.store(turned, (0, first), y * turns, dims=(1, 0))


@tile.kernel(grid=lambda h, some: tile.cdiv(h, some))
def rows(turned, spectrum, *, h, w, some=8):
    first = tile.program_id(0) * some
    y = tile.fft(tile.load(turned, (first, 0), (some, w)))
    tile.store(spectrum, (0, first), y, dims=(1, 0))


def fft(x, h, w):
    """Returns the transform of h w elements, such as 4096 x 4096 with some=4."""
    turned = np.empty((h, w), np.complex64)
    spectrum = np.empty((w, h), np.complex64)
    columns(x.reshape(h, w), turned, h=h, w=w)
    rows(turned, spectrum, h=h, w=w)
    return spectrum.ravel()
