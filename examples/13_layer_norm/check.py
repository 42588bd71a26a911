# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_near

example = Example("layer_norm.mlir", size=(3,))
rows, = example.size
x = 5 + 2 * example.normal(rows, 1000)
x = x.astype(np.float32)
scale, shift = example.normal(1000), example.normal(1000)
y = example.run("layer_norm", [x, scale, shift], x.shape)
wide = x.astype(np.float64)
d = wide - wide.mean(axis=1, keepdims=True)
normal = d / np.sqrt((d * d).mean(axis=1, keepdims=True) + 1e-5)
reference = normal * scale + shift
# The mean is as large as the differences; sums add up 1000 elements in a tree.
bound = 40 * 2.0 ** -24 * ((3 + np.abs(normal)) * np.abs(scale)
                           + np.abs(shift))
check_near(y, reference, bound, "layer_norm of %d rows" % rows)
