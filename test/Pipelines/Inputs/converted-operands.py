# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# converted-operands.py FOLDER ARCHITECTURE: multiplies tiles that elementwise operations
# convert on their way to shared memory, on the emulator under several schedules, and
# compares the results with float64. Elements are small integers, so that sums are exact.

import subprocess
import sys
from pathlib import Path

import numpy as np

folder, arch = Path(sys.argv[1]), sys.argv[2]
folder.mkdir(exist_ok=True)

A = "    %x = tile.load %A[%m, %k] : !f16s -> !tile.tile<128x64xf16>\n"
B = """    %b = tile.load %B[%k, %n] : !i8s -> !tile.tile<64x128xi8>
    %w = tile.cast %b : !tile.tile<64x128xi8> to !tile.tile<64x128xf16>
"""
B_BY_COLUMNS = "    %b = tile.load %B[%n, %k] : !i8s -> !tile.tile<128x64xi8>\n"
SCALED = """    %f = tile.broadcast %s : !tile.tile<128xf16> to !tile.tile<64x128xf16>
    %y = arith.mulf %w, %f : !tile.tile<64x128xf16>
"""
PLAIN = B.replace("%w", "%y")



def get_groups(rows, s, group=64):
    """Returns the scale of each element: groups of rows have scales of their own."""
    return s[None] + (np.arange(rows) // group * group % 3)[:, None]


# The code that makes the operands %x and %y, the tiling of the matmul, whether B is stored
# by columns, and the matrices to multiply.
PROGRAMS = {
    "weights": (A + B + SCALED, "", False, lambda a, b, s: (a, b * s)),
    "before": (B + SCALED + A, "", False, lambda a, b, s: (a, b * s)),
    "groups": (A + B + """    %g = tile.load %G[%k, %n] : !f16s -> !tile.tile<1x128xf16>
    %f = tile.broadcast %g : !tile.tile<1x128xf16> to !tile.tile<64x128xf16>
    %y = arith.mulf %w, %f : !tile.tile<64x128xf16>
""", "", False, lambda a, b, s: (a, b * get_groups(len(b), s))),
    "zero_points": (A + B + """    %g = tile.load %G[%k, %n] : !f16s -> !tile.tile<1x128xf16>
    %h = tile.load %G[%k, %c0] : !f16s -> !tile.tile<64x1xf16>
    %p = tile.broadcast %g : !tile.tile<1x128xf16> to !tile.tile<64x128xf16>
    %q = tile.broadcast %h : !tile.tile<64x1xf16> to !tile.tile<64x128xf16>
    %z = arith.subf %w, %p : !tile.tile<64x128xf16>
    %y = arith.mulf %z, %q : !tile.tile<64x128xf16>
""", "", False, lambda a, b, s: (
    a, (b - get_groups(len(b), s)) * get_groups(len(b), s[:1], 1))),
    "view": (A.replace("%A[", "%V[").replace("    %x", """
    %V = memref.cast %A : !f16s to !views
    %x""").replace("!f16s ->", "!views ->") + PLAIN, "", False, lambda a, b, s: (a, b)),
    "two_stages": (A + PLAIN, "tiling <stages = 2>", False, lambda a, b, s: (a, b)),
    "four_stages": (A + PLAIN, "tiling <stages = 4>", False, lambda a, b, s: (a, b)),
    "unsigned": (A + B.replace("%b :", "%b unsigned :") + SCALED, "", False,
                 lambda a, b, s: (a, (b % 256) * s)),
    "both": ("""    %a = tile.load %A8[%m, %k] : !i8s -> !tile.tile<128x64xi8>
    %x = tile.cast %a : !tile.tile<128x64xi8> to !tile.tile<128x64xf16>
""" + PLAIN, "", False, lambda a, b, s: (a, b)),
    "transposed_after": (A + B_BY_COLUMNS + """
    %w = tile.cast %b : !tile.tile<128x64xi8> to !tile.tile<128x64xf16>
    %y = tile.transpose %w [1, 0] : !tile.tile<128x64xf16> to !tile.tile<64x128xf16>
""", "", True, lambda a, b, s: (a, b)),
    "transposed_before": (A + B_BY_COLUMNS + """
    %t = tile.transpose %b [1, 0] : !tile.tile<128x64xi8> to !tile.tile<64x128xi8>
    %y = tile.cast %t : !tile.tile<64x128xi8> to !tile.tile<64x128xf16>
""", "", True, lambda a, b, s: (a, b)),
    "as_floats": ("""    %a = tile.load %A[%m, %k] : !f16s -> !tile.tile<128x64xf16>
    %x = tile.cast %a : !tile.tile<128x64xf16> to !tile.tile<128x64xf32>
""" + PLAIN.replace("xf16", "xf32"), "", False, lambda a, b, s: (a, b)),
}

PROGRAM = """
!f16s = memref<?x?xf16, strided<[?, 1]>>
!i8s = memref<?x?xi8, strided<[?, 1]>>
!views = memref<?x?xf16, strided<[?, 1], offset: ?>>
!f32s = memref<?x?xf32, strided<[?, 1]>>
tile.kernel @multiply(%A: !f16s, %A8: !i8s, %B: !i8s, %S: memref<?xf16>, %G: !f16s, %C: !f32s)
    attributes {{grid = #tile.grid<affine_map<(m, n) -> (n ceildiv 128, m ceildiv 128)>
                                  of [[5, 0], [5, 1]]>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = arith.constant 128 : index
  %step = arith.constant 64 : index
  %i = tile.program_id y
  %j = tile.program_id x
  %m = arith.muli %i, %tile : index
  %n = arith.muli %j, %tile : index
  %K = memref.dim %A, %c1 : !f16s
  %s = tile.load %S[%n] : memref<?xf16> -> !tile.tile<128xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %sum = scf.for %k = %c0 to %K step %step iter_args(%acc = %zero)
      -> !tile.tile<128x128xf32> {{
{operands}
    %d = tile.matmul %x, %y, %acc {tiling}
        : !tile.tile<128x64x{type}>, !tile.tile<64x128x{type}> -> !tile.tile<128x128xf32>
    scf.yield %d : !tile.tile<128x128xf32>
  }}
  tile.store %sum, %C[%m, %n] : !tile.tile<128x128xf32>, !f32s
  tile.return
}}
"""


def run(name, m, n, k):
    """Multiplies matrices by a program, and compares the result."""
    operands, tiling, is_by_columns, reference = PROGRAMS[name]
    element = "f32" if name == "as_floats" else "f16"
    (folder / f"{name}.mlir").write_text(
        PROGRAM.format(operands=operands, tiling=tiling, type=element))
    rng = np.random.default_rng(m + n + k)
    a = rng.integers(-8, 9, (m, k))
    b = rng.integers(-128, 128, (k, n))
    s = rng.integers(1, 4, n)
    arrays = {"A": a.astype(np.float16), "A8": a.astype(np.int8),
              "B": (b.T if is_by_columns else b).astype(np.int8),
              "S": s.astype(np.float16),
              "G": (s[None] + (np.arange(k) % 3)[:, None]).astype(np.float16),
              "C": np.full((m, n), np.nan, np.float32)}
    for key, value in arrays.items():
        np.save(folder / f"{key}.npy", np.ascontiguousarray(value))
    subprocess.run(["tile-run", "--on=emulator", f"--arch={arch}", "--quiet",
                    "--schedules=2", folder / f"{name}.mlir", "multiply",
                    *(folder / f"{key}.npy" for key in ["A", "A8", "B", "S", "G"]),
                    f"inout={folder / 'C.npy'}"], check=True)
    x, y = reference(a.astype(float), b, s)
    found = np.load(folder / "C.npy")
    assert (found == x @ y).all(), (name, m, n, k)


SIZES = [(130, 144, 208), (128, 16, 64), (33, 65, 70), (64, 128, 0)]
for name in PROGRAMS:
    for size in SIZES:
        run(name, *size)
print(f"{len(PROGRAMS)} programs, {len(SIZES)} sizes on {arch}")
