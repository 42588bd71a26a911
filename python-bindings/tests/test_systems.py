# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Systems of equations whose right-hand sides are vectors, matrices with fewer rows
than columns, and functions of matrices, against NumPy in float64."""

import numpy as np
import pytest

import tile_mlir as tile
from checking import MACHINES, check, compute, make

# Each type on the emulator. Only one type runs on the CPU path too, where compilation
# takes longer.
CASES = [("emulator", np.float32, 2e-5), ("emulator", np.float64, 1e-13),
         ("emulator", np.complex64, 2e-5), ("cpu", np.float32, 2e-5)]


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def make_definite(rng, dtype, shape):
    a = make(rng, dtype, shape)
    return a @ adjoint(a) + shape[-1] * np.eye(shape[-1], dtype=dtype)


# ----------------------------------------------------------------------------
# Vectors
# ----------------------------------------------------------------------------

# The tested functions and their references. Both take matrices and right-hand sides;
# those of references are columns in float64.
SOLVERS = {
    "solve": (lambda a, b: tile.solve(a, b), np.linalg.solve),
    "spd": (lambda a, b: tile.solve(a, b, spd=True), np.linalg.solve),
    "status": (lambda a, b: tile.solve(a, b, status=True)[0], np.linalg.solve),
    "cholesky": (lambda a, b: tile.cholesky_solve(tile.cholesky(a), b), np.linalg.solve),
    "upper": (lambda a, b: tile.cholesky_solve(tile.cholesky(a, upper=True), b,
                                               upper=True), np.linalg.solve),
    "triangle": (lambda a, b: tile.triangular_solve(a, b),
                 lambda a, b: np.linalg.solve(np.tril(a), b)),
    "right": (lambda a, b: tile.triangular_solve(a, b, right=True),
              lambda a, b: np.linalg.solve(np.swapaxes(np.tril(a), -1, -2), b)),
    "least squares": (lambda a, b: tile.least_squares(a, b), np.linalg.solve)}


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("machine, batch, dtype, tolerance", [
    ("emulator", (), np.float32, 2e-5), ("emulator", (3,), np.complex64, 2e-5),
    ("cpu", (2,), np.float64, 1e-13)])
def test_vectors_on_the_right(rng, name, machine, batch, dtype, tolerance):
    solve, reference = SOLVERS[name]
    a, b = make_definite(rng, dtype, (*batch, 5, 5)), make(rng, dtype, (*batch, 5))
    expected = reference(a.astype(np.complex128), b[..., None].astype(np.complex128))
    if a.dtype.kind != "c":
        expected = expected.real
    check(lambda xp, a, b: solve(a, b), a, b, dtype=dtype, tolerance=tolerance,
          machine=machine, expected=expected[..., 0])


# ----------------------------------------------------------------------------
# Wide matrices
# ----------------------------------------------------------------------------


def narrow(expected, dtype):
    """Returns `expected`, or only its real part if `dtype` is real."""
    return expected if np.dtype(dtype).kind == "c" else expected.real


@pytest.mark.parametrize("machine, dtype, tolerance", CASES)
def test_least_norm(rng, machine, dtype, tolerance):
    a, b = make(rng, dtype, (2, 3, 5)), make(rng, dtype, (2, 3, 2))
    expected = narrow(np.linalg.pinv(a.astype(np.complex128)) @ b, dtype)
    check(lambda xp, a, b: tile.least_squares(a, b), a, b, dtype=dtype,
          tolerance=tolerance, machine=machine, expected=expected)


def test_least_norm_of_vectors(rng):
    a, b = make(rng, np.float32, (3, 5)), make(rng, np.float32, (3,))
    check(lambda xp, a, b: tile.least_squares(a, b), a, b, tolerance=2e-5,
          expected=np.linalg.pinv(a.astype(np.float64)) @ b)


@tile.kernel(fixed="a")
def decompose(a, u, s, v, q, r, info):
    m, n = a.shape[-2:]
    factors = tile.svd(a[...], status=True)
    info[0:2] = factors[3]
    u[0:2, 0:m, 0:m], s[0:2, 0:m], v[0:2, 0:m, 0:n] = factors[:3]
    q[0:2, 0:m, 0:m], r[0:2, 0:m, 0:n] = tile.qr(a[...])


@pytest.mark.parametrize("machine, dtype, tolerance", CASES)
def test_wide_factors(rng, machine, dtype, tolerance):
    """Checks that the factors multiply to A, that rows or columns of U, V and Q are
    orthonormal, and that singular values equal NumPy's."""
    m, n = 3, 5
    a = make(rng, dtype, (2, m, n))
    u, v, q, r = (np.full((2, m, k), np.nan, dtype) for k in (m, n, m, n))
    s, info = np.full((2, m), np.nan, u.real.dtype), np.full(2, 9, np.int32)
    with MACHINES[machine]():
        decompose[1](a, u, s, v, q, r, info)
    expected = np.linalg.svd(a.astype(np.complex128), compute_uv=False)
    np.testing.assert_array_equal(info, 0)
    np.testing.assert_allclose(s, expected, rtol=tolerance)
    for matmul in ((u * s[:, None, :]) @ v, q @ r):
        np.testing.assert_allclose(matmul, a, atol=tolerance)
    for rows in (u, v, q):
        np.testing.assert_allclose(rows @ adjoint(rows), [np.eye(m)] * 2, atol=tolerance)
    np.testing.assert_array_equal(np.tril(r[..., :m], -1), 0)


