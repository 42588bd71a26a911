#!/usr/bin/env python3
# check_reference.py - tests the reference's constants and the comparison of results
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   check_reference.py FOLDER

import sys

import numpy as np

from compare import get_problem
from reference import Reference

PROGRAM = """
func.func @constants(%a: tensor<4xf16>)
    -> (tensor<4xf16>, tensor<4xf32>, tensor<4xbf16>) {
  %listed = arith.constant dense<[1.0, 0.1, 0x7C00, -2.0]> : tensor<4xf16>
  %blob = arith.constant dense<"0x003C0040004200C4"> : tensor<4xf16>
  %bf16 = arith.constant dense<[1.0, 0.1, 0x7F80, -2.0]> : tensor<4xbf16>
  %sum = arith.addf %a, %listed : tensor<4xf16>
  %wide = arith.extf %blob : tensor<4xf16> to tensor<4xf32>
  return %sum, %wide, %bf16 : tensor<4xf16>, tensor<4xf32>, tensor<4xbf16>
}
"""


def main(folder):
    path = folder + "/constants.mlir"
    with open(path, "w") as file:
        file.write(PROGRAM)
    reference = Reference(path, folder)
    for array in reference.run("constants", [np.array([0, 2, 0, 0], "f2")]):
        print(array.tolist())
    exact = np.array([1.0, 2.0, 3.0])
    for value in 2.0, 2.01:
        found = np.array([1, value, 3], "f4")
        print(get_problem(found, exact, 1e-3, found.dtype))


if __name__ == "__main__":
    main(*sys.argv[1:])
