#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the matmuls that are measured and tested.

  python3 product.py                        prints the names of the measured matmuls
  python3 product.py NAME...                prints the programs of these names
  python3 product.py --folder DIR [NAME...] writes a file NAME.mlir each

A name describes a program completely, so any name of the form is a program:

  gemm_TYPE[_to_RESULT][_ORDER][_batched]_MxNxK[_PARAMETER]...

TYPE is one of TYPES. RESULT is C's element type, if it differs from the accumulator's.
ORDER has a letter for A and one for B: n for row-major, t for column-major; nn is left
out. MxNxK is the tile of a block. A batched block computes one matrix of the batch, or,
with a tile BxMxNxK, B of them. The parameters, in this order:

  b256          threads of a block
  w2x4          warps along M and N, w2x2x4 along the batch, M and N
  u4x4          sub-tiles of a warp, u2x4x4 likewise
  t8x4          elements of a thread along M and N
  fma, m16n8k16 the instruction, m64nNk16 one of four warps
  global        each thread loads its operands, without shared memory
  v4            elements of an operand in one access of a thread at most
  s3            stages in flight
  o2            blocks that a multiprocessor has room for, or more
  g8            blocks go through 8 columns of tiles at a time, for the L2 cache
  a512x512x512  the arrays' M, N and K, which are static
  k16           K in 16 parts: one kernel writes the matmul of each to a
                workspace, a second one adds them up; not of a batch

Omitted parameters are chosen by the compiler, or by the type in TYPES.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

import launcher
from launcher import BenchmarkError

ORDERS = ("nn", "nt", "tn", "tt")
# Short names of element types. The other types are named as in MLIR.
ELEMENTS = {"e4m3": "f8E4M3FN", "e5m2": "f8E5M2", "cf32": "complex<f32>",
            "cf64": "complex<f64>"}
INTEGERS = ("i8", "i16", "i32", "i64")
COMPLEX = ("cf32", "cf64")


@dataclass(frozen=True)
class Type:
    """The element types of A and B in memory, the type to which they are converted for
    the matmul, the type of the accumulator, and the tile of a block."""
    a: str
    b: str
    operand: str
    acc: str
    precision: str = "ieee"
    tile: tuple = (128, 128, 64)
    block: Optional[int] = None

    @property
    def is_integer(self):
        return self.acc in INTEGERS

    @property
    def is_complex(self):
        return self.acc in COMPLEX


def make_type(name, acc="f32", tile=(128, 128, 64), **others):
    """Returns a type whose operands are multiplied without a conversion."""
    return Type(name, name, name, acc, tile=tile, **others)


# Names of types: TasU has operands of type T that are cast to U; TxU has A of type T
# and B of type U; TinU has operands of type T and an accumulator of type U; Tfast has
# the precision fast_accumulation.
TYPES = {
    "f16": make_type("f16"),
    "f16inf16": make_type("f16", acc="f16"),
    "bf16": make_type("bf16"),
    "e4m3": make_type("e4m3", tile=(128, 128, 128)),
    "e5m2": make_type("e5m2", tile=(128, 128, 128)),
    "e4m3fast": make_type("e4m3", precision="fast_accumulation",
                          tile=(128, 128, 128)),
    "e5m2fast": make_type("e5m2", precision="fast_accumulation",
                          tile=(128, 128, 128)),
    "i8": make_type("i8", acc="i32", tile=(128, 128, 128)),
    "tf32": make_type("f32", precision="tf32", tile=(128, 128, 32)),
    "f32": make_type("f32", tile=(128, 128, 16)),
    "f64": make_type("f64", acc="f64", tile=(64, 128, 16), block=256),
    "cf32": make_type("cf32", acc="cf32", tile=(64, 64, 16)),
    "cf64": make_type("cf64", acc="cf64", tile=(64, 32, 16)),
    "i16": make_type("i16", acc="i16", tile=(128, 128, 32)),
    "i32": make_type("i32", acc="i32", tile=(128, 128, 16)),
    "i64": make_type("i64", acc="i64", tile=(64, 64, 16)),
    "e4m3asf16": Type("e4m3", "e4m3", "f16", "f32"),
    "i8asf16": Type("i8", "i8", "f16", "f32"),
    "f16xi8": Type("f16", "i8", "f16", "f32"),
    "f16asf32": Type("f16", "f16", "f32", "f32", tile=(128, 128, 16)),
}


