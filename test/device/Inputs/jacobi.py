# jacobi.py - eigenvalues and singular values, against LAPACK's tests
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The bounds are those of docs/LinearAlgebra.md, in units of 2 u and norms of one
# as LAPACK's test programs have them (Reference-LAPACK, TESTING/EIG/ssyt21.f,
# sbdt01.f, sort01.f), where 50 passes. The CPU path computes these operations from
# level source with another algorithm than from level decomposed, so the two do not
# have the same bits: the bounds hold for both.

import harness
from harness import *
from matrices import (UNIT, adjoint, get_part, is_complex, norm, normal,
                      orthogonal, spectrum, spoil, tall, transpose, wide, widened)

harness.LEVELS_HAVE_SAME_BITS = False
rng = np.random.default_rng(67)
TINY = np.finfo(np.longdouble).tiny

RANDOM = ("random", "zero", "equal", "opposite", "indefinite", "rank one",
          "diagonal")


def make_hermitian(batch, n, element, kind):
    """Returns random Hermitian matrices, or ones with the eigenvalues of a kind."""
    if kind == "random":
        matrix = normal(rng, batch + (n, n), element)
        return matrix + adjoint(matrix)
    scale = 1.0
    values = {"zero": np.zeros(n), "equal": np.ones(n),
              "opposite": (-1.0) ** np.arange(n),
              "indefinite": np.linspace(-1, 2, n),
              "rank one": 1.0 * (np.arange(n) == 0),
              "diagonal": rng.standard_normal(n)}.get(kind)
    if values is None:
        values, scale = spectrum(n, element, kind)
    if kind == "diagonal":
        return np.broadcast_to(np.diag(values), batch + (n, n)).copy()
    q = orthogonal(rng, batch, n, element)
    matrix = (q * values) @ adjoint(q)
    return (matrix + adjoint(matrix)) / 2 * scale


def get_orthogonality(q, element):
    """Returns the ratio of Q' Q - I, the orthogonality of the columns of `q`."""
    q = wide(q)
    m, n = q.shape[-2:]
    return norm(adjoint(q) @ q - np.eye(n)) / (2 * m * UNIT[element])


def get_ratios(a, left, values, right, element):
    """Returns the ratios of A - left diag(values) right, and of the orthogonality of
    the columns of `left` and the rows of `right`."""
    m, n = a.shape[-2:]
    a, left, values, right = wide(a), wide(left), wide(values), wide(right)
    size = np.maximum(2 * m * norm(a) * UNIT[element], TINY)
    return (norm(a - (left * values[..., None, :]) @ right) / size,
            np.maximum(get_orthogonality(left, element),
                       get_orthogonality(adjoint(right), element)))


def get_value_ratio(values, expected, m, element):
    largest = np.maximum(np.abs(expected).max(-1), 1e-300)
    distance = np.abs(values.astype(float) - expected).max(-1)
    return distance / largest / (2 * m * UNIT[element])


def check(what, ratios, bounds):
    for ratio, bound in zip(ratios, bounds):
        assert (ratio <= bound).all(), (what, [r.max() for r in ratios])
    return np.array([ratio.max(initial=0) for ratio in ratios])


def get_reference(function, matrix):
    """Applies a float64 function to a matrix scaled to about one, since LAPACK's own
    scaling is not by powers of two."""
    size = np.abs(widened(matrix)).max((-2, -1), keepdims=True)
    size = np.where(size > 0, size, 1)
    size = 2.0 ** np.floor(np.log2(size))
    return function(matrix / size) * size[..., 0]


def get_eigenvalues(matrix):
    """Returns the Rayleigh quotients of LAPACK's eigenvectors, whose errors are the
    squares of the vectors'; LAPACK's eigenvalues are as inexact as ours may be."""
    vectors = wide(np.linalg.eigh(matrix)[1])
    products = np.conj(vectors) * (wide(matrix) @ vectors)
    return products.sum(-2).real / (np.abs(vectors) ** 2).sum(-2)


def declare(names, types):
    return ", ".join("%%%s: %s" % pair for pair in zip(names, types))


def call_with_status(op, shape, results, has_status):
    """Returns a kernel's parts for `op` on a tile loaded from the first argument;
    `results` has shapes and element types of the stored results."""
    types = list(results)
    if has_status:
        types.append((shape[0][:-2], "i32"))
    names = "bcdefg"[:len(types)]
    arguments = declare("a" + names, [memref(*shape)] + [memref(*t) for t in types])
    text = op.replace("RESULTS", ", ".join(
        tile_type(*t) for t in types[:len(results)]))
    if has_status:
        text += " status " + tile_type(*types[-1])
    body = load("t", "a", *shape) + "  %s = %s\n" % (
        ", ".join("%%r%s" % name for name in names), text)
    for name, t in zip(names, types):
        body += store("r" + name, name, *t)
    return arguments, body, len(types)


def decompose(op, shape, element, matrix, results, has_status, block):
    arguments, body, count = call_with_status(op, (shape, element), results,
                                              has_status)
    return run(kernel(arguments, body, block), "f", matrix,
               *[Out() for _ in range(count)])


