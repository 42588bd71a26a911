# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_equal

example = Example("top_k_sampling.mlir", size=(21,))
rows, = example.size
# The logits are multiples of 0.5, so that some are equal.
logits = (np.rint(4 * example.normal(rows, 1000)) / 2).astype(np.float32)
indices = np.argsort(-logits, axis=1, kind="stable")[:, :20]
values = np.take_along_axis(logits, indices, 1).astype(np.float64)
sums = np.exp(values - values[:, :1]).cumsum(axis=1)
# Each random value lies in the middle of a share, so that rounding does not matter.
chosen = example.random.integers(0, 20, rows)[:, None]
before = np.where(chosen > 0, np.take_along_axis(sums, chosen - 1, 1), 0)
middle = (before + np.take_along_axis(sums, chosen, 1)) / 2
numbers = (middle / sums[:, -1:])[:, 0].astype(np.float32)
tokens = example.run("top_k_sampling", [logits, numbers], (rows,))
check_equal(tokens, np.take_along_axis(indices, chosen, 1)[:, 0].astype(np.int32),
            "top_k_sampling of %d rows" % rows)