@dataclass(frozen=True)
class Program:
    """A matmul program C = A B. The compiler chooses the parameters that are None."""
    type: str
    order: str = "nn"
    tile: Optional[tuple] = None
    result: Optional[str] = None
    batched: bool = False
    block: Optional[int] = None
    warps: Optional[tuple] = None
    sub: Optional[tuple] = None
    thread: Optional[tuple] = None
    atom: Optional[str] = None
    operands: Optional[str] = None
    vector: Optional[int] = None
    stages: Optional[int] = None
    occupancy: Optional[int] = None
    group: Optional[int] = None
    sizes: Optional[tuple] = None
    parts: Optional[int] = None

    def __post_init__(self):
        if self.tile is None:
            object.__setattr__(self, "tile", TYPES[self.type].tile)

    @property
    def facts(self):
        return TYPES[self.type]

    @property
    def matmuls(self):
        """The number of matrices that a block computes by one matmul of rank 3; None if
        the block's matmul has rank 2."""
        return self.tile[0] if len(self.tile) == 4 else None

    @property
    def result_type(self):
        """The short name of C's element type."""
        return self.result or self.facts.acc

    @property
    def kernel(self):
        """The name of the kernel, which does not contain sizes."""
        words = ["gemm", self.type]
        if self.result:
            words += ["to", self.result]
        if self.order != "nn":
            words.append(self.order)
        if self.batched:
            words.append("batched")
        return "_".join(words)

    @property
    def name(self):
        words = [self.kernel, format_pair(self.tile)]
        for letter, value in (("b", self.block), ("w", self.warps),
                              ("u", self.sub), ("t", self.thread),
                              ("", self.atom), ("", self.operands),
                              ("v", self.vector), ("s", self.stages),
                              ("o", self.occupancy), ("g", self.group),
                              ("a", self.sizes), ("k", self.parts)):
            if value is not None:
                words.append(letter + format_pair(value))
        return "_".join(words)

    def write(self):
        """Returns the text of the program."""
        return (PartsWriter if self.parts else Writer)(self).write()


# ---------------------------------------------------------------------------
# Names
# ---------------------------------------------------------------------------

NAME = re.compile(r"""gemm_(?P<type>[a-z]+\d+\w*?)(_to_(?P<result>[a-z0-9]+))?
    (_(?P<order>[nt]{2}))?(?P<batched>_batched)?
    _(?P<tile>(?(batched)(\d+x)?)\d+x\d+x\d+)(_b(?P<block>\d+))?
    (_w(?P<warps>(\d+x)?\d+x\d+))?(_u(?P<sub>(\d+x)?\d+x\d+))?
    (_t(?P<thread>\d+x\d+))?(_(?P<atom>fma|m\d+n(\d+|N)k\d+))?(_(?P<operands>global))?
    (_v(?P<vector>\d+))?(_s(?P<stages>\d+))?(_o(?P<occupancy>\d+))?
    (_g(?P<group>\d+))?
    (?(batched)|(_a(?P<sizes>\d+x\d+x\d+))?(_k(?P<parts>\d+))?)""", re.VERBOSE)


def format_pair(value):
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)


