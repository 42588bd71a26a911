# factor.py - Cholesky and LDL' factors, and triangular systems, against LAPACK's
# tests
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The bounds are those of docs/LinearAlgebra.md, in units of n u times norms, as
# in LAPACK's test programs (Reference-LAPACK, TESTING/LIN/dpot01.f, dtrt02.f),
# which accept a ratio of up to 30.

from harness import *
from matrices import (UNIT, adjoint, is_complex, norm, normal, positive_definite,
                      transpose, widened)

rng = np.random.default_rng(37)


def hide(matrix, unread):
    """Puts NaN into elements that are not read, and into the imaginary parts of the
    diagonal."""
    given = matrix.copy()
    given[..., unread] = np.nan
    if np.iscomplexobj(given):
        np.einsum("...ii->...i", given.imag)[...] = np.nan
    return given


def cholesky(element, batch, n, kind="good", upper=False, status=False,
             spoilt=(), block=None):
    shape = batch + (n, n)
    dtype = DTYPES[element]
    matrix = positive_definite(rng, batch, n, element, kind).astype(dtype)
    expected = np.zeros(batch, np.int32)
    for index, (coordinates, column) in enumerate(spoilt):
        matrix[coordinates + (column, column)] = [-1.0, np.nan, -np.inf][index % 3]
        expected[coordinates] = column + 1
    rows, columns = np.indices((n, n))
    other = rows > columns if upper else rows < columns
    given = hide(matrix, other)
    types = tile_type(shape, element)
    arguments = "%%a: %s, %%r: %s" % (memref(shape, element),
                                      memref(shape, element))
    body = load("t", "a", shape, element)
    form = "upper " if upper else ""
    if status:
        arguments += ", %%s: %s" % memref(batch or (1,), "i32")
        body += "  %%l, %%i = tile.cholesky %%t %s: %s status %s\n" % (
            form, types, tile_type(batch, "i32"))
        if not batch:
            body += "  %%j = tile.reshape %%i : %s to %s\n" % (
                tile_type(batch, "i32"), tile_type((1,), "i32"))
        body += store("i" if batch else "j", "s", batch or (1,), "i32")
    else:
        body += "  %%l = tile.cholesky %%t %s: %s\n" % (form, types)
    body += store("l", "r", shape, element)
    outs = (Out(), Out()) if status else (Out(),)
    found = run(kernel(arguments, body, block), "f", given, *outs)
    what = ("cholesky", element, batch, n, kind, upper, status, block)
    if status:
        found, info = found
        assert info.reshape(batch).tobytes() == expected.tobytes(), (what, info)
    good = expected == 0
    assert not found[..., other].any(), what
    bad = found[~good][..., ~other]
    assert np.isnan(bad).all(), what
    factor, source = widened(found[good]), widened(matrix[good])
    assert not np.einsum("...ii->...i", factor).imag.any(), what
    if upper:
        factor = adjoint(factor)
    ratio = norm(source - factor @ adjoint(factor)) / (
        n * UNIT[element] * norm(source))
    # For one row, the square of a rounded root has an error of two u.
    assert (ratio <= (2.5 if n == 1 else 1.5)).all(), (what, ratio.max())
    return ratio.max() if ratio.size else 0


