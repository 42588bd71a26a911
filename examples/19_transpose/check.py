# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_equal

example = Example("transpose.mlir", size=(150, 77))
m, n = example.size
a = example.normal(m, n)
check_equal(example.run("transpose", [a], (n, m)), a.T,
            "transpose of %dx%d" % example.size)
