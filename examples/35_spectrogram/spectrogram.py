# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the spectrogram of a signal: how loud each frequency is at each time. Frames
of n samples start `hop` samples apart, and are multiplied by a Hann window. The power
of their transform is stored in decibels; powers below `least` are replaced by it.
Frames overlap. They are rows of a view of the signal whose stride is the hop, so
nothing is copied. A block takes eight frames."""

import math

from numpy.lib.stride_tricks import sliding_window_view

import tile_mlir as tile

FRAME = 400


@tile.kernel(grid=lambda decibels, rows: tile.cdiv(decibels.shape[0], rows))
def transform_frames(frames, least, decibels, *, rows=8, n=FRAME):
    first = tile.program_id(0) * rows
    # The window is the square of half a sine wave.
    window = tile.sin(tile.arange(n, dtype=tile.f32) * (math.pi / n)) ** 2
    x = tile.load(frames, (first, 0), (rows, n))
    spectrum = tile.rfft(x * window)
    re, im = tile.real(spectrum), tile.imag(spectrum)
    power = tile.maximum(tile.fma(re, re, im * im), least)
    tile.store(decibels, (first, 0),
               tile.log2(power) * (10 * math.log10(2)))


def spectrogram(signal, hop, least, decibels):
    frames = sliding_window_view(signal, FRAME)[::hop]
    transform_frames(frames, least, decibels)
