/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* run gemm FILE:     products on the CPU and the emulator, against float64
   run findings FILE: what the emulator finds in `race`, one by one
   run assert FILE:   an assertion that fails, on both machines
   run function FILE: a function that launches two kernels, on both machines
   run outputs FILE:  a sum that is read before it is written */

#include "File.h"

#include "tile-c/Compiler.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static void check(tile_status status) {
  if (status == TILE_STATUS_OK)
    return;
  printf("status %d: %s\n", status, tile_compiler_last_error());
  exit(1);
}

static tile_result *compile(const char *path, tile_machine machine) {
  size_t size;
  char *program = read_file(path, &size);
  tile_compiler *compiler;
  check(tile_compiler_create(TILE_API_VERSION, NULL, &compiler));
  tile_compile_options options = {.struct_size = sizeof options};
  const char *slash = strrchr(path, '/');
  options.name = slash ? slash + 1 : path;
  options.machine = machine;
  tile_result *result;
  check(tile_compile(compiler, program, size, &options, &result));
  /* A program outlives its compiler. */
  check(tile_compiler_destroy(compiler));
  free(program);
  return result;
}

/*===----------------------------------------------------------------------===*\
|* Products
\*===----------------------------------------------------------------------===*/

/* Of C's rand(), which gives equal numbers in equal programs. */
static double draw_normal(void) {
  double u = (rand() + 1.0) / (RAND_MAX + 2.0), v = rand() / (RAND_MAX + 1.0);
  return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* A is in rows of a wider array; B is transposed in memory. */
enum { M = 37, N = 53, K = 41, WIDTH = 60 };
static float a[M][WIDTH], b[K][N], c[M][N];

static int count_good(void) {
  int good = 0;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      double sum = 0, size = 0;
      for (int k = 0; k < K; ++k) {
        sum += (double)a[i][k] * b[k][j];
        size += fabs((double)a[i][k] * b[k][j]);
      }
      good += fabs(c[i][j] - sum) <= K * 6e-8 * size;
    }
  return good;
}

/* How far the run is, as the last call said. */
struct progress {
  int64_t calls, ended, all;
};

static void note(void *context, int64_t ended, int64_t all) {
  struct progress *progress = context;
  progress->calls += 1;
  progress->ended = ended;
  progress->all = all;
}

static tile_outcome *run_gemm(const tile_result *program,
                              const tile_run_options *options) {
  static const int64_t kSizesA[2] = {M, K}, kStridesA[2] = {WIDTH, 1},
                       kSizesB[2] = {K, N}, kSizesC[2] = {M, N};
  tile_argument arguments[3] = {
      {sizeof *arguments, a, 2, kSizesA, kStridesA, "f32"},
      {sizeof *arguments, b, 2, kSizesB, NULL, "f32"},
      {sizeof *arguments, c, 2, kSizesC, NULL, NULL}};
  memset(c, 0x7f, sizeof c);
  tile_outcome *outcome;
  check(tile_run(program, "gemm_f32", arguments, 3, options, &outcome));
  return outcome;
}

static void try_gemm(const char *path) {
  for (int i = 0; i < M; ++i)
    for (int k = 0; k < WIDTH; ++k)
      a[i][k] = k < K ? (float)draw_normal() : NAN;
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < N; ++j)
      b[k][j] = (float)draw_normal();

  tile_result *program = compile(path, TILE_MACHINE_CPU);
  check(tile_outcome_destroy(run_gemm(program, NULL)));
  printf("cpu: %d of %d\n", count_good(), M * N);
  check(tile_result_destroy(program));

  program = compile(path, TILE_MACHINE_EMULATOR);
  struct progress progress = {0, 0, 0};
  tile_run_options options = {.struct_size = sizeof options};
  options.seed = 5;
  options.schedules = 3;
  options.threads = 2;
  options.profile = 1;
  options.progress = note;
  options.progress_context = &progress;
  tile_outcome *outcome = run_gemm(program, &options);
  printf("emulator: %d of %d\n", count_good(), M * N);
  printf("progress: %d calls, %d of %d blocks\n", (int)progress.calls,
         (int)progress.ended, (int)progress.all);
  const char *text, *json;
  check(tile_outcome_get_profile(outcome, &text, &json));
  printf("%s\n%s\n", text, json);
  const tile_finding *const *findings;
  size_t count;
  check(tile_outcome_get_findings(outcome, &findings, &count));
  printf("%zu findings\n", count);
  /* The program goes first. */
  check(tile_result_destroy(program));
  check(tile_outcome_destroy(outcome));
}

