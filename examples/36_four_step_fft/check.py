# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import UNIT, Example, check_norm

# Shape h x w of the matrix that the transformed array forms, by the array's length.
SHAPES = {945: (27, 35), 2 ** 20: (1024, 1024), 2 ** 24: (4096, 4096)}

# --size=N, one of SHAPES
example = Example("four_step_fft.mlir", size=(945,))
n, = example.size
shape = SHAPES[n]
x = example.normal(*shape, 2).view(np.complex64)[..., 0]
turned = example.run("columns_%d" % n, [x], shape)
spectrum = example.run("rows_%d" % n, [turned], shape[::-1])
reference = np.fft.fft(x.astype(np.complex128).ravel())
# The bound is the one in docs/FourierTransforms.md for a transform in one kernel.
check_norm(spectrum.ravel(), reference, 1.1 * UNIT * np.sqrt(np.log2(n)),
           "transform of %d numbers" % n)
