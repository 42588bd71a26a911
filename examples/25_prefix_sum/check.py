# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_equal

BLOCK = 2048

example = Example("prefix_sum.mlir", size=(5000,))
length, = example.size
# The elements are integers, whose sums are exact in f32 and so the same in any order.
x = np.rint(50 * example.normal(length)).astype(np.float32)
blocks = -(-length // BLOCK)
sums = example.run("block_sums", [x], (blocks,))
before = example.run("sums_before", [sums], (blocks,))
y = example.run("prefix_sum", [x, before], x.shape)
check_equal(y, np.cumsum(x.astype(np.float64)).astype(np.float32),
            "prefix sum of %d numbers" % length)
