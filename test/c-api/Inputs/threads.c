/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* threads FILE...: compiles each program on a thread of its own, all at once
   by one compiler, and expects the PTX that each has by itself. */

#include "File.h"

#include "tile-c/Compiler.h"

#include <pthread.h>
#include <string.h>

struct job {
  tile_compiler *compiler;
  const char *path;
  tile_status status;
  tile_result *result;
};

static void *compile(void *data) {
  struct job *job = data;
  size_t size;
  char *program = read_file(job->path, &size);
  tile_compile_options options = {.struct_size = sizeof options};
  options.name = job->path;
  options.outputs = TILE_OUTPUT_PTX;
  job->status =
      tile_compile(job->compiler, program, size, &options, &job->result);
  if (job->status)
    printf("%s\n", tile_compiler_last_error());
  free(program);
  return NULL;
}

static const char *get_ptx(const struct job *job) {
  const char *ptx;
  return tile_result_get_output(job->result, TILE_OUTPUT_PTX, &ptx, NULL) ? ""
                                                                          : ptx;
}

int main(int argc, char **argv) {
  enum { kMost = 64 };
  struct job jobs[kMost];
  pthread_t threads[kMost];
  int count = argc - 1;
  if (count < 1 || count > kMost)
    return 2;
  tile_compiler *compiler;
  if (tile_compiler_create(TILE_API_VERSION, NULL, &compiler))
    return 2;
  for (int i = 0; i < count; ++i) {
    jobs[i] = (struct job){compiler, argv[i + 1], TILE_STATUS_OK, NULL};
    if (pthread_create(&threads[i], NULL, compile, &jobs[i]))
      return 2;
  }
  for (int i = 0; i < count; ++i)
    pthread_join(threads[i], NULL);
  int equal = 0;
  for (int i = 0; i < count; ++i) {
    tile_compiler_options options = {.struct_size = sizeof options};
    options.threads = 1;
    tile_compiler *alone;
    if (tile_compiler_create(TILE_API_VERSION, &options, &alone))
      return 2;
    struct job job = {alone, argv[i + 1], TILE_STATUS_OK, NULL};
    compile(&job);
    const char *ptx = get_ptx(&jobs[i]);
    equal += *ptx && strcmp(ptx, get_ptx(&job)) == 0;
    tile_result_destroy(job.result);
    tile_result_destroy(jobs[i].result);
    tile_compiler_destroy(alone);
  }
  tile_compiler_destroy(compiler);
  printf("%d of %d programs are as by themselves\n", equal, count);
  return 0;
}
