# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the variances of the noise of a linear model to measured series, by the gradient
of the likelihood that a Kalman filter computes (Sarkka, "Bayesian Filtering and
Smoothing", 2013, section 12.1).

The state x of n elements and its covariance P are predicted and updated as in
examples/39_kalman, by a model x' = F x + noise of covariance Q and measurements z = H x
+ noise of covariance R, of m elements. A measurement has the expectation H x- and the
covariance S = H P- H' + R before it is made, and adds log |2 pi S| + (z - H x-)' S^-1
(z - H x-) to -2 log p. Q and R are diagonal: `noise` has the logarithms of their
diagonals, n + m elements. f is n x n, h is m x n, z is series x steps x m, and `start`,
series x n, has the first states, whose covariance is the identity; all are of f32 or
f64. A block has some series, whose states a loop carries from step to step."""

import math

import tile_mlir as tile


@tile.function
def load_variances(noise, first, count):
    variances = tile.exp(tile.load(noise, first, count))
    return tile.add_diagonal(tile.zeros((count, count), noise.dtype), variances)


@tile.kernel(grid=lambda z, some: tile.cdiv(z.shape[0], some))
def kalman_likelihood_kernel(z, start, f, h, noise, losses, *, n, m, some=4):
    first, identity = tile.program_id(0) * some, tile.eye(n, z.dtype)
    f, h = tile.load(f, (0, 0), (n, n)), tile.load(h, (0, 0), (m, n))
    q, r = load_variances(noise, 0, n), load_variances(noise, n, m)
    x = tile.load(start, (first, 0), (some, n))[:, :, None]
    p = identity + tile.zeros((some, n, n), z.dtype)
    loss = tile.zeros(some, z.dtype)
    for t in range(z.shape[1]):
        x, p = f @ x, f @ p @ f.T + q
        c = p @ h.T
        s = h @ c + r
        k = tile.solve(s, c.mT, spd=True).mT
        y = tile.load(z, (first, t, 0), (some, m), dims=(0, 2))[:, :, None] - h @ x
        factor = tile.cholesky(s)
        white = tile.triangular_solve(factor, y)
        logdet = 2 * tile.log(tile.diagonal(factor)).sum(axis=1)
        loss += (white * white).sum(axis=(1, 2)) + logdet + m * math.log(2 * math.pi)
        rest = identity - k @ h
        x, p = x + k @ y, rest @ p @ rest.mT + k @ r @ k.mT
    tile.store(losses, first, loss)


def find_losses(z, start, f, h, noise):
    """Returns -2 log p of each series."""
    losses = tile.empty_like(z, z.shape[:1])
    m, n = h.shape
    kalman_likelihood_kernel(z, start, f, h, noise, losses, n=n, m=m)
    return losses


def find_losses_backward(z, start, f, h, noise, dlosses):
    """Returns the gradient by noise."""
    m, n = h.shape
    backward = tile.vjp(kalman_likelihood_kernel, wrt="noise")
    return backward(z, start, f, h, noise, dlosses, n=n, m=m)


def fit_noise(z, start, f, h, noise, rate, iterations):
    """Changes `noise`, a guess, so that the series get likely. Returns -2 log p before
    each iteration, the mean over all measurements."""
    losses, cotangents = [], tile.empty_like(z, z.shape[:1])
    cotangents[:] = 1 / (z.shape[0] * z.shape[1])
    for _ in range(iterations):
        found = find_losses(z, start, f, h, noise)
        losses.append(float((found * cotangents).sum()))
        noise -= rate * find_losses_backward(z, start, f, h, noise, cotangents)
    return losses
