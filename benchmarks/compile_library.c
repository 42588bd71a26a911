/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile_library.c - times compiling by the C library, compared with
 * tile-compile.
 *
 *   cc -O2 compile_library.c -lTileCompiler && ./a.out TILE_COMPILE ARCH
 * FILE...
 *
 * Prints for each program the median times of compiling to PTX, in
 * milliseconds: by the library; by a process of TILE_COMPILE; and by such a
 * process without the time of TILE_COMPILE --version, which only starts. The
 * three are timed in turns; the first round is not counted.
 */
#include "tile-c/Compiler.h"
#include "timing.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#define TILE(CALL)                                                             \
  do {                                                                         \
    if ((CALL) != TILE_STATUS_OK)                                              \
      exit((fprintf(stderr, "%s: %s\n", #CALL, tile_compiler_last_error()),    \
            1));                                                               \
  } while (0)

enum { WAYS = 3, ROUNDS = 21, MAX_SIZE = 1 << 20 };

extern char **environ;
static char *tool, *arch, *path;
static char text[MAX_SIZE];
static size_t size;
static tile_compiler *compiler;
static double times[WAYS][ROUNDS];

static void read_program(void) {
  FILE *file = fopen(path, "rb");
  if (!file)
    exit((fprintf(stderr, "cannot open %s\n", path), 1));
  size = fread(text, 1, sizeof text, file);
  fclose(file);
}

static void compile(void) {
  tile_compile_options options = {.struct_size = sizeof options,
                                  .name = path,
                                  .arch = arch,
                                  .machine = TILE_MACHINE_CUDA,
                                  .outputs =
                                      TILE_OUTPUT_PTX | TILE_OUTPUT_METADATA};
  tile_result *result;
  TILE(tile_compile(compiler, text, size, &options, &result));
  tile_result_destroy(result);
}

static void run(char *arguments[]) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1 /* O_WRONLY */,
                                   0);
  pid_t process;
  int status = 1;
  if (posix_spawnp(&process, tool, &actions, NULL, arguments, environ) != 0 ||
      waitpid(process, &status, 0) != process || status != 0)
    exit((fprintf(stderr, "%s: status %d\n", tool, status), 1));
  posix_spawn_file_actions_destroy(&actions);
}

static void do_way(int way) {
  char machine[32];
  snprintf(machine, sizeof machine, "--arch=%s", arch);
  char *compiling[] = {tool, path, machine, "--emit=ptx", "-o", "-", NULL};
  char *starting[] = {tool, "--version", NULL};
  if (way == 0)
    compile();
  else
    run(way == 1 ? compiling : starting);
}

static double get_milliseconds(int way) {
  return get_median(times[way], ROUNDS) * 1e-3;
}

static void time_program(void) {
  read_program();
  for (int round = -1; round < ROUNDS; ++round)
    for (int way = 0; way < WAYS; ++way) {
      double start = get_time();
      do_way(way);
      if (round >= 0)
        times[way][round] = get_time() - start;
    }
  double library = get_milliseconds(0), process = get_milliseconds(1);
  printf("%s: library %.2f ms, process %.2f, less its start %.2f\n", path,
         library, process, process - get_milliseconds(2));
}

int main(int count, char *words[]) {
  if (count < 4)
    exit((fprintf(stderr, "usage: %s TILE_COMPILE ARCH FILE...\n", words[0]),
          2));
  tool = words[1], arch = words[2];
  TILE(tile_compiler_create(TILE_API_VERSION, NULL, &compiler));
  for (int i = 3; i < count; ++i) {
    path = words[i];
    time_program();
  }
  tile_compiler_destroy(compiler);
  return 0;
}
