# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes convolutions by Fourier transforms, which replace a sum over taps for each
element by a multiplication for each frequency. Multiplied transforms give a cyclic
convolution, whose first elements contain values that wrapped around. Blocks read that
many more elements before their own, and drop the results. Arrays are zero outside."""

import numpy as np

import tile_mlir as tile


@tile.kernel(grid=lambda convolved, rows, n, part: (
    tile.cdiv(convolved.shape[1], n - part),
    tile.cdiv(convolved.shape[0], rows)))
def convolve_signals(signal, taps, convolved, *, rows=4, n=1024, part=256):
    """Computes all samples + taps - 1 elements of the convolution of each signal with a
    filter, by transforms of n. A filter of any length is divided into parts, for which
    samples further back are read. The spectra of all parts are added up, and
    transformed back once."""
    begin, first = tile.program_id(0) * (n - part), tile.program_id(1) * rows
    total = tile.zeros((rows, n // 2 + 1), tile.complex64)
    for tap in range(0, taps.shape[0], part):
        h = tile.concatenate([tile.load(taps, tap, part),
                              tile.zeros(n - part)])
        s = tile.load(signal, (first, begin - (tap + part)), (rows, n))
        total += tile.rfft(s) * tile.rfft(h)
    tile.store(convolved, (first, begin), tile.irfft(total)[:, part:])


# A transform in two dimensions transforms rows, then columns between two transposes. A
# block computes 48x48 elements, by transforms of 64x64.
SIZE, BEFORE = 64, 16


def transform(box):
    """Returns the spectrum, transposed."""
    return tile.fft(tile.rfft(box).T)


@tile.kernel(grid=1)
def transform_filter(taps, response):
    """Computes the spectrum of a filter of up to 17x17 taps, once for all images."""
    height, width = taps.shape
    assert height <= BEFORE + 1 and width <= BEFORE + 1, \
        "expected a filter of at most 17x17"
    tile.store(response, (0, 0),
               transform(tile.load(taps, (0, 0), (SIZE, SIZE))))


@tile.kernel(grid=lambda convolved: (
    tile.cdiv(convolved.shape[2], SIZE - BEFORE),
    tile.cdiv(convolved.shape[1], SIZE - BEFORE), convolved.shape[0]))
def convolve_images(images, response, convolved):
    i = tile.program_id(1) * (SIZE - BEFORE)
    j = tile.program_id(0) * (SIZE - BEFORE)
    image = tile.program_id(2)
    g = tile.load(response, (0, 0), (SIZE // 2 + 1, SIZE))
    box = tile.load(images, (image, i - BEFORE, j - BEFORE), (SIZE, SIZE))
    cyclic = tile.irfft(tile.ifft(transform(box) * g).T)
    tile.store(convolved, (image, i, j), cyclic[BEFORE:, BEFORE:])


def convolve(images, taps, convolved):
    response = np.empty((SIZE // 2 + 1, SIZE), np.complex64)
    transform_filter(taps, response)
    convolve_images(images, response, convolved)
