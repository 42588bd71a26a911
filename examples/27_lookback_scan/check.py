# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_equal

BLOCK = 2048

example = Example("lookback_scan.mlir", size=(5000,))
length, = example.size
x = example.random.integers(-2 ** 31, 2 ** 31, length, np.int32)
blocks = -(-length // BLOCK)
state, y = example.run_changing("lookback_scan", [x],
                                np.zeros(1 + blocks, np.int64), x.shape)
# Sums of i32 are taken modulo 2^32.
expected = np.cumsum(x, dtype=np.int32)
check_equal(y, expected, "prefix sum of %d numbers" % length)
prefixes = expected[np.minimum(BLOCK * np.arange(1, blocks + 1), length) - 1]
check_equal(state[1:], 2 ** 33 + prefixes.astype(np.uint32).astype(np.int64),
            "prefixes of %d blocks" % blocks)
assert state[0] == blocks
