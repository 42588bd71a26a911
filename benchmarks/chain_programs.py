#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes programs with matmuls that depend on each other.

  python3 chain_programs.py               prints the names of the measured programs
  python3 chain_programs.py NAME...       prints the programs of these names
  python3 chain_programs.py --folder DIR [NAME...]   a file NAME.mlir each

A name describes a program completely:

  attention_TYPE_dD[_causal]_MxN[_bT]     softmax(Q K^T / sqrt(D)) V of heads of
                                          D columns, a block M queries, N keys at
                                          a time (Milakov and Gimelshein, "Online
                                          normalizer calculation for softmax",
                                          2018; Dao et al., "FlashAttention", 2022)
  mlp_TYPE_H_M[_bT]                       four layers 32-H-H-H-3 with relu between
                                          them, M rows at a time

Blocks have T threads; without _bT the compiler chooses. Arrays are f16 or bf16, and
accumulators f32. Sequences and rows may have any length.
"""

import argparse
import math
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

import launcher
from launcher import BenchmarkError

INPUTS, OUTPUTS = 32, 3
# Blocks that share the rows of the layers: four for each SM of an H200.
BLOCKS = 528
MEASURED = [f"attention_f16_d{d}{causal}_{tile}"
            for d, tile in ((64, "128x64"), (128, "128x128"))
            for causal in ("", "_causal")
            ] + ["mlp_f16_32_128", "mlp_f16_64_128", "mlp_f16_128_128"]
ATTENTION = re.compile(r"attention_(f16|bf16)_d(\d+)(_causal)?_(\d+)x(\d+)"
                       r"(?:_b(\d+))?")
MLP = re.compile(r"mlp_(f16|bf16)_(\d+)_(\d+)(?:_b(\d+))?")


@dataclass(frozen=True)
class Attention:
    name: str
    element: str
    columns: int
    is_causal: bool
    queries: int
    keys: int
    block: Optional[int]

    def write(self):
        return write_attention(self)


@dataclass(frozen=True)
class Mlp:
    name: str
    element: str
    hidden: int
    rows: int
    block: Optional[int]

    def write(self):
        return write_mlp(self)


def parse(name):
    """Returns the program of a name."""
    found = ATTENTION.fullmatch(name)
    if found:
        element, d, causal, m, n, block = found.groups()
        return Attention(name, element, int(d), causal is not None, int(m),
                         int(n), block and int(block))
    found = MLP.fullmatch(name)
    if found:
        element, hidden, rows, block = found.groups()
        return Mlp(name, element, int(hidden), int(rows), block and int(block))
    raise BenchmarkError(f"expected a name as in chain_programs.py, got '{name}'")


def get_attributes(program):
    block = f"block = {program.block} : i64, " if program.block else ""
    return f"attributes {{{block}grid = #grid}}"


def write_masked(p):
    """Writes %score: the values of %qk for the keys that a query uses, and -infinity
    for the others. Each query uses at least one key of the first step, so that its
    largest score so far is never -infinity."""
    m, n = p.queries, p.keys
    s, i = f"!tile.tile<{m}x{n}xf32>", f"!tile.tile<{m}x{n}xi32>"
    return f"""
    %next = arith.addi %k, %step : index
    %isCut = arith.cmpi sgt, %next, %whole : index
    %score = scf.if %isCut -> ({s}) {{
      %column = tile.iota axis 1 : {i}
      %key = arith.index_cast %k : index to i32
      %first = tile.fill %key : {i}
      %keys = arith.addi %column, %first : {i}{write_limits(p)}
      %counts = arith.cmpi slt, %keys, %limits : {i}
      %below = arith.constant dense<0xFF800000> : {s}
      %kept = tile.select %counts, %qk, %below : {i.replace("i32", "i1")}, {s}
      scf.yield %kept : {s}
    }} else {{
      scf.yield %qk : {s}
    }}"""


def write_limits(p):
    """Writes %limits: the count of keys that each query of the block uses."""
    tile = f"!tile.tile<{p.queries}x{p.keys}xi32>"
    if not p.is_causal:
        return f"""
      %allKeys = arith.index_cast %length : index to i32
      %limits = tile.fill %allKeys : {tile}"""
    return f"""
      %row = tile.iota axis 0 : {tile}
      %query = arith.index_cast %m : index to i32
      %one = arith.constant 1 : i32
      %behind = arith.addi %query, %one : i32
      %firsts = tile.fill %behind : {tile}
      %limits = arith.addi %row, %firsts : {tile}"""


def write_step(p):
    """Writes one step over the keys from %k on. It is the body of a loop that carries
    the largest exponents of the rows, %top, the sums of their powers, %sum, and the
    output, %out."""
    m, n, d, e = p.queries, p.keys, p.columns, p.element
    s, row, o = (f"!tile.tile<{m}x{n}xf32>", f"!tile.tile<{m}x1xf32>",
                 f"!tile.tile<{m}x{d}xf32>")
    scale = f"dense<{math.log2(math.e) / math.sqrt(d):.9e}>"
    return f"""
    %kt = tile.load %K[%head, %k, %c0] : {array(p)} -> !tile.tile<{n}x{d}x{e}>
    %kk = tile.transpose %kt [1, 0] : !tile.tile<{n}x{d}x{e}> to !tile.tile<{d}x{n}x{e}>
    %zero = arith.constant dense<0.0> : {s}
    %qk = tile.matmul %q, %kk, %zero : !tile.tile<{m}x{d}x{e}>, !tile.tile<{d}x{n}x{e}> -> {s}{write_masked(p)}
    %most = tile.reduce max %score axis 1 keep : {s} to {row}
    %scale = arith.constant {scale} : {row}
    %scales = arith.constant {scale} : {s}
    %mostScaled = arith.mulf %most, %scale : {row}
    %newTop = arith.maximumf %top, %mostScaled : {row}
    %negative = arith.negf %newTop : {row}
    %tops = tile.broadcast %negative : {row} to {s}
    %less = math.fma %score, %scales, %tops : {s}
    %p = math.exp2 %less fastmath<afn> : {s}
    %fall = arith.subf %top, %newTop : {row}
    %shrink = math.exp2 %fall fastmath<afn> : {row}
    %added = tile.reduce add %p axis 1 keep : {s} to {row}
    %old = arith.mulf %sum, %shrink : {row}
    %newSum = arith.addf %old, %added : {row}
    %shrinks = tile.broadcast %shrink : {row} to {o}
    %shrunk = arith.mulf %out, %shrinks : {o}
    %pp = tile.cast %p : {s} to !tile.tile<{m}x{n}x{e}>
    %v = tile.load %V[%head, %k, %c0] : {array(p)} -> !tile.tile<{n}x{d}x{e}>
    %newOut = tile.matmul %pp, %v, %shrunk : !tile.tile<{m}x{n}x{e}>, !tile.tile<{n}x{d}x{e}> -> {o}
    scf.yield %newTop, %newSum, %newOut : {row}, {row}, {o}"""


def array(p):
    return f"memref<?x?x{p.columns}x{p.element}>"


def write_range(p):
    """Writes the range of keys. The loop covers the keys before %end; those before
    %whole count for every query of the block."""
    if not p.is_causal:
        return """
  %whole = arith.addi %length, %c0 : index
  %end = arith.addi %length, %c0 : index"""
    return f"""
  %whole = arith.addi %m, %c1 : index
  %last = affine.apply affine_map<(m) -> (m + {p.queries})>(%m)
  %end = arith.minui %last, %length : index"""


def write_attention(p):
    m, n, d, e = p.queries, p.keys, p.columns, p.element
    row, o = f"!tile.tile<{m}x1xf32>", f"!tile.tile<{m}x{d}xf32>"
    carried = f"{row}, {row}, {o}"
    return f"""// {p.name}: see benchmarks/chain_programs.py.
