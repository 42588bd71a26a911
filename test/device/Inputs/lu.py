# lu.py - LU factors and the operations that use them, against LAPACK's tests
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The bounds are those of docs/LinearAlgebra.md, in units of u and norms of one
# as LAPACK's test programs have them (Reference-LAPACK, TESTING/LIN/dget01.f,
# dget02.f, dget03.f), where 30 passes. Matrices whose factors are exact in f32, such as
# those of ones and minus ones with four rows, have the pivots that LAPACK chooses.

from harness import *
from matrices import (UNIT, general, is_complex, norm, normal,
                      positive_definite, widened)

rng = np.random.default_rng(53)


def wide(array):
    return array.astype(np.result_type(array, np.longdouble))


def size(values):
    """Returns |re| + |im|, by which pivots are chosen (LAPACK's izamax)."""
    return np.abs(values.real) + np.abs(values.imag)


def getf2(matrix):
    """Returns LAPACK's unblocked factors of a matrix, the permutation and `info`."""
    a = widened(matrix)
    n, info = len(a), 0
    permutation = np.arange(n)
    for j in range(n):
        pivot = j + np.argmax(size(a[j:, j]))
        a[[j, pivot]] = a[[pivot, j]]
        permutation[[j, pivot]] = permutation[[pivot, j]]
        if a[j, j] == 0:
            info = info or j + 1
            continue
        a[j + 1:, j] /= a[j, j]
        a[j + 1:, j + 1:] -= np.outer(a[j + 1:, j], a[j, j + 1:])
    return a, permutation, info


def run_status(operation, batch, status, results, arguments, body, arrays,
               block):
    """Runs a kernel that consists of `body`, `operation` and stores of its
    results; `results` has the names, shapes and element types of the results.
    Returns the results, and the status or None."""
    names = ["%%%s" % name for name, _, _ in results]
    if status:
        operation += " status " + tile_type(batch, "i32")
        names.append("%info")
    body += "  %s = %s\n" % (", ".join(names), operation)
    for name, shape, element in results:
        arguments += ", %%to_%s: %s" % (name, memref(shape or (1,), element))
        body += store_any(name, shape, element)
    if status:
        arguments += ", %%to_info: %s" % memref(batch or (1,), "i32")
        body += store_any("info", batch, "i32")
    outs = [Out() for _ in range(len(results) + bool(status))]
    found = run(kernel(arguments, body, block), "f", *arrays, *outs)
    found = [found] if len(outs) == 1 else found
    return found, found.pop().reshape(batch) if status else None


def store_any(name, shape, element):
    """Returns a line of a kernel: stores a tile to the array to_%name, which has one
    element if the tile has rank 0."""
    if shape:
        return store(name, "to_" + name, shape, element)
    return "  %%%s_1 = tile.reshape %%%s : %s to %s\n" % (
        name, name, tile_type((), element), tile_type((1,), element)) + store(
            name + "_1", "to_" + name, (1,), element)


def spoil(matrix, spoilt):
    """Puts a NaN, an infinity or a column of zeros into some matrices; returns which
    ones are unchanged, and the status of each where it is known, else -1."""
    batch = matrix.shape[:-2]
    status = np.zeros(batch, np.int32)
    good = np.ones(batch, bool)
    for index, (coordinates, column) in enumerate(spoilt):
        good[coordinates] = False
        if index % 3 == 2:
            matrix[coordinates + (slice(None), column)] = 0
            status[coordinates] = column + 1
        else:
            bad = [np.nan, np.inf][index % 3]
            # An infinite or NaN imaginary part is enough.
            matrix[coordinates + (0, column)] = (
                complex(1, bad) if np.iscomplexobj(matrix) else bad)
            status[coordinates] = -1
    return good, status


def check_status(info, expected, what):
    if info is not None:
        known = expected >= 0
        assert (info == expected)[known].all(), (what, info, expected)


