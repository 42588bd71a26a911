# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import UNIT, Example, check_near

# --size=MATRICES,ROWS
example = Example("jacobi_eigenvalues.mlir", size=(11, 8))
matrices, n = example.size
x = example.normal(matrices, n, n)
a = (x + x.transpose(0, 2, 1)) / 2
l, v = example.run_all("jacobi_eigenvalues", [a], [(matrices, n), a.shape])

# Each round adds errors of a few u norm(A). Most of them cancel, and angles become
# small soon, so each eigenvalue is within 3 n u norm(A) of the exact one.
wide = a.astype(np.float64)
reference = np.linalg.eigvalsh(wide)
largest = np.abs(reference).max(-1, keepdims=True)
what = "eigenvalues of %d matrices of %d rows" % (matrices, n)
check_near(np.sort(l, -1), reference,
           np.broadcast_to(3 * n * UNIT * largest, l.shape), what)

# These measures are nearly those of LAPACK's test (TESTING/EIG/dsyt21.f), which accepts
# 60 n u.
values, vectors = l.astype(np.float64), v.astype(np.float64)
norm1 = lambda matrix: np.linalg.norm(matrix, 1, axis=(1, 2))
residual = norm1(wide @ vectors - vectors * values[:, None]) / (
    n * norm1(wide) * UNIT)
angles = norm1(np.eye(n) - vectors.transpose(0, 2, 1) @ vectors) / (n * UNIT)
for name, ratio in (("A V - V L", residual), ("I - V' V", angles)):
    # NaN compares false.
    if not (ratio <= 6).all():
        sys.exit("expected %s within 6 n u, got %.3g" % (name, ratio.max()))
    print("%s: %.2g n u" % (name, ratio.max()))
