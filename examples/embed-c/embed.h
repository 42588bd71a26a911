/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the parts of the example have from each other. */

#ifndef EMBED_H
#define EMBED_H

#include "tile-c/Compiler.h"

/* program.c: the text of a tile program whose kernel `normalize` divides each
   row of x by its sum, in rows of up to `width` numbers, a power of two. To be
   freed. */
char *write_program(int width);

/* compile.c: prints the diagnostics of `text` compiled by `compiler`, and
   returns its result; NULL where there is none. */
tile_result *compile(tile_compiler *compiler, const char *text,
                     const tile_compile_options *options);

/* run.c: runs the kernel of `program`, compiled for the emulator, on random
   rows, and compares with what the host computes. Not 0: it is the same. */
int run_rows(const tile_result *program, int rows, int columns);

/* device.c: loads the kernel of `result`, compiled to PTX, on the first GPU, if
   there is one, and prints what is known of it there. */
void describe_on_device(const tile_result *result);

#endif