def lu(element, batch, n, kind="random", unordered=False, status=False,
       spoilt=(), block=None, matrix=None):
    """Returns the worst ratio; compares the permutation and the status if `matrix`,
    which has exact factors, is not None."""
    shape = batch + (n, n)
    exact = matrix is not None
    if not exact:
        matrix = general(rng, batch, n, element, kind)
    matrix = matrix.astype(DTYPES[element])
    good, expected = spoil(matrix, spoilt)
    if kind == "zero":
        expected[...] = n // 2 + 1
    types = tile_type(shape, element)
    (factors, permutation), info = run_status(
        "tile.lu %%t %s: %s, %s" % ("unordered " if unordered else "", types,
                                    tile_type(batch + (n,), "i32")),
        batch, status, [("f", shape, element), ("p", batch + (n,), "i32")],
        "%%a: %s" % memref(shape, element), load("t", "a", shape, element),
        [matrix], block)
    what = ("lu", element, batch, n, kind, unordered, status, block)
    assert (np.sort(permutation) == np.arange(n)).all(), what
    if unordered:
        factors = np.take_along_axis(factors, permutation[..., None], -2)
    if exact:
        for coordinates in np.ndindex(*batch):
            _, chosen, expected[coordinates] = getf2(matrix[coordinates])
            assert (permutation[coordinates] == chosen).all(), (
                what, matrix[coordinates], permutation[coordinates], chosen)
    check_status(info, expected, what)
    assert not np.isfinite(factors[expected < 0]).all(axis=(-2, -1)).any(), what
    factors = wide(factors[good])
    source = wide(np.take_along_axis(matrix, permutation[..., None], -2)[good])
    lower = np.tril(factors, -1) + np.eye(n)
    # Quotients by a pivot chosen by |re| + |im| are at most the square root of two.
    most = 2 ** 0.5 if is_complex(element) else 1
    assert (np.abs(lower) <= most * (1 + 4 * UNIT[element])).all(), what
    ratio = norm(source - lower @ np.triu(factors)) / (
        n * norm(source) * UNIT[element])
    assert (ratio <= 1).all(), (what, ratio.max())
    return float(ratio.max(initial=0))


def solve(element, batch, n, m, kind="random", spd=False, status=False,
          spoilt=(), block=None):
    dtype = DTYPES[element]
    make = positive_definite if spd else general
    matrix = make(rng, batch, n, element, kind).astype(dtype)
    good, expected = spoil(matrix, spoilt)
    solution = normal(rng, batch + (n, m), element)
    with np.errstate(invalid="ignore"):
        rhs = (wide(matrix) @ solution).astype(dtype)
    given = matrix
    if spd:
        given = matrix.copy()
        given[..., ~np.tri(n, dtype=bool)] = np.nan
        if spoilt:  # a pivot in question is not positive, whatever it is
            expected[~good] = -1
    side = batch + (n, m)
    (found,), info = run_status(
        "tile.solve %%t, %%c %s: %s, %s" % (
            "spd " if spd else "", tile_type(batch + (n, n), element),
            tile_type(side, element)),
        batch, status, [("x", side, element)],
        "%%a: %s, %%b: %s" % (memref(batch + (n, n), element),
                              memref(side, element)),
        load("t", "a", batch + (n, n), element) + load("c", "b", side, element),
        [given, rhs], block)
    what = ("solve", element, batch, n, m, kind, spd, status, block)
    check_status(info, expected, what)
    x, a = wide(found[good]), wide(matrix[good])
    unit = norm(a)[..., None] * np.abs(x).sum(-2) * UNIT[element]
    ratio = np.abs(rhs[good] - a @ x).sum(-2) / np.maximum(unit, 1e-4000)
    assert (ratio <= (4 if n <= 64 else 8)).all(), (what, ratio.max())
    return float(ratio.max(initial=0))


