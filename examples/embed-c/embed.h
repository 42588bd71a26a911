/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* embed.h - the functions that the files of the example share. */

#ifndef EMBED_H
#define EMBED_H

#include "tile-c/Compiler.h"

/* program.c: returns the text of a tile program whose kernel `normalize`
   divides each row of x by its sum. A row has up to `width` elements, a power
   of two. The caller frees the text. */
char *write_program(int width);

/* compile.c: compiles `text` by `compiler` and prints the diagnostics. Returns
   the result; NULL if there is none. */
tile_result *compile(tile_compiler *compiler, const char *text,
                     const tile_compile_options *options);

/* run.c: runs the kernel of `program`, compiled for the emulator, on random
   rows, and compares the result with the host's. Returns 0 if they differ. */
int run_rows(const tile_result *program, int rows, int columns);

/* device.c: loads the kernel of `result`, compiled to PTX, on the first GPU, if
   there is one, and prints the properties of the loaded kernel. */
void describe_on_device(const tile_result *result);

#endif
