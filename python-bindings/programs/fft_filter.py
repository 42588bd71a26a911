# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Filters the frequencies of signals: each signal is transformed, multiplied by the
response of the filter, and transformed back, in one pass over memory. Signals are rows
of n elements of f32; docs/FourierTransforms.md lists the lengths n. The response has
n / 2 + 1 real or complex elements."""

import tile_mlir as tile


@tile.kernel(grid=lambda signals, rows: tile.cdiv(signals.shape[0], rows))
def fft_filter_kernel(signals, response, filtered, *, n, rows=4):
    first = tile.program_id(0) * rows
    spectrum = tile.rfft(tile.load(signals, (first, 0), (rows, n)))
    changed = spectrum * tile.load(response, 0, n // 2 + 1)
    tile.store(filtered, (first, 0), tile.irfft(changed, n))


def fft_filter(signals, response):
    filtered = tile.empty_like(signals)
    fft_filter_kernel(signals, response, filtered, n=signals.shape[1])
    return filtered