def derivative(element, batch, n, transposed=True, block=None):
    """Compares with the definition in float64. The errors are in units of n u times the
    same sums of absolute values."""
    shape, dtype = batch + (n, n), DTYPES[element]
    rows, columns = np.indices((n, n))
    lower = np.linalg.cholesky(widened(positive_definite(rng, batch, n, element, "good")))
    lower = lower.astype(dtype)
    change = normal(rng, shape, element).astype(dtype)
    types, word = tile_type(shape, element), "transposed " if transposed else ""
    body = load("l", "a", shape, element) + load("x", "b", shape, element)
    body += "  %%g = tile.cholesky_derivative %%l, %%x %s: %s\n" % (word, types)
    body += store("g", "r", shape, element)
    arguments = ", ".join("%%%s: %s" % (name, memref(shape, element)) for name in "abr")
    hidden = rows < columns
    given = [np.where(hidden, np.nan, lower).astype(dtype),
             np.where(hidden, np.nan, change).astype(dtype)]
    found = run(kernel(arguments, body, block), "f", *given, Out())
    what = ("derivative", element, batch, n, transposed, block)
    assert not found[..., hidden].any(), what

    def low(matrices):
        return np.tril(matrices, -1) + np.einsum(
            "...ij,ij->...ij", matrices, np.eye(n) / 2)

    def define(factor, inverse, x):
        if transposed:
            both = adjoint(inverse) @ low(adjoint(factor) @ np.tril(x)) @ inverse
            return low(both + adjoint(both))
        whole = low(x) + adjoint(low(x))
        return factor @ low(inverse @ whole @ adjoint(inverse))

    factor, x = widened(lower), widened(change)
    inverse = np.linalg.inv(factor)
    expected = define(factor, inverse, x)
    bound = define(abs(factor), abs(inverse), abs(x)).max((-2, -1))
    ratio = abs(widened(found) - expected).max((-2, -1)) / (n * UNIT[element] * bound)
    assert (ratio <= (4 if n == 1 else 2)).all(), (what, ratio.max())
    return ratio.max()


def ldlt(element, batch, n, kind="good", status=False, spoilt=(), block=None):
    """Factors positive definite matrices or, with `kind` "quasi", ones with changed
    signs in every other row and column, which need no pivoting."""
    shape = batch + (n, n)
    matrix = positive_definite(rng, batch, n, element, kind)
    if kind == "quasi":
        signs = np.where(np.arange(n) % 2, -1.0, 1.0)
        other = positive_definite(rng, batch, n, element, kind)
        same = signs[:, None] == signs
        matrix = np.where(same, signs * matrix, 0.5 * other)
    matrix = matrix.astype(DTYPES[element])
    expected = np.zeros(batch, np.int32)
    for index, (coordinates, column) in enumerate(spoilt):
        if index % 2:
            matrix[coordinates + (column, column)] = np.nan
        else:  # a pivot of zero, exactly
            matrix[coordinates + (column, slice(None))] = 0
            matrix[coordinates + (slice(None), column)] = 0
        expected[coordinates] = column + 1
    rows, columns = np.indices((n, n))
    given = hide(matrix, rows < columns)
    types = tile_type(shape, element)
    arguments = "%%a: %s, %%r: %s" % (memref(shape, element),
                                      memref(shape, element))
    body = load("t", "a", shape, element)
    if status:
        arguments += ", %%s: %s" % memref(batch, "i32")
        body += "  %%l, %%i = tile.ldlt %%t : %s status %s\n" % (
            types, tile_type(batch, "i32"))
        body += store("i", "s", batch, "i32")
    else:
        body += "  %%l = tile.ldlt %%t : %s\n" % types
    body += store("l", "r", shape, element)
    outs = (Out(), Out()) if status else (Out(),)
    found = run(kernel(arguments, body, block), "f", given, *outs)
    what = ("ldlt", element, batch, n, kind, status, block)
    if status:
        found, info = found
        assert info.tobytes() == expected.tobytes(), (what, info)
    assert not found[..., rows < columns].any(), what
    good = expected == 0
    factor, source = widened(found[good]), widened(matrix[good])
    pivots = np.einsum("...ii->...i", factor).copy()
    assert not pivots.imag.any(), what
    lower = np.where(rows == columns, 1, factor)
    ratio = norm(source - (lower * pivots[..., None, :]) @ adjoint(lower)) / (
        UNIT[element] * n * norm(source))
    assert (ratio <= (4 if kind == "quasi" else 1.5)).all(), (what, ratio.max())
    return ratio.max() if ratio.size else 0


