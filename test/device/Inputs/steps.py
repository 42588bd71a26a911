# steps.py - the classic steps of an f32 matmul, at sizes of all kinds
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   steps.py --on=emulator --arch=sm_90
#   steps.py --on=cuda --arch=sm_90
#
# The arguments are those of harness.py; the bound is that of `products.py`.

import pathlib
import sys

import products

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] /
                       "benchmarks"))

import sgemm_steps

# The sizes are less than a tile, odd rows, several tiles and a remainder, and
# whole tiles, whose rows are multiples of 16 bytes.
SIZES = [(1, 1, 1), (17, 33, 65), (130, 72, 36), (256, 128, 64)]


def main():
    checked = products.Matmuls(prints=False)
    for step in sgemm_steps.STEPS:
        for size in SIZES:
            checked.check(sgemm_steps.get_program(step), size)
    print("all steps within the bound")


if __name__ == "__main__":
    main()
