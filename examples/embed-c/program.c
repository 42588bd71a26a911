/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* program.c - writes the tile program as text, for which a front end does not
   need MLIR. */

#include "embed.h"

#include <stdio.h>
#include <stdlib.h>

/* Each block computes 16 rows. Loads outside of the array return zero, and
   stores outside are dropped. */
static const char kText[] =
    "#grid = #tile.grid<affine_map<(n) -> (n ceildiv 16)> of [[0, 0]]>\n"
    "!rows = !tile.tile<16x%dxf32>\n"
    "!column = !tile.tile<16x1xf32>\n"
    "\n"
    "tile.kernel @normalize(%%x: memref<?x?xf32>, %%y: memref<?x?xf32>)\n"
    "    attributes {grid = #grid} {\n"
    "  %%zero = arith.constant 0 : index\n"
    "  %%height = arith.constant 16 : index\n"
    "  %%block = tile.program_id x\n"
    "  %%row = arith.muli %%block, %%height : index\n"
    "  %%tile = tile.load %%x[%%row, %%zero] : memref<?x?xf32> -> !rows\n"
    "  %%sum = tile.reduce add %%tile axis 1 keep : !rows to !column\n"
    "  %%sums = tile.broadcast %%sum : !column to !rows\n"
    "  %%share = arith.divf %%tile, %%sums : !rows\n"
    "  tile.store %%share, %%y[%%row, %%zero] : !rows, memref<?x?xf32>\n"
    "  tile.return\n"
    "}\n";

char *write_program(int width) {
  size_t size = sizeof kText + 16;
  char *text = malloc(size);
  if (text)
    snprintf(text, size, kText, width);
  return text;
}
