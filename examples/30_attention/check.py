# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_near

example = Example("attention.mlir", size=(2, 135))
heads, length = example.size
q, k, v = (example.normal(heads, length, 64, dtype=np.float16)
           for _ in range(3))
o = example.run("attention", [q, k, v], q.shape)
wide = [x.astype(np.float64) for x in (q, k, v)]
scores = wide[0] @ wide[1].transpose(0, 2, 1) / 8
powers = np.exp(scores - scores.max(axis=2, keepdims=True))
powers /= powers.sum(axis=2, keepdims=True)
reference = powers @ wide[2]
# Powers and the result are rounded to f16; the errors of f32 are a thousandth of these
# roundings.
unit = 2.0 ** -11
bound = 1.01 * unit * (powers @ np.abs(wide[2]) + np.abs(reference)) + 2.0 ** -25
check_near(o, reference, bound, "attention of %d x %d" % example.size)
