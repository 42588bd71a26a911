# matrices.py - matrices of LAPACK's tests, and the parts of its test ratios
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

UNIT = {"f32": 2.0 ** -24, "f64": 2.0 ** -53}
EXPONENT = {"f32": 37, "f64": 307}
for table in (UNIT, EXPONENT):
    table.update({"complex<%s>" % part: table[part] for part in list(table)})


def norm(matrix):
    """Returns the 1-norm of each matrix of a batch."""
    return np.abs(matrix).sum(-2).max(-1)


def transpose(matrix):
    return np.swapaxes(matrix, -1, -2)


def adjoint(matrix):
    return np.conj(transpose(matrix))


def is_complex(element):
    return element.startswith("complex")


def get_part(element):
    """Returns the type of a complex element's parts, or a real element's own type."""
    return element[8:-1] if is_complex(element) else element


def widened(array):
    """Converts to float64, or to complex128 if complex."""
    return array.astype(np.result_type(array, np.float64))


def wide(array):
    """Converts to long double, or to complex long double if complex."""
    return array.astype(np.result_type(array, np.longdouble))


def normal(rng, shape, element):
    """Returns normally distributed values of variance one."""
    values = rng.standard_normal(shape)
    if is_complex(element):
        values = (values + 1j * rng.standard_normal(shape)) * 0.5 ** 0.5
    return values


def orthogonal(rng, batch, n, element):
    return np.linalg.qr(normal(rng, batch + (n, n), element))[0]


def spectrum(n, element, kind):
    """Returns the singular values of a kind of matrix (TESTING/LIN/dlatb4.f), by its
    condition, and a factor that scales it towards overflow or underflow."""
    condition = {"ill": 0.1 / UNIT[element] ** 0.5,
                 "worse": 0.01 / UNIT[element]}.get(kind, 2.0)
    values = condition ** -np.linspace(0, 1, n) if n > 1 else np.ones(1)
    exponent = {"large": EXPONENT[element],
                "small": -EXPONENT[element]}.get(kind, 0)
    return values, 10.0 ** exponent


def tall(rng, batch, m, n, element, kind):
    """Returns m by n matrices of a kind: random, maybe with a zero or repeated column;
    constant, just below a power of two; or with the kind's singular values."""
    if kind == "constant":
        return np.full(batch + (m, n),
                       1.9999 * (1 + 1j if is_complex(element) else 1))
    if kind in ("random", "upper", "zero column", "repeated", "wide range"):
        matrix = normal(rng, batch + (m, n), element)
        if kind == "upper":
            matrix = np.triu(matrix)
        elif kind == "zero column":
            matrix[..., n // 2] = 0
        elif kind == "repeated":
            matrix[..., n - 1] = matrix[..., 0]
        elif kind == "wide range":
            # From the largest values down to those whose squares underflow.
            low, high = (-300, 300) if "f64" in element else (-35, 36)
            matrix *= 10.0 ** np.linspace(low, high, n)
        return matrix
    scale = 1.0
    values = {"zero": np.zeros(n), "equal": np.ones(n),
              "rank one": 1.0 * (np.arange(n) == 0)}.get(kind)
    if values is None:
        values, scale = spectrum(n, element, kind)
    left = np.linalg.qr(normal(rng, batch + (m, n), element))[0]
    return (left * values) @ orthogonal(rng, batch, n, element) * scale


def spoil(matrix, spoilt, row=0):
    """Puts NaN or infinity into a row of some matrices; returns which are unchanged."""
    good = np.ones(matrix.shape[:-2], bool)
    for index, coordinates in enumerate(spoilt):
        good[coordinates] = False
        matrix[coordinates + (row, matrix.shape[-1] // 2)] = [np.nan, np.inf][index % 2]
    return good


def positive_definite(rng, batch, n, element, kind):
    if kind == "diagonal":
        values = rng.uniform(0.5, 2, batch + (n,))
        return values[..., None] * np.eye(n)
    values, scale = spectrum(n, element, kind)
    q = orthogonal(rng, batch, n, element)
    matrix = (q * values) @ adjoint(q) * scale
    if n == 1:
        # Avoids the value one, whose root is exact.
        matrix = matrix * rng.uniform(0.5, 2, batch + (1, 1))
    return (matrix + adjoint(matrix)) / 2


def general(rng, batch, n, element, kind):
    """Returns random matrices, maybe triangular or with a zero column; Hilbert's
    matrix; or matrices with the singular values of a kind."""
    if kind == "hilbert":
        i = np.arange(n)
        return np.broadcast_to(1 / (i[:, None] + i + 1), batch + (n, n))
    if kind in ("random", "upper", "lower", "zero"):
        matrix = normal(rng, batch + (n, n), element)
        if kind == "zero":
            matrix[..., n // 2] = 0
        return {"upper": np.triu, "lower": np.tril}.get(kind, np.asarray)(matrix)
    values, scale = spectrum(n, element, kind)
    left = orthogonal(rng, batch, n, element)
    right = orthogonal(rng, batch, n, element)
    return (left * values) @ right * scale
