# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import UNIT, Example

BLOCK = 64

example = Example("blocked_cholesky.mlir", size=(137,))
n, = example.size
# The matrix is symmetric and positive definite, with eigenvalues from about 0.1 to 4.
# It has NaN where the kernels must not read.
x = example.normal(n, n).astype(np.float64)
a = (x @ x.T / n + 0.1 * np.eye(n)).astype(np.float32)
factor = np.where(np.tri(n, dtype=bool), a, np.float32(np.nan))
blocks = -(-n // BLOCK)
for step in range(blocks):
    factor = example.update("factor_diagonal", [step], factor)
    if step + 1 < blocks:
        factor = example.update("solve_panel", [step], factor)
        factor = example.update("update_rest", [step], factor)

# LAPACK's test (TESTING/LIN/dpot01.f) divides norm1(A - L L') by u n norm1(A), the
# possible size of the errors of n steps. It accepts ratios up to 30.
lower = np.tril(factor.astype(np.float64))
wide = a.astype(np.float64)
ratio = (np.linalg.norm(wide - lower @ lower.T, 1)
         / (n * np.linalg.norm(wide, 1) * UNIT))
# NaN compares false.
if not ratio <= 1.5:
    sys.exit("expected a residual of 1.5 n u, got %.3g" % ratio)
print("Cholesky of %dx%d: residual %.2g n u, by float64" % (n, n, ratio))
