# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_near

# --size=BATCH,M,N,K
example = Example("batched_gemm.mlir", size=(100, 64, 64, 64))
batch, m, n, k = example.size
a = example.normal(batch, m, k, dtype=np.float16)
b = example.normal(batch, k, n, dtype=np.float16)
bias = example.normal(n)
c = example.run("batched_gemm", [a, b, bias], (batch, m, n))

wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
reference = np.maximum(wide_a @ wide_b + bias, 0)
# The bound covers the errors of the accumulation and of its conversion to f16.
bound = ((k + 1) * 2.0 ** -23 * (np.abs(wide_a) @ np.abs(wide_b)
                                 + np.abs(bias))
         + 2.0 ** -11 * np.abs(reference) + 2.0 ** -25)
check_near(c, reference, bound, "batched_gemm %dx%dx%dx%d" % example.size)
