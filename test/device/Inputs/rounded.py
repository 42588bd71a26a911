# rounded.py - tf32 matmuls with an instruction that truncates, after rounding
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   rounded.py --on=emulator --arch=sm_90a
#
# The arguments are those of harness.py. Each element is a small integer times
# 1 - 2^-14: rounded to nearest it is the integer, truncated it is one unit less. The
# exact matmuls of the integers thus tell whether every element was rounded.

import pathlib
import sys

import harness
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] /
                       "benchmarks"))

import product
from products import lay, lay_anywhere, run

# The compiler's own choice; stages from one to four, steps with padding, several
# rows and columns of instructions, and several groups of warps named.
PROGRAMS = ["gemm_tf32_nt_128x256x32", "gemm_tf32_nt_64x64x32_m64nNk8",
            "gemm_tf32_nt_128x72x24_m64nNk8_s1", "gemm_tf32_nt_70x40x20_m64nNk8_s2",
            "gemm_tf32_nt_128x64x16_b128_m64nNk8_s3",
            "gemm_tf32_nt_64x128x32_b256_w4x2_m64nNk8_s4"]
SIZES = [(1, 1, 1), (17, 33, 65), (130, 70, 0), (200, 136, 72), (129, 257, 161)]
# Offsets of A and B in elements from a multiple of 16 bytes, and gaps between rows.
ANYWHERE = [((0, 0), (0, 0)), ((1, 3), (0, 1)), ((2, 0), (3, -1))]
LARGE = (1000, 1000, 1000)
RANDOM = np.random.default_rng(14)


def draw(shape):
    """Returns the integers, and the values that round to them."""
    integers = RANDOM.integers(-8, 9, shape).astype(np.float64)
    return integers, (integers * (1 - 2.0 ** -14)).astype(np.float32)


def check(program, size, offsets=(0, 0), gaps=None):
    m, n, k = size
    (a, near_a), (b, near_b) = draw((m, k)), draw((k, n))
    if gaps is None:
        laid = lay(near_a, "n"), lay(near_b, "t")
    else:
        laid = (lay_anywhere(near_a, "n", offsets[0], gaps[0]),
                lay_anywhere(near_b, "t", offsets[1], gaps[1]))
    out = run(program, *laid, (m, n))
    harness.same(out, (a @ b).astype(np.float32),
                 "%s %s" % (program.name, product.format_pair(size)))


def verify_cut_differs():
    """Verifies that the test can fail: most matmuls of truncated operands differ."""
    (a, near_a), (b, near_b) = draw((64, 72)), draw((72, 64))
    cut_a, cut_b = ((x.view(np.uint32) & ~np.uint32(0x1fff)).view(np.float32)
                    for x in (near_a, near_b))
    for matmul_of_cut in (cut_a.astype(float) @ b, a @ cut_b.astype(float)):
        same = np.mean(matmul_of_cut == a @ b)
        if same > 0.1:
            sys.exit("expected products of cut operands to be off, got %g that "
                     "are not" % same)


def main():
    harness.MACHINE = sys.argv[1:]
    verify_cut_differs()
    for name in PROGRAMS:
        program = product.parse_name(name)
        for size in SIZES:
            check(program, size)
        for offsets, gaps in ANYWHERE:
            check(program, (67, 70, 129), offsets, gaps)
    check(product.parse_name(PROGRAMS[0]), LARGE)
    print("all rounded to nearest")


if __name__ == "__main__":
    main()
