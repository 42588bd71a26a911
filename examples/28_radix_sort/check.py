# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_equal

BLOCK, DIGITS = 1024, 256

example = Example("radix_sort.mlir", size=(5000,))
length, = example.size
keys = example.random.integers(-2 ** 31, 2 ** 31, length).astype(np.int32)
keys[::7] = keys[0]  # equal ones
blocks = -(-length // BLOCK)
moved = keys
for shift in range(0, 32, 8):
    counts = example.run("count", [moved, shift], (DIGITS, blocks))
    before = example.run("counts_before", [counts.ravel()], (counts.size,))
    moved = example.update("move", [moved, shift,
                                    before.reshape(DIGITS, blocks)],
                           np.full(length, -1, np.int32))
check_equal(moved.view(np.uint32), np.sort(keys.view(np.uint32)),
            "radix sort of %d keys" % length)
