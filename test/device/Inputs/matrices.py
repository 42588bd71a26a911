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
