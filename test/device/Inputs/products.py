# products.py - matrix products of each operand order, batched, of odd sizes
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   products.py --on=cpu
#   products.py --on=emulator --arch=sm_90
#   products.py --on=cuda --arch=sm_80
#
# The program of each variant is written here. For a GPU it is compiled first,
# and the cubin is run. Outputs are NaN before each run; the bound is
# |out - ref| <= c (|A||B|) + u |ref|, c = K 2^-23 for f16 and K 2^-24 for f32.

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

MACHINE = sys.argv[1:]
# A tile for each element type: M, N, K.
TILES = {"f16": (64, 64, 32), "f32": (32, 64, 16)}
TYPES = {"f16": np.float16, "f32": np.float32}
ROUNDING = {"f16": 2.0 ** -23, "f32": 2.0 ** -24}
SIZES = [(1, 1, 1), (17, 33, 65), (64, 128, 96), (130, 70, 0), (200, 136, 72)]
# Of integers, to the bit.
EXACT = (67, 70, 129)
RANDOM = np.random.default_rng(6)


def write_program(element, orders, isBatched):
    """C = A B; A and B by rows ("R") or columns ("C") as `orders` says."""
    m, n, k = TILES[element]
    strides = {"R": "?, 1", "C": "1, ?"}
    batch = "?x" if isBatched else ""
    outer = "?, " if isBatched else ""

    def array(order, element):
        return "memref<%s?x?x%s, strided<[%s%s]>>" % (
            batch, element, outer, strides[order])

    offset = "%z, " if isBatched else ""
    return """
#grid = #tile.grid<affine_map<({dims}) -> (n ceildiv {n}, m ceildiv {m}{zgrid})>
                   of [{sources}]>
tile.kernel @gemm(%a: {A}, %b: {B}, %c: {C}) attributes {{grid = #grid}} {{
  %c0 = arith.constant 0 : index
  %kdim = arith.constant {kdim} : index
  %tm = arith.constant {m} : index
  %tn = arith.constant {n} : index
  %tk = arith.constant {k} : index
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %row = arith.muli %y, %tm : index
  %column = arith.muli %x, %tn : index
  %size = memref.dim %a, %kdim : {A}
  %zero = arith.constant dense<0.0> : !tile.tile<{m}x{n}xf32>
  %sum = scf.for %i = %c0 to %size step %tk iter_args(%acc = %zero)
      -> !tile.tile<{m}x{n}xf32> {{
    %ta = tile.load %a[{o}%row, %i] : {A} -> !tile.tile<{m}x{k}x{t}>
    %tb = tile.load %b[{o}%i, %column] : {B} -> !tile.tile<{k}x{n}x{t}>
    %d = tile.matmul %ta, %tb, %acc : !tile.tile<{m}x{k}x{t}>, !tile.tile<{k}x{n}x{t}> -> !tile.tile<{m}x{n}xf32>
    scf.yield %d : !tile.tile<{m}x{n}xf32>
  }}
  tile.store %sum, %c[{o}%row, %column] : !tile.tile<{m}x{n}xf32>, {C}
  tile.return
}}
""".format(A=array(orders[0], element), B=array(orders[1], element),
           C=array("R", "f32"), m=m, n=n, k=k, t=element, o=offset,
           kdim=2 if isBatched else 1,
           dims="m, n, b" if isBatched else "m, n",
           zgrid=", b" if isBatched else "",
           sources="[0, 1], [1, 2], [0, 0]" if isBatched else "[0, 0], [1, 1]")


def prepare(folder, text):
    """The file that tile-run takes."""
    program = folder / "program.mlir"
    program.write_text(text)
    if "--on=cuda" not in MACHINE:
        return program
    cubin = folder / "program.cubin"
    subprocess.run(["tile-compile", program, *MACHINE[1:], "-o", cubin],
                   check=True)
    return cubin


def draw_normal(shape):
    return RANDOM.standard_normal(shape)


def draw_integers(shape):
    """Numbers whose sums of products are exact in f32, in any order."""
    return RANDOM.integers(-8, 9, shape)


def check(folder, file, element, orders, shape, size, draw=draw_normal):
    """Runs one product and compares: within the bound, or exactly where the
    sums are exact."""
    m, n, k = size
    a, b = (draw(shape + s).astype(TYPES[element]) for s in ((m, k), (k, n)))
    names = []
    for name, array, order in (("a", a, orders[0]), ("b", b, orders[1])):
        names.append(str(folder / (name + ".npy")))
        np.save(names[-1], array if order == "R" else np.asfortranarray(array))
    out = folder / "c.npy"
    machine = MACHINE[:1] if "--on=cuda" in MACHINE else MACHINE
    subprocess.run(["tile-run", *machine, file, "gemm", *names,
                    "out=%s:%s" % (out, "x".join(map(str, shape + (m, n))))],
                   check=True, stdout=subprocess.DEVNULL)
    a, b = a.astype(float), b.astype(float)
    reference = a @ b
    bound = (k * ROUNDING[element] * (np.abs(a) @ np.abs(b))
             + 2.0 ** -24 * np.abs(reference))
    if draw is draw_integers:
        bound = np.zeros_like(reference)
    error = np.abs(np.load(out).astype(float) - reference)
    bad = np.argwhere(~(error <= bound))
    if bad.size:
        place = tuple(bad[0])
        sys.exit("%s %s %s %s: expected %r within %g, got an error of %g at %s"
                 % (element, orders, shape, size, reference[place],
                    bound[place], error[place], place))


def main():
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for element in TILES:
            for orders in ("RR", "RC", "CR", "CC"):
                file = prepare(folder, write_program(element, orders, False))
                for size in SIZES:
                    check(folder, file, element, orders, (), size)
                    count += 1
                check(folder, file, element, orders, (), EXACT, draw_integers)
                count += 1
            file = prepare(folder, write_program(element, "RR", True))
            for size in SIZES:
                check(folder, file, element, "RR", (3,), size)
                count += 1
    print(count, "products, all within the bound, exact where sums are")


if __name__ == "__main__":
    main()
