# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import UNIT, Example, check_equal, check_near

# --size=TABLE,LABELS,COLUMNS
example = Example("embedding.mlir", size=(23, 37, 300))
height, count, columns = example.size
table = example.normal(height, columns)
labels = example.random.integers(0, height, count, dtype=np.int32)
size = "%d labels in %dx%d" % (count, height, columns)
rows = example.run("embedding", [table, labels], (count, columns))
check_equal(rows, table[labels], "embedding of %s" % size)

gradients = example.normal(count, columns)
total = example.update("embedding_gradient", [gradients, labels], table)
reference, sizes = table.astype(np.float64), np.abs(table).astype(np.float64)
np.add.at(reference, labels, gradients)
np.add.at(sizes, labels, np.abs(gradients))
# Each addition to a row rounds the row once.
times = np.bincount(labels, minlength=height)[:, None]
check_near(total, reference, times * UNIT * sizes,
           "embedding_gradient of %s" % size)
