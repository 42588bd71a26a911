# qr.py - QR factors, and least squares by them, against LAPACK's tests
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The bounds are those of docs/LinearAlgebra.md, in units of u and norms of one
# as LAPACK's test programs have them (Reference-LAPACK, TESTING/LIN/dqrt01.f,
# dqrt02.f, dqrt17.f), where 30 passes.

import harness
from harness import *
from matrices import UNIT, adjoint, is_complex, norm, normal, spoil, tall, wide

rng = np.random.default_rng(61)


def get_factor_ratios(matrix, q, r, element):
    """Returns the ratios of A - Q R and of I - Q' Q."""
    m, n = matrix.shape[-2:]
    a, q, r = wide(matrix), wide(q), wide(r)
    size = np.maximum(m * norm(a) * UNIT[element], 1e-4000)
    return (norm(a - q @ r) / size,
            norm(np.eye(n) - adjoint(q) @ q) / (m * UNIT[element]))


def qr(element, batch, m, n, kind="random", spoilt=(), block=None):
    shape, square = batch + (m, n), batch + (n, n)
    matrix = tall(rng, batch, m, n, element, kind).astype(DTYPES[element])
    good = spoil(matrix, spoilt)
    arguments = "%%a: %s, %%b: %s, %%c: %s" % (
        memref(shape, element), memref(shape, element), memref(square, element))
    body = load("t", "a", shape, element) + "  %%q, %%r = tile.qr %%t : %s to %s, %s\n" % (
        tile_type(shape, element), tile_type(shape, element),
        tile_type(square, element))
    body += store("q", "b", shape, element) + store("r", "c", square, element)
    q, r = run(kernel(arguments, body, block), "f", matrix, Out(), Out())
    what = ("qr", element, batch, m, n, kind, block)
    assert (np.tril(r, -1) == 0).all(), what
    assert not np.einsum("...ii->...i", r[good]).imag.any(), what
    assert not np.isfinite(q[~good]).all(axis=(-2, -1)).any(), what
    residual, orthogonal = get_factor_ratios(matrix[good], q[good], r[good], element)
    # LAPACK's worst for 2,000 random f64 matrices of two rows are 5.4 and 6.3.
    bounds = (6, 8) if m < 8 else (3, 5)
    assert (residual <= bounds[0]).all() and (orthogonal <= bounds[1]).all(), (
        what, residual.max(), orthogonal.max())
    return residual.max(initial=0), orthogonal.max(initial=0)


def multiply(factors, scales, side, is_transposed):
    """Applies the reflections to columns, in long double."""
    m, n = factors.shape[-2:]
    result = wide(side)
    for k in range(n) if is_transposed else reversed(range(n)):
        v = wide(factors[..., k]) * (np.arange(m) > k)
        v[..., k] = 1
        dot = np.conj(v[..., None, :]) @ result
        scale = np.conj(scales[..., k]) if is_transposed else scales[..., k]
        result = result - scale[..., None, None] * v[..., None] * dot
    return result


def apply(element, batch, m, n, k, form="", block=None):
    """Checks the reflections as factors of A, and Q B and Q' B computed by them."""
    shape, side = batch + (m, n), batch + (m, k)
    vector = batch + (n,)
    matrix = tall(rng, batch, m, n, element, "random").astype(DTYPES[element])
    b = normal(rng, side, element).astype(DTYPES[element])
    given = b.copy()
    if form == "triangular":
        given[..., np.tri(m, k, -1, dtype=bool)] = np.nan
        b = np.triu(b)
    arguments = "%%a: %s, %%b: %s, %%c: %s, %%d: %s, %%e: %s" % (
        memref(shape, element), memref(side, element), memref(shape, element),
        memref(vector, element), memref(side, element))
    body = load("t", "a", shape, element) + load("u", "b", side, element)
    body += "  %%f, %%s = tile.householder %%t : %s, %s\n" % (
        tile_type(shape, element), tile_type(vector, element))
    body += "  %%y = tile.apply_householder %%f, %%s, %%u %s : %s, %s, %s\n" % (
        form, tile_type(shape, element), tile_type(vector, element),
        tile_type(side, element))
    body += store("f", "c", shape, element) + store("s", "d", vector, element)
    body += store("y", "e", side, element)
    factors, scales, found = run(kernel(arguments, body, block), "f", matrix,
                                 given, Out(), Out(), Out())
    what = ("apply", element, batch, m, n, k, form, block)
    unit = np.broadcast_to(np.eye(m, n, dtype=factors.dtype), shape)
    ratios = get_factor_ratios(
        matrix, multiply(factors, scales, unit, False),
        np.triu(factors[..., :n, :]), element)
    assert (ratios[0] <= 3).all() and (ratios[1] <= 5).all(), (what, ratios)
    expected = multiply(factors, scales, b, form == "transposed")
    ratio = norm(found - expected) / (m * norm(b) * UNIT[element])
    assert (ratio <= 3).all(), (what, ratio.max())
    return ratio.max()


