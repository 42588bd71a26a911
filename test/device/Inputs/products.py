# products.py - matmuls of every type and operand order, of odd sizes
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   products.py --on=cpu
#   products.py --on=emulator --arch=sm_90
#   products.py --on=cuda --arch=sm_80
#
# The arguments are those of harness.py, which ends the output with the numbers of runs
# and of programs that the compiler rejects. The line before lists the types of the
# latter. The programs are those of benchmarks/product.py with smaller tiles, and the
# bound is that of benchmarks/accuracy.py.
#
#   --quick         each type and order at one size
#   --type REGEX    some types
#   --order ORDER   one order
#   --size MxNxK    this size instead; may be repeated
#   --table         print the errors
#
# docs/Testing.md has the command for larger sizes, which are too long for a test, and
# their results.

import argparse
import functools
import pathlib
import re
import sys
import time

import harness
import numpy as np
from harness import DTYPES, Out, decode, encode

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "benchmarks"))

import accuracy
import tables
from product import ORDERS, TYPES, Program, format_pair, get_element

# The tile for a type; several instructions along K.
TILE = (64, 64, 32)
TILES = {"i8": (64, 64, 64), "e4m3": (64, 64, 64), "e5m2": (64, 64, 64),
         "e4m3fast": (64, 64, 64), "e5m2fast": (64, 64, 64),
         "f32": (32, 64, 16)}
SIZES = [(1, 1, 1), (17, 33, 65), (64, 48, 80)]
QUICK_SIZES = [(17, 33, 65)]
# Types that are also tested with K = 0, with several blocks, and with batches of all
# sizes.
MORE_TYPES = ("f16", "f32")
MORE_SIZES = [(130, 70, 0), (200, 136, 72)]
# Size of matmuls of small integers, which are exact.
EXACT = (67, 70, 129)
# Unaligned arrays: the offsets of A and B, in elements, from an address that is a
# multiple of 16 bytes, and the gaps between their rows. A negative value is ~gap, with
# the rows in reverse order. Strides are odd, multiples of two and multiples of four.
ANYWHERE_TYPES = ("f16", "i8")
ANYWHERE_SIZE = (17, 33, 65)
ANYWHERE = [((1, 7), (0, 0)), ((2, 6), (0, 0)), ((3, 5), (1, 3)),
            ((4, 4), (0, 2)), ((5, 0), (1, 1)), ((6, 1), (3, 3)),
            ((7, 2), (2, 0)), ((0, 3), (-1, -2))]
# Tiles of blocks that compute two and three matrices of the batch, in addition to
# blocks of one. With two, the last block has one matrix.
BATCH = 3
BATCH_TILES = [(2, 32, 48, 32), (3, 16, 16, 32)]
HEADER = ["product", "worst error / bound", "error in norm", "seconds"]
RANDOM = np.random.default_rng(6)


def make_program(name, order="nn", **others):
    return Program(name, order, TILES.get(name, TILE), **others)


def draw(shape, element):
    """Returns normally distributed values, or integers of the whole range."""
    if element.startswith("i"):
        info = np.iinfo(DTYPES[element])
        return RANDOM.integers(info.min, info.max, shape, info.dtype, True)
    values = RANDOM.standard_normal(shape)
    if element.startswith("complex"):
        values = values + 1j * RANDOM.standard_normal(shape)
    return encode(values, element)


def draw_small(shape, element):
    """Returns values whose matmuls are exact in f32 in any order of additions."""
    return encode(RANDOM.integers(-8, 9, shape).astype(float), element)


def lay(array, order):
    """Returns the array with its last two dimensions in this order in memory."""
    if order == "n":
        return array
    return np.ascontiguousarray(array.swapaxes(-1, -2)).swapaxes(-1, -2)


def lay_anywhere(array, order, offset, gap):
    """Returns the array as part of a buffer that is otherwise 0xFF bytes."""
    rows = array if order == "n" else array.T
    pitch = rows.shape[1] + (gap if gap >= 0 else ~gap)
    memory = np.frombuffer(
        b"\xff" * (array.itemsize * (offset + pitch * len(rows))),
        array.dtype).copy()
    elements = memory[offset:].reshape(len(rows), pitch)[:, :rows.shape[1]]
    if gap < 0:
        elements = elements[::-1]
    elements[:] = rows
    return elements if order == "n" else elements.T


class Matmuls:
    """Runs matmuls and compares them with NumPy; prints the errors if `prints`, and
    records the types that the compiler rejects."""

    def __init__(self, prints):
        self.prints = prints
        self.refused = []
        if prints:
            print(tables.format_table(HEADER, []), end="")

    def check(self, program, size, draw=draw, lays=(lay, lay)):
        """Checks one matmul. Integers, and operands that `draw_small` draws, must give
        the exact result; other results have a tolerance. The functions `lays` determine
        the memory layouts of A and B."""
        m, n, k = size
        outer = (BATCH,) if program.batched else ()
        a_type, b_type, c_type = map(get_element, (
            program.facts.a, program.facts.b, program.result_type))
        a, b = draw(outer + (m, k), a_type), draw(outer + (k, n), b_type)
        before, start = harness.COUNTS["refused"], time.monotonic()
        out = run(program, lays[0](a, program.order[0]),
                  lays[1](b, program.order[1]), (*outer, m, n))
        seconds = time.monotonic() - start
        if harness.COUNTS["refused"] > before:
            self.refused.append(program.type)
        what = "%s %s" % (program.name, format_pair(size))
        if program.facts.is_integer:
            wide = DTYPES[get_element(program.facts.acc)]
            with np.errstate(over="ignore"):
                expected = a.astype(wide) @ b.astype(wide)
            harness.same(out, expected, what)
            worst = norm = 0.0
        else:
            worst, norm = compare(program, what, *(
                decode(x, name) for x, name in (
                    (a, a_type), (b, b_type), (out, c_type))),
                is_exact=draw is draw_small)
        if self.prints:
            print("| %s | %.3f | %.1e | %.2f |" % (what, worst, norm, seconds),
                  flush=True)


