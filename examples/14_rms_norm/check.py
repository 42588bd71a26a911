# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import UNIT, Example, check_near

example = Example("rms_norm.mlir", size=(3,))
rows, = example.size
x, weight = example.normal(rows, 1000), example.normal(1000)
y = example.run("rms_norm", [x, weight], x.shape)
wide = x.astype(np.float64)
mean = (wide * wide).mean(axis=1, keepdims=True)
reference = wide / np.sqrt(mean + 1e-5) * weight
# A square and the at most 999 additions that it goes through round once each. The mean
# and the addition of epsilon add up to five roundings. The square root halves the
# error, and adds up to four units; two multiplications follow.
bound = (1005 / 2 + 4 + 2) * UNIT * np.abs(reference)
check_near(y, reference, bound, "rms_norm of %d rows" % rows)
