# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_near

example = Example("softmax.mlir", size=(5,))
rows, = example.size
x = 3 * example.normal(rows, 1000)
x = x.astype(np.float16)
y = example.run("softmax", [x], x.shape).astype(np.float64)
wide = x.astype(np.float64)
powers = np.exp(wide - wide.max(axis=1, keepdims=True))
reference = powers / powers.sum(axis=1, keepdims=True)
# The computation is in f32, with exponents of up to 32. The result is f16, whose
# smallest values are 2^-24 apart.
bound = (2.0 ** -11 + 64 * 2.0 ** -24) * reference + 2.0 ** -25
check_near(y, reference, bound, "softmax of %d rows" % rows)
