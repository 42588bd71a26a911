# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_near

example = Example("dequantise.mlir", size=(1024, 1024, 1024))
m, n, k = example.size
a = example.normal(m, k, dtype=np.float16)
weights = example.random.integers(-128, 128, (k, n), np.int8)
scale = (2.0 ** example.random.integers(-8, -4, n)).astype(np.float16)
bias = example.normal(n)
c = example.run("dequantise", [a, weights, scale, bias], (m, n))

# A weight times its scale, a power of two, is exact in f16, so the only errors are
# those of the accumulation and of its conversion to f16.
b = weights.astype(np.float64) * scale
reference = a.astype(np.float64) @ b + bias
bound = ((k + 1) * 2.0 ** -23 * (np.abs(a.astype(np.float64)) @ np.abs(b)
                                 + np.abs(bias))
         + 2.0 ** -11 * np.abs(reference) + 2.0 ** -25)
check_near(c, reference, bound, "dequantise %dx%dx%d" % (m, n, k))
