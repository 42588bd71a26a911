# pivots.py - pivots whose reciprocals overflow, and quotients of complex numbers
# whose squares do
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Results for matrices scaled by a power of two near the ends of the element type's
# range are those for the unscaled matrices: near the least values, which have few
# bits, to as many bits as those have.

import harness
from harness import *
from matrices import UNIT, get_part, normal, widened

rng = np.random.default_rng(71)
# Eigenvalues, and factors in blocks, are computed by other algorithms from level
# decomposed.
harness.LEVELS_HAVE_SAME_BITS = False
# Exponents of two, by type: the least subnormal value is two to LEAST, and finite
# values are below two to MOST.
LEAST = {"f32": -149, "f64": -1074}
MOST = {"f32": 128, "f64": 1024}
ELEMENTS = ("f32", "f64", "complex<f32>", "complex<f64>")


def scaled(array, power):
    """Returns an array times two to `power`, in two steps that do not overflow."""
    for part in (power // 2, power - power // 2):
        array = array * 2.0 ** part
    return array


def matrices(element, n, form="full"):
    """Returns two well-conditioned matrices whose dominant diagonal is near one."""
    shape = (2, n, n)
    matrix = normal(rng, shape, element) / n
    matrix[..., range(n), range(n)] = (rng.choice([-1, 1], (2, n)) *
                                       rng.uniform(1, 2, (2, n)))
    if form == "definite":
        matrix = (matrix @ np.conj(np.swapaxes(matrix, -1, -2)))
    return {"lower": np.tril, "upper": np.triu}.get(form, np.asarray)(matrix)


def compute(operation, results, element, *arrays):
    """Runs an operation on %t0, %t1, ... and returns its results, whose shapes and
    element types are in `results`."""
    arguments, body = [], ""
    for index, array in enumerate(arrays):
        arguments.append("%%a%d: %s" % (index, memref(array.shape, element)))
        body += load("t%d" % index, "a%d" % index, array.shape, element)
    names = ["%%r%d" % index for index in range(len(results))]
    types = [tile_type(array.shape, element) for array in arrays]
    ends = [tile_type(*result) for result in results]
    body += "  %s = %s\n" % (", ".join(names), operation.format(
        of=", ".join(types), to=", ".join(ends)))
    for index, (shape, type) in enumerate(results):
        arguments.append("%%o%d: %s" % (index, memref(shape, type)))
        body += store("r%d" % index, "o%d" % index, shape, type)
    found = run(kernel(", ".join(arguments), body), "f",
                *[array.astype(DTYPES[element]) for array in arrays],
                *[Out() for _ in results])
    return found if len(results) > 1 else [found]


def check(operation, results, powers, element, power, *arrays, expected):
    """Compares an operation on arrays scaled by two to `power` with `expected` of
    the rounded, unscaled arrays; each result scales by two to `power` times its
    element of `powers`."""
    given = [scaled(array, power).astype(DTYPES[element]) for array in arrays]
    exact = [scaled(widened(array), -power) for array in given]
    found = compute(operation, results, element, *given)
    for result, other, of_power in zip(found, expected(*exact), powers):
        back = scaled(widened(result), -int(of_power * power))
        near(back, widened(other),
             get_bound(element, power) * (1 + np.abs(other).max()),
             (operation, element, power, arrays[0].shape))


def check_triangle(element, n, m, power, form="lower", transposed=False):
    check("tile.triangular_solve %%t0, %%t1 %s%s: {of}" % (
        "upper " if form == "upper" else "", "transposed " if transposed else ""),
        [((2, n, m), element)], [0], element, power, matrices(element, n, form),
        normal(rng, (2, n, m), element), expected=lambda t, b: [np.linalg.solve(
            np.swapaxes(t, -1, -2) if transposed else t, b)])


def check_solve(element, n, m, power, form="full"):
    word = "spd " if form == "definite" else ""
    check("tile.solve %%t0, %%t1 %s: {of}" % word, [((2, n, m), element)], [0],
          element, power, matrices(element, n, form),
          normal(rng, (2, n, m), element),
          expected=lambda a, b: [np.linalg.solve(a, b)])


def check_cholesky(element, n, power):
    check("tile.cholesky %t0 : {of}", [((2, n, n), element)], [0.5], element,
          power, matrices(element, n, "definite"),
          expected=lambda a: [np.linalg.cholesky(a)])


def check_least_squares(element, n, power):
    side = (2, n, 3)
    check("tile.least_squares %t0, %t1 : {of} to {to}", [(side, element)], [0],
          element, power, matrices(element, n), normal(rng, side, element),
          expected=lambda a, b: [np.linalg.solve(a, b)])


def get_factored(element, n, power):
    """Returns matrices times two to `power`, rounded, and those divided by it."""
    given = scaled(matrices(element, n, "definite"), power).astype(DTYPES[element])
    return given, scaled(widened(given), -power)


def check_ldlt(element, n, power):
    """Checks that the factors multiply to the matrix; D is scaled by the power."""
    given, exact = get_factored(element, n, power)
    (factor,) = compute("tile.ldlt %t0 : {of}", [((2, n, n), element)], element,
                        given)
    pivots = scaled(widened(np.einsum("...ii->...i", factor)), -power)
    lower = np.tril(widened(factor), -1) + np.eye(n)
    near((lower * pivots[..., None, :]) @ np.conj(np.swapaxes(lower, -1, -2)),
         exact, get_bound(element, power), ("ldlt", element, n, power))


def check_lu(element, n, power):
    given, exact = get_factored(element, n, power)
    factor, order = compute("tile.lu %t0 : {of}, " + tile_type((2, n), "i32"),
                            [((2, n, n), element), ((2, n), "i32")], element, given)
    lower = np.tril(widened(factor), -1) + np.eye(n)
    near(lower @ scaled(np.triu(widened(factor)), -power),
         np.take_along_axis(exact, order[..., None], -2),
         get_bound(element, power), ("lu", element, n, power))


def get_bound(element, power):
    """Returns the bound of errors relative to values near one, which have only the
    bits that remain after scaling by two to `power`."""
    least = LEAST[get_part(element)]
    return 1000 * max(UNIT[element], 2.0 ** (least - power))


def check_values(element, n, power):
    """Checks factors that are not unique by results that are unique."""
    part = get_part(element)
    shape, values = (2, n, n), (2, n)
    general, definite = matrices(element, n), matrices(element, n, "definite")
    q, r = compute("tile.qr %t0 : {of} to {to}",
                   [(shape, element), (shape, element)], element,
                   scaled(general, power))
    what = ("factors", element, n, power)
    bound = get_bound(element, power)
    near(widened(q) @ scaled(widened(r), -power), general, bound, what)
    found = compute("tile.eigh %t0 : {of} to {to}",
                    [(values, part), (shape, element)], element,
                    scaled(definite, power))[0]
    near(scaled(widened(found), -power), np.linalg.eigvalsh(definite), bound, what)
    found = compute("tile.svd %t0 : {of} to {to}",
                    [(shape, element), (values, part), (shape, element)], element,
                    scaled(general, power))[1]
    near(scaled(widened(found), -power), np.linalg.svd(general, compute_uv=False),
         bound, what)


def check_inverse(element, n, power):
    """Checks the inverses of matrices whose inverses are in the type's range."""
    check("tile.inverse %t0 : {of}", [((2, n, n), element)], [-1], element,
          power, matrices(element, n), expected=lambda a: [np.linalg.inv(a)])


def check_quotients(part):
    """Checks quotients and absolute values of complex elements of all magnitudes."""
    element = "complex<%s>" % part
    least, most = LEAST[part], MOST[part]
    powers = np.array([least + 24, least // 2 - 20, 0, 7, most // 2 + 20, most - 3])
    x, y = (normal(rng, (6, 6, 20), element) for _ in range(2))
    x = scale_each(x, powers[:, None, None]).astype(DTYPES[element])
    y = scale_each(y, powers[None, :, None]).astype(DTYPES[element])
    found = widened(compute("tile.complex div %t0, %t1 : {of} to {to}",
                            [(x.shape, element)], element, x, y)[0])
    quotient = scale_each(
        scale_each(widened(x), -powers[:, None, None]) /
        scale_each(widened(y), -powers[None, :, None]),
        powers[:, None, None] - powers[None, :, None])
    is_normal = (np.abs(quotient) < 2.0 ** (most - 1)) & (
        np.abs(quotient) > 2.0 ** (least + 60))
    bound = 20 * UNIT[part] * np.abs(quotient)
    near(np.where(is_normal, found, 0), np.where(is_normal, quotient, 0),
         np.where(is_normal, bound, 0), ("div", part))
    assert 300 < is_normal.sum() < 720
    sizes = widened(compute("tile.complex abs %t0 : {of} to {to}",
                            [(x.shape, part)], element, x)[0])
    exact = scale_each(np.abs(scale_each(widened(x), -powers[:, None, None])),
                       powers[:, None, None])
    near(sizes, exact, 4 * UNIT[part] * exact, ("abs", part))


def scale_each(array, powers):
    """Returns each element times two to its own power."""
    with np.errstate(all="ignore"):
        halves = powers // 2
        return (array * np.exp2(halves.astype(float)) *
                np.exp2((powers - halves).astype(float)))


def check_all(element, n, m, power):
    for form in ("lower", "upper"):
        for transposed in (False, True):
            check_triangle(element, n, m, power, form, transposed)
    for form in ("full", "definite"):
        check_solve(element, n, m, power, form)
    for each in (check_ldlt, check_lu, check_least_squares):
        each(element, n, power)
    check_cholesky(element, n, power - power % 2)
    check_values(element, min(n, 6), power)


for element in ELEMENTS:
    # The reciprocals of the least values overflow.
    most = MOST[get_part(element)] + 2
    check_triangle(element, 4, 3, -most)
    check_triangle(element, 13, 2, -most, "upper", transposed=True)
    check_ldlt(element, 9, -most)
    check_inverse(element, 5, 8 - most)
    if IS_FULL:
        for power in (-most, most - 6):
            for n, m in ((4, 3), (13, 2), (33, 1)):
                check_all(element, n, m, power)
        check_inverse(element, 20, 8 - most)
        check_inverse(element, 20, most - 8)
check_triangle("f32", 9, 2, 124)
check_least_squares("f32", 4, -130)
check_lu("f32", 4, -130)
check_values("f32", 4, -130)
# Factors in blocks, and a solve by factors and two triangular systems.
check_ldlt("f32", 70, -130)
check_solve("f32", 32, 256, -130)
for part in ("f32", "f64"):
    check_quotients(part)
