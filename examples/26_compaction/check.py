# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_equal

BLOCK, LIMIT = 1024, 0.25

example = Example("compaction.mlir", size=(5000,))
length, = example.size
x = example.normal(length)
blocks = -(-length // BLOCK)
counts = example.run("count", [x, LIMIT], (blocks,))
before = example.run("counts_before", [counts], (blocks,))
kept = x[x > np.float32(LIMIT)]
y = example.update("compact", [x, LIMIT, before],
                   np.full(len(kept) + 3, np.nan, np.float32))
assert np.isnan(y[len(kept):]).all()
check_equal(y[:len(kept)], kept, "compaction of %d numbers" % length)