def eigh(element, batch, n, kind="random", spoilt=(), block=None):
    shape = batch + (n, n)
    matrix = make_hermitian(batch, n, element, kind).astype(DTYPES[element])
    matrix = np.tril(matrix) + adjoint(np.tril(matrix, -1))
    good = spoil(matrix, spoilt, row=-1)
    given = np.where(np.tri(n, dtype=bool), matrix, np.nan)
    if is_complex(element):
        np.einsum("...ii->...i", given).imag = np.nan
    given = given.astype(DTYPES[element])
    op = "tile.eigh %%t : %s to RESULTS" % tile_type(shape, element)
    values, vectors, *status = decompose(op, shape, element, given,
                                         [(batch + (n,), get_part(element)),
                                          (shape, element)], bool(batch), block)
    what = ("eigh", element, batch, n, kind, block)
    assert not batch or (status[0] == ~good).all(), (what, status)
    assert not np.isfinite(values[~good]).any(), what
    assert not np.isfinite(vectors[~good]).any(), what
    values, vectors, matrix = values[good], vectors[good], matrix[good]
    assert (np.diff(values, axis=-1) >= 0).all(), what
    ratios = get_ratios(matrix, vectors, values, adjoint(vectors), element)
    expected = get_reference(get_eigenvalues, matrix)
    return check(what, ratios + (get_value_ratio(values, expected, n, element),),
                 (3, 5, 3))


def svd(element, batch, m, n, kind="random", spoilt=(), block=None):
    shape = batch + (m, n)
    matrix = tall(rng, batch, m, n, element, kind).astype(DTYPES[element])
    good = spoil(matrix, spoilt, row=-1)
    op = "tile.svd %%t : %s to RESULTS" % tile_type(shape, element)
    u, values, vt, status = decompose(
        op, shape, element, matrix,
        [(shape, element), (batch + (n,), get_part(element)),
         (batch + (n, n), element)], True, block)
    what = ("svd", element, batch, m, n, kind, block)
    assert (status == ~good).all(), (what, status)
    assert not np.isfinite(values[~good]).all(-1).any(), what
    u, values, vt, matrix = u[good], values[good], vt[good], matrix[good]
    assert (values >= 0).all() and (np.diff(values, axis=-1) <= 0).all(), what
    ratios = get_ratios(matrix, u, values, vt, element)
    expected = get_reference(
        lambda x: np.linalg.svd(x, compute_uv=False), matrix)
    return check(what, ratios + (get_value_ratio(values, expected, m, element),),
                 (3, 5, 3))


def one_sided_jacobi(element, batch, n, kind="random", block=None):
    """Checks Q diag(d) = A V for an orthogonal V, by Q diag(d^2) Q' = A A'; the
    operation has no status."""
    shape, norms = batch + (n, n), (batch + (n,), get_part(element))
    matrix = tall(rng, batch, n, n, element, kind).astype(DTYPES[element])
    arguments = declare("abc", [memref(shape, element), memref(shape, element),
                                memref(*norms)])
    body = load("t", "a", shape, element)
    body += "  %%q, %%d = tile.one_sided_jacobi %%t : %s, %s\n" % (
        tile_type(shape, element), tile_type(*norms))
    body += store("q", "b", shape, element) + store("d", "c", *norms)
    q, d = run(kernel(arguments, body, block), "f", matrix, Out(), Out())
    what = ("one_sided_jacobi", element, batch, n, kind, block)
    a, q, d = wide(matrix), wide(q), wide(d)
    gram = a @ adjoint(a)
    size = np.maximum(4 * n * norm(gram) * UNIT[element], TINY)
    kept = d > 0
    unit = np.eye(n) * kept[..., None, :]
    return check(what, (norm(gram - (q * (d * d)[..., None, :]) @ adjoint(q)) / size,
                        norm(adjoint(q) @ q - unit) / (2 * n * UNIT[element])),
                 (3, 5))


def check_neighbours(n, element="f32"):
    """Checks that other matrices in a batch do not change the bits of a result."""
    shape = (8, n, n)
    op = "tile.eigh %%t : %s to RESULTS" % tile_type(shape, element)
    matrix = make_hermitian((), n, element, "random")
    found = []
    for kind in ("zero", "random", "worse"):
        given = make_hermitian((8,), n, element, kind)
        given = given.astype(np.result_type(given, matrix))
        given[3] = matrix
        found.append([x[3] for x in decompose(
            op, shape, element, given.astype(DTYPES[element]),
            [((8, n), get_part(element)), (shape, element)], False, 32)])
    for other in found[1:]:
        for x, y in zip(found[0], other):
            assert x.tobytes() == y.tobytes(), ("neighbours", n)


def some(cases):
    """Returns every third case, or all cases with --all."""
    return cases if IS_FULL else cases[::3]


worst = np.zeros(3)
for n in some((1, 2, 3, 5, 4, 6, 8, 7, 9, 16, 13, 17, 18, 24, 31, 32, 33, 48, 63, 64)):
    batch = (9,) if n <= 16 else (3,)
    worst = np.maximum(worst, eigh("f32", batch, n))
    if n <= 44:
        worst = np.maximum(worst, eigh("f64", batch[:1], n))
