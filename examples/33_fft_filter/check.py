# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import UNIT, Example, check_near
from picture import Picture

LENGTH = 1024

example = Example("fft_filter.mlir", size=(7,), has_picture=True)
signals, = example.size
# The signal has two tones and noise. The response falls from one to zero around bin 64.
time = np.arange(LENGTH) / LENGTH
tones = np.sin(2 * np.pi * 5 * time) + 0.5 * np.sin(2 * np.pi * 23 * time + 1)
signal = (tones + 0.6 * example.normal(signals, LENGTH)).astype(np.float32)
bins = np.arange(LENGTH // 2 + 1)
response = (1 / (1 + np.exp((bins - 64) / 4.0))).astype(np.float32)
filtered = example.run("fft_filter", [signal, response], signal.shape)

spectrum = np.fft.rfft(signal.astype(np.float64)) * response.astype(np.float64)
reference = np.fft.irfft(spectrum)
# Each of the two transforms has an error of at most 4 u log2(n) times the row's norm.
row = np.linalg.norm(signal.astype(np.float64), axis=1, keepdims=True)
bound = np.broadcast_to(2 * 4 * UNIT * np.log2(LENGTH) * row, reference.shape)
check_near(filtered, reference, bound, "fft_filter of %d signals" % signals)
noise = np.sqrt(np.mean((signal - tones) ** 2))
left = np.sqrt(np.mean((filtered - tones) ** 2))
print("noise of %.3f is %.3f after the filter" % (noise, left))

if example.options.plot:
    picture = Picture("The first signal", "samples", (0, LENGTH), "", (-3.5, 3.5))
    picture.draw_line(time * LENGTH, signal[0], "#c8cdd3", "with noise", 1)
    picture.draw_line(time * LENGTH, tones, "#222222", "tones", 2)
    picture.draw_line(time * LENGTH, filtered[0], "#d1495b", "filtered")
    picture.save(example.options.plot)
