# matrices.py - matrices of LAPACK's tests, and what its ratios are made of
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

UNIT = {"f32": 2.0 ** -24, "f64": 2.0 ** -53}
EXPONENT = {"f32": 37, "f64": 307}


def norm(matrix):
    """Norm one of each matrix of a batch."""
    return np.abs(matrix).sum(-2).max(-1)


def transpose(matrix):
    return np.swapaxes(matrix, -1, -2)


def orthogonal(rng, batch, n):
    return np.linalg.qr(rng.standard_normal(batch + (n, n)))[0]


def spectrum(n, element, kind):
    """Singular values of a kind of matrix (TESTING/LIN/dlatb4.f): by the
    condition, and scaled towards overflow and underflow."""
    condition = {"ill": 0.1 / UNIT[element] ** 0.5,
                 "worse": 0.01 / UNIT[element]}.get(kind, 2.0)
    values = condition ** -np.linspace(0, 1, n) if n > 1 else np.ones(1)
    exponent = {"large": EXPONENT[element],
                "small": -EXPONENT[element]}.get(kind, 0)
    return values, 10.0 ** exponent


def tall(rng, batch, m, n, element, kind):
    """Random without a kind; with a column of zeros or one that repeats; of a
    kind by the singular values."""
    if kind in ("random", "upper", "zero column", "repeated", "wide range"):
        matrix = rng.standard_normal(batch + (m, n))
        if kind == "upper":
            matrix = np.triu(matrix)
        elif kind == "zero column":
            matrix[..., n // 2] = 0
        elif kind == "repeated":
            matrix[..., n - 1] = matrix[..., 0]
        elif kind == "wide range":
            # From the largest numbers to those whose squares are too small.
            low, high = (-35, 36) if element == "f32" else (-300, 300)
            matrix *= 10.0 ** np.linspace(low, high, n)
        return matrix
    scale = 1.0
    values = {"zero": np.zeros(n), "equal": np.ones(n),
              "rank one": 1.0 * (np.arange(n) == 0)}.get(kind)
    if values is None:
        values, scale = spectrum(n, element, kind)
    left = np.linalg.qr(rng.standard_normal(batch + (m, n)))[0]
    return (left * values) @ orthogonal(rng, batch, n) * scale


def spoil(matrix, places, row=0):
    """Puts NaN or infinity into a row of some matrices; returns which are left."""
    good = np.ones(matrix.shape[:-2], bool)
    for number, place in enumerate(places):
        good[place] = False
        matrix[place + (row, matrix.shape[-1] // 2)] = [np.nan, np.inf][number % 2]
    return good


def positive_definite(rng, batch, n, element, kind):
    if kind == "diagonal":
        values = rng.uniform(0.5, 2, batch + (n,))
        return values[..., None] * np.eye(n)
    values, scale = spectrum(n, element, kind)
    q = orthogonal(rng, batch, n)
    matrix = (q * values) @ transpose(q) * scale
    return (matrix + transpose(matrix)) / 2


def general(rng, batch, n, element, kind):
    """Random ones without a kind; of a kind by their singular values, or
    triangular, or with a column of zeros."""
    if kind in ("random", "upper", "lower", "zero"):
        matrix = rng.standard_normal(batch + (n, n))
        if kind == "zero":
            matrix[..., n // 2] = 0
        return {"upper": np.triu, "lower": np.tril}.get(kind, np.asarray)(matrix)
    values, scale = spectrum(n, element, kind)
    left, right = orthogonal(rng, batch, n), orthogonal(rng, batch, n)
    return (left * values) @ right * scale
