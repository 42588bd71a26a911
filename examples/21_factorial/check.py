# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_equal

example = Example("factorial.mlir")
product = example.run("factorial", [], (1,))
check_equal(product, np.array([math.factorial(9)], dtype=np.int32), "factorial")
print(*product)
