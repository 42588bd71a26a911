# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Applies a low-pass filter to signals: each is transformed, multiplied by the
filter's response and transformed back, in one pass over memory. A block takes four
signals."""

import tile_mlir as tile


@tile.kernel(grid=lambda signal, rows: tile.cdiv(signal.shape[0], rows))
def fft_filter(signal, response, filtered, *, rows=4, n=1024):
    first = tile.program_id(0) * rows
    h = tile.load(response, 0, n // 2 + 1)
    spectrum = tile.rfft(tile.load(signal, (first, 0), (rows, n)))
    tile.store(filtered, (first, 0), tile.irfft(spectrum * h))
