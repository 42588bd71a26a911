# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import UNIT, Example, check_near

example = Example("cross_entropy.mlir", size=(21,))
rows, = example.size
x = 3 * example.normal(rows, 500)
labels = example.random.integers(0, 500, rows, dtype=np.int32)
loss = example.run("cross_entropy", [x, labels], (rows,))
wide = x.astype(np.float64)
top = wide.max(axis=1)
below = wide - top[:, None]
powers = np.exp(below)
total = powers.sum(axis=1)
distance = top - wide[np.arange(rows), labels]
reference = np.log(total) + distance
# The exponent of a power rounds three times, the power has an error of four units, and
# it goes through at most 499 additions. The logarithm has an error of four units, and
# the difference and the loss round once each.
error = (3 * np.abs(below) * powers).sum(axis=1) / total + 4 + 499
bound = UNIT * (error + 4 * np.log(total) + distance + np.abs(reference))
check_near(loss, reference, bound, "cross_entropy of %d rows" % rows)