for kind in RANDOM[1:] + ("good", "ill", "worse", "large", "small"):
    for n in some((11, 4, 30)):
        worst = np.maximum(worst, eigh("f32", (4,), n, kind))
        if IS_FULL or kind in ("opposite", "small"):
            worst = np.maximum(worst, eigh("f64", (2, 1), n, kind, block=64))
for n in (5, 16):
    eigh("f32", (6,), n, spoilt=((1,), (4,)), block=128)
eigh("f32", (12,), 8, block=32)
eigh("f32", (), 19)
for n in (7, 8):
    check_neighbours(n)
print("eigh: worst ratios %.2f, %.2f, %.2f" % tuple(worst))

worst = np.zeros(3)
for m, n in some(((1, 1), (2, 2), (9, 1), (5, 4), (8, 8), (11, 7), (16, 5), (17, 16),
                  (16, 16), (40, 3), (33, 33), (63, 20), (32, 32), (100, 33),
                  (64, 64), (200, 13))):
    element = "f64" if m * n < 900 and (m + n) % 2 else "f32"
    worst = np.maximum(worst, svd(element, (3,), m, n))
for kind in ("zero column", "repeated", "wide range", "zero", "equal", "rank one",
             "good", "ill", "worse", "large", "small"):
    for m, n in some(((11, 11), (7, 4), (30, 17))):
        worst = np.maximum(worst, svd("f32", (4,), m, n, kind))
        if IS_FULL or kind in ("wide range", "repeated"):
            worst = np.maximum(worst, svd("f64", (2, 1), m, n, kind, block=64))
for m, n in ((6, 6), (15, 9)):
    svd("f32", (6,), m, n, spoilt=((1,), (4,)), block=128)
# All columns become equal.
for m, n in some(((64, 64), (50, 20), (16, 16))):
    svd("f32", (1,), m, n, "constant")
svd("f64", (1,), 44, 44, "constant")
print("svd: worst ratios %.2f, %.2f, %.2f" % tuple(worst))

# tile.one_sided_jacobi is no composite operation, so it has only one level.
if "--on=cpu-decomposed" not in MACHINE:
    worst = np.zeros(2)
    for n in some((1, 7, 2, 8, 15, 32)):
        worst = np.maximum(worst, one_sided_jacobi("f32", (5,), n))
        worst = np.maximum(worst, one_sided_jacobi("f64", (2, 2), n, block=64))
    for kind in ("zero column", "repeated", "rank one"):
        worst = np.maximum(worst, one_sided_jacobi("f32", (5,), 9, kind))
    print("one_sided_jacobi: worst ratios %.2f, %.2f" % tuple(worst))

COMPLEX = ("complex<f32>", "complex<f64>")
SQUARE_KINDS = RANDOM[1:] + ("good", "ill", "worse", "large", "small")
TALL_KINDS = ("zero column", "repeated", "wide range", "zero", "equal", "rank one",
              "ill", "worse", "large", "small")
worst = np.zeros(3)
for element in COMPLEX:
    most = 44 if element == "complex<f32>" else 32
    for n in some((1, 2, 3, 5, 4, 6, 8, 7, 9, 16, 13, 17, 24, 31, 32, most)):
        worst = np.maximum(worst, eigh(element, (5,) if n <= 16 else (1,), n))
    for kind in SQUARE_KINDS:
        for n in some((11, 4, 17)):
            worst = np.maximum(worst, eigh(element, (2, 2), n, kind, block=64))
    eigh(element, (6,), 5, spoilt=((1,), (4,)), block=128)
    eigh(element, (), 7)
    check_neighbours(7, element)
print("eigh of complex numbers: worst ratios %.2f, %.2f, %.2f" % tuple(worst))

worst = np.zeros(3)
for element in COMPLEX:
    most = 44 if element == "complex<f32>" else 32
    for m, n in some(((1, 1), (2, 2), (9, 1), (5, 4), (8, 8), (11, 7), (16, 5),
                      (17, 16), (40, 3), (63, 20), (17, 17), (16, 16),
                      (most, most), (32, 32), (23, 9))):
        worst = np.maximum(worst, svd(element, (2,), m, n))
    for kind in TALL_KINDS:
        for m, n in some(((9, 9), (7, 4), (30, 17))):
            worst = np.maximum(worst, svd(element, (2,), m, n, kind, block=64))
    svd(element, (6,), 6, 5, spoilt=((1,), (4,)), block=128)
    svd(element, (1,), most, most, "constant")
print("svd of complex numbers: worst ratios %.2f, %.2f, %.2f" % tuple(worst))

if "--on=cpu-decomposed" not in MACHINE:
    worst = np.zeros(2)
    for element in COMPLEX:
        for n in some((7, 1, 2, 16, 8, 15)):
            worst = np.maximum(worst, one_sided_jacobi(element, (3,), n))
        for kind in ("zero column", "repeated", "rank one"):
            worst = np.maximum(worst, one_sided_jacobi(element, (2,), 9, kind))
    print("one_sided_jacobi of complex numbers: worst ratios %.2f, %.2f"
          % tuple(worst))
