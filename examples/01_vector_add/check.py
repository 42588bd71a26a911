# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_equal

example = Example("vector_add.mlir")
a, b = example.normal(1000003), example.normal(1000003)
check_equal(example.run("vector_add", [a, b], a.shape), a + b, "vector_add")