def inverse(element, batch, n, kind="random", status=False, spoilt=(),
            block=None, scale=1.0):
    shape = batch + (n, n)
    matrix = (scale * general(rng, batch, n, element, kind)
              ).astype(DTYPES[element])
    good, expected = spoil(matrix, spoilt)
    (found,), info = run_status(
        "tile.inverse %%t : %s" % tile_type(shape, element), batch, status,
        [("x", shape, element)], "%%a: %s" % memref(shape, element),
        load("t", "a", shape, element), [matrix], block)
    what = ("inverse", element, batch, n, kind, status, block)
    check_status(info, expected, what)
    # The reciprocal of infinity is zero.
    spoils = (expected > 0) | np.isnan(matrix).any(axis=(-2, -1))
    assert not np.isfinite(found[spoils]).all(axis=(-2, -1)).any(), what
    x, a = wide(found[good]), wide(matrix[good])
    # The residual of the right inverse, A X, is as close to zero only if the
    # condition is small.
    ratio = norm(np.eye(n) - x @ a) / (n * norm(a) * norm(x) * UNIT[element])
    assert (ratio <= 2).all(), (what, ratio.max())
    return float(ratio.max(initial=0))


def determinant(element, batch, n, kind="random", scale=1.0, block=None):
    """Checks the determinant, its sign and logarithm, up to rounding errors of A."""
    shape = batch + (n, n)
    matrix = (scale * general(rng, batch, n, element, kind)
              ).astype(DTYPES[element])
    types = "%s to %s" % (tile_type(shape, element), tile_type(batch, element))
    parts = {"l": "f64" if "f64" in element else "f32"}
    found = {}
    for name, results in (("determinant", "d"), ("logdet", "sl")):
        found.update(zip(results, run_status(
            "tile.%s %%t : %s" % (name, types), batch, False,
            [(letter, batch, parts.get(letter, element)) for letter in results],
            "%%a: %s" % memref(shape, element), load("t", "a", shape, element),
            [matrix], block)[0]))
    found = {name: widened(x.reshape(batch)) for name, x in found.items()}
    what = ("determinant", element, batch, n, kind, scale, block)
    if kind == "zero":
        assert (found["d"] == 0).all() and (found["s"] == 0).all(), (what, found)
        assert (found["l"] == -np.inf).all(), (what, found)
        return 0
    sign, logarithm = np.linalg.slogdet(widened(matrix))
    bound = 2 * n * np.linalg.cond(widened(matrix)) * UNIT[element]
    if is_complex(element):
        near(found["s"], sign, bound + 4 * n * UNIT[element], what)
        near(np.abs(found["s"]), 1, 4 * n * UNIT[element], what)
    else:
        assert (found["s"] == sign).all(), (what, found["s"], sign)
    near(found["l"], logarithm,
         bound + 4 * n * UNIT[element] * (1 + np.abs(logarithm)), what)
    limit = np.log(float(np.finfo(DTYPES[element]).max))  # of the parts
    if np.abs(logarithm).max() < limit - 1:
        exact = sign * np.exp(logarithm)  # which is in f64, too
        bound += 4 * np.abs(logarithm) * UNIT["f64"]
        near(found["d"], exact, bound * np.abs(exact), what)
    return np.abs(logarithm).max()


def signs(batch, n, units=(-1, 1), most=4):
    """Returns matrices of random ones and minus ones, or of other `units`, in blocks
    of `most` rows on the diagonal, with rows permuted."""
    matrix = np.zeros(batch + (n, n), np.asarray(units).dtype)
    for first in range(0, n, most):
        block = slice(first, min(first + most, n))
        width = block.stop - first
        matrix[..., block, block] = rng.choice(units, batch + (width, width))
    order = rng.permuted(np.broadcast_to(np.arange(n), batch + (n,)), axis=-1)
    return np.ascontiguousarray(
        np.take_along_axis(matrix, order[..., None], -2))


def complex_orders(*orders):
    """Returns the pairs of a complex element type and an order up to its maximum,
    or a third of them."""
    return some([(element, n) for n in orders
                 for element, most in (("complex<f32>", 96), ("complex<f64>", 64))
                 if n <= most])


SPOILT = (((1,), 0), ((3,), 2), ((4,), 1))


def some(cases):
    """Returns every third case, or all cases with --all."""
    return cases if IS_FULL else cases[::3]


