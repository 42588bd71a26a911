# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# nest.py FOLDER ARCHITECTURE: multiplies matrices by programs in which each block loops
# over tiles of the result, on the emulator under several schedules, and compares the
# results with float64. Elements are small integers, so that sums are exact.

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

folder, arch = Path(sys.argv[1]), sys.argv[2]
folder.mkdir(exist_ok=True)


@dataclass(frozen=True)
class Program:
    """A tile of the result and its step along K, types of operands and result, options
    of the matmul, and the number of blocks."""
    m: int
    n: int
    k: int
    operand: str = "f16"
    result: str = "f32"
    options: str = ""
    blocks: int = 2


PROGRAMS = {
    "two_stages": Program(64, 32, 32, options="tiling <stages = 2>"),
    "three_stages": Program(64, 64, 32, options="tiling <stages = 3>"),
    "five_stages": Program(64, 64, 16, options="tiling <stages = 5>", blocks=1),
    "rounded": Program(128, 64, 32, operand="f32", options="precision tf32"),
    "by_fma": Program(32, 32, 8, operand="f64", result="f64"),
    "parts": Program(128, 256, 64, result="f16"),
    "narrow": Program(64, 24, 48, result="f16", blocks=3),
}
TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}

PROGRAM = """
!operands = memref<?x?x{operand}, strided<[?, 1]>>
!results = memref<?x?x{result}, strided<[?, 1]>>
!acc = !tile.tile<{m}x{n}x{acc}>
!rows = !tile.tile<{m}x{k}x{operand}>
!columns = !tile.tile<{k}x{n}x{operand}>
tile.kernel @multiply(%A: !operands, %B: !operands, %C: !results)
    attributes {{grid = #tile.grid<affine_map<(m) -> ({blocks})> of [[2, 0]]>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant {m} : index
  %n = arith.constant {n} : index
  %step = arith.constant {k} : index
  %band = arith.constant 2 : index
  %first = tile.program_id x
  %blocks = arith.constant {blocks} : index
  %M = memref.dim %C, %c0 : !results
  %N = memref.dim %C, %c1 : !results
  %K = memref.dim %A, %c1 : !operands
  %tiles_m = arith.ceildivsi %M, %m : index
  %tiles_n = arith.ceildivsi %N, %n : index
  %tiles = arith.muli %tiles_m, %tiles_n : index
  %of_band = arith.muli %band, %tiles_n : index
  %zero = arith.constant dense<0.0> : !acc
  scf.for %t = %first to %tiles step %blocks {{
    %g = arith.divsi %t, %of_band : index
    %begin = arith.muli %g, %band : index
    %left = arith.subi %tiles_m, %begin : index
    %height = arith.minsi %left, %band : index
    %inside = arith.remsi %t, %of_band : index
    %di = arith.remsi %inside, %height : index
    %i = arith.addi %begin, %di : index
    %j = arith.divsi %inside, %height : index
    %row = arith.muli %i, %m : index
    %column = arith.muli %j, %n : index
    %sum = scf.for %k = %c0 to %K step %step iter_args(%acc = %zero) -> !acc {{
      %a = tile.load %A[%row, %k] : !operands -> !rows
      %b = tile.load %B[%k, %column] : !operands -> !columns
      %d = tile.matmul %a, %b, %acc {options} : !rows, !columns -> !acc
      scf.yield %d : !acc
    }}
    {store}
  }}
  tile.return
}}
"""
STORE = "tile.store %sum, %C[%row, %column] : !acc, !results"
CAST = """%r = tile.cast %sum : !acc to !tile.tile<{m}x{n}xf16>
    tile.store %r, %C[%row, %column] : !tile.tile<{m}x{n}xf16>, !results"""


def write(name):
    program = PROGRAMS[name]
    is_cast = program.result == "f16"
    (folder / f"{name}.mlir").write_text(PROGRAM.format(
        acc="f32" if is_cast else program.result,
        store=CAST.format(m=program.m, n=program.n) if is_cast else STORE,
        **vars(program)))


def run(name, m, n, k):
    """Multiplies matrices by a program, and compares the result."""
    program = PROGRAMS[name]
    rng = np.random.default_rng(m + n + k)
    a = rng.integers(-3, 4, (m, k))
    b = rng.integers(-3, 4, (k, n))
    for key, value in {"A": a, "B": b}.items():
        np.save(folder / f"{key}.npy", value.astype(TYPES[program.operand]))
    np.save(folder / "C.npy", np.full((m, n), np.nan, TYPES[program.result]))
    subprocess.run(["tile-run", "--on=emulator", f"--arch={arch}", "--quiet",
                    "--schedules=2", folder / f"{name}.mlir", "multiply",
                    folder / "A.npy", folder / "B.npy", f"inout={folder / 'C.npy'}"],
                   check=True)
    found = np.load(folder / "C.npy")
    assert (found == a @ b).all(), (name, m, n, k)