# ----------------------------------------------------------------------------
# Functions of matrices
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("shape, rank, machine, dtype, tolerance", [
    ((5, 3), 3, *CASES[0]), ((3, 5), 3, *CASES[1]), ((2, 3, 4), 2, *CASES[2]),
    ((2, 5, 3), 1, *CASES[3]), ((1, 1), 1, *CASES[0]), ((4, 2), 0, *CASES[1])])
def test_pseudo_inverse(rng, shape, rank, machine, dtype, tolerance):
    """Checks also rank deficient matrices, and zero."""
    a = make(rng, dtype, (*shape[:-1], rank)) @ \
        make(rng, dtype, (*shape[:-2], rank, shape[-1]))
    words = {} if rank == min(shape[-2:]) else {"rtol": 1e-4}
    check(lambda xp, a: tile.pinv(a, **words), a, dtype=dtype, tolerance=10 * tolerance,
          machine=machine,
          expected=narrow(np.linalg.pinv(a.astype(np.complex128), 1e-4), dtype))


def expm(a):
    """Computes the exponential of A with 80-bit floats: the series of exp(A / 2^40)
    less the unit matrix, which is squared 40 times, always as the difference from the
    unit matrix."""
    a = a.astype(np.clongdouble) / np.longdouble(2) ** 40
    rest = a + multiply(a, a) / 2 + multiply(a, multiply(a, a)) / 6
    for _ in range(40):
        rest = 2 * rest + multiply(rest, rest)
    return (rest + np.eye(a.shape[-1])).astype(np.complex128)


def multiply(a, b):
    return (a[..., :, :, None] * b[..., None, :, :]).sum(-2)


def measure(found, a):
    """Returns the largest error of an exponential, in units of its rounding: the error
    relative to the exponential in the Frobenius norm, divided by norm1 of the matrix if
    that is above one."""
    expected = expm(a)
    error, size = (np.linalg.norm(x, axis=(-2, -1)) for x in (found - expected, expected))
    norm1 = np.abs(a).sum(-2).max(-1)
    return np.max(error / size / np.maximum(1, norm1)) / (np.finfo(a.dtype).eps / 2)


@pytest.mark.parametrize("shape, machine, dtype", [
    ((3, 5, 5), "emulator", np.float32), ((3, 3, 3), "emulator", np.float64),
    ((1, 1), "emulator", np.float64), ((3, 3, 3), "emulator", np.complex64),
    ((7, 7), "cpu", np.float32), ((2, 2), "emulator", np.complex128)])
def test_exponential(rng, shape, machine, dtype):
    a = make(rng, dtype, shape)
    if len(shape) == 3:  # the matrices need different counts of squarings
        a *= np.array([1e-3, 1, 10], a.real.dtype)[:, None, None]
    found = compute(lambda xp, a: tile.expm(a), a, shape=shape, dtype=dtype,
                    machine=machine)
    assert measure(found, a) < 10


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_exponentials_at_the_limits(dtype):
    """The exponential of zero and of subnormal values is the unit matrix. It is zero
    for a matrix with large negative eigenvalues, and a polynomial for a nilpotent
    matrix. NaN gives NaN, and does not affect other matrices of the tile."""
    tiny, huge = np.finfo(dtype).tiny / 4, 1000
    a = np.zeros((5, 2, 2), dtype)
    a[1], a[2], a[4] = tiny, [[0, huge], [0, 0]], np.nan
    a[3] = [[-1e4, 0], [0, -3e4]]
    found = compute(lambda xp, a: tile.expm(a), a, shape=a.shape, dtype=dtype)
    rounding = np.finfo(dtype).eps
    np.testing.assert_allclose(found[:2], [np.eye(2)] * 2, rtol=rounding, atol=2 * tiny)
    np.testing.assert_allclose(found[2], [[1, huge], [0, 1]], rtol=1000 * rounding)
    np.testing.assert_array_equal(found[3], 0)
    assert np.isnan(found[4]).all()
