# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import functools
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import UNIT, Example, check_near

N, M = 9, 4  # elements of a state and of a measurement

example = Example("kalman.mlir", size=(11,))
filters, = example.size


def covariance(*shape):
    """Returns symmetric and positive definite matrices."""
    g = example.normal(*shape, shape[-1])
    return (g @ g.swapaxes(-1, -2) / shape[-1]
            + 0.1 * np.eye(shape[-1])).astype(np.float32)


x, z = example.normal(filters, N), example.normal(filters, M)
p = covariance(filters, N)
f = (np.eye(N) + 0.2 * example.normal(N, N)).astype(np.float32)
h = example.normal(M, N)
q, r = covariance(N), covariance(M)
new_x, new_p = example.run_all("kalman", [x, p, z, f, h, q, r],
                               [x.shape, p.shape])


# The reference in float64 computes P as (I - K H) P-, which is mathematically equal.
x, p, z, f, h, q, r = (array.astype(np.float64)
                       for array in (x, p, z, f, h, q, r))
x, z = x[..., None], z[..., None]
turned = lambda matrix: matrix.swapaxes(-1, -2)
x1 = f @ x
p1 = f @ p @ f.T + q
c = p1 @ h.T
s = h @ c + r
k = turned(np.linalg.solve(s, turned(c)))
y = z - h @ x1
x2 = x1 + k @ y
m = np.eye(N) - k @ h
p2 = m @ p1

# The bounds of the errors are in norms and of first order. A matmul adds u for each
# term of a sum, times the terms' size, and passes on the errors of its factors. The
# errors of P- and x- also come through S and K; in total they are multiplied by M = I -
# K H. A solution adds 4 u norm1(S) norm1(K') to the residual (docs/LinearAlgebra.md),
# in this norm at most three times as much for nine columns. The error of K does not
# count for P, because K minimizes P, so the first derivative of P is zero there.
norm = lambda matrix: np.linalg.norm(matrix, 2, axis=(-2, -1))
norm1 = lambda matrix: np.linalg.norm(matrix, 1, axis=(-2, -1))
length = lambda matrix: np.linalg.norm(matrix, axis=(-2, -1))
size = lambda *factors: length(functools.reduce(np.matmul, map(np.abs, factors)))
error_x1 = UNIT * N * size(f, x)
error_p1 = UNIT * N * (2 * size(f, p, f.T) + length(q))
error_c = norm(h) * error_p1 + UNIT * N * size(p1, h.T)
error_s = UNIT * N * (size(h, c) + length(r))
error_k = norm(np.linalg.inv(s)) * (
    norm(m) * error_c + norm(k) * error_s
    + 12 * UNIT * norm1(s) * norm1(turned(k)))
error_y = UNIT * N * (size(h, x1) + length(z))
error_x2 = (norm(m) * error_x1 + norm(y) * error_k + norm(k) * error_y
            + UNIT * N * (size(k, y) + length(x1)))
error_m = UNIT * N * (size(k, h) + length(np.eye(N)))
error_p2 = (norm(m) ** 2 * error_p1 + 2 * norm(p2) * error_m
            + UNIT * 2 * N * (size(m, p1, turned(m)) + size(k, r, turned(k))))
repeat = lambda bound, array: np.broadcast_to(
    bound.reshape((-1,) + (1,) * (array.ndim - 1)), array.shape)
check_near(new_x, x2[..., 0], repeat(error_x2, new_x),
           "kalman of %d filters, x" % filters)
check_near(new_p, p2, repeat(error_p2, new_p),
           "kalman of %d filters, P" % filters)