/*===----------------------------------------------------------------------===*\
|* Mistakes
\*===----------------------------------------------------------------------===*/

static void print_party(const char *name, const tile_party *party) {
  if (!party) {
    printf("  %s: none\n", name);
    return;
  }
  printf("  %s: %s (%s) at %s:%u:%u by block %u thread %u, reads %d writes %d "
         "async %d\n",
         name, party->operation, party->instruction, party->file, party->line,
         party->column, party->block[0], party->thread[0], party->reads,
         party->writes, party->is_async);
}

static void try_findings(const char *path) {
  tile_result *program = compile(path, TILE_MACHINE_EMULATOR);
  int32_t out[4] = {0, 0, 0, 0};
  const int64_t size = 4, grid[3] = {3, 1, 1};
  tile_argument argument = {sizeof argument, out, 1, &size, NULL, "i32"};
  tile_run_options options = {.struct_size = sizeof options};
  options.grid = grid;
  options.seed = 7;
  tile_outcome *outcome;
  tile_status status =
      tile_run(program, "race", &argument, 1, &options, &outcome);
  printf("status %d: %s\n", status, tile_compiler_last_error());
  const tile_finding *const *findings;
  size_t count;
  check(tile_outcome_get_findings(outcome, &findings, &count));
  printf("== %zu findings\n", count);
  for (size_t i = 0; i < count; ++i) {
    const tile_finding *finding = findings[i];
    printf("%s in %s at byte %d, %u bytes, seed %d: %s\n", finding->kind,
           finding->array, (int)finding->offset, finding->bytes,
           (int)finding->seed, finding->message);
    print_party("party", finding->party);
    print_party("other", finding->other);
    if (!strstr(status ? tile_compiler_last_error() : "", finding->text))
      printf("not in the text: %s\n", finding->text);
  }
  check(tile_outcome_destroy(outcome));
  check(tile_result_destroy(program));
}

static void try_assert(const char *path) {
  for (tile_machine machine = TILE_MACHINE_EMULATOR;
       machine <= TILE_MACHINE_CPU; ++machine) {
    tile_result *program = compile(path, machine);
    int32_t out[4] = {0, 0, 0, 0}, last = 2;
    const int64_t size = 4, grid[3] = {3, 1, 1};
    tile_argument arguments[2] = {
        {sizeof *arguments, out, 1, &size, NULL, "i32"},
        {sizeof *arguments, &last, TILE_SCALAR, NULL, NULL, "i32"}};
    tile_run_options options = {.struct_size = sizeof options};
    options.grid = grid;
    tile_status status =
        tile_run(program, "check", arguments, 2, &options, NULL);
    printf("machine %d, status %d: %s\n", machine, status,
           tile_compiler_last_error());
    /* The next run of the program is a good one. */
    last = 3;
    check(tile_run(program, "check", arguments, 2, &options, NULL));
    printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
    check(tile_result_destroy(program));
  }
}

/*===----------------------------------------------------------------------===*\
|* Kernels that do not end
\*===----------------------------------------------------------------------===*/

/* Says so when it is asked for the third time. */
static int32_t ask(void *context) {
  int *calls = context;
  return ++*calls >= 3;
}

static void try_endless(const char *path) {
  for (tile_machine machine = TILE_MACHINE_EMULATOR;
       machine <= TILE_MACHINE_CPU; ++machine) {
    tile_result *program = compile(path, machine);
    int32_t out[2] = {-1, -1}, limit = 0;
    const int64_t size = 2, grid[3] = {2, 1, 1};
    tile_argument arguments[2] = {
        {sizeof *arguments, out, 1, &size, NULL, "i32"},
        {sizeof *arguments, &limit, TILE_SCALAR, NULL, NULL, "i32"}};
    int calls = 0;
    tile_run_options options = {.struct_size = sizeof options};
    options.grid = grid;
    options.must_stop = ask;
    options.must_stop_context = &calls;
    tile_status status =
        tile_run(program, "count", arguments, 2, &options, NULL);
    printf("machine %d, status %d, %d calls: %s\n", machine, status, calls,
           tile_compiler_last_error());
    options.must_stop = NULL;
    limit = 1;
    check(tile_run(program, "count", arguments, 2, &options, NULL));
    printf("out %d %d\n", out[0], out[1]);
    check(tile_result_destroy(program));
  }
}

