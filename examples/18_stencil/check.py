# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import UNIT, Example, check_near

example = Example("stencil.mlir", size=(33, 70))
u = example.normal(*example.size)
rate = np.float32(0.2)
result = example.run("stencil", [u, rate], u.shape)


def sum_of_neighbours(a):
    """Returns the sum of each point's four neighbours, which are 0 outside."""
    a = np.pad(a, 1)
    return a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]


wide = u.astype(np.float64)
reference = wide + float(rate) * (sum_of_neighbours(wide) - 4 * wide)
# Each term goes through at most three additions of the difference and one
# multiplication, and the last addition rounds the result.
terms = float(rate) * (sum_of_neighbours(np.abs(wide)) + 4 * np.abs(wide))
bound = UNIT * (4 * terms + np.abs(reference))
check_near(result, reference, bound, "stencil of %dx%d" % example.size)
