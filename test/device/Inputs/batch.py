# batch.py - matmuls of rank 3: orders, operands shared by a batch, epilogues
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   batch.py --on=cpu
#   batch.py --on=emulator --arch=sm_90
#   batch.py --on=cuda --arch=sm_80
#
# products.py covers each element type and operand order of a batch; this file covers
# what only batches have. Elements are small integers, so that every sum is exact. The
# letters of an operand's order name its dimensions in memory order: "bmk" is a
# row-major A, "mkb" interleaves the matrices of the batch, and "mk" is one matrix that
# the whole batch shares.

import harness
import numpy as np
from harness import DTYPES, Out

RANDOM = np.random.default_rng(10)
SIZE = {"b": 5, "m": 33, "n": 23, "k": 41}
TILE = {"b": 2, "m": 32, "n": 16, "k": 16}
ORDERS = [("bmk", "bkn"), ("mk", "bkn"), ("bmk", "kn"), ("km", "bnk"),
          ("mbk", "kbn"), ("mkb", "bkn"), ("bkm", "nkb"), ("mk", "kn")]
ACCUMULATORS = {"f16": "f32", "f32": "f32", "i8": "i32", "f64": "f64"}

PROGRAM = """
#grid = #tile.grid<affine_map<(b, m, n) ->
                              (m ceildiv %(m)d, n ceildiv %(n)d, b ceildiv %(b)d)>
                   of [[3, 0], [3, 1], [3, 2]]>
tile.kernel @f(%%A: %(array_a)s, %%B: %(array_b)s, %%bias: memref<?x?x%(acc)s>,
               %%C: memref<?x?x?x%(to)s>, %%depth: index)
    attributes {%(block)sgrid = #grid} {
  %%zero = arith.constant 0 : index
  %%cb = arith.constant %(b)d : index
  %%cm = arith.constant %(m)d : index
  %%cn = arith.constant %(n)d : index
  %%ck = arith.constant %(k)d : index
  %%bb = tile.program_id z
  %%bm = tile.program_id x
  %%bn = tile.program_id y
  %%b = arith.muli %%bb, %%cb : index
  %%m = arith.muli %%bm, %%cm : index
  %%n = arith.muli %%bn, %%cn : index
  %%start = arith.constant dense<%(start)s> : !tile.tile<%(b)dx%(m)dx%(n)dx%(acc)s>
  %%sum = scf.for %%k = %%zero to %%depth step %%ck
      iter_args(%%before = %%start) -> !tile.tile<%(b)dx%(m)dx%(n)dx%(acc)s> {
%(load_a)s
%(load_b)s
    %%d = tile.matmul %%x, %%y, %%before %(tiling)s
        : %(tile_a)s, %(tile_b)s -> !tile.tile<%(b)dx%(m)dx%(n)dx%(acc)s>
    scf.yield %%d : !tile.tile<%(b)dx%(m)dx%(n)dx%(acc)s>
  }
%(epilogue)s
  tile.store %%result, %%C[%%b, %%m, %%n]
      : !tile.tile<%(b)dx%(m)dx%(n)dx%(to)s>, memref<?x?x?x%(to)s>
  tile.return
}
"""

# A bias for each matrix and column, and a ReLU.
EPILOGUE = """
  %%row = tile.load %%bias[%%b, %%n] : memref<?x?x%(acc)s> -> !tile.tile<%(b)dx%(n)dx%(acc)s>
  %%rows = tile.reshape %%row : !tile.tile<%(b)dx%(n)dx%(acc)s> to !tile.tile<%(b)dx1x%(n)dx%(acc)s>
  %%biases = tile.broadcast %%rows : !tile.tile<%(b)dx1x%(n)dx%(acc)s> to !tile.tile<%(b)dx%(m)dx%(n)dx%(acc)s>
  %%biased = arith.addf %%sum, %%biases : !tile.tile<%(b)dx%(m)dx%(n)dx%(acc)s>
  %%clamped = arith.maximumf %%biased, %%start : !tile.tile<%(b)dx%(m)dx%(n)dx%(acc)s>
  %%result = tile.cast %%clamped : !tile.tile<%(b)dx%(m)dx%(n)dx%(acc)s> to !tile.tile<%(b)dx%(m)dx%(n)dx%(to)s>
"""
PLAIN = """
  %%result = tile.cast %%sum : !tile.tile<%(b)dx%(m)dx%(n)dx%(acc)s> to !tile.tile<%(b)dx%(m)dx%(n)dx%(to)s>
"""


def format_tile(order, tile, element):
    return "!tile.tile<%sx%s>" % ("x".join(str(tile[d]) for d in order), element)


def format_array(order, element):
    return "memref<%sx%s>" % ("x".join("?" for _ in order), element)


def write_load(name, array, order, wanted, tile, element):
    """Loads a tile of an array and transposes it to the matmul's order `wanted`."""
    loaded = format_tile(order, tile, element)
    text = "    %%%s0 = tile.load %%%s[%s] : %s -> %s\n" % (
        name, array, ", ".join("%" + d for d in order),
        format_array(order, element), loaded)
    return text + "    %%%s = tile.transpose %%%s0 [%s] : %s to %s" % (
        name, name, ", ".join(str(order.index(d)) for d in wanted), loaded,
        format_tile(wanted, tile, element))


