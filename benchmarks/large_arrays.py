#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies boxes of arrays that have more than 2^31 elements (i8, f16) or more than 4 GiB
(f16, f32).

  python3 large_arrays.py --compile build/bin/tile-compile --cubins DIR --only compile
  python3 large_arrays.py --cubins DIR

The second command needs PyTorch and a GPU with 24 GiB of free memory. Boxes lie at the
start and the end, partly outside, and across element 2^31 and byte 2^32 if the array
has them. Bytes outside a box must not change. The exit status is 1 if a box is wrong.
"""

import argparse
import sys
from pathlib import Path

import launcher
from launcher import Array, BenchmarkError

COLUMNS = 65536
ROWS = {"i8": 49152, "f16": 40960, "f32": 20480}
BOX = (64, 128)
PROGRAM = """#one = #tile.grid<affine_map<() -> (1)> of []>
tile.kernel @move(%x: memref<?x?xE>, %i: index, %j: index, %y: memref<?x?xE>) attributes {grid = #one} {
  %t = tile.load %x[%i, %j] : memref<?x?xE> -> !tile.tile<64x128xE>
  tile.store %t, %y[%i, %j] : !tile.tile<64x128xE>, memref<?x?xE>
  tile.return
}
tile.kernel @move_rows(%x: memref<?x?xE>, %i: i64, %j: index, %y: memref<?x?xE>) attributes {grid = #one} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %rows = tile.iota axis 0 from %i step %one : !tile.tile<64x1xi64>
  %t = tile.gather %x[%zero, %j] at %rows axis 0 : memref<?x?xE>, !tile.tile<64x1xi64> -> !tile.tile<64x128xE>
  tile.scatter %t, %y[%zero, %j] at %rows axis 0 : !tile.tile<64x128xE>, memref<?x?xE>, !tile.tile<64x1xi64>
  tile.return
}
"""


def write_programs(folder):
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for element in ROWS:
        paths.append(folder / f"large_{element}.mlir")
        paths[-1].write_text(PROGRAM.replace("xE>", f"x{element}>"))
    return paths


def list_offsets(element):
    """Lists the offsets of the boxes."""
    rows = ROWS[element]
    at = lambda index: (index // COLUMNS - 1, index % COLUMNS)
    boundaries = [2 ** 31, 2 ** 32 // launcher.BYTES[element]]
    inside = [at(n) for n in boundaries if n < rows * COLUMNS]
    return [(0, 0), (rows - 64, COLUMNS - 128), (rows - 7, COLUMNS - 19),
            (-3, -5), (rows // 2 + 1, 12345)] + inside


def check(torch, driver, kernel, x, y, offsets):
    """Returns the number of elements that differ from the expected ones."""
    y.fill_(77)
    arguments = [Array(x.data_ptr(), tuple(x.shape), tuple(x.stride())),
                 *offsets,
                 Array(y.data_ptr(), tuple(y.shape), tuple(y.stride()))]
    launch = launcher.Launch(driver, kernel, arguments, allocate=None)
    launch(torch.cuda.current_stream().cuda_stream)
    torch.cuda.synchronize()
    rows, columns = (slice(max(at, 0), at + extent)
                     for at, extent in zip(offsets, BOX))
    wrong = (y[rows, columns] != x[rows, columns]).sum().item()
    y[rows, columns] = 77
    return wrong + sum((part != 77).sum().item() for part in y.split(4096))


def measure(folder):
    import torch
    torch.manual_seed(1)
    torch.cuda.init()
    torch.zeros(1, device="cuda")
    driver = launcher.Driver()
    dtypes = {"i8": torch.int8, "f16": torch.float16, "f32": torch.float32}
    failed = 0
    for kernel in launcher.load_kernels(folder):
        element = kernel.cubin.stem.split("_")[1]
        shape = (ROWS[element], COLUMNS)
        if element == "i8":
            x = torch.randint(-128, 128, shape, dtype=torch.int8, device="cuda")
        else:
            x = torch.empty(shape, dtype=dtypes[element], device="cuda").normal_()
        y = torch.empty_like(x)
        for offsets in list_offsets(element):
            wrong = check(torch, driver, kernel, x, y, offsets)
            failed += wrong != 0
            print(f"{element} {kernel.name} at {offsets}: {wrong} differ")
        del x, y
    return failed


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cubins", type=Path, required=True)
    parser.add_argument("--compile", type=Path)
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--only", choices=["compile"])
    options = parser.parse_args()
    try:
        if options.compile:
            paths = write_programs(options.cubins)
            if launcher.compile_programs(options.compile, paths, options.cubins,
                                         options.arch):
                sys.exit(1)
        if options.only != "compile" and measure(options.cubins):
            sys.exit(1)
    except BenchmarkError as error:
        sys.exit(f"large_arrays.py: error: {error}")


if __name__ == "__main__":
    main()
