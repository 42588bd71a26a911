# factor_blocks.py - factors and triangular systems of more rows than a warp holds
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Uses the checks and bounds of factor.py for operations that are composed of blocks.
# Sums over several blocks are in another order than in the CPU path's own lowerings.

import harness
from factor import *
from matrices import general

harness.LEVELS_HAVE_SAME_BITS = False

ORDERS = {"f32": (65, 96, 100, 127, 128), "f64": (45, 64, 77, 96),
          "complex<f32>": (45, 77, 96), "complex<f64>": (33, 50, 64)}
# Maximum order of a symmetric factor that fits in one warp, by element type.
TRIANGLES = {"f32": 64, "f64": 64, "complex<f32>": 64, "complex<f64>": 44}


def solve(element, batch, n, m, spoilt=(), spd=True):
    """Solves systems of symmetric positive definite matrices, or of general ones."""
    shape, side = batch + (n, n), batch + (n, m)
    make = positive_definite if spd else general
    matrix = make(rng, batch, n, element, "good").astype(DTYPES[element])
    expected = np.zeros(batch, np.int32)
    for coordinates, column in spoilt:
        matrix[coordinates + (column, column)] = -1
        expected[coordinates] = column + 1
    rhs = normal(rng, side, element).astype(DTYPES[element])
    body = load("t", "a", shape, element) + load("c", "b", side, element)
    body += "  %%x, %%i = tile.solve %%t, %%c %s: %s, %s status %s\n" % (
        "spd " if spd else "", tile_type(shape, element), tile_type(side, element),
        tile_type(batch, "i32"))
    body += store("x", "r", side, element) + store("i", "s", batch, "i32")
    x, info = run(kernel("%%a: %s, %%b: %s, %%r: %s, %%s: %s" % (
        memref(shape, element), memref(side, element), memref(side, element),
        memref(batch, "i32")), body), "f", matrix, rhs, Out(), Out())
    what = ("solve", element, batch, n, m)
    assert info.tobytes() == expected.tobytes(), (what, info)
    good = expected == 0
    assert np.isnan(x[~good]).all(), what
    a, x = widened(matrix[good]), widened(x[good])
    ratio = norm(rhs[good] - a @ x) / (norm(a) * norm(x) * UNIT[element])
    assert (ratio <= (4 if n <= 64 else 8)).all(), (what, ratio.max())
    return ratio.max()


worst = {"cholesky": 0, "cholesky_derivative": 0, "ldlt": 0, "triangular_solve": 0, "solve": 0}


def note(operation, ratio):
    worst[operation] = max(worst[operation], ratio)


for element, orders in ORDERS.items():
    for n in some(orders):
        if n > TRIANGLES[element]:
            note("cholesky", cholesky(element, (), n))
            note("ldlt", ldlt(element, (1,), n, "quasi" if n % 2 else "good",
                              status=True))
        form = n % 8
        note("triangular_solve", triangular_solve(
            element, (), n, (1, 3, 32)[n % 3], bool(form & 1), bool(form & 2),
            bool(form & 4), bool(n % 3)))
    n = orders[0]
    for form in range(16) if IS_FULL else (0, 7, 9, 14):
        note("triangular_solve", triangular_solve(
            element, (), n, 5, bool(form & 1), bool(form & 2), bool(form & 4),
            bool(form & 8)))
    note("solve", solve(element, (3,), n, 2, (((1,), n - 3),)))
    # Failures in each block, in a batch that also has matrices without one.
    n = next(n for n in orders if n > TRIANGLES[element])
    cholesky(element, (3,), n, status=True, spoilt=(((0,), n - 1), ((2,), 0)))
    cholesky(element, (1, 2), n, upper=True, status=True,
             spoilt=(((0, 0), n - 2), ((0, 1), 20)))
    cholesky(element, (2,), n, spoilt=(((1,), n // 2),))
    ldlt(element, (3,), n, status=True, spoilt=(((0,), n - 1), ((1,), n - 5)))
    note("solve", solve(element, (1,), orders[-1], 1))
    # More right-hand sides than the registers hold together with a general matrix.
    note("solve", solve(element, (1,), orders[1], 110 if element == "f32" else 40,
                        spd=False))
for element, n in (("f32", 65), ("f32", 101), ("f64", 45), ("f64", 70),
                   ("complex<f32>", 50), ("complex<f64>", 33), ("complex<f64>", 40)):
    note("cholesky_derivative", derivative(element, (2,), n))
    if 33 < n < 65:
        note("cholesky_derivative", derivative(element, (2,), n, transposed=False))
note("cholesky_derivative", derivative("f32", (), 66))
note("cholesky_derivative", derivative("f32", (2,), 64, transposed=False))
# More right-hand sides than they hold together with a triangle.
note("triangular_solve", triangular_solve("f32", (), 64, 70))
note("triangular_solve", triangular_solve("f64", (2,), 41, 37, True, True, False, True))
for element, n in (("complex<f32>", 20), ("complex<f64>", 9)):
    note("solve", solve(element, (3,), n, 4, (((2,), n // 2),)))
for kind in some(("diagonal", "ill", "worse", "large", "small")):
    cholesky("f32", (2,), 72, kind)
    ldlt("f64", (1,), 70, kind)
    cholesky("complex<f32>", (1,), 70, kind)
for operation, ratio in worst.items():
    print("%s: worst ratio %.2f" % (operation, ratio))
