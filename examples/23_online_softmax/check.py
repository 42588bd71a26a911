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
# An exponent x log2 e rounds twice. Its differences from successive maxima round once
# each, and add up to the difference from the last maximum. When the maximum changes, a
# sum is multiplied by a power that is within four units; otherwise the power is 1. On
# the CPU, which combines elements one by one, the maximum changes with each element
# that is larger than all before it. On a GPU an element passes through at most 30
# combinations.
exponent = 2 * np.abs(wide) + np.abs(wide - wide.max(axis=1, keepdims=True))
larger = np.diff(np.maximum.accumulate(x, axis=1), axis=1) > 0
changes = np.maximum(larger.sum(axis=1, keepdims=True) + 1, 30)
sums = (exponent * reference).sum(axis=1, keepdims=True) + 999 + 5 * changes
# The power of the element itself and the division add four units each.
bound = UNIT * (exponent + 4 + sums + 4) * reference
check_near(y, reference, bound, "online_softmax of %d rows" % rows)