/*===----------------------------------------------------------------------===*\
|* Functions
\*===----------------------------------------------------------------------===*/

static void try_function(const char *path) {
  enum { LENGTH = 1000 };
  static float x[LENGTH], y[LENGTH];
  for (int i = 0; i < LENGTH; ++i)
    x[i] = (float)draw_normal();
  const int64_t length = LENGTH, grid[3] = {1, 1, 1};
  const tile_argument arguments[2] = {
      {sizeof *arguments, x, 1, &length, NULL, "f32"},
      {sizeof *arguments, y, 1, &length, NULL, "f32"}};
  for (tile_machine machine = TILE_MACHINE_EMULATOR;
       machine <= TILE_MACHINE_CPU; ++machine) {
    tile_result *program = compile(path, machine);
    memset(y, 0, sizeof y);
    tile_run_options options = {.struct_size = sizeof options};
    options.profile = machine == TILE_MACHINE_EMULATOR;
    tile_outcome *outcome;
    check(tile_run(program, "main", arguments, 2, &options, &outcome));
    int good = 0;
    for (int i = 0; i < LENGTH; ++i)
      good += y[i] == 2 * (x[i] + 1);
    printf("machine %d: %d of %d\n", machine, good, LENGTH);
    const char *text, *json;
    if (tile_outcome_get_profile(outcome, &text, &json) == TILE_STATUS_OK)
      printf("%s%s\n", text, json);
    check(tile_outcome_destroy(outcome));
    /* What is for kernels alone, and arguments that are wrong. */
    options = (tile_run_options){.struct_size = sizeof options, .grid = grid};
    if (tile_run(program, "main", arguments, 2, &options, NULL))
      printf("%s\n", tile_compiler_last_error());
    if (tile_run(program, "main", arguments, 1, NULL, NULL))
      printf("%s\n", tile_compiler_last_error());
    check(tile_result_destroy(program));
  }
}

/*===----------------------------------------------------------------------===*\
|* Outputs
\*===----------------------------------------------------------------------===*/

static void try_outputs(const char *path) {
  static float x[4] = {1, 2, 3, 4}, sum[4] = {10, 20, 30, 40};
  const int64_t length = 4, grid[3] = {1, 1, 1};
  const tile_argument arguments[2] = {
      {sizeof *arguments, x, 1, &length, NULL, "f32"},
      {sizeof *arguments, sum, 1, &length, NULL, "f32"}};
  tile_result *program = compile(path, TILE_MACHINE_EMULATOR);
  /* The size that the struct had before it had outputs. */
  tile_run_options options = {.struct_size =
                                  offsetof(tile_run_options, outputs)};
  options.grid = grid;
  options.num_outputs = 1;
  check(tile_run(program, "accumulate", arguments, 2, &options, NULL));
  printf("%g %g %g %g\n", sum[0], sum[1], sum[2], sum[3]);

  options.struct_size = sizeof options;
  if (tile_run(program, "accumulate", arguments, 2, &options, NULL))
    printf("%s\n", tile_compiler_last_error());
  for (int32_t index = -1; index <= 2; ++index) {
    options.outputs = &index;
    if (tile_run(program, "accumulate", arguments, 2, &options, NULL))
      printf("%d: %s\n", index, tile_compiler_last_error());
  }
  check(tile_result_destroy(program));
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  if (strcmp(argv[1], "gemm") == 0)
    try_gemm(argv[2]);
  else if (strcmp(argv[1], "findings") == 0)
    try_findings(argv[2]);
  else if (strcmp(argv[1], "assert") == 0)
    try_assert(argv[2]);
  else if (strcmp(argv[1], "endless") == 0)
    try_endless(argv[2]);
  else if (strcmp(argv[1], "outputs") == 0)
    try_outputs(argv[2]);
  else
    try_function(argv[2]);
  return 0;
}
