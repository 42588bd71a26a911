/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kernels FILE: compiles each kernel of FILE (kernels.mlir) on a thread of its
   own, all at once by one compiler, to PTX and for the emulator, and runs it
   there. Each has the PTX and the results that it has by itself. */

#include "../../c-api/Inputs/File.h"

#include "tile-c/Compiler.h"

#include <pthread.h>
#include <string.h>

enum { KERNELS = 8, EXTENT = 64 };
static const char *const kKernels[KERNELS] = {
    "elementwise", "reduction", "transpose",    "scan",
    "sort",        "product",   "tensor_cores", "additions"};

/* A kernel, and what came of it: `ptx` is null where something failed. */
struct work {
  tile_compiler *compiler;
  const char *program;
  size_t size;
  const char *kernel;
  tile_result *ptx;
  float result[EXTENT][EXTENT];
};

static int compile(const struct work *work, tile_machine machine,
                   tile_output outputs, tile_result **result) {
  tile_compile_options options = {.struct_size = sizeof options};
  options.kernel = work->kernel;
  options.machine = machine;
  options.outputs = outputs;
  return tile_compile(work->compiler, work->program, work->size, &options,
                      result) == TILE_STATUS_OK;
}

static int run(const tile_result *program, struct work *work) {
  static const int64_t kSizes[2] = {EXTENT, EXTENT};
  float x[EXTENT][EXTENT];
  for (int i = 0; i < EXTENT; ++i)
    for (int j = 0; j < EXTENT; ++j)
      x[i][j] = (float)((i * EXTENT + j) * 37 % 101) * 0.125f + 1;
  const tile_argument arguments[2] = {
      {sizeof *arguments, x, 2, kSizes, NULL, "f32"},
      {sizeof *arguments, work->result, 2, kSizes, NULL, "f32"}};
  tile_run_options options = {.struct_size = sizeof options};
  options.threads = 2;
  return tile_run(program, work->kernel, arguments, 2, &options, NULL) ==
         TILE_STATUS_OK;
}

static void *compile_and_run(void *data) {
  struct work *work = data;
  tile_result *program = NULL;
  int is_good = compile(work, TILE_MACHINE_CUDA, TILE_OUTPUT_PTX, &work->ptx) &&
                compile(work, TILE_MACHINE_EMULATOR, 0, &program) &&
                run(program, work);
  if (!is_good) {
    printf("%s: %s\n", work->kernel, tile_compiler_last_error());
    tile_result_destroy(work->ptx);
    work->ptx = NULL;
  }
  tile_result_destroy(program);
  return NULL;
}

static int is_equal(const struct work *left, const struct work *right) {
  const char *first, *second;
  return left->ptx && right->ptx &&
         !tile_result_get_output(left->ptx, TILE_OUTPUT_PTX, &first, NULL) &&
         !tile_result_get_output(right->ptx, TILE_OUTPUT_PTX, &second, NULL) &&
         strcmp(first, second) == 0 &&
         memcmp(left->result, right->result, sizeof left->result) == 0;
}

/* The work with a kernel, not yet begun. */
static struct work make_work(tile_compiler *compiler, const char *program,
                             size_t size, const char *kernel) {
  struct work work = {.compiler = compiler, .program = program, .size = size};
  work.kernel = kernel;
  return work;
}

int main(int argc, char **argv) {
  static struct work together[KERNELS];
  pthread_t threads[KERNELS];
  tile_compiler *compiler;
  tile_compiler_options options = {.struct_size = sizeof options};
  options.threads = 4;
  if (argc != 2 || tile_compiler_create(TILE_API_VERSION, &options, &compiler))
    return 2;
  size_t size;
  char *program = read_file(argv[1], &size);
  for (int i = 0; i < KERNELS; ++i) {
    together[i] = make_work(compiler, program, size, kKernels[i]);
    if (pthread_create(&threads[i], NULL, compile_and_run, &together[i]))
      return 2;
  }
  for (int i = 0; i < KERNELS; ++i)
    pthread_join(threads[i], NULL);
  int equal = 0;
  for (int i = 0; i < KERNELS; ++i) {
    struct work alone = make_work(compiler, program, size, kKernels[i]);
    compile_and_run(&alone);
    equal += is_equal(&together[i], &alone);
    tile_result_destroy(alone.ptx);
    tile_result_destroy(together[i].ptx);
  }
  tile_compiler_destroy(compiler);
  free(program);
  printf("%d of %d kernels are as by themselves\n", equal, KERNELS);
  return 0;
}
