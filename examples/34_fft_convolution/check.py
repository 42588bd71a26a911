# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import UNIT, Example, check_norm

# The number of elements of a transform of signals, and of a transform of images.
SEGMENT, BOX = 1024, 64 * 64


def convolve_rows(a, b):
    """Returns the convolution of each row of a with b."""
    return np.stack([np.convolve(row, b) for row in a])


def convolve_image(image, taps):
    """Returns the convolution in two dimensions, computed by rows."""
    height, width = np.add(image.shape, taps.shape) - 1
    result = np.zeros((height, width))
    for down, row in enumerate(taps):
        result[down:down + len(image)] += convolve_rows(image, row)
    return result


def get_bound(size):
    """Returns the bound of the relative error, in the norm, of two transforms, a
    multiplication and an inverse transform of `size` elements."""
    return UNIT * (3 * 0.8 * np.sqrt(np.log2(size)) + 2)


# --size=SIGNALS,SAMPLES,TAPS,IMAGES,HEIGHT,WIDTH,ROWS,COLUMNS
example = Example("fft_convolution.mlir", size=(5, 1901, 301, 2, 75, 101, 17, 9))
signals, samples, taps, images, height, width, rows, columns = example.size

signal = example.normal(signals, samples)
filter_taps = example.normal(taps)
result = example.run("convolve_signals", [signal, filter_taps],
                     (signals, samples + taps - 1))
reference = convolve_rows(signal.astype(np.float64), filter_taps.astype(np.float64))
check_norm(result, reference, get_bound(SEGMENT),
           "%d signals of %d with %d taps" % (signals, samples, taps))

image = example.normal(images, height, width)
filter_taps = example.normal(rows, columns)
response = example.run("transform_filter", [filter_taps], (33, 64))
result = example.run("convolve_images", [image, response],
                     (images, height + rows - 1, width + columns - 1))
wide_taps = filter_taps.astype(np.float64)
reference = np.stack([convolve_image(one, wide_taps)
                      for one in image.astype(np.float64)])
check_norm(result, reference, get_bound(BOX), "%d images of %dx%d with %dx%d taps"
           % (images, height, width, rows, columns))
