# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_near

# The size is no multiple of a block, so the last one has fewer elements.
example = Example("sum_of_squares.mlir", size=(100003,))
n, = example.size
x = example.normal(n, dtype=np.float64)
reference = np.array([np.sum(x * x)])
# No square is negative, and each goes through at most 100 additions, each of which
# rounds once.
bound = 100 * 2.0 ** -53 * reference

total = example.update("sum_of_squares", [x], np.zeros(1))
check_near(total, reference, bound, "sum_of_squares of %d" % n)

sums = example.run("block_sums", [x], (-(-n // 16384),))
total = example.run("sum_of_sums", [sums], (1,))
check_near(total, reference, bound, "block_sums and sum_of_sums of %d" % n)
again = example.run("block_sums", [x], (-(-n // 16384),))
assert again.tobytes() == sums.tobytes(), "block_sums: expected the same bits"
