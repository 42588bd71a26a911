# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_near

example = Example("fused_layers.mlir", size=(1000,))
rows, = example.size
x = example.normal(rows, 32, dtype=np.float16)
weights = [(example.normal(a, b) * (2 / a) ** 0.5).astype(np.float16)
           for a, b in ((32, 64), (64, 64), (64, 10))]
y = example.run("fused_layers", [x, *weights], (rows, 10))
# The next layer multiplies the error of a layer as it multiplies the values. Each value
# is accumulated in f32 and rounded once to f16.
unit = 2.0 ** -11
value, error = x.astype(np.float64), 0
for i, weight in enumerate(w.astype(np.float64) for w in weights):
    error = error @ np.abs(weight) if i else 0
    error = error + 2.0 ** -22 * (np.abs(value) @ np.abs(weight))
    value = value @ weight
    if i < 2:
        value = np.maximum(value, 0)
    error = error + unit * (np.abs(value) + error) + 2.0 ** -25
check_near(y, value, error, "fused_layers of %d rows" % rows)
