# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_near

# --size=M,N,K,PARTS
example = Example("split_k.mlir", size=(128, 64, 4096, 8))
m, n, k, parts = example.size
a = example.normal(m, k, dtype=np.float16)
b = example.normal(k, n, dtype=np.float16)
workspace = example.run("split_k_products", [a, b], (parts, m, n))
c = example.run("split_k_sum", [workspace], (m, n))

wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
reference = wide_a @ wide_b
# The bound covers the errors of the accumulation and of the conversion to f16.
bound = ((k + parts) * 2.0 ** -23 * (np.abs(wide_a) @ np.abs(wide_b))
         + 2.0 ** -11 * np.abs(reference) + 2.0 ** -25)
check_near(c, reference, bound, "split_k %dx%dx%d in %d parts" % example.size)
