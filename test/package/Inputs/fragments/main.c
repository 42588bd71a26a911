/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The fragment of C of docs/Embedding.md, as it stands there, and a run of what
   it compiled. */

#include "tile-c/Compiler.h"

#include <stdio.h>
#include <string.h>

static const char text[] =
    "tile.kernel @scale(%x: memref<64xf32>)\n"
    "    attributes {grid = #tile.grid<affine_map<() -> (1)> of []>} {\n"
    "  %zero = arith.constant 0 : index\n"
    "  %two = arith.constant dense<2.0> : !tile.tile<64xf32>\n"
    "  %tile = tile.load %x[%zero] : memref<64xf32> -> !tile.tile<64xf32>\n"
    "  %scaled = arith.mulf %tile, %two : !tile.tile<64xf32>\n"
    "  tile.store %scaled, %x[%zero] : !tile.tile<64xf32>, memref<64xf32>\n"
    "  tile.return\n"
    "}\n";

int main(void) {
  const size_t size = strlen(text);
#include "compile.inc"
  float x[64];
  for (int i = 0; i < 64; ++i)
    x[i] = (float)i;
  const int64_t sizes[1] = {64};
  const tile_argument argument = {
      .struct_size = sizeof argument, .data = x, .rank = 1, .sizes = sizes};
  if (tile_run(result, "scale", &argument, 1, NULL, NULL) != TILE_STATUS_OK)
    fputs(tile_compiler_last_error(), stderr);
  printf("the last element is %g\n", x[63]);
  tile_result_destroy(result);
  tile_compiler_destroy(compiler);
  return 0;
}
