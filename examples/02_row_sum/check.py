# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import numpy as np

from example import Example, check_equal

example = Example("row_sum.mlir")
# Row i is filled with i: the sums are 0, 256, ..., 2304.
a = np.repeat(np.arange(10, dtype=np.float32), 256).reshape(10, 256)
sums = example.run("row_sum", [a], (10,))
check_equal(sums, np.arange(10, dtype=np.float32) * 256, "row_sum")
print(*map(int, sums))