def get_wanted(order, wanted):
    return wanted if "b" in order else wanted[1:]


def write(a, b, element, to, tile, epilogue, block, tiling):
    acc = ACCUMULATORS[element]
    wanted_a, wanted_b = get_wanted(a, "bmk"), get_wanted(b, "bkn")
    words = dict(
        tile, acc=acc, to=to, tiling=tiling,
        block="block = %d : i64, " % block if block else "",
        start="0" if acc.startswith("i") else "0.0",
        array_a=format_array(a, element), array_b=format_array(b, element),
        load_a=write_load("x", "A", a, wanted_a, tile, element),
        load_b=write_load("y", "B", b, wanted_b, tile, element),
        tile_a=format_tile(wanted_a, tile, element),
        tile_b=format_tile(wanted_b, tile, element))
    return PROGRAM % dict(words, epilogue=epilogue % words)


def draw(order, element):
    return RANDOM.integers(-4, 5, [SIZE[d] for d in order]).astype(
        DTYPES[element])


def check(a, b, element, to=None, tile=TILE, epilogue=PLAIN, block=None,
          tiling=""):
    """Checks one matmul of arrays A and B of these orders."""
    acc = ACCUMULATORS[element]
    to = to or acc
    x, y = draw(a, element), draw(b, element)
    bias = draw("bn", acc)
    text = write(a, b, element, to, tile, epilogue, block, tiling)
    out = harness.run(text, "f", x, y, bias, Out(*(SIZE[d] for d in "bmn")),
                      SIZE["k"], grid=None)
    expected = np.einsum("%s,%s->bmn" % (a, b) if "b" in a + b else
                         "%s,%s->mn" % (a, b),
                         x.astype(np.float64), y.astype(np.float64))
    expected = np.broadcast_to(expected, out.shape)
    if epilogue is EPILOGUE:
        expected = np.maximum(expected + bias[:, None, :], 0)
    harness.same(out, expected.astype(DTYPES[to]), "%s, %s of %s by %s %s" % (
        a, b, element, tile, tiling))


def check_orders():
    for element in ACCUMULATORS:
        for a, b in ORDERS:
            check(a, b, element)


def check_tiles():
    """Checks batches of one, of other sizes than powers of two, of more than warps; tiny tiles."""
    for element in ("f16", "f32"):
        for b, m, n, k in [(1, 32, 16, 32), (3, 17, 9, 5), (7, 8, 8, 8),
                           (32, 16, 16, 16), (5, 64, 40, 24)]:
            check("bmk", "bkn", element, tile=dict(b=b, m=m, n=n, k=k))


def check_warpgroups():
    """Checks tiles of at least 64 rows, which four warps multiply together where the
    architecture has such MMAs: batches of 1, 3 and 6, and a tile of 65 rows."""
    for element in ("f16", "i8"):
        for a, b in ORDERS:
            check(a, b, element, tile=dict(b=2, m=64, n=16, k=32))
        for b, m, n, k in [(1, 64, 16, 32), (3, 65, 24, 64), (6, 64, 40, 16)]:
            for order in ("bkn", "bnk"):
                check("bmk", order, element, tile=dict(b=b, m=m, n=n, k=k))
    for tiling in ("warps = [1, 4, 1]", "warps = [2, 4, 1], sub = [3, 2, 4]",
                   "warps = [3, 4, 2]"):
        check("bmk", "bnk", "f16", tile=dict(b=6, m=128, n=32, k=32),
              tiling="tiling <%s>" % tiling)
    # Enough stages that an MMA is still in flight when the next one is issued.
    check("bmk", "bnk", "f16", tile=dict(b=2, m=128, n=32, k=16),
          tiling="tiling <stages = 4>")


def check_tilings():
    tile = dict(b=6, m=32, n=16, k=16)
    for tiling in ("warps = [2, 1, 2], sub = [3, 2, 1]", "warps = [3, 2, 1]",
                   "sub = [6, 2, 1]", "warps = [1, 1, 1]"):
        for a, b in ORDERS[:3]:
            check(a, b, "f16", tile=tile, tiling="tiling <%s>" % tiling)
    for tiling in ("warps = [2, 1, 2], thread = [2, 4]",
                   "operands = global, vector = 1", "operands = global",
                   "warps = [3, 1, 1], sub = [2, 2, 2]"):
        for a, b in ORDERS[:6]:
            check(a, b, "f32", tile=tile, tiling="tiling <%s>" % tiling)
    # Some warps have no matmul to compute.
    check("bmk", "bkn", "f16", tile=dict(b=3, m=16, n=8, k=16), block=256)


def check_epilogues():
    for element in ("f16", "f32"):
        for a, b in ORDERS[:3]:
            check(a, b, element, to="f16", epilogue=EPILOGUE)


if __name__ == "__main__":
    check_orders()
    check_tiles()
    check_tilings()
    check_warpgroups()
    check_epilogues()
