# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_equal


def philox(seed, counters):
    """Returns the first word of Philox4x32-10 for each 64-bit counter."""
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    c = [counters & low, counters >> half,
         np.zeros_like(counters), np.zeros_like(counters)]
    key0, key1 = seed & 0xFFFFFFFF, seed >> 32
    for _ in range(10):
        p0 = np.uint64(0xD2511F53) * c[0]
        p1 = np.uint64(0xCD9E8D57) * c[2]
        c = [(p1 >> half) ^ c[1] ^ np.uint64(key0), p1 & low,
             (p0 >> half) ^ c[3] ^ np.uint64(key1), p0 & low]
        key0 = (key0 + 0x9E3779B9) & 0xFFFFFFFF
        key1 = (key1 + 0xBB67AE85) & 0xFFFFFFFF
    return c[0]


def uniform(seed, counters):
    """Returns uniform values from zero to one: 24 bits of the word, divided by 2^24."""
    return ((philox(seed, counters) >> np.uint64(8)).astype(np.float32)
            / np.float32(2 ** 24))


# The authors of Philox4x32-10 state this result for a seed and a counter of zero.
assert philox(0, np.zeros(1, dtype=np.uint64)) == 0x6627E8D5

example = Example("random.mlir", size=(20011,))
points, = example.size
seeds = 2024, 0x123456789ABCDEF
count = example.update("random_pi", [points, *seeds],
                       np.zeros(1, dtype=np.int32))
counters = np.arange(points, dtype=np.uint64)
x, y = (uniform(seed, counters) for seed in seeds)
# The check computes in f32, as the program does, so that it rounds in the same way.
inside = np.count_nonzero(x * x + y * y < np.float32(1))
check_equal(count, np.array([inside], dtype=np.int32),
            "random_pi of %d points" % points)
print("pi is about %.4f" % (4 * count[0] / points))
