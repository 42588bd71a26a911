# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from example import Example, check_gemm

check_gemm(Example("gemm_f32.mlir", size=(1024, 1024, 1024)), "gemm_f32", "f32")
