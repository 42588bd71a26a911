# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import UNIT, Example, check_near

ROWS, COLUMNS, RIDGE = 50, 7, 0.125

example = Example("normal_equations.mlir", size=(13,))
problems, = example.size
# The columns are correlated: each is a sum of the same random columns.
a = (example.normal(problems, ROWS, COLUMNS)
     @ example.normal(problems, COLUMNS, COLUMNS)).astype(np.float32)
b = example.normal(problems, ROWS)
x = example.run("normal_equations", [a, b, RIDGE], (problems, COLUMNS))

# The reference does not use normal equations: rows sqrt(ridge) I follow those of A.
wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
below = np.sqrt(RIDGE) * np.eye(COLUMNS)
reference = np.array([
    np.linalg.lstsq(np.vstack([rows, below]),
                    np.append(target, np.zeros(COLUMNS)), rcond=None)[0]
    for rows, target in zip(wide_a, wide_b)])

# To first order, the error of x is N^-1 times the error of the equations N x = A' b. It
# consists of the errors of N = A' A + ridge I and A' b, sums of 50 terms, and the error
# of the solution, whose residual is below 4 u norm1(N) norm1(x)
# (docs/LinearAlgebra.md). The condition number of N is the square of that of A.
n = wide_a.transpose(0, 2, 1) @ wide_a + RIDGE * np.eye(COLUMNS)
sizes = np.abs(wide_a).transpose(0, 2, 1)
norm = lambda v: np.linalg.norm(v, axis=-1)
gram = (np.linalg.norm(sizes @ np.abs(wide_a), axis=(1, 2)) + RIDGE)
sums = norm(np.einsum("pcr,pr->pc", sizes, np.abs(wide_b)))
solution = 4 * np.linalg.norm(n, 1, axis=(1, 2)) * np.abs(reference).sum(-1)
residual = UNIT * ((ROWS + 1) * (gram * norm(reference) + sums) + solution)
bound = np.linalg.norm(np.linalg.inv(n), 2, axis=(1, 2)) * residual
check_near(x, reference, np.repeat(bound[:, None], COLUMNS, 1),
           "normal equations of %d problems" % problems)
print("greatest condition of a matrix: %.0f" % np.linalg.cond(n).max())