def run(program, a, b, shape):
    """Returns a program's result; split-K programs run two kernels in sequence."""
    if not program.parts:
        return harness.run(program.write(), program.kernel, a, b, Out(*shape),
                           grid=None)
    partial = harness.run(program.write(), program.kernel + "_products", a, b,
                          Out(program.parts, *shape), grid=None)
    return harness.run(program.write(), program.kernel + "_sum", partial,
                       Out(*shape), grid=None)


def compare(program, what, a, b, out, is_exact):
    """Returns the largest ratio of an error to its bound, and the error in the norm;
    exits if one exceeds its bound."""
    wide = np.complex128 if program.facts.is_complex else np.float64
    a, b, out = (x.astype(wide) for x in (a, b, out))
    limits = accuracy.get_bound(program, a.shape[-1])
    reference = a @ b
    bound = (limits.matmul * (np.abs(a) @ np.abs(b)) + limits.absolute
             + limits.reference * np.abs(reference))
    if is_exact:
        bound = np.zeros_like(bound)
    error = np.abs(out - reference)
    bad = np.argwhere(~(error <= bound))
    if bad.size:
        coordinates = tuple(bad[0])
        sys.exit("%s: expected %r within %g, got %r at %s; %d of %d are off" % (
            what, reference[coordinates], bound[coordinates], out[coordinates],
            coordinates, len(bad), error.size))
    norm = np.linalg.norm(error) / (np.linalg.norm(reference) or 1.0)
    if limits.norm and not norm <= limits.norm:
        sys.exit("%s: expected an error of %g in the norm, got %g" % (
            what, limits.norm, norm))
    tiny = np.finfo(float).tiny
    return np.max(error / np.maximum(bound, tiny), initial=0.0), norm


def check_types(matmuls, options):
    """Checks each type and order at each size."""
    sizes = options.size or (QUICK_SIZES if options.quick else SIZES)
    for name in TYPES:
        if not re.fullmatch(options.type, name):
            continue
        for order in [options.order] if options.order else ORDERS:
            for size in sizes:
                matmuls.check(make_program(name, order), size)


def check_anywhere(matmuls):
    """Checks arrays whose rows have any alignment."""
    for name in ANYWHERE_TYPES:
        for order in ORDERS:
            for offsets, gaps in ANYWHERE:
                lays = [functools.partial(lay_anywhere, offset=offset, gap=gap)
                        for offset, gap in zip(offsets, gaps)]
                matmuls.check(make_program(name, order), ANYWHERE_SIZE,
                              draw_small, lays)
    lays = [functools.partial(lay_anywhere, offset=offset, gap=0)
            for offset in (1, 3)]
    matmuls.check(make_program("f16"), (127, 129, 131), draw_small, lays)


def check_batches(matmuls):
    """Checks batched matmuls: each type, and MORE_TYPES in each order."""
    for index, name in enumerate(TYPES):
        for order in (ORDERS if name in MORE_TYPES
                      else [ORDERS[index % len(ORDERS)]]):
            for tile in BATCH_TILES:
                matmuls.check(Program(name, order, tile, batched=True),
                              QUICK_SIZES[0])


def check_parts(matmuls):
    """Checks split K, where some parts have no work."""
    for name, parts in (("f16", 2), ("i8", 3), ("f32", 5), ("cf32", 7)):
        matmuls.check(make_program(name, "nt", parts=parts), QUICK_SIZES[0])
    matmuls.check(make_program("f16", result="f16", parts=3), (64, 48, 0))


def check_more(matmuls):
    """Checks cases that need not be repeated for every type."""
    for name in MORE_TYPES:
        for order in ORDERS:
            for size in MORE_SIZES:
                matmuls.check(make_program(name, order), size)
            matmuls.check(make_program(name, order), EXACT, draw_small)
        for size in SIZES + MORE_SIZES:
            matmuls.check(make_program(name, batched=True), size)
    for order in ORDERS[1:]:
        matmuls.check(make_program("i8", order, batched=True), (64, 48, 80))
    for name in ("f16", "bf16"):
        matmuls.check(make_program(name, result=name), (64, 48, 80))
    # Four by three blocks in groups of two columns.
    matmuls.check(make_program("f16", group=2), (200, 136, 72), draw_small)


def parse_size(text):
    return tuple(map(int, text.split("x")))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--type", default=".*")
    parser.add_argument("--order", choices=ORDERS)
    parser.add_argument("--size", type=parse_size, action="append")
    parser.add_argument("--table", action="store_true")
    options, harness.MACHINE = parser.parse_known_args()
    matmuls = Matmuls(options.table)
    check_types(matmuls, options)
    if not options.size:
        check_anywhere(matmuls)
        check_batches(matmuls)
        check_parts(matmuls)
        check_more(matmuls)
    print("all within the bound, exact where sums are; refused:",
          ", ".join(dict.fromkeys(matmuls.refused)) or "none")


if __name__ == "__main__":
    main()