def least_squares(element, batch, m, n, k, kind="random", block=None):
    """Checks that the residual is orthogonal to the columns of A (dqrt17)."""
    shape, side, solution = batch + (m, n), batch + (m, k), batch + (n, k)
    matrix = tall(rng, batch, m, n, element, kind).astype(DTYPES[element])
    b = normal(rng, side, element).astype(DTYPES[element])
    arguments = "%%a: %s, %%b: %s, %%c: %s" % (
        memref(shape, element), memref(side, element), memref(solution, element))
    body = load("t", "a", shape, element) + load("u", "b", side, element)
    body += "  %%x = tile.least_squares %%t, %%u : %s, %s to %s\n" % (
        tile_type(shape, element), tile_type(side, element),
        tile_type(solution, element))
    body += store("x", "c", solution, element)
    x = wide(run(kernel(arguments, body, block), "f", matrix, b, Out()))
    a = wide(matrix)
    rest = adjoint(a) @ (b - a @ x)
    size = norm(a) * np.maximum(norm(b), norm(a) * norm(x)) * max(m, k)
    ratio = norm(rest) / (size * UNIT[element])
    what = ("least_squares", element, batch, m, n, k, kind, block)
    # Even a 1x1 complex Q is not just a sign, so it has rounding errors.
    assert (ratio <= (6 if is_complex(element) else 3)).all(), (what, ratio.max())
    return ratio.max()


def some(cases):
    """Returns every third case, or all cases with --all."""
    return cases if IS_FULL else cases[::3]


worst = np.zeros(2)
for n in some((1, 2, 3, 4, 5, 7, 8, 9, 16, 13, 17, 18, 24, 31, 32, 33, 48, 63, 64)):
    batch = (5,) if n <= 16 else (3,)
    worst = np.maximum(worst, qr("f32", batch, n, n))
    if n <= 44:
        worst = np.maximum(worst, qr("f64", batch, n, n))
for m, n in some(((2, 1), (9, 1), (1024, 1), (5, 4), (8, 3), (11, 7), (16, 5),
                  (17, 16), (40, 3), (63, 20), (100, 33), (200, 13), (256, 16))):
    element = "f64" if m * n < 900 and (m + n) % 2 else "f32"
    worst = np.maximum(worst, qr(element, (3,), m, n))
for kind in ("upper", "zero column", "repeated", "wide range", "good", "ill", "worse",
             "large", "small"):
    for m, n in some(((12, 11), (7, 4), (30, 17))):
        worst = np.maximum(worst, qr("f32", (4,), m, n, kind))
        if IS_FULL or kind in ("wide range", "small"):
            worst = np.maximum(worst, qr("f64", (2, 1), m, n, kind, block=64))
# The remainder of a column becomes subnormal.
qr("f32", (1,), 20, 20, "constant")
for m, n in ((6, 5), (15, 15), (33, 10)):
    qr("f32", (6,), m, n, spoilt=((1,), (4,)), block=128)
qr("f32", (12,), 8, 8, block=32)
qr("f32", (), 19, 19)
# Each thread has a column; several warps share a matrix.
for m, n in some(((128, 128), (65, 65), (100, 77), (128, 33), (97, 96), (127, 40))):
    worst = np.maximum(worst, qr("f32", (2,), m, n))
for m, n in some(((96, 96), (45, 45), (64, 50), (96, 30))):
    worst = np.maximum(worst, qr("f64", (1,), m, n, "good"))
for m, n in some(((80, 66), (70, 70))):
    qr("f32", (6,), m, n, spoilt=((1,), (4,)), block=256)
print("qr: worst ratios %.2f, %.2f" % tuple(worst))

worst = 0
for form in ("", "transposed", "triangular"):
    for m, n, k in some(((1, 1, 2), (5, 3, 5), (8, 8, 20), (13, 9, 1), (16, 4, 30),
                         (17, 17, 6), (50, 20, 7), (64, 30, 33), (128, 100, 3),
                         (90, 90, 150), (128, 64, 1))):
        worst = max(worst, apply("f32", (3,), m, n, k, form))
        if m < 9 or IS_FULL and m <= 64:
            worst = max(worst, apply("f64", (2, 3), m, min(n, 20), k, form,
                                     block=64))
print("apply_householder: worst ratio %.2f" % worst)

worst = 0
for m, n, k in some(((1, 1, 1), (4, 2, 3), (8, 8, 1), (12, 5, 2), (16, 16, 16),
                     (24, 17, 1), (50, 7, 4), (70, 33, 2), (256, 9, 1),
                     (128, 60, 2), (99, 40, 1), (65, 64, 70))):
    worst = max(worst, least_squares("f32", (3,), m, n, k))
    if m * n < 1900:
        worst = max(worst, least_squares("f64", (2,), m, n, k, block=64))
for kind in ("good", "ill", "large", "small"):
    worst = max(worst, least_squares("f32", (2,), 20, 11, 2, kind))
print("least_squares: worst ratio %.2f" % worst)

worst = 0
for element in ("complex<f32>", "complex<f64>"):
    longest = 90 if element == "complex<f32>" else 64
    for m, n in some(((1, 1), (64, 64), (longest, 40), (2, 2), (5, 4), (8, 8),
                      (21, 13), (16, 16), (45, 45), (32, 32), (40, 3))):
        ratios = qr(element, (3,), m, n)
        worst = max(worst, *ratios)
    for kind in ("upper", "zero column", "repeated", "wide range", "ill", "large",
                 "small"):
        qr(element, (2,), 12, 9, kind)
    harness.LEVELS_HAVE_SAME_BITS = False  # of NaN the signs may differ
    qr(element, (4,), 9, 6, spoilt=((1,), (3,)))
    harness.LEVELS_HAVE_SAME_BITS = True
    for form in ("", "transposed", "triangular"):
        apply(element, (2,), 13, 7, 4, form)
    for m, n, k in ((1, 1, 1), (9, 9, 2), (30, 11, 3)):
        worst = max(worst, least_squares(element, (2,), m, n, k))
print("of complex numbers: worst ratio %.2f" % worst)
