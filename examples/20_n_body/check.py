# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import UNIT, Example, check_near

example = Example("n_body.mlir", size=(150,))
n, = example.size
bodies = example.normal(4, n)
bodies[3] = np.abs(bodies[3])
result = example.run("n_body", [bodies], (3, n))

wide = bodies.astype(np.float64)
d = wide[:3, None, :] - wide[:3, :, None]
terms = wide[3] * d / ((d * d).sum(axis=0) + 0.01) ** 1.5
reference = terms.sum(axis=2)
# The vector d rounds once, so each of its squares is within three units and their sum
# within five. The square root halves the error and adds four units, which makes 6.5,
# and the third power triples that. Four multiplications and d itself add five units.
# Then a term goes through at most n / 64 + 64 additions.
additions = -(-n // 64) + 64
bound = (3 * 6.5 + 5 + additions) * UNIT * np.abs(terms).sum(axis=2)
check_near(result, reference, bound, "n_body of %d" % n)
