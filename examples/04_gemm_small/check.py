# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_gemm

example = Example("gemm_small.mlir")
example.size = (56, 20, 48)
check_gemm(example, "gemm_small", "f32")
