/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* main.c - "embed ROWS COLUMNS" divides rows by their sums, with a kernel that
   is written, compiled and run in this process. */

#include "embed.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the least power of two that is at least `number`. */
static int round_up(int number) {
  int width = 1;
  while (width < number)
    width *= 2;
  return width;
}

static int run(tile_compiler *compiler, const char *text, int rows,
               int columns) {
  tile_compile_options options = {.struct_size = sizeof options};
  options.name = "normalize";
  options.outputs = TILE_OUTPUT_PTX;
  tile_result *ptx = compile(compiler, text, &options);
  if (!ptx)
    return 1;
  const char *data;
  size_t size;
  tile_result_get_output(ptx, TILE_OUTPUT_PTX, &data, &size);
  printf("PTX: %zu bytes\n", size);
  describe_on_device(ptx);
  tile_result_destroy(ptx);

  options.machine = TILE_MACHINE_EMULATOR;
  options.outputs = 0;
  tile_result *program = compile(compiler, text, &options);
  int failed = !program || !run_rows(program, rows, columns);
  tile_result_destroy(program);
  return failed;
}

int main(int argc, char **argv) {
  int rows = argc == 3 ? atoi(argv[1]) : 0;
  int columns = argc == 3 ? atoi(argv[2]) : 0;
  if (rows < 1 || columns < 1 || columns > 1 << 20) {
    fprintf(stderr, "expected embed ROWS COLUMNS\n");
    return 2;
  }
  tile_compiler *compiler;
  if (tile_compiler_create(TILE_API_VERSION, NULL, &compiler) !=
      TILE_STATUS_OK) {
    fprintf(stderr, "%s\n", tile_compiler_last_error());
    return 1;
  }
  char *text = write_program(round_up(columns));
  int failed = !text || run(compiler, text, rows, columns);
  free(text);
  tile_compiler_destroy(compiler);
  return failed;
}