def parse_name(name):
    """Returns the program of a name; raises BenchmarkError if it is malformed."""
    match = NAME.fullmatch(name)
    if not match:
        raise BenchmarkError("expected gemm_TYPE[_to_RESULT][_ORDER][_batched]_"
                             f"MxNxK[_PARAMETER]..., found '{name}'")
    found = {key: value for key, value in match.groupdict().items() if value}
    if found["type"] not in TYPES:
        raise BenchmarkError(f"{name}: expected a type of {', '.join(TYPES)}, "
                             f"found '{found['type']}'")
    for key in ("tile", "warps", "sub", "thread", "sizes"):
        if key in found:
            found[key] = tuple(map(int, found[key].split("x")))
    for key in ("block", "vector", "stages", "occupancy", "group", "parts"):
        if key in found:
            found[key] = int(found[key])
    found["batched"] = "batched" in found
    return Program(**found)


# ---------------------------------------------------------------------------
# Programs
# ---------------------------------------------------------------------------

def get_element(name):
    """Returns the name of the element type in MLIR."""
    return ELEMENTS.get(name, name)


def get_zero(name):
    if name in INTEGERS:
        return "0"
    return "(0.0, 0.0)" if name in COMPLEX else "0.0"


def get_tile(shape, element):
    return f"!tile.tile<{format_pair(shape)}x{get_element(element)}>"


