# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import UNIT, Example, check_near
from picture import Picture

FRAME = 400

# --size=SAMPLES,HOP; at least one frame of samples
example = Example("spectrogram.mlir", size=(16003, 97), has_picture=True)
samples, hop = example.size
# The signal is a tone that rises to 0.45 periods per sample, and noise.
time = np.arange(samples)
tone = np.sin(2 * np.pi * (0.02 + 0.215 * time / samples) * time)
signal = (tone + 0.3 * example.normal(samples)).astype(np.float32)
frames = (samples - FRAME) // hop + 1
least = np.float32(1e-6)
decibels = example.run("spectrogram", [signal, hop, least],
                       (frames, FRAME // 2 + 1))

rows = np.lib.stride_tricks.sliding_window_view(signal.astype(np.float64),
                                                FRAME)[::hop]
windowed = rows * np.sin(np.pi * np.arange(FRAME) / FRAME) ** 2
size = np.abs(np.fft.rfft(windowed))
reference = 10 * np.log10(np.maximum(size ** 2, least))
# The transform has an error of 4 u log2(n) of its row's norm and 4 u of itself. A
# factor of the window has an error of 3 pi u, as its angle, up to pi, has 3 u; these
# errors have random signs. In decibels, errors are large where little remains of the
# row. The power, its logarithm and the multiplication are rounded.
norm = np.linalg.norm(rows, axis=1, keepdims=True)
error = UNIT * (4 * (np.log2(FRAME) * norm + size) + 3 * np.pi * norm)
above = 10 * np.log10(np.maximum((size + error) ** 2, least)) - reference
below = reference - 10 * np.log10(
    np.maximum(np.maximum(size - error, 0) ** 2, least))
bound = np.maximum(above, below) + UNIT * (20 + 4 * np.abs(reference))
check_near(decibels, reference, bound, "spectrogram of %d frames" % frames)

if example.options.plot:
    picture = Picture("Spectrogram of a rising tone and noise", "samples",
                      (0, samples), "periods a sample", (0, 0.5))
    picture.draw_image(decibels.T, reference.max() - 50, reference.max())
    picture.save(example.options.plot)
