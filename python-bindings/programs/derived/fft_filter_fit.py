# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Learns the response of a filter from signals and the results that it should have, by
gradient descent through Fourier transforms. The filter with the least mean square of
the error is that of Wiener ("Extrapolation, Interpolation, and Smoothing of Stationary
Time Series", 1949). Signals and targets are rows of n elements of f32;
docs/FourierTransforms.md lists the lengths n. The response has n / 2 + 1 real or
complex elements. A block takes some rows."""

import math

import tile_mlir as tile


@tile.kernel(grid=lambda signals, rows: tile.cdiv(signals.shape[0], rows))
def filter_kernel(signals, response, filtered, *, n, rows=4):
    first = tile.program_id(0) * rows
    spectrum = tile.rfft(tile.load(signals, (first, 0), (rows, n)))
    changed = spectrum * tile.load(response, 0, n // 2 + 1)
    tile.store(filtered, (first, 0), tile.irfft(changed, n))


def filter_rows(signals, response):
    filtered = tile.empty_like(signals)
    filter_kernel(signals, response, filtered, n=signals.shape[1])
    return filtered


def filter_rows_backward(signals, response, dfiltered):
    """Returns the gradients by signals and response."""
    return tile.vjp(filter_kernel)(signals, response, dfiltered, n=signals.shape[1])


def fit_response(signals, targets, response, rate, iterations):
    """Changes `response`, a guess, so that the filtered signals come close to
    `targets`. Returns the mean square of the error before each iteration."""
    losses = []
    for _ in range(iterations):
        error = filter_rows(signals, response) - targets
        losses.append(float((error * error).mean()))
        cotangent = 2 / math.prod(targets.shape) * error
        response -= rate * filter_rows_backward(signals, response, cotangent)[1]
    return losses