class Writer:
    """The parts of a program's text."""

    def __init__(self, program):
        self.program = program
        self.facts = program.facts
        self.kernel = program.kernel
        self.written = "C"
        *batch, m, n, k = program.tile
        self.shapes = {"a": (*batch, m, k), "b": (*batch, k, n),
                       "c": (*batch, m, n)}
        self.acc = get_tile(self.shapes["c"], self.facts.acc)
        m, n, k = program.sizes or ("?", "?", "?")
        self.a, self.b, self.c = (
            self.get_array(element, order, extents)
            for element, order, extents in zip(
                (self.facts.a, self.facts.b, program.result_type),
                program.order + "n", ((m, k), (k, n), (m, n))))
        # The index of the batch, which precedes the offsets of a tile.
        self.outer = "%batch, " if program.batched else ""

    def get_array(self, element, order, extents):
        element = get_element(element)
        pitch = extents[1 if order == "n" else 0]
        strides = f"{pitch}, 1" if order == "n" else f"1, {pitch}"
        if self.program.batched:
            return f"memref<?x?x?x{element}, strided<[?, {strides}]>>"
        return f"memref<{format_pair(extents)}x{element}, strided<[{strides}]>>"

    def write(self):
        m, n, k = self.program.tile[-3:]
        return f"""{self.write_comment()}
{self.write_grid()}

tile.kernel @{self.kernel}(
    %A: {self.a},
    %B: {self.b},
    %{self.written}: {self.c})
    attributes {{{self.write_attributes()}}} {{
  %dim = arith.constant {2 if self.program.batched else 1} : index
  %rows = arith.constant {m} : index
  %columns = arith.constant {n} : index
  %step = arith.constant {k} : index
{self.write_block()}
  %m = arith.muli %bm, %rows : index
  %n = arith.muli %bn, %columns : index
{self.write_range()}
  %zero = arith.constant dense<{get_zero(self.facts.acc)}> : {self.acc}
  %sum = scf.for %k = %start to %end step %step
      iter_args(%acc = %zero) -> {self.acc} {{
{self.write_load("a", "%m, %k")}
{self.write_load("b", "%k, %n")}
{self.write_matmul()}
    scf.yield %d : {self.acc}
  }}
{self.write_store()}
  tile.return
}}
"""

    def write_comment(self):
        m, n, k = self.program.tile[-3:]
        order = {"nn": "A, B and C are row-major",
                 "nt": "A and C are row-major, B is column-major",
                 "tn": "A is column-major, B and C are row-major",
                 "tt": "A and B are column-major, C is row-major",
                 }[self.program.order]
        return (f"// C = A B: one block multiplies a band of A by a band of B, "
                f"{k} of K at a\n// time, and writes {m}x{n} of C. {order}.\n")

    def write_grid(self):
        m, n, _ = self.program.tile[-3:]
        blocks = f"m ceildiv {m}, n ceildiv {n}"
        if self.program.batched:
            batches = (f"b ceildiv {self.program.matmuls}"
                       if self.program.matmuls else "b")
            return (f"#grid = #tile.grid<affine_map<(m, n, b) -> ({blocks}, "
                    f"{batches})>\n"
                    "                   of [[0, 1], [1, 2], [0, 0]]>")
        return (f"#grid = #tile.grid<affine_map<(m, n) -> ({blocks})>\n"
                "                   of [[0, 0], [1, 1]]>")

    def write_attributes(self):
        block = self.program.block or self.facts.block
        parts = [f"block = {block} : i64"] if block else []
        parts.append("grid = #grid")
        if self.program.occupancy:
            parts.append("tile.blocks_per_processor = "
                         f"{self.program.occupancy} : i64")
        return ", ".join(parts)

    def write_block(self):
        """Writes %bm and %bn, the indices of the block's tile in C."""
        batch = ""
        if self.program.matmuls:
            batch = ("  %products = arith.constant "
                     f"{self.program.matmuls} : index\n"
                     "  %z = tile.program_id z\n"
                     "  %batch = arith.muli %z, %products : index\n")
        elif self.program.batched:
            batch = "  %batch = tile.program_id z\n"
        if not self.program.group:
            return batch + ("  %bm = tile.program_id x\n"
                            "  %bn = tile.program_id y")
        return batch + f"""\
  // Blocks start in the order of %id. A group is all tiles of as many columns as
  // %group says, the last one of those that are left; in it a row comes after
  // the other.
  %x = tile.program_id x
  %y = tile.program_id y
  %num_m = tile.num_programs x
  %num_n = tile.num_programs y
  %before = arith.muli %y, %num_m : index
  %id = arith.addi %before, %x : index
  %group = arith.constant {self.program.group} : index
  %size = arith.muli %num_m, %group : index
  %index = arith.divui %id, %size : index
  %first = arith.muli %index, %group : index
  %left = arith.subi %num_n, %first : index
  %width = arith.minui %left, %group : index
  %rest = arith.remui %id, %size : index
  %bm = arith.divui %rest, %width : index
  %column = arith.remui %rest, %width : index
  %bn = arith.addi %first, %column : index"""

    def write_range(self):
        """Writes %start and %end, the bounds of the block's range of K."""
        return ("  %start = arith.constant 0 : index\n"
                f"  %end = memref.dim %A, %dim : {self.a}")

    def write_load(self, name, offsets):
        """Writes the load of %a or %b, and its conversion to the type of the matmul's
        operands."""
        element = getattr(self.facts, name)
        stored = get_tile(self.shapes[name], element)
        is_cast = element != self.facts.operand
        value = name + "0" if is_cast else name
        text = (f"    %{value} = tile.load %{name.upper()}[{self.outer}{offsets}]\n"
                f"        : {getattr(self, name)} -> {stored}")
        if is_cast:
            text += (f"\n    %{name} = tile.cast %{value} : {stored}\n        to "
                     f"{get_tile(self.shapes[name], self.facts.operand)}")
        return text

    def write_matmul(self):
        a, b = (get_tile(self.shapes[x], self.facts.operand) for x in "ab")
        precision = ("" if self.facts.precision == "ieee"
                     else f" precision {self.facts.precision}")
        return (f"    %d = tile.matmul %a, %b, %acc{precision}"
                f"{self.write_tiling()}\n        : {a}, {b}\n"
                f"        -> {self.acc}")

    def write_tiling(self):
        program = self.program
        parts = [f"{key} = {list(value)}" for key, value in (
            ("warps", program.warps), ("sub", program.sub),
            ("thread", program.thread)) if value]
        if program.atom:
            parts.append(f'atom = "{program.atom}"')
        if program.operands:
            parts.append(f"operands = {program.operands}")
        if program.vector is not None:
            parts.append(f"vector = {program.vector}")
        if program.stages is not None:
            parts.append(f"stages = {program.stages}")
        return f"\n        tiling <{', '.join(parts)}>" if parts else ""

    def write_store(self):
        stored, text, value = self.acc, "", "%sum"
        if self.program.result_type != self.facts.acc:
            stored, value = get_tile(self.shapes["c"], self.program.result), "%c"
            text = f"  %c = tile.cast %sum : {self.acc}\n      to {stored}\n"
        return (text + f"  tile.store {value}, %C[{self.outer}%m, %n]\n"
                f"      : {stored}, {self.c}")


