# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_equal

example = Example("arg_max.mlir", size=(11,))
rows, = example.size
# The elements are multiples of 0.5, so that several of them are the largest.
x = np.rint(2 * example.normal(rows, 300)) / 2
x = x.astype(np.float32)
greatest, indices = example.run_all("arg_max", [x], [(rows,), (rows,)])
check_equal(greatest, x.max(axis=1), "arg_max of %d rows, values" % rows)
check_equal(indices, x.argmax(axis=1), "arg_max of %d rows, places" % rows)
