# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the parameters of Gaussian processes to data, by the gradient of their
likelihood (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006,
algorithm 2.1 and section 5.4.1).

The covariance of the values at x and x' is a exp(-|x - x'|^2 / (2 l^2)), and noise of
variance s is added to each value, so that K is the matrix of the covariances plus s I.
By its Cholesky factor, -2 log p = y' K^-1 y + log |K| + n log 2 pi. x is processes x n
x dimensions, y is processes x n, and the parameters, which the processes share, are the
logarithms of l, a and s, of f32 or f64. A block has one process."""

import math

import tile_mlir as tile


@tile.kernel(block=256, grid=lambda y: y.shape[0])
def likelihood_kernel(x, y, parameters, losses, *, n, dimensions):
    i = tile.program_id(0)
    points, values = tile.load(x, (i, 0, 0), (n, dimensions)), tile.load(y, (i, 0), n)
    length, amplitude, noise = (tile.exp(parameters[j]) for j in range(3))
    d = (points[:, None] - points[None]) / length
    k = amplitude * tile.exp(-0.5 * (d * d).sum(axis=2))
    factor = tile.cholesky(tile.add_diagonal(k, noise))
    z = tile.triangular_solve(factor, values)
    logdet = 2 * tile.log(tile.diagonal(factor)).sum()
    losses[i] = (z * z).sum() + logdet + n * math.log(2 * math.pi)


def find_losses(x, y, parameters):
    """Returns -2 log p of each process."""
    losses = tile.empty_like(y, y.shape[:1])
    n, dimensions = x.shape[1:]
    likelihood_kernel(x, y, parameters, losses, n=n, dimensions=dimensions)
    return losses


def find_losses_backward(x, y, parameters, dlosses):
    """Returns the gradients by x, y and parameters."""
    n, dimensions = x.shape[1:]
    backward = tile.vjp(likelihood_kernel)
    return backward(x, y, parameters, dlosses, n=n, dimensions=dimensions)


def fit_parameters(x, y, parameters, rate, iterations):
    """Changes `parameters`, a guess, so that the data get likely. Returns the sum of -2
    log p before each iteration."""
    losses, ones = [], tile.empty_like(y, y.shape[:1])
    ones[:] = 1
    for _ in range(iterations):
        losses.append(float(find_losses(x, y, parameters).sum()))
        parameters -= rate * find_losses_backward(x, y, parameters, ones)[2]
    return losses
