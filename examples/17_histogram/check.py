# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_equal

# The length is not a multiple of a block; some values lie below 0 or above 255.
example = Example("histogram.mlir", size=(10007,))
n, = example.size
values = np.rint(128 + 60 * example.normal(n)).astype(np.int32)
counts = example.update("histogram", [values], np.zeros(256, dtype=np.int32))
inside = values[(values >= 0) & (values < 256)]
check_equal(counts, np.bincount(inside, minlength=256),
            "histogram of %d values, %d of them inside" % (n, inside.size))