class PartsWriter(Writer):
    """Writes two kernels: one stores the results for the parts of K to a workspace, one
    adds them up."""

    # SUM_TILE is the tile of C that a block adds up; a thread has four contiguous
    # elements of it. SUM_PARTS is the number of parts that the block adds at a time.
    SUM_TILE = (8, 64)
    SUM_PARTS = 8

    def __init__(self, program):
        super().__init__(program)
        self.kernel += "_products"
        self.written = "W"
        self.result = self.c
        self.c = f"memref<?x?x?x{get_element(self.facts.acc)}>"

    def write(self):
        return super().write() + "\n" + self.write_sum()

    def write_comment(self):
        return (super().write_comment() +
                f"// K is in {self.program.parts} parts: their products are in "
                "W, and are added up by a second kernel.\n")

    def write_grid(self):
        m, n, _ = self.program.tile
        return ("#grid = #tile.grid<affine_map<(m, n) -> "
                f"(m ceildiv {m}, n ceildiv {n}, {self.program.parts})>\n"
                "                   of [[0, 0], [1, 1]]>")

    def write_range(self):
        """Writes the block's range of K. All parts have the same number of whole steps,
        except that the last parts may have fewer."""
        return f"""\
  %K = memref.dim %A, %dim : {self.a}
  %parts = arith.constant {self.program.parts} : index
  %part = tile.program_id z
  %steps = arith.ceildivui %K, %step : index
  %share = arith.ceildivui %steps, %parts : index
  %length = arith.muli %share, %step : index
  %start = arith.muli %part, %length : index
  %stop = arith.addi %start, %length : index
  %end = arith.minui %stop, %K : index"""

    def write_store(self):
        return ("  tile.store %sum, %W[%part, %m, %n]\n"
                f"      : {self.acc}, {self.c}")

    def write_add(self, tile):
        """Writes %d, the sum of %before and %some. The operations of arith do not
        accept complex elements."""
        if not self.facts.is_complex:
            name = "arith.addi" if self.facts.is_integer else "arith.addf"
            return f"    %d = {name} %before, %some : {tile}"
        element = get_element(self.facts.acc)
        return f"""\
    %d = tile.map %before, %some : {tile}, {tile}
        to {tile} {{
    ^bb0(%p: {element}, %q: {element}):
      %z = complex.add %p, %q : {element}
      tile.yield %z : {element}
    }}"""

    def write_sum(self):
        rows, columns = self.SUM_TILE
        at_once = min(self.program.parts, self.SUM_PARTS)
        parts = get_tile((at_once, rows, columns), self.facts.acc)
        summed = get_tile(self.SUM_TILE, self.facts.acc)
        stored, cast, value = summed, "", "%sum"
        if self.program.result_type != self.facts.acc:
            stored, value = get_tile(self.SUM_TILE, self.program.result), "%c"
            cast = f"  %c = tile.cast %sum : {summed}\n      to {stored}\n"
        return f"""\
#tiles = #tile.grid<affine_map<(m, n) -> (m ceildiv {rows}, n ceildiv {columns})>
                    of [[1, 0], [1, 1]]>

tile.kernel @{self.program.kernel}_sum(
    %W: {self.c},
    %C: {self.result})
    attributes {{block = {rows * columns // 4} : i64, grid = #tiles}} {{
  %c0 = arith.constant 0 : index
  %rows = arith.constant {rows} : index
  %columns = arith.constant {columns} : index
  %x = tile.program_id x
  %y = tile.program_id y
  %m = arith.muli %x, %rows : index
  %n = arith.muli %y, %columns : index
  %step = arith.constant {at_once} : index
  %end = memref.dim %W, %c0 : {self.c}
  %zero = arith.constant dense<{get_zero(self.facts.acc)}> : {summed}
  %sum = scf.for %part = %c0 to %end step %step
      iter_args(%before = %zero) -> {summed} {{
    %parts = tile.load %W[%part, %m, %n]
        : {self.c} -> {parts}
    %some = tile.reduce add %parts axis 0
        : {parts} to {summed}
{self.write_add(summed)}
    scf.yield %d : {summed}
  }}
{cast}  tile.store {value}, %C[%m, %n]
      : {stored}, {self.result}
  tile.return
}}
"""