RANDOM_ROWS = """
!operands = memref<?x?xf16, strided<[?, 1]>>
!results = memref<?x?xf32, strided<[?, 1]>>
!acc = !tile.tile<32x32xf32>
tile.kernel @multiply(%A: !operands, %B: !operands, %C: !results, %seed: index, %n: index)
    attributes {grid = #tile.grid<affine_map<(m) -> (1)> of [[2, 0]]>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %factor = arith.constant 6364136223846793005 : index
  %summand = arith.constant 1442695040888963407 : index
  %K = memref.dim %A, %c1 : !operands
  %zero = arith.constant dense<0.0> : !acc
  %last = scf.for %t = %c0 to %n step %c1 iter_args(%state = %seed) -> index {
    %row = arith.remsi %state, %c48 : index
    %sum = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero) -> !acc {
      %a = tile.load %A[%row, %k] : !operands -> !tile.tile<32x32xf16>
      %b = tile.load %B[%k, %c0] : !operands -> !tile.tile<32x32xf16>
      %d = tile.matmul %a, %b, %acc
          : !tile.tile<32x32xf16>, !tile.tile<32x32xf16> -> !acc
      scf.yield %d : !acc
    }
    %to = arith.muli %t, %c32 : index
    tile.store %sum, %C[%to, %c0] : !acc, !results
    %scaled = arith.muli %state, %factor : index
    %next = arith.addi %scaled, %summand : index
    scf.yield %next : index
  }
  tile.return
}
"""


def run_random_rows(seed=12345, count=6):
    """Loads from rows that a generator of random integers selects, whose state overflows:
    a negative row has no elements in the array, and is zero."""
    (folder / "rows.mlir").write_text(RANDOM_ROWS)
    rng = np.random.default_rng(seed)
    a, b = rng.integers(-3, 4, (64, 96)), rng.integers(-3, 4, (96, 32))
    padded = np.vstack([np.zeros((48, 96)), a, np.zeros((32, 96))])
    state, results, rows = seed, [], []
    for _ in range(count):
        rows.append(abs(state) % 48 * (1 if state >= 0 else -1))
        results.append(padded[48 + rows[-1]:][:32] @ b)
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        state -= 2**64 * (state >= 2**63)
    assert min(rows) < 0 < max(rows)
    np.save(folder / "A.npy", a.astype(np.float16))
    np.save(folder / "B.npy", b.astype(np.float16))
    np.save(folder / "C.npy", np.full((32 * count, 32), np.nan, np.float32))
    subprocess.run(["tile-run", "--on=emulator", f"--arch={arch}", "--quiet",
                    folder / "rows.mlir", "multiply", folder / "A.npy",
                    folder / "B.npy", f"inout={folder / 'C.npy'}", str(seed),
                    str(count)], check=True)
    assert (np.load(folder / "C.npy") == np.vstack(results)).all()


def write_shared_operands(levels=64):
    """Writes a program whose rows are computed by expressions with shared operands, and by
    branches that follow each other: a search that visits each path of them never ends."""
    lines, row, branch = [], "%start", "%start"
    for i in range(levels):
        lines += [f"%x{i} = arith.xori {row}, %start : index",
                  f"%y{i} = arith.muli {row}, %x{i} : index",
                  f"%z{i} = scf.if %c -> index {{\n  scf.yield {branch} : index\n"
                  f"}} else {{\n  %s{i} = arith.addi {branch}, {branch} : index\n"
                  f"  scf.yield %s{i} : index\n}}"]
        row, branch = f"%y{i}", f"%z{i}"
    body = "\n    ".join(lines)
    (folder / "shared.mlir").write_text(f"""
tile.kernel @rows(%A: memref<?x?xf16>, %C: memref<?x?xf32>, %c: i1, %n: index) {{
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  scf.for %start = %c0 to %n step %c32 {{
    {body}
    %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero)
        -> !tile.tile<32x32xf32> {{
      %a = tile.load %A[{row}, %k] : memref<?x?xf16> -> !tile.tile<32x32xf16>
      %b = tile.load %A[%k, {branch}] : memref<?x?xf16> -> !tile.tile<32x32xf16>
      %d = tile.matmul %a, %b, %acc
          : !tile.tile<32x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<32x32xf32>
      scf.yield %d : !tile.tile<32x32xf32>
    }}
    tile.store %sum, %C[%start, %c0] : !tile.tile<32x32xf32>, memref<?x?xf32>
  }}
  tile.return
}}
""")


# The sizes give loops without a step, fewer steps than stages, rows of any alignment, one
# tile, and blocks without a tile.
SIZES = [(130, 144, 208), (192, 96, 64), (96, 64, 16), (33, 65, 70), (70, 30, 1),
         (1, 8, 136), (65, 33, 0)]
for name in PROGRAMS:
    write(name)
    for size in SIZES:
        run(name, *size)
run_random_rows()
write_shared_operands()
print(f"{len(PROGRAMS)} programs, {len(SIZES)} sizes on {arch}")
