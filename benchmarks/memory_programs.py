#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the memory-bound tile programs.

  python3 memory_programs.py                  prints the names of the measured programs
  python3 memory_programs.py NAME...          prints the programs of these names

A name is KIND_TYPE_ROWSxCOLUMNS_bTHREADS. A block of THREADS threads takes ROWS rows of
COLUMNS elements at once. For sums and axpby it takes ROWS steps of COLUMNS elements.
"""

import argparse
import re
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    kind: str
    element: str
    rows: int
    columns: int
    threads: int

    @property
    def name(self):
        return (f"{self.kind}_{self.element}_{self.rows}x{self.columns}"
                f"_b{self.threads}")

    def write(self):
        return KINDS[self.kind](self)


class Writer:
    """The text of a kernel, which is written line by line."""

    def __init__(self, program, arguments, extents):
        """`extents` is the number of elements that one block takes along the first
        dimension of the first array."""
        self.lines = [
            f"#grid = #tile.grid<affine_map<(n) -> (n ceildiv {extents})> "
            "of [[0, 0]]>", "",
            f"tile.kernel @{program.kind}({', '.join(arguments)})",
            f"    attributes {{block = {program.threads} : i64, grid = #grid}}"
            " {"]

    def add(self, line):
        self.lines.append("  " + line)

    def finish(self):
        return "\n".join([*self.lines, "  tile.return", "}", ""])


def tile(element, *shape):
    return f"!tile.tile<{'x'.join([*map(str, shape), element])}>"


class Rows(Writer):
    """A program whose blocks take whole rows, which they read and write once. It
    computes in f32."""

    def __init__(self, program):
        element, rows, columns = program.element, program.rows, program.columns
        self.array = f"memref<?x{columns}x{element}>"
        super().__init__(program, [f"%x: {self.array}", f"%y: {self.array}"],
                         rows)
        self.stored = tile(element, rows, columns)
        self.wide = tile("f32", rows, columns)
        self.column = tile("f32", rows)
        self.one = tile("f32", rows, 1)
        self.add("%c0 = arith.constant 0 : index")
        self.add(f"%rows = arith.constant {rows} : index")
        self.add("%block = tile.program_id x")
        self.add("%row = arith.muli %block, %rows : index")
        self.add(f"%loaded = tile.load %x[%row, %c0] : {self.array} -> "
                 f"{self.stored}")
        self.add(f"%v = tile.cast %loaded : {self.stored} to {self.wide}")

    def compute(self, result, operation, *operands):
        """Adds an operation on whole rows."""
        self.add(f"%{result} = {operation} {', '.join(operands)} : {self.wide}")

    def of_rows(self, result, operation, *operands):
        """Adds an operation on a tile with one element per row."""
        self.add(f"%{result} = {operation} {', '.join(operands)} : "
                 f"{self.column}")

    def constant(self, name, value, type):
        self.add(f"%{name} = arith.constant dense<{value:.12e}> : {type}")

    def reduce(self, result, kind, operand):
        self.add(f"%{result} = tile.reduce {kind} {operand} axis 1 : "
                 f"{self.wide} to {self.column}")

    def spread(self, result, operand):
        """Broadcasts one element per row along the row."""
        self.add(f"%{result}_column = tile.reshape {operand} : {self.column} "
                 f"to {self.one}")
        self.add(f"%{result} = tile.broadcast %{result}_column : {self.one} to "
                 f"{self.wide}")

    def store(self, operand):
        self.add(f"%out = tile.cast {operand} : {self.wide} to {self.stored}")
        self.add(f"tile.store %out, %y[%row, %c0] : {self.stored}, "
                 f"{self.array}")
        return self.finish()


def write_reduce_scale(program):
    """Writes the division of each row by its largest absolute value."""
    rows = Rows(program)
    rows.compute("size", "math.absf", "%v")
    rows.reduce("largest", "max", "%size")
    rows.spread("scale", "%largest")
    rows.compute("r", "arith.divf", "%v", "%scale")
    return rows.store("%r")


def write_softmax(program):
    """Writes a softmax with one division per row. It computes exp(x) as 2^(x log2 e),
    which takes one instruction more than 2^x."""
    rows = Rows(program)
    rows.reduce("largest", "max", "%v")
    rows.spread("top", "%largest")
    rows.compute("d", "arith.subf", "%v", "%top")
    rows.constant("log2e", 1.4426950408889634, rows.wide)
    rows.compute("scaled", "arith.mulf", "%d", "%log2e")
    rows.compute("e", "math.exp2", "%scaled")
    rows.reduce("sum", "add", "%e")
    rows.constant("one", 1.0, rows.column)
    rows.of_rows("share", "arith.divf", "%one", "%sum")
    rows.spread("shares", "%share")
    rows.compute("r", "arith.mulf", "%e", "%shares")
    return rows.store("%r")


def write_layer_norm(program):
    """Writes (x - mean) / sqrt(variance + 1e-5), where the variance is computed from x
    - mean."""
    rows = Rows(program)
    rows.constant("part", 1.0 / program.columns, rows.column)
    rows.constant("epsilon", 1e-5, rows.column)
    rows.reduce("sum", "add", "%v")
    rows.of_rows("mean", "arith.mulf", "%sum", "%part")
    rows.spread("means", "%mean")
    rows.compute("d", "arith.subf", "%v", "%means")
    rows.compute("square", "arith.mulf", "%d", "%d")
    rows.reduce("squares", "add", "%square")
    rows.of_rows("variance", "arith.mulf", "%squares", "%part")
    rows.of_rows("more", "arith.addf", "%variance", "%epsilon")
    rows.of_rows("scale", "math.rsqrt", "%more")
    rows.spread("scales", "%scale")
    rows.compute("r", "arith.mulf", "%d", "%scales")
    return rows.store("%r")


def write_online_softmax(program):
    """Writes a softmax with one reduction, which computes the largest exponent and the
    sum of powers together."""
    rows = Rows(program)
    wide, one = rows.wide, rows.one
    rows.constant("log2e", 1.4426950408889634, wide)
    rows.compute("exponent", "arith.mulf", "%v", "%log2e")
    rows.constant("ones", 1.0, wide)
    rows.add("%largest, %sum = tile.reduce %exponent, %ones identity "
             "[-3.0e+38 : f32, 0.0 : f32] axis 1 keep commutative : "
             f"{wide}, {wide} to {one}, {one} {{")
    rows.add("^bb0(%a: f32, %p: f32, %b: f32, %q: f32):")
    for line in ("%m = arith.maximumf %a, %b", "%c = arith.subf %a, %m",
                 "%d = arith.subf %b, %m", "%f = math.exp2 %c",
                 "%g = math.exp2 %d", "%h = arith.mulf %p, %f",
                 "%k = arith.mulf %q, %g", "%n = arith.addf %h, %k"):
        rows.add(f"  {line} : f32")
    rows.add("  tile.yield %m, %n : f32, f32")
    rows.add("}")
    rows.add(f"%top = tile.broadcast %largest : {one} to {wide}")
    rows.compute("below", "arith.subf", "%exponent", "%top")
    rows.compute("e", "math.exp2", "%below")
    rows.constant("unit", 1.0, one)
    rows.add(f"%share = arith.divf %unit, %sum : {one}")
    rows.add(f"%shares = tile.broadcast %share : {one} to {wide}")
    rows.compute("r", "arith.mulf", "%e", "%shares")
    return rows.store("%r")


def write_row_scan(program):
    """Writes the inclusive prefix sum of each row."""
    rows = Rows(program)
    rows.add(f"%r = tile.scan add %v axis 1 : {rows.wide}")
    return rows.store("%r")


def write_axpby(program):
    """Writes z = a x + b y + c, in f32."""
    element, columns = program.element, program.columns
    array, stored = f"memref<?x{element}>", tile(program.element, columns)
    wide = tile("f32", columns)
    writer = Writer(program, [*(f"%{n}: {array}" for n in "xyz"),
                              *(f"%{n}: f32" for n in "abc")], columns)
    writer.add(f"%length = arith.constant {columns} : index")
    writer.add("%block = tile.program_id x")
    writer.add("%i = arith.muli %block, %length : index")
    for name in "xy":
        writer.add(f"%{name}0 = tile.load %{name}[%i] : {array} -> {stored}")
        writer.add(f"%{name}1 = tile.cast %{name}0 : {stored} to {wide}")
    for name in "abc":
        writer.add(f"%{name}1 = tile.fill %{name} : {wide}")
    writer.add(f"%ax = arith.mulf %a1, %x1 : {wide}")
    writer.add(f"%by = arith.mulf %b1, %y1 : {wide}")
    writer.add(f"%sum = arith.addf %ax, %by : {wide}")
    writer.add(f"%r = arith.addf %sum, %c1 : {wide}")
    writer.add(f"%out = tile.cast %r : {wide} to {stored}")
    writer.add(f"tile.store %out, %z[%i] : {stored}, {array}")
    return writer.finish()


def write_sum_of_squares(program):
    """Writes a sum of squares. Threads add up their squares over some steps, and each
    block adds its sum to the total by one atomic addition."""
    element, columns = program.element, program.columns
    array, total = f"memref<?x{element}>", f"memref<1x{element}>"
    t = tile(element, columns)
    length = program.rows * columns
    writer = Writer(program, [f"%x: {array}", f"%total: {total}"], length)
    writer.add("%c0 = arith.constant 0 : index")
    writer.add(f"%step = arith.constant {columns} : index")
    writer.add(f"%length = arith.constant {length} : index")
    writer.add("%block = tile.program_id x")
    writer.add("%start = arith.muli %block, %length : index")
    writer.add("%stop = arith.addi %start, %length : index")
    writer.add(f"%zero = arith.constant dense<0.0> : {t}")
    writer.add("%sums = scf.for %i = %start to %stop step %step "
               f"iter_args(%sum = %zero) -> {t} {{")
    writer.add(f"  %v = tile.load %x[%i] : {array} -> {t}")
    writer.add(f"  %square = arith.mulf %v, %v : {t}")
    writer.add(f"  %next = arith.addf %sum, %square : {t}")
    writer.add(f"  scf.yield %next : {t}")
    writer.add("}")
    writer.add(f"%sum = tile.reduce add %sums : {t} to {tile(element)}")
    writer.add("%before = tile.atomic_rmw add %sum, %total[%c0] : "
               f"{tile(element)}, {total}")
    return writer.finish()


def write_sum_by_element(program):
    """Writes a sum of squares with one atomic addition per element. %total has stride
    zero: all its elements are one element in memory."""
    element, columns = program.element, program.columns
    array, t = f"memref<?x{element}>", tile(element, columns)
    total = f"memref<?x{element}, strided<[?]>>"
    writer = Writer(program, [f"%x: {array}", f"%total: {total}"], columns)
    writer.add(f"%length = arith.constant {columns} : index")
    writer.add("%block = tile.program_id x")
    writer.add("%i = arith.muli %block, %length : index")
    writer.add(f"%v = tile.load %x[%i] : {array} -> {t}")
    writer.add(f"%square = arith.mulf %v, %v : {t}")
    writer.add(f"%before = tile.atomic_rmw add %square, %total[%i] : {t}, "
               f"{total}")
    return writer.finish()


KINDS = {
    "reduce_scale": write_reduce_scale,
    "softmax": write_softmax,
    "online_softmax": write_online_softmax,
    "row_scan": write_row_scan,
    "layer_norm": write_layer_norm,
    "axpby": write_axpby,
    "sum_of_squares": write_sum_of_squares,
    "sum_by_element": write_sum_by_element,
}
NAME = re.compile(rf"({'|'.join(KINDS)})_(f16|f32|f64)_(\d+)x(\d+)_b(\d+)")
MEASURED = [
    "reduce_scale_f32_4x128_b128",
    "sum_of_squares_f64_2x4096_b256", "sum_of_squares_f32_2x4096_b256",
    "sum_of_squares_f32_2x8192_b512",
    "sum_by_element_f64_1x1024_b256",
    "axpby_f16_1x2048_b256",
    "online_softmax_f32_1x1024_b128", "online_softmax_f32_1x4096_b256",
    "row_scan_f32_1x1024_b128", "row_scan_f32_1x4096_b512",
    *(f"{kind}_{element}_{shape}" for kind in ("softmax", "layer_norm")
      for element, shape in [("f16", "2x1024_b128"), ("f16", "1x4096_b256"),
                             ("f16", "1x16384_b512"), ("f32", "1x1024_b128"),
                             ("f32", "1x4096_b512"), ("f32", "1x16384_b512")]),
]


def parse_name(name):
    match = NAME.fullmatch(name)
    if not match:
        raise argparse.ArgumentTypeError(
            "expected KIND_TYPE_ROWSxCOLUMNS_bTHREADS with a kind of "
            f"{', '.join(KINDS)}, found '{name}'")
    return Program(match[1], match[2], *map(int, match.groups()[2:]))


def list_programs():
    return [parse_name(name) for name in MEASURED]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", type=parse_name, metavar="NAME")
    programs = parser.parse_args().names
    if not programs:
        print("\n".join(MEASURED))
    for program in programs:
        sys.stdout.write(program.write())


if __name__ == "__main__":
    main()