worst = 0
for n in some((1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 18, 24, 31, 32, 33, 48, 63, 64)):
    batch = (5,) if n <= 16 else (3,)
    worst = max(worst, lu("f32", batch, n))
    if n <= 44:
        worst = max(worst, lu("f64", batch, n, unordered=n % 2 == 0))
for kind in some(("upper", "lower", "good", "ill", "worse", "large", "small")):
    for n in some((4, 11, 16, 32)):
        worst = max(worst, lu("f32", (4,), n, kind, unordered=n == 16))
        worst = max(worst, lu("f64", (2,), n, kind, block=64))
for n in some((3, 8, 16, 19, 33)):
    lu("f32", (), n, status=True)
    lu("f64", (2, 3), n, "zero", status=True)
    lu("f32", (7,), n, status=True, block=128, spoilt=SPOILT)
for n in some((4, 8, 15, 16, 21, 40)):
    lu("f32", (20 if n < 17 else 6,), n, status=True, matrix=signs(
        (20 if n < 17 else 6,), n), unordered=n == 8)
lu("f32", (40,), 8, block=32)
# Several warps hold one matrix.
for n in some((65, 128, 96, 97, 127, 66)):
    worst = max(worst, lu("f32", (2,), n, unordered=n % 2 == 0))
for n in some((45, 64, 96, 77)):
    worst = max(worst, lu("f64", (), n, "ill"))
for n in some((80, 99)):
    lu("f32", (5,), n, status=True, spoilt=SPOILT, block=256)
    lu("f32", (2,), n, status=True, matrix=signs((2,), n))
    lu("f64", (1, 2), n - 10, "zero", status=True)
print("lu: worst ratio %.2f" % worst)

worst = 0
for element, n in complex_orders(*range(1, 19), 24, 31, 32, 33, 44, 45, 63, 64,
                                 65, 77, 96):
    worst = max(worst, lu(element, (5,) if n <= 16 else (2,), n,
                          unordered=n % 3 == 0))
for kind in some(("upper", "lower", "good", "ill", "worse", "large", "small")):
    for element, n in complex_orders(4, 11, 16, 29, 50):
        worst = max(worst, lu(element, (3,), n, kind))
for element, n in complex_orders(3, 8, 14, 20, 33, 40):
    lu(element, (2,), n, "zero", status=True)
    lu(element, (5,), n, status=True, block=128 if n < 33 else 256,
       spoilt=SPOILT)
    lu(element, (5,), n, status=True,
       matrix=signs((5,), n, (-1, 1, 1j, -1j), most=3))
lu("complex<f32>", (40,), 8, block=32)
print("lu of complex numbers: worst ratio %.2f" % worst)

worst = 0
for n, m in some(((1, 1), (2, 3), (5, 1), (8, 8), (13, 2), (16, 16), (17, 1),
                  (18, 5), (32, 1), (32, 32), (37, 9), (44, 3), (64, 8))):
    element = "f32" if n > 44 or (n + m) % 2 else "f64"
    worst = max(worst, solve(element, (3,), n, m))
    worst = max(worst, solve(element, (3,), n, m, "good", spd=True))
for kind in some(("good", "ill", "worse", "large", "small")):
    for n in some((7, 16, 24)):
        worst = max(worst, solve("f32", (4,), n, 2, kind, status=True))
        worst = max(worst, solve("f64", (2,), n, 3, kind, spd=n == 16))
for n, m in some(((65, 1), (128, 3), (101, 60), (96, 3))):
    element = "f64" if n == 96 else "f32"
    worst = max(worst, solve(element, (2,), n, m, "good", status=True))
for n in some((4, 12, 20, 70)):
    solve("f32", (6,), n, 1, status=True, block=256 if n > 64 else 64,
          spoilt=SPOILT)
    solve("f64", (), n, 2, status=True)
    if n <= 64:  # else in blocks: factor_blocks.py
        solve("f32", (6,), n, 2, "good", spd=True, status=True, spoilt=SPOILT)
print("solve: worst ratio %.2f" % worst)