#grid = #tile.grid<affine_map<(heads, length) -> (length ceildiv {m}, heads)>
                   of [[0, 0], [0, 1]]>
tile.kernel @attention(%Q: {array(p)}, %K: {array(p)}, %V: {array(p)},
                       %O: {array(p)}) {get_attributes(p)} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant {m} : index
  %step = arith.constant {n} : index
  %block = tile.program_id x
  %head = tile.program_id y
  %m = arith.muli %block, %rows : index
  %length = memref.dim %K, %c1 : {array(p)}{write_range(p)}
  %q = tile.load %Q[%head, %m, %c0] : {array(p)} -> !tile.tile<{m}x{d}x{e}>
  %least = arith.constant dense<-1.0e30> : {row}
  %none = arith.constant dense<0.0> : {row}
  %nothing = arith.constant dense<0.0> : {o}
  %all:3 = scf.for %k = %c0 to %end step %step
      iter_args(%top = %least, %sum = %none, %out = %nothing)
      -> ({carried}) {{{write_step(p)}
  }}
  %one = arith.constant dense<1.0> : {row}
  %inverse = arith.divf %one, %all#1 : {row}
  %inverses = tile.broadcast %inverse : {row} to {o}
  %result = arith.mulf %all#2, %inverses : {o}
  %narrow = tile.cast %result : {o} to !tile.tile<{m}x{d}x{e}>
  tile.store %narrow, %O[%head, %m, %c0] : !tile.tile<{m}x{d}x{e}>, {array(p)}
  tile.return
}}
"""


def write_mlp(p):
    h, rows, e = p.hidden, p.rows, p.element
    extents = [INPUTS, h, h, h, OUTPUTS]

    def tile(a, b, element):
        return f"!tile.tile<{a}x{b}x{element}>"

    arrays = [f"%W{i}: memref<{a}x{b}x{e}>"
              for i, (a, b) in enumerate(zip(extents, extents[1:]))]
    weights = "".join(f"""
  %w{i} = tile.load %W{i}[%c0, %c0] : memref<{a}x{b}x{e}> -> {tile(a, b, e)}"""
                      for i, (a, b) in enumerate(zip(extents, extents[1:])))
    layers, value = "", "%x"
    for i, (a, b) in enumerate(zip(extents, extents[1:])):
        is_last = i == len(extents) - 2
        acc = tile(rows, b, "f32")
        layers += f"""
    %zero{i} = arith.constant dense<0.0> : {acc}
    %sum{i} = tile.matmul {value}, %w{i}, %zero{i} : {tile(rows, a, e)}, {tile(a, b, e)} -> {acc}"""
        if not is_last:
            layers += f"""
    %relu{i} = arith.maximumf %sum{i}, %zero{i} : {acc}"""
        layers += f"""
    %h{i} = tile.cast {"%sum" if is_last else "%relu"}{i} : {acc} to {tile(rows, b, e)}"""
        value = f"%h{i}"
    return f"""// {p.name}: see benchmarks/chain_programs.py.
