# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import UNIT, Example, check_near

example = Example("online_softmax.mlir", size=(5,))
rows, = example.size
x = 3 * example.normal(rows, 1000)
y = example.run("online_softmax", [x], x.shape)
wide = x.astype(np.float64)
powers = np.exp(wide - wide.max(axis=1, keepdims=True))
reference = powers / powers.sum(axis=1, keepdims=True)
# An exponent x log2 e rounds twice, and on the way to the largest one its differences
# once each, which add up to the last one. A power is within four units and
# multiplied once, or is 1 where the maximum stays: one by one on the CPU it changes
# for each element that is larger than all before, elsewhere each power passes
# through at most 30 combinations.
exponent = 2 * np.abs(wide) + np.abs(wide - wide.max(axis=1, keepdims=True))
larger = np.diff(np.maximum.accumulate(x, axis=1), axis=1) > 0
changes = np.maximum(larger.sum(axis=1, keepdims=True) + 1, 30)
sums = (exponent * reference).sum(axis=1, keepdims=True) + 999 + 5 * changes
# The result's own power, and the division within four units.
bound = UNIT * (exponent + 4 + sums + 4) * reference
check_near(y, reference, bound, "online_softmax of %d rows" % rows)