worst = 0
# complex<f64> of more rows is factored in blocks: factor_blocks.py.
for element, n in complex_orders(1, 2, 3, 5, 7, 8, 9, 13, 16, 17, 21, 32, 33, 40,
                                 45, 65, 96):
    worst = max(worst, solve(element, (3,), n, 1 + n % 4))
for kind in some(("good", "ill", "worse", "large", "small")):
    for element, n in complex_orders(6, 15, 27):
        worst = max(worst, solve(element, (4,), n, 2, kind, status=True))
for element, n in complex_orders(4, 12, 20, 40):
    solve(element, (5,), n, 1, status=True, block=64 if n < 33 else 256,
          spoilt=SPOILT)
for element, n in complex_orders(2, 5, 8):  # each lane has a matrix
    worst = max(worst, solve(element, (40,), n, 1, status=True))
solve("complex<f32>", (2,), 30, 30)
print("solve of complex numbers: worst ratio %.2f" % worst)

worst = 0
for n in some((1, 2, 3, 5, 8, 9, 16, 17, 24, 31, 32, 44, 64)):
    element = "f64" if n % 2 == 0 and n <= 44 else "f32"
    worst = max(worst, inverse(element, (3,), n))
for kind in some(("good", "ill", "worse", "large", "small")):
    for n in some((6, 16, 23)):
        worst = max(worst, inverse("f32", (4,), n, kind))
for n in some((128, 65, 79, 100)):
    worst = max(worst, inverse("f32", (2,), n, "good"))
for n in some((96, 45, 50)):
    worst = max(worst, inverse("f64", (1,), n, "ill"))
for n in (8, 24, 64):
    worst = max(worst, inverse("f64", (1,), n, "hilbert"),
                inverse("f32", (1,), n, "hilbert"))
for n in some((4, 12, 20, 70)):
    inverse("f32", (6,), n, status=True, block=128 if n > 64 else 64,
            spoilt=SPOILT)
    inverse("f64", (), n, status=True)
print("inverse: worst ratio %.2f" % worst)

worst = 0
for element, n in complex_orders(1, 2, 3, 5, 8, 9, 16, 17, 23, 32, 33, 45, 64, 65,
                                 96):
    worst = max(worst, inverse(element, (3,) if n < 45 else (2,), n))
for kind in some(("good", "ill", "worse", "large", "small")):
    for element, n in complex_orders(6, 15, 27):
        worst = max(worst, inverse(element, (4,), n, kind))
for element, n in complex_orders(4, 12, 20, 50):
    inverse(element, (5,), n, status=True, block=64 if n < 33 else 256,
            spoilt=SPOILT)
for element, n in complex_orders(2, 5, 8):  # each lane has a matrix
    worst = max(worst, inverse(element, (40,), n, status=True))
# Pivots whose squares overflow, or are too small.
for element, exponent in (("complex<f32>", 120), ("complex<f64>", 1000)):
    for sign in (1, -1):
        inverse(element, (9,), 5, "good", scale=2.0 ** (sign * exponent))
        inverse(element, (2,), 11, "good", scale=2.0 ** (sign * exponent))
print("inverse of complex numbers: worst ratio %.2f" % worst)

for n in some((1, 2, 5, 8, 9, 16, 17, 32, 44, 67)):
    determinant("f32", (5,) if n < 45 else (), n)
    determinant("f64", (2,) if n < 45 else (), n)
for n in some((4, 24, 33)):
    determinant("f32", (), n, scale=1e3)
    determinant("f32", (3,), n, "zero", block=64)
    determinant("f32", (3,), n, scale=1e-4)
for element, n in complex_orders(1, 2, 5, 8, 9, 16, 17, 32, 33, 45, 64):
    determinant(element, (3,) if n < 45 else (), n)
for element, n in complex_orders(4, 24, 33):
    for scale in (1e3, 1e-4, 1e30, 1e-30):
        determinant(element, (2,), n, scale=scale)
    determinant(element, (3,), n, "zero", block=64)
print("determinants agree")
