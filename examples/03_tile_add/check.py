# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_equal

example = Example("tile_add.mlir")
a, b = example.normal(16, 16), example.normal(16, 16)
check_equal(example.run("tile_add", [a, b], a.shape), a + b, "tile_add")
