# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_near

example = Example("crba.mlir", size=(3,))
robots, = example.size
j = example.normal(robots, 78, 18).astype(np.float32)
# Inertias are symmetric and positive definite.
x = example.normal(robots, 13, 6, 6)
m = (x @ x.transpose(0, 1, 3, 2) / 6 + np.eye(6)).astype(np.float32)
r = np.abs(example.normal(robots, 18)).astype(np.float32)
h, l = example.run_all("crba", [j, m, r],
                       [(robots, 18, 18), (robots, 18, 18)])

bodies = j.astype(np.float64).reshape(robots, 13, 6, 18)
expected = np.einsum("rbik,rbij,rbjl->rkl", bodies, m.astype(np.float64), bodies)
expected += np.eye(18) * r[:, None, :]
size = np.einsum("rbik,rbij,rbjl->rkl", abs(bodies), abs(m).astype(np.float64),
                 abs(bodies))
UNIT = 2.0 ** -24
check_near(h, expected, 20 * UNIT * size, "crba of %d robots, H" % robots)
# The factor of that H, by LAPACK's test (TESTING/LIN/dpot01.f).
factor = np.tril(l.astype(np.float64))
rest = np.abs(h - factor @ factor.transpose(0, 2, 1)).sum(-2).max(-1)
ratio = rest / (18 * np.abs(h).sum(-2).max(-1) * UNIT)
assert (np.triu(l, 1) == 0).all() and (ratio <= 1.5).all(), ratio
print("crba of %d robots, L: residual %.2f n u" % (robots, ratio.max()))
