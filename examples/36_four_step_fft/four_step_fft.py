# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms of more elements than a block has room for, in two kernels and four
steps (Bailey, "FFTs in external or hierarchical memory", 1990). The n = h w
elements are rows of h x w, and the result is rows of w x h. For index j = w p + q
and frequency k = r + h s, with e(x) = exp(-2 pi i x),
  e(j k / n) = e(p r / h) e(q r / n) e(q s / w),
so columns are transformed, each element is multiplied by e(q r / n), rows are
transformed, and the result is transposed, by the store. A block takes some
whole columns, or rows."""

import math

import numpy as np

import tile_mlir as tile

SINE = 2.75573192e-06, -1.98412698e-04, 8.33333333e-03, -1.66666667e-01
COSINE = (-2.75573192e-07, 2.48015873e-05, -1.38888889e-03, 4.16666667e-02,
          -0.5, 1.0)


def evaluate(coefficients, x):
    """A polynomial, the coefficient of the greatest power first."""
    result, *rest = coefficients
    for c in rest:
        result = tile.fma(x, result, c)
    return result


def make_turns(m, n):
    """e(m / n) as near as f32 allows: m is taken modulo a quarter of a turn in
    integers, so that the angle is at most pi / 4 and has one error of its
    multiplication and one of pi / (2 n); quarters are exact."""
    quarter = (4 * m + n // 2) // n
    rest = (4 * m - quarter * n).astype(tile.i32)
    angle = rest * (math.pi / (2 * n))
    # As much of the series as f32 can tell; tile.sin would reduce any angle.
    x2 = angle * angle
    sin = tile.fma(x2 * angle, evaluate(SINE, x2), angle)
    cos = evaluate(COSINE, x2)
    # cos - i sin, times -i for each quarter.
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
    """The transform of h w elements, for instance of 4096 x 4096 with some=4."""
    turned = np.empty((h, w), np.complex64)
    spectrum = np.empty((w, h), np.complex64)
    columns(x.reshape(h, w), turned, h=h, w=w)
    rows(turned, spectrum, h=h, w=w)
    return spectrum.ravel()