def triangular_solve(element, batch, n, m, upper=False, transposed=False,
                     unit=False, right=False, block=None, scale=1.0):
    dtype = DTYPES[element]
    side = batch + ((m, n) if right else (n, m))
    triangle = normal(rng, batch + (n, n), element)
    # Well conditioned: a dominant diagonal.
    triangle[..., range(n), range(n)] = (
        rng.choice([-1, 1], batch + (n,)) * rng.uniform(1, 2, batch + (n,)))
    rows, columns = np.indices((n, n))
    off = rows != columns
    triangle[..., off] /= n
    triangle = (triangle * scale).astype(dtype)
    rhs = (normal(rng, side, element) * scale).astype(dtype)
    given = triangle.copy()
    other = rows > columns if upper else rows < columns
    given[..., other] = np.nan
    if unit:
        given[..., ~off] = np.nan
    form = "".join(word + " " for word, is_set in (
        ("upper", upper), ("transposed", transposed), ("unit", unit),
        ("right", right)) if is_set)
    body = load("t", "a", batch + (n, n), element)
    body += load("c", "b", side, element)
    body += "  %%x = tile.triangular_solve %%t, %%c %s: %s, %s\n" % (
        form, tile_type(batch + (n, n), element), tile_type(side, element))
    body += store("x", "r", side, element)
    found = run(kernel("%%a: %s, %%b: %s, %%r: %s" % (
        memref(batch + (n, n), element), memref(side, element),
        memref(side, element)), body, block), "f", given, rhs, Out())
    found = found[0] if isinstance(found, tuple) else found
    exact = np.where(other, 0, widened(triangle))
    if unit:
        exact = np.where(off, exact, 1)
    operator = transpose(exact) if transposed else exact
    x = widened(found)
    rest = rhs - (x @ operator if right else operator @ x)
    if right:
        rest, x, operator = transpose(rest), transpose(x), transpose(operator)
    ratio = np.abs(rest).sum(-2) / np.maximum(
        norm(operator)[..., None] * np.abs(x).sum(-2) * UNIT[element], 1e-300)
    what = ("solve", element, batch, n, m, form, block)
    assert (ratio <= (4 if is_complex(element) else 2)).all(), (what, ratio.max())
    return ratio.max()


def some(cases):
    """Returns every second case, or all cases with --all."""
    return cases if IS_FULL else cases[::2]


def derivatives():
    worst = 0
    for transposed in True, False:
        for n in 1, 2, 3, 5, 8, 9, 13, 16, 17, 19, 31, 32:
            for element, batch in (("f32", (3,)), ("f64", (2, 2))):
                worst = max(worst, derivative(element, batch, n, transposed))
        for n in 1, 4, 7, 11, 16:
            for element in "complex<f32>", "complex<f64>":
                worst = max(worst, derivative(element, (3,), n, transposed))
    for element, n in (("f32", 33), ("f32", 47), ("f32", 58), ("f32", 63), ("f32", 64),
                       ("f64", 44), ("complex<f32>", 35), ("complex<f32>", 42),
                       ("complex<f64>", 31)):
        worst = max(worst, derivative(element, (3,), n))
    worst = max(worst, derivative("f32", (), 18), derivative("f32", (40,), 6, block=32),
                derivative("f32", (9,), 24, block=128))
    print("cholesky_derivative: worst ratio %.2f" % worst)


