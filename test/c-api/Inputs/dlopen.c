/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* dlopen LIBRARY FILE: a process that has nothing but C's library opens the
   compiler for itself alone, as an extension of an interpreter does, and runs
   the kernel `wave`, which calls mathematical functions, on both machines. */

#include "File.h"

#include "tile-c/Compiler.h"

#include <dlfcn.h>
#include <string.h>

static void *library;

/* The function of the library; ISO C has no cast for it. */
#define FIND(NAME)                                                             \
  __typeof__(&NAME) NAME##_;                                                   \
  *(void **)&NAME##_ = dlsym(library, #NAME)

static void run(const char *text, size_t size, tile_machine machine) {
  FIND(tile_compiler_create);
  FIND(tile_compiler_destroy);
  FIND(tile_compiler_last_error);
  FIND(tile_compile);
  FIND(tile_result_destroy);
  FIND(tile_run);
  tile_compiler *compiler;
  tile_compiler_create_(TILE_API_VERSION, NULL, &compiler);
  tile_compile_options options = {.struct_size = sizeof options};
  options.machine = machine;
  tile_result *program;
  float x[64], y[64] = {0};
  for (int i = 0; i < 64; ++i)
    x[i] = (float)i / 64;
  const int64_t extent = 64;
  const tile_argument arguments[2] = {
      {sizeof *arguments, x, 1, &extent, NULL, "f32"},
      {sizeof *arguments, y, 1, &extent, NULL, "f32"}};
  if (tile_compile_(compiler, text, size, &options, &program) ||
      tile_run_(program, "wave", arguments, 2, NULL, NULL))
    printf("%s\n", tile_compiler_last_error_());
  else
    printf("machine %d: %.5f %.5f\n", machine, y[0], y[63]);
  tile_result_destroy_(program);
  tile_compiler_destroy_(compiler);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  /* A second time, after it was closed. */
  for (int time = 0; time < 2; ++time) {
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      printf("%s\n", dlerror());
      return 1;
    }
    size_t size;
    char *text = read_file(argv[2], &size);
    run(text, size, TILE_MACHINE_EMULATOR);
    run(text, size, TILE_MACHINE_CPU);
    free(text);
    dlclose(library);
  }
  return 0;
}
