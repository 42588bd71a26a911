# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# widen-bytes.py FOLDER: converts every 8-bit integer, in order and shuffled, to each type
# of floating point on the emulator, and compares the results with the integers. Tiles of
# 1 to 9 elements have rests of every size.

import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
folder.mkdir(exist_ok=True)


def write(element, sign, extent):
    """Writes a program that converts an array, `extent` elements at a time."""
    path = folder / f"{element}{sign}{extent}.mlir"
    path.write_text(f"""
tile.kernel @widen(%x: memref<?xi8>, %y: memref<?xf32>) {{
  %n = arith.constant {extent} : index
  %p = tile.program_id x
  %i = arith.muli %p, %n : index
  %b = tile.load %x[%i] : memref<?xi8> -> !tile.tile<{extent}xi8>
  %f = tile.cast %b{sign} : !tile.tile<{extent}xi8> to !tile.tile<{extent}x{element}>
  %w = tile.cast %f : !tile.tile<{extent}x{element}> to !tile.tile<{extent}xf32>
  tile.store %w, %y[%i] : !tile.tile<{extent}xf32>, memref<?xf32>
  tile.return
}}
""")
    return path


def run(program, extent, arch, integers):
    """Returns the converted integers."""
    source, result = folder / "x.npy", folder / "y.npy"
    np.save(source, integers)
    np.save(result, np.full(integers.shape, np.nan, np.float32))
    subprocess.run(["tile-run", "--on=emulator", f"--arch={arch}", "--quiet",
                    f"--grid={-(-len(integers) // extent)},1,1", program, "widen",
                    source, f"inout={result}"], check=True)
    return np.load(result)


codes = np.concatenate([np.arange(256), np.random.default_rng(0).permutation(256)])
cases = 0
for element, sign, extent in itertools.product(
        ["f16", "bf16", "f32"], ["", " unsigned"], [1, 3, 9, 64, 512]):
    integers = codes.astype(np.uint8).view(np.uint8 if sign else np.int8)
    program = write(element, sign, extent)
    found = run(program, extent, "sm_90" if extent == 9 else "sm_80", integers.view(np.int8))
    assert (found == integers).all(), (element, sign, extent, integers, found)
    cases += 1
print(f"{cases} programs, {cases * len(codes)} integers")
