# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_near

example = Example("reduce_scale.mlir", size=(7,))
rows, = example.size
x = example.normal(rows, 128)
y = example.run("reduce_scale", [x], x.shape)
wide = x.astype(np.float64)
reference = wide / np.abs(wide).max(axis=1, keepdims=True)
# The largest value is exact, so only the division rounds.
check_near(y, reference, 2.0 ** -24 * np.abs(reference),
           "reduce_scale of %d rows" % rows)