#grid = #tile.grid<affine_map<() -> ({BLOCKS})> of []>
tile.kernel @mlp(%X: memref<?x{INPUTS}x{e}>, {", ".join(arrays)},
                 %Y: memref<?x{OUTPUTS}x{e}>) {get_attributes(p)} {{
  %c0 = arith.constant 0 : index
  %rows = arith.constant {rows} : index
  %count = memref.dim %X, %c0 : memref<?x{INPUTS}x{e}>
  %block = tile.program_id x
  %blocks = tile.num_programs x
  %first = arith.muli %block, %rows : index
  %step = arith.muli %blocks, %rows : index{weights}
  scf.for %row = %first to %count step %step {{
    %x = tile.load %X[%row, %c0] : memref<?x{INPUTS}x{e}> -> {tile(rows, INPUTS, e)}{layers}
    tile.store {value}, %Y[%row, %c0] : {tile(rows, OUTPUTS, e)}, memref<?x{OUTPUTS}x{e}>
  }}
  tile.return
}}
"""


def list_programs():
    return [parse(name) for name in MEASURED]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    if not options.names and not options.folder:
        print("\n".join(MEASURED))
        return 0
    programs = list(map(parse, options.names)) or list_programs()
    if options.folder:
        launcher.write_programs(options.folder, programs)
    else:
        for program in programs:
            print(program.write(), end="")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchmarkError as error:
        sys.exit(f"chain_programs.py: {error}")
