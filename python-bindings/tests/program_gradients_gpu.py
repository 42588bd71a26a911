# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derives the gradients of the programs' kernels on a GPU, for PyTorch tensors, and
compares them with NumPy in float64. For each kernel and type it prints a line with the
greatest error, as a share of the allowed error. Needs PyTorch.

  python3 program_gradients_gpu.py [NAME...]
"""

import sys
import traceback

import numpy as np

from program_gradient_cases import CASES
from programs_gpu import Torch


def run(side, case, dtype):
    """Returns the greatest error of a case, as a share of the allowed error."""
    given, arrays = {}, {}
    for key, value in case.make(np.random.default_rng(7)).items():
        given[key] = arrays[key] = value
        if isinstance(value, np.ndarray):
            to = dtype if value.dtype == np.float64 else str(value.dtype)
            given[key] = side.put(value, to)
            arrays[key] = side.get(given[key])
    found = case.derive()(*given.values(), **case.constants)
    return case.check(arrays, tuple(map(side.get, found)), dtype)


def main():
    side, failed = Torch("cuda"), 0
    for name in sys.argv[1:] or CASES:
        for dtype in ("float32", "float16", "bfloat16"):
            try:
                share = run(side, CASES[name], dtype)
                print(f"{name} of {dtype}: {share:.2g} of the bound", flush=True)
            except Exception:
                failed += 1
                traceback.print_exc(limit=-2, file=sys.stdout)
                print(f"{name} of {dtype}: FAILED", flush=True)
    if failed:
        sys.exit(f"expected all gradients to be right, got {failed} that are not")
    print("all right")


if __name__ == "__main__":
    main()