def main():
    worst = 0
    for n in some((1, 2, 3, 4, 5, 7, 8, 9, 13, 18, 16, 24, 17, 31, 33, 32, 64, 44, 63, 48)):
        batch = {True: (5,), False: (3,)}[n <= 16]
        worst = max(worst, cholesky("f32", batch, n))
        worst = max(worst, cholesky("f64", batch, n))
        worst = max(worst, cholesky("complex<f32>", batch, n))
        if n <= 44:
            worst = max(worst, cholesky("complex<f64>", batch, n))
    for kind in ("diagonal", "ill", "worse", "large", "small"):
        for n in some((4, 11, 16, 30, 32)):
            cholesky("f32", (4,), n, kind)
            cholesky("f64", (2,), n, kind)
        cholesky("complex<f32>", (3,), 13, kind)
        cholesky("complex<f64>", (2,), 30, kind)
    for n in (1, 6, 16, 19, 32):
        cholesky("f32", (), n, status=True)
        cholesky("f32", (), n, upper=True)
        cholesky("f64", (2, 3), n, upper=True, status=True, block=64)
        cholesky("f32", (7,), n, status=True, block=128,
                 spoilt=(((0,), 0), ((2,), n - 1), ((5,), n // 2)))
    for element in ("complex<f32>", "complex<f64>"):
        cholesky(element, (2, 3), 19, upper=True, status=True, block=64)
        cholesky(element, (7,), 6, status=True,
                 spoilt=(((0,), 0), ((2,), 5), ((5,), 3)))
    cholesky("f32", (40,), 8, block=32)
    cholesky("f32", (3, 11), 8, status=True, spoilt=(((1, 4), 3),))
    print("cholesky: worst ratio %.2f" % worst)

    derivatives()

    worst = 0
    for n in some((1, 2, 3, 6, 8, 9, 17, 16, 24, 32, 43, 47, 64)):
        worst = max(worst, ldlt("f32", (3,), n))
        worst = max(worst, ldlt("f64", (2,), n))
        worst = max(worst, ldlt("complex<f32>", (2,), n))
        if n <= 44:
            worst = max(worst, ldlt("complex<f64>", (2,), n))
    for kind in ("diagonal", "ill", "worse", "large", "small", "quasi"):
        for n in (5, 16, 31):
            ldlt("f32", (4,), n, kind)
            ldlt("f64", (2,), n, kind)
        ldlt("complex<f32>", (3,), 12, kind)
        ldlt("complex<f64>", (2,), 25, kind)
    for n in (1, 7, 16, 33):
        ldlt("complex<f32>", (6,), n, status=True,
             spoilt=(((1,), n - 1), ((3,), n // 2)))
        ldlt("f32", (6,), n, status=True, block=64,
             spoilt=(((1,), n - 1), ((3,), n // 2)))
    print("ldlt: worst ratio %.2f" % worst)

    worst = complex_worst = 0
    for n, m in some((
            (1, 1), (2, 3), (5, 1), (8, 8), (13, 2), (16, 16), (17, 1),
            (18, 5), (20, 4), (32, 1), (32, 32), (44, 3), (64, 8), (37, 9))):
        for upper in (False, True):
            for transposed in (False, True):
                element = "f32" if n > 44 or (n + m) % 2 else "f64"
                worst = max(worst, triangular_solve(element, (3,), n, m, upper,
                                                    transposed))
                if n <= 44:
                    complex_worst = max(complex_worst, triangular_solve(
                        "complex<f32>", (3,), n, m, upper, transposed))
                if n <= 32:
                    complex_worst = max(complex_worst, triangular_solve(
                        "complex<f64>", (2,), n, m, upper, transposed))
    # Pivots whose squares overflow, or are too small.
    for element, exponent in (("complex<f32>", 120), ("complex<f64>", 1000)):
        for sign in (1, -1):
            triangular_solve(element, (2,), 7, 3, block=32,
                             scale=2.0 ** (sign * exponent))
    for right in (False, True):
        for unit in (False, True):
            triangular_solve("complex<f32>", (2,), 20, 6, unit, not unit, unit,
                             right)
            triangular_solve("f32", (), 12, 7, False, False, unit, right)
            triangular_solve("f32", (2, 2), 24, 6, True, False, unit, right)
            triangular_solve("f64", (5,), 9, 4, False, True, unit, right, block=64)
            triangular_solve("f32", (3,), 33, 5, True, True, unit, right)
            # Lanes hold whole right-hand sides.
            triangular_solve("f32", (), 33, 35, unit, right, unit, right)
            triangular_solve("f32", (3,), 20, 40, unit, not right, unit, right,
                             block=64)
            triangular_solve("f32", (), 24, 70, right, unit, unit, right)
            triangular_solve("f64", (2,), 31, 33, False, unit, unit, right)
            triangular_solve("complex<f32>", (2,), 19, 16, True, right, unit, right)
            triangular_solve("complex<f64>", (), 18, 16, unit, True, unit, right)
    print("triangular_solve: worst ratio %.2f" % worst)
    print("triangular_solve of complex numbers: worst ratio %.2f" %
          complex_worst)


if __name__ == "__main__":
    main()