# ---------------------------------------------------------------------------
# The measured programs
# ---------------------------------------------------------------------------

# Programs that are measured in addition to each type in each order with the tile of
# TYPES.
VARIANTS = [
    # Programs that write the type of the operands, as cuBLAS does.
    *(f"gemm_{name}_to_{name}{order}_128x128x64"
      for name in ("f16", "bf16") for order in ("", "_nt", "_tn", "_tt")),
    # The fastest programs of those tried on an H200, for large matrices, for
    # 1024 x 1024 x 1024, and for few rows.
    *(f"gemm_{name}_to_{name}{order}_{tile}_g8" for name in ("f16", "bf16")
      for tile in ("256x128x64", "128x256x64")
      for order in ("", "_nt", "_tn", "_tt")),
    *(f"gemm_f16_to_f16{order}_64x128x64_{parameters}"
      for parameters in ("b128_s8_g8", "g8_a1024x1024x1024")
      for order in ("", "_nt", "_tn", "_tt")),
    *(f"gemm_{name}_nt_128x256x128_g8"
      for name in ("e4m3fast", "e5m2fast", "i8")),
    "gemm_tf32_nt_128x256x32_s3",
    # Programs with instructions of single warps.
    "gemm_f16_256x128x64_b256_w4x2_m16n8k16_s4_g4",
    *(f"gemm_tf32{order}_128x128x16_s4_g8" for order in ("", "_tn")),
    *(f"gemm_tf32{order}_256x128x32_b256_w4x2_s4_g4" for order in ("_nt", "_tt")),
    *(f"gemm_f32{order}_64x128x32{parameters}"
      for parameters in ("", "_b128_w2x2_t8x8_s2")
      for order in ("", "_nt", "_tn", "_tt")),
    "gemm_f32_64x64x32_b64_w2x1_t8x8_s2",
    "gemm_f32_64x64x32_b64_w2x1_t8x8_s3",
    "gemm_f32_64x64x32",
    "gemm_f16_16x32x256_b128_w1x4_s4",
    "gemm_f16_16x32x256",
    # Programs for a small C and a long K.
    *(f"gemm_f16_to_f16_{tile}_b128_k{parts}"
      for tile, parts in (("64x64x64", 16), ("128x128x64", 32))),
    # Batches, with a block for each matrix, or for several small matrices.
    *(f"gemm_{name}_batched_{tile}"
      for name, tile in (("f16", "128x128x64"), ("f16", "4x64x64x32"),
                         ("f16", "8x32x32x32"), ("tf32", "128x128x32"),
                         ("f32", "64x128x16"), ("f32", "8x32x32x32"))),
]


def list_programs():
    """Lists the measured programs, each name once."""
    return [*(Program(name, order) for name in TYPES for order in ORDERS),
            *map(parse_name, VARIANTS)]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", type=Path, metavar="DIR")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    programs = list(map(parse_name, options.names)) or list_programs()
    if options.folder:
        launcher.write_programs(options.folder, programs)
    elif options.names:
        print("\n".join(program.write() for program in programs), end="")
    else:
        print("\n".join(program.name for program in programs))


if __name__ == "__main__":
    try:
        main()
    except (BenchmarkError, OSError) as error:
        sys.exit(f"product.py: error: {error}")
