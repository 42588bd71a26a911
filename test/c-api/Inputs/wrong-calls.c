/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Wrong calls of the compiler's C library, in tables: each has the status and
   the text that it must end with, and leaves the library as it was. */

#include "tile-c/Compiler.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int wrong_calls = 0, surprises = 0;

/* Whether `text` is `pattern`, in which one '*' may stand for a list. */
static int matches(const char *text, const char *pattern) {
  const char *star = strchr(pattern, '*');
  if (!star)
    return strcmp(text, pattern) == 0;
  size_t before = (size_t)(star - pattern), after = strlen(star + 1);
  return strlen(text) >= before + after &&
         strncmp(text, pattern, before) == 0 &&
         strcmp(text + strlen(text) - after, star + 1) == 0;
}

/* Compares what a call gave with what it should have. */
static void expect(const char *what, tile_status found, tile_status expected,
                   const char *text) {
  ++wrong_calls;
  if (found == expected && matches(tile_compiler_last_error(), text))
    return;
  ++surprises;
  printf("%s: expected %d: %s\n  found %d: %s\n", what, expected, text, found,
         tile_compiler_last_error());
}

static void expect_ok(const char *what, tile_status found) {
  if (found == TILE_STATUS_OK)
    return;
  ++surprises;
  printf("%s: found %d: %s\n", what, found, tile_compiler_last_error());
}

/* A kernel on arrays of all kinds, a scalar and a grid to be given. */
static const char kProgram[] =
    "tile.kernel @scale(%alpha: f32, %x: memref<?x4xf32>,\n"
    "                   %y: memref<?x4xf32>) {\n"
    "  %zero = arith.constant 0 : index\n"
    "  %row = tile.program_id x\n"
    "  %a = tile.load %x[%row, %zero] : memref<?x4xf32> -> "
    "!tile.tile<1x4xf32>\n"
    "  %s = tile.fill %alpha : !tile.tile<1x4xf32>\n"
    "  %b = arith.mulf %a, %s : !tile.tile<1x4xf32>\n"
    "  tile.store %b, %y[%row, %zero] : !tile.tile<1x4xf32>, "
    "memref<?x4xf32>\n"
    "  tile.return\n"
    "}\n";

static tile_compiler *compiler;
static tile_result *on_cpu, *on_emulator, *as_ptx;
static tile_outcome *outcome;

/*===----------------------------------------------------------------------===*\
|* Handles
\*===----------------------------------------------------------------------===*/

static tile_status compile_by(void *handle) {
  tile_result *result;
  return tile_compile(handle, kProgram, sizeof kProgram - 1, NULL, &result);
}
static tile_status lint_by(void *handle) {
  tile_result *result;
  return tile_lint(handle, kProgram, sizeof kProgram - 1, NULL, "scale", NULL,
                   0, &result);
}
static tile_status estimate_by(void *handle) {
  tile_result *result;
  return tile_estimate(handle, kProgram, sizeof kProgram - 1, NULL, NULL, 0,
                       NULL, &result);
}
static tile_status differentiate_by(void *handle) {
  tile_result *result;
  return tile_differentiate(handle, kProgram, sizeof kProgram - 1, NULL,
                            &result);
}
static tile_status read_by(void *handle) {
  tile_result *result;
  return tile_read_program(handle, kProgram, sizeof kProgram - 1, NULL,
                           &result);
}
static tile_status destroy_compiler(void *handle) {
  return tile_compiler_destroy(handle);
}
static tile_status get_output(void *handle) {
  const char *data;
  return tile_result_get_output(handle, TILE_OUTPUT_METADATA, &data, NULL);
}
static tile_status get_diagnostics(void *handle) {
  const tile_diagnostic *const *diagnostics;
  size_t count;
  return tile_result_get_diagnostics(handle, &diagnostics, &count);
}
static tile_status run(void *handle) {
  return tile_run(handle, "scale", NULL, 0, NULL, NULL);
}
static tile_status destroy_result(void *handle) {
  return tile_result_destroy(handle);
}
static tile_status get_profile(void *handle) {
  return tile_outcome_get_profile(handle, NULL, NULL);
}
static tile_status get_findings(void *handle) {
  const tile_finding *const *findings;
  size_t count;
  return tile_outcome_get_findings(handle, &findings, &count);
}
static tile_status destroy_outcome(void *handle) {
  return tile_outcome_destroy(handle);
}

enum kind { COMPILER, RESULT, OUTCOME, NUM_KINDS };
static const char *const kKinds[] = {"compiler", "result", "outcome"};

static const struct {
  const char *name;
  enum kind kind;
  tile_status (*call)(void *handle);
  int takes_null;
} kHandleCalls[] = {
    {"tile_compile", COMPILER, compile_by, 0},
    {"tile_lint", COMPILER, lint_by, 0},
    {"tile_estimate", COMPILER, estimate_by, 0},
    {"tile_differentiate", COMPILER, differentiate_by, 0},
    {"tile_read_program", COMPILER, read_by, 0},
    {"tile_compiler_destroy", COMPILER, destroy_compiler, 1},
    {"tile_result_get_output", RESULT, get_output, 0},
    {"tile_result_get_diagnostics", RESULT, get_diagnostics, 0},
    {"tile_run", RESULT, run, 0},
    {"tile_result_destroy", RESULT, destroy_result, 1},
    {"tile_outcome_get_profile", OUTCOME, get_profile, 0},
    {"tile_outcome_get_findings", OUTCOME, get_findings, 0},
    {"tile_outcome_destroy", OUTCOME, destroy_outcome, 1},
};

/* Makes a handle of each kind, and destroys it. */
static void make_destroyed(void *destroyed[NUM_KINDS]) {
  tile_compiler *first;
  tile_result *second;
  tile_outcome *third;
  float x[4] = {1, 2, 3, 4}, y[4], alpha = 2;
  int64_t sizes[2] = {1, 4}, grid[3] = {1, 1, 1};
  tile_argument arguments[3] = {
      {sizeof *arguments, &alpha, TILE_SCALAR, NULL, NULL, NULL},
      {sizeof *arguments, x, 2, sizes, NULL, NULL},
      {sizeof *arguments, y, 2, sizes, NULL, NULL}};
  tile_run_options options = {.struct_size = sizeof options, .grid = grid};
  tile_compile_options cpu = {.struct_size = sizeof cpu,
                              .machine = TILE_MACHINE_CPU};
  expect_ok("create", tile_compiler_create(TILE_API_VERSION, NULL, &first));
  expect_ok("compile",
            tile_compile(first, kProgram, sizeof kProgram - 1, &cpu, &second));
  expect_ok("run", tile_run(second, "scale", arguments, 3, &options, &third));
  expect_ok("destroy", tile_outcome_destroy(third));
  expect_ok("destroy", tile_result_destroy(second));
  expect_ok("destroy", tile_compiler_destroy(first));
  destroyed[COMPILER] = first;
  destroyed[RESULT] = second;
  destroyed[OUTCOME] = third;
}

static void try_handles(void) {
  void *destroyed[NUM_KINDS];
  make_destroyed(destroyed);
  void *live[NUM_KINDS] = {compiler, on_cpu, outcome};
  for (size_t i = 0; i < sizeof kHandleCalls / sizeof *kHandleCalls; ++i) {
    enum kind kind = kHandleCalls[i].kind;
    const char *name = kHandleCalls[i].name;
    char text[200];
#define EXPECT(HANDLE, STATUS, ...)                                            \
  snprintf(text, sizeof text, "expected a %s, found ", kKinds[kind]);          \
  snprintf(text + strlen(text), sizeof text - strlen(text), __VA_ARGS__);      \
  expect(name, kHandleCalls[i].call(HANDLE), STATUS, text)
    if (!kHandleCalls[i].takes_null) {
      EXPECT(NULL, TILE_STATUS_NULL_POINTER, "%s", "null");
    }
    int local;
    EXPECT(&local, TILE_STATUS_UNKNOWN_HANDLE, "%s",
           "a handle that was never given out");
    EXPECT((void *)(intptr_t)-1, TILE_STATUS_UNKNOWN_HANDLE, "%s",
           "a handle that was never given out");
    EXPECT(destroyed[kind], TILE_STATUS_DESTROYED_HANDLE, "%s",
           "one that was destroyed");
    for (int other = 0; other < NUM_KINDS; ++other) {
      if (other == (int)kind)
        continue;
      EXPECT(live[other], TILE_STATUS_WRONG_KIND, "a %s", kKinds[other]);
    }
#undef EXPECT
  }
}

/*===----------------------------------------------------------------------===*\
|* Pointers, versions and sizes
\*===----------------------------------------------------------------------===*/

static void try_create(void) {
  tile_compiler *made = compiler;
  tile_compiler_options options = {.struct_size = sizeof options};
  expect("no result", tile_compiler_create(TILE_API_VERSION, NULL, NULL),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'compiler', found null");
  expect("version 0.0", tile_compiler_create(0, NULL, &made),
         TILE_STATUS_WRONG_VERSION,
         "expected a program for version 0.2 of the library, found 0.0");
  if (made)
    expect_ok("a result of a wrong call", TILE_STATUS_INTERNAL_ERROR);
  expect("version 0.1", tile_compiler_create(1, NULL, &made),
         TILE_STATUS_WRONG_VERSION,
         "expected a program for version 0.2 of the library, found 0.1");
  expect("version 0.3", tile_compiler_create(3, NULL, &made),
         TILE_STATUS_WRONG_VERSION,
         "expected a program for version 0.2 of the library, found 0.3");
  expect("version 1.2", tile_compiler_create(1 << 16 | 2, NULL, &made),
         TILE_STATUS_WRONG_VERSION,
         "expected a program for version 0.2 of the library, found 1.2");
  options.struct_size = 0;
  expect("no size", tile_compiler_create(TILE_API_VERSION, &options, &made),
         TILE_STATUS_WRONG_SIZE,
         "expected the struct_size of 'tile_compiler_options' to be 48, found "
         "0");
  options.struct_size = sizeof options + 8;
  expect("large", tile_compiler_create(TILE_API_VERSION, &options, &made),
         TILE_STATUS_WRONG_SIZE,
         "expected the struct_size of 'tile_compiler_options' to be 48, found "
         "56");
  options.struct_size = sizeof options;
  options.threads = -1;
  expect("threads", tile_compiler_create(TILE_API_VERSION, &options, &made),
         TILE_STATUS_OUT_OF_RANGE,
         "expected 'threads' from 0 to 1024, found -1");
  options.threads = 1025;
  expect("threads", tile_compiler_create(TILE_API_VERSION, &options, &made),
         TILE_STATUS_OUT_OF_RANGE,
         "expected 'threads' from 0 to 1024, found 1025");
}

static void try_getters(void) {
  const char *data;
  size_t count;
  const tile_diagnostic *const *diagnostics;
  const tile_finding *const *findings;
  expect("no data",
         tile_result_get_output(on_cpu, TILE_OUTPUT_PTX, NULL, &count),
         TILE_STATUS_NULL_POINTER, "expected a pointer for 'data', found null");
  expect("no list", tile_result_get_diagnostics(on_cpu, NULL, &count),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'diagnostics', found null");
  expect("no count", tile_result_get_diagnostics(on_cpu, &diagnostics, NULL),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'count', found null");
  expect("no list", tile_outcome_get_findings(outcome, NULL, &count),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'findings', found null");
  expect("no count", tile_outcome_get_findings(outcome, &findings, NULL),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'count', found null");
  expect("no profile", tile_outcome_get_profile(outcome, &data, NULL),
         TILE_STATUS_NOT_AVAILABLE,
         "expected the outcome of a run with a profile, found one without");

  static const struct {
    tile_output output;
    tile_status status;
    const char *text;
  } kOutputs[] = {
      {0, TILE_STATUS_OUT_OF_RANGE, "expected one of the outputs, found 0"},
      {TILE_OUTPUT_PTX | TILE_OUTPUT_CUBIN, TILE_STATUS_OUT_OF_RANGE,
       "expected one of the outputs, found 6"},
      {1u << 31, TILE_STATUS_OUT_OF_RANGE,
       "expected one of the outputs, found 2147483648"},
      {TILE_OUTPUT_PTX, TILE_STATUS_NOT_AVAILABLE,
       "expected a result with PTX, found one that was compiled without"},
      {TILE_OUTPUT_CUBIN, TILE_STATUS_NOT_AVAILABLE,
       "expected a result with a cubin, found one that was compiled without"},
      {TILE_OUTPUT_LLVM_IR, TILE_STATUS_NOT_AVAILABLE,
       "expected a result with LLVM IR, found one that was compiled without"},
      {TILE_OUTPUT_REPORT, TILE_STATUS_NOT_AVAILABLE,
       "expected a result with a report, found one that was compiled without"},
      {TILE_OUTPUT_REPORT_JSON, TILE_STATUS_NOT_AVAILABLE,
       "expected a result with a report as JSON, found one that was compiled "
       "without"},
      {TILE_OUTPUT_IR, TILE_STATUS_NOT_AVAILABLE,
       "expected a result with IR, found one that was compiled without"},
  };
  for (size_t i = 0; i < sizeof kOutputs / sizeof *kOutputs; ++i) {
    data = kProgram;
    count = 1;
    expect("output",
           tile_result_get_output(on_cpu, kOutputs[i].output, &data, &count),
           kOutputs[i].status, kOutputs[i].text);
    if (data || count)
      expect_ok("data of a wrong call", TILE_STATUS_INTERNAL_ERROR);
  }
}

/*===----------------------------------------------------------------------===*\
|* Compiling
\*===----------------------------------------------------------------------===*/

#define SIZE .struct_size = sizeof(tile_compile_options)

static const struct {
  tile_compile_options options;
  tile_status status;
  const char *text;
} kCompilations[] = {
    {{.struct_size = 0},
     TILE_STATUS_WRONG_SIZE,
     "expected the struct_size of 'tile_compile_options' to be 80, found 0"},
    {{.struct_size = 79},
     TILE_STATUS_WRONG_SIZE,
     "expected the struct_size of 'tile_compile_options' to be 80, found 79"},
    {{.struct_size = (size_t)-1},
     TILE_STATUS_WRONG_SIZE,
     "expected the struct_size of 'tile_compile_options' to be 80, found "
     "18446744073709551615"},
    {{SIZE, .machine = -1},
     TILE_STATUS_OUT_OF_RANGE,
     "expected 'machine' from 0 to 3, found -1"},
    {{SIZE, .machine = 4},
     TILE_STATUS_OUT_OF_RANGE,
     "expected 'machine' from 0 to 3, found 4"},
    {{SIZE, .outputs = 1u << 7},
     TILE_STATUS_OUT_OF_RANGE,
     "expected 'outputs' from 0 to 127, found 128"},
    {{SIZE, .outputs = 0xffffffff},
     TILE_STATUS_OUT_OF_RANGE,
     "expected 'outputs' from 0 to 127, found 4294967295"},
    {{SIZE, .ptx_version = -83},
     TILE_STATUS_OUT_OF_RANGE,
     "expected 'ptx_version' from 0 to 999, found -83"},
    {{SIZE, .ptx_version = 1000},
     TILE_STATUS_OUT_OF_RANGE,
     "expected 'ptx_version' from 0 to 999, found 1000"},
    {{SIZE, .arch = "sm_91"},
     TILE_STATUS_INVALID_ARGUMENT,
     "expected an architecture (sm_80, *), found 'sm_91'"},
    {{SIZE, .arch = ""},
     TILE_STATUS_INVALID_ARGUMENT,
     "expected an architecture (sm_80, *), found ''"},
    {{SIZE, .machine = TILE_MACHINE_CPU, .arch = "sm_90"},
     TILE_STATUS_INVALID_ARGUMENT,
     "expected an architecture for a GPU or the emulator, found 'sm_90' for "
     "the CPU"},
    {{SIZE, .machine = TILE_MACHINE_CPU_DECOMPOSED, .arch = "sm_80"},
     TILE_STATUS_INVALID_ARGUMENT,
     "expected an architecture for a GPU or the emulator, found 'sm_80' for "
     "the CPU"},
    {{SIZE, .machine = TILE_MACHINE_CPU, .outputs = TILE_OUTPUT_PTX},
     TILE_STATUS_INVALID_ARGUMENT,
     "expected TILE_OUTPUT_METADATA as the outputs of another machine than "
     "TILE_MACHINE_CUDA, found 2"},
    {{SIZE, .machine = TILE_MACHINE_EMULATOR, .outputs = TILE_OUTPUT_IR},
     TILE_STATUS_INVALID_ARGUMENT,
     "expected TILE_OUTPUT_METADATA as the outputs of another machine than "
     "TILE_MACHINE_CUDA, found 64"},
    {{SIZE, .machine = TILE_MACHINE_EMULATOR, .tiling = "warps=2,4"},
     TILE_STATUS_INVALID_ARGUMENT,
     "expected a tiling for TILE_MACHINE_CUDA, found 'warps=2,4' for another "
     "machine"},
    {{SIZE, .outputs = TILE_OUTPUT_IR | TILE_OUTPUT_PTX},
     TILE_STATUS_INVALID_ARGUMENT,
     "expected TILE_OUTPUT_IR as the only output, found 66"},
    {{SIZE, .stop_after = "tile-decompose"},
     TILE_STATUS_INVALID_ARGUMENT,
     "expected TILE_OUTPUT_IR with stop_after, found 0"},
    {{SIZE, .outputs = TILE_OUTPUT_IR, .stop_after = "tile-decmopose"},
     TILE_STATUS_INVALID_ARGUMENT,
     "expected stop_after to be one of tile-canonical-form, tile-decompose, *, "
     "convert-tile-kernel-to-nvvm, found 'tile-decmopose'"},
    {{SIZE, .tiling = "warp=2"},
     TILE_STATUS_INVALID_ARGUMENT,
     "tiling: expected options of -tile-warp-tiling, got 'warp=2': "
     "<Pass-Options-Parser>: no such option warp"},
    {{SIZE, .tiling = "stages=three"},
     TILE_STATUS_INVALID_ARGUMENT,
     "tiling: expected options of -tile-warp-tiling, got 'stages=three': "
     "expected numbers for stages, got 'three'"},
    {{SIZE, .tiling = "warps=2,x4 stages=2"},
     TILE_STATUS_INVALID_ARGUMENT,
     "tiling: expected options of -tile-warp-tiling, got 'warps=2,x4 "
     "stages=2': expected numbers for warps, got 'x4'"},
    {{SIZE, .tiling = "operands=local"},
     TILE_STATUS_INVALID_ARGUMENT,
     "tiling: expected options of -tile-warp-tiling, got 'operands=local': "
     "expected shared or global, got 'local'"},
    {{SIZE, .kernel = "scales"},
     TILE_STATUS_INVALID_PROGRAM,
     "program:0:0: error: expected a kernel called 'scales', got 'scale'"},
    {{SIZE, .name = "p.mlir", .kernel = ""},
     TILE_STATUS_INVALID_ARGUMENT,
     "expected the name of a kernel, found ''"},
    {{SIZE, .machine = TILE_MACHINE_CPU_DECOMPOSED},
     TILE_STATUS_INVALID_PROGRAM,
     "program:0:0: error: expected a program with composite operations, found "
     "none"},
    {{SIZE},
     TILE_STATUS_INVALID_PROGRAM,
     "program:0:0: error: expected 'ptxas' of the CUDA toolkit, which was not "
     "found; install the CUDA toolkit, and give the path"},
};

static void try_compile(void) {
  tile_result *result = on_cpu;
  size_t size = sizeof kProgram - 1;
  expect("no result", tile_compile(compiler, kProgram, size, NULL, NULL),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'result', found null");
  expect("no program", tile_compile(compiler, NULL, 0, NULL, &result),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'program', found null");
  if (result)
    expect_ok("a result of a wrong call", TILE_STATUS_INTERNAL_ERROR);
  for (size_t i = 0; i < sizeof kCompilations / sizeof *kCompilations; ++i) {
    tile_status status = tile_compile(compiler, kProgram, size,
                                      &kCompilations[i].options, &result);
    expect("options", status, kCompilations[i].status, kCompilations[i].text);
    if ((status == TILE_STATUS_INVALID_PROGRAM) != (result != NULL))
      expect_ok("a result for diagnostics alone", TILE_STATUS_INTERNAL_ERROR);
    expect_ok("destroy", tile_result_destroy(result));
  }

  /* Programs. */
  static const struct {
    const char *program;
    const char *text;
  } kPrograms[] = {
      {"",
       "program:0:0: error: expected a module with a kernel, got one without"},
      {"nonsense", "program:1:1: error: custom op 'nonsense' is unknown (tried "
                   "'builtin.nonsense' as well)"},
      {"tile.kernel @k() {",
       "program:1:17: error: expected operation name in quotes"},
      {"func.func @f() { return }",
       "program:0:0: error: expected a module with a kernel, got one without"},
      {"tile.kernel @k(%a: memref<?xf32>) {\n  tile.retrun\n}",
       "program:2:3: error: custom op 'tile.retrun' is unknown"},
      {"ML\xefR damaged", "program:0:0: error: bytecode version * is newer "
                          "than the current version 6"},
  };
  for (size_t i = 0; i < sizeof kPrograms / sizeof *kPrograms; ++i) {
    const char *program = kPrograms[i].program;
    expect(program,
           tile_compile(compiler, program, strlen(program), NULL, &result),
           TILE_STATUS_INVALID_PROGRAM, kPrograms[i].text);
    expect_ok("destroy", tile_result_destroy(result));
  }
}

/*===----------------------------------------------------------------------===*\
|* Running
\*===----------------------------------------------------------------------===*/

/* What a run is given, to be made wrong in one place. */
struct call {
  const tile_result *program;
  const char *kernel;
  tile_argument arguments[3];
  const tile_argument *given;
  size_t count;
  tile_run_options options;
};

static float alpha = 2, x[3][4], y[3][4];
static const int64_t kSizes[2] = {3, 4}, kStrides[2] = {4, 1};
static const int64_t kGrid[3] = {3, 1, 1};

static void reset(struct call *call) {
  *call = (struct call){
      .program = on_cpu,
      .kernel = "scale",
      .arguments = {{sizeof(tile_argument), &alpha, TILE_SCALAR, NULL, NULL,
                     "f32"},
                    {sizeof(tile_argument), x, 2, kSizes, kStrides, "f32"},
                    {sizeof(tile_argument), y, 2, kSizes, NULL, NULL}},
      .given = call->arguments,
      .count = 3,
      .options = {.struct_size = sizeof(tile_run_options), .grid = kGrid}};
}

static void try_differentiate(void) {
  static const char *const kNull[] = {NULL}, *const kEmpty[] = {""},
                           *const kNames[] = {"x"};
  static const struct {
    tile_gradient_options options;
    tile_status status;
    const char *text;
  } kCalls[] = {
#define OPTIONS .struct_size = sizeof(tile_gradient_options)
      {{.struct_size = 8},
       TILE_STATUS_WRONG_SIZE,
       "expected the struct_size of 'tile_gradient_options' to be 112, found "
       "8"},
      {{OPTIONS, .mode = -1},
       TILE_STATUS_OUT_OF_RANGE,
       "expected 'mode' from 0 to 1, found -1"},
      {{OPTIONS, .kernel = ""},
       TILE_STATUS_INVALID_ARGUMENT,
       "expected the name of a kernel, found ''"},
      {{OPTIONS, .num_wrt = 1},
       TILE_STATUS_NULL_POINTER,
       "expected a pointer for 'wrt', found null"},
      {{OPTIONS, .wrt = kNull, .num_wrt = 1},
       TILE_STATUS_NULL_POINTER,
       "expected a pointer for 'wrt', found null"},
      {{OPTIONS, .outputs = kEmpty, .num_outputs = 1},
       TILE_STATUS_INVALID_ARGUMENT,
       "expected names of arguments in 'outputs', found ''"},
      {{OPTIONS, .name = "a.mlir", .outputs = kNames, .num_outputs = 1},
       TILE_STATUS_INVALID_PROGRAM,
       "a.mlir:1:1: error: expected an array to differentiate that the kernel "
       "writes, got 'x'"},
#undef OPTIONS
  };
  tile_result *result;
  size_t size = sizeof kProgram - 1;
  for (size_t i = 0; i < sizeof kCalls / sizeof *kCalls; ++i) {
    expect("differentiate",
           tile_differentiate(compiler, kProgram, size, &kCalls[i].options,
                              &result),
           kCalls[i].status, kCalls[i].text);
    tile_result_destroy(result);
  }
  expect("no result", tile_differentiate(compiler, kProgram, size, NULL, NULL),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'result', found null");
  expect("no program", tile_differentiate(compiler, NULL, 0, NULL, &result),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'program', found null");
}

static void try_read(void) {
  tile_result *result = on_cpu;
  expect("no result",
         tile_read_program(compiler, kProgram, sizeof kProgram - 1, NULL, NULL),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'result', found null");
  expect("no program", tile_read_program(compiler, NULL, 0, NULL, &result),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'program', found null");
  if (result)
    expect_ok("a result of a wrong call", TILE_STATUS_INTERNAL_ERROR);
}

static void try_lint(void) {
  size_t size = sizeof kProgram - 1;
  int64_t sizes[2] = {7, 4};
  tile_argument arguments[3] = {
      {.struct_size = sizeof *arguments, .rank = TILE_SCALAR},
      {.struct_size = sizeof *arguments, .rank = 2, .sizes = sizes},
      {.struct_size = sizeof *arguments, .rank = 2, .sizes = sizes}};
  tile_result *result = on_cpu;
#define LINT(KERNEL, COUNT)                                                    \
  tile_lint(compiler, kProgram, size, NULL, KERNEL, arguments, COUNT, &result)
  expect("no result",
         tile_lint(compiler, kProgram, size, NULL, "scale", arguments, 3, NULL),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'result', found null");
  expect("no kernel", LINT(NULL, 3), TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'kernel', found null");
  expect("no arguments",
         tile_lint(compiler, kProgram, size, NULL, "scale", NULL, 3, &result),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'arguments', found null");
  expect("no program",
         tile_lint(compiler, NULL, 0, NULL, "scale", arguments, 3, &result),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'program', found null");
  arguments[1].sizes = NULL;
  expect("no sizes", LINT("scale", 3), TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'sizes', found null");
  if (result)
    expect_ok("a result of a wrong call", TILE_STATUS_INTERNAL_ERROR);
  arguments[1].sizes = sizes;
  expect("another kernel", LINT("other", 3), TILE_STATUS_INVALID_PROGRAM,
         "program:0:0: error: expected a program with the kernel 'other', got "
         "one without");
  tile_result_destroy(result);
  expect("fewer arguments", LINT("scale", 2), TILE_STATUS_INVALID_PROGRAM,
         "program:1:1: error: expected 3 arguments, got 2");
  tile_result_destroy(result);
  arguments[2].rank = 1;
  expect("another rank", LINT("scale", 3), TILE_STATUS_INVALID_PROGRAM,
         "program:1:1: error: expected argument 2 of rank 2, got rank 1");
  tile_result_destroy(result);
  arguments[2].struct_size = 8;
  expect("size of the struct", LINT("scale", 3), TILE_STATUS_WRONG_SIZE,
         "expected the struct_size of 'tile_argument' to be 48, found 8");
#undef LINT
}

static void try_estimate(void) {
  size_t size = sizeof kProgram - 1;
  float alpha = 2;
  int64_t sizes[2] = {7, 4}, grid[3] = {7, 1, 1};
  tile_argument arguments[3] = {
      {.struct_size = sizeof *arguments, .data = &alpha, .rank = TILE_SCALAR},
      {.struct_size = sizeof *arguments,
       .data = grid,
       .rank = 2,
       .sizes = sizes},
      {.struct_size = sizeof *arguments,
       .data = grid,
       .rank = 2,
       .sizes = sizes}};
  tile_compile_options options = {.struct_size = sizeof options,
                                  .arch = "sm_90a"};
  tile_result *result = on_cpu;
#define ESTIMATE(COUNT, GRID)                                                  \
  tile_estimate(compiler, kProgram, size, &options, arguments, COUNT, GRID,    \
                &result)
  expect("no result",
         tile_estimate(compiler, kProgram, size, &options, arguments, 3, grid,
                       NULL),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'result', found null");
  expect("fewer arguments", ESTIMATE(2, grid), TILE_STATUS_INVALID_ARGUMENT,
         "kernel 'scale': expected 3 arguments, found 2");
  if (result)
    expect_ok("a result of a wrong call", TILE_STATUS_INTERNAL_ERROR);
  expect("no grid", ESTIMATE(3, NULL), TILE_STATUS_INVALID_PROGRAM,
         "program:1:1: error: kernel 'scale': expected a grid, as the kernel's "
         "metadata states none");
  tile_result_destroy(result);
  options.kernel = "other";
  expect("another kernel", ESTIMATE(3, grid), TILE_STATUS_INVALID_PROGRAM,
         "program:0:0: error: expected a kernel called 'other', got 'scale'");
  tile_result_destroy(result);
  options.kernel = NULL;
  options.machine = TILE_MACHINE_CPU;
  options.arch = NULL;
  expect("another machine", ESTIMATE(3, grid), TILE_STATUS_INVALID_ARGUMENT,
         "expected TILE_MACHINE_CUDA, found 2");
  options.machine = TILE_MACHINE_CUDA;
  options.arch = "sm_90a";
  expect_ok("an estimate", ESTIMATE(3, grid));
  tile_result_destroy(result);
#undef ESTIMATE
}

static void try_run(void) {
  struct call call;
  tile_outcome *made;
#define WRONG(CHANGE, STATUS, TEXT)                                            \
  do {                                                                         \
    reset(&call);                                                              \
    made = outcome;                                                            \
    CHANGE;                                                                    \
    expect(#CHANGE,                                                            \
           tile_run(call.program, call.kernel, call.given, call.count,         \
                    &call.options, &made),                                     \
           STATUS, TEXT);                                                      \
    if (made)                                                                  \
      expect_ok("an outcome of a wrong call", TILE_STATUS_INTERNAL_ERROR);     \
  } while (0)
#define ARGUMENT(N, NAME) "kernel 'scale': argument " #N " ('" NAME "'): "

  /* The program and the kernel. */
  WRONG(call.program = as_ptx, TILE_STATUS_NOT_AVAILABLE,
        "expected a program that was compiled for the CPU or the emulator, "
        "found one that was not");
  WRONG(call.kernel = NULL, TILE_STATUS_NULL_POINTER,
        "expected a pointer for 'kernel', found null");
  WRONG(call.kernel = "scales", TILE_STATUS_INVALID_ARGUMENT,
        "the program: expected the name of a kernel ('scale'), found 'scales'");
  WRONG(call.kernel = "", TILE_STATUS_INVALID_ARGUMENT,
        "the program: expected the name of a kernel ('scale'), found ''");

  /* The options. */
  WRONG(call.options.struct_size = 8, TILE_STATUS_WRONG_SIZE,
        "expected the struct_size of 'tile_run_options' to be 112, found 8");
  WRONG(call.options.threads = -1, TILE_STATUS_OUT_OF_RANGE,
        "expected 'threads' from 0 to 1024, found -1");
  WRONG(call.options.threads = 1025, TILE_STATUS_OUT_OF_RANGE,
        "expected 'threads' from 0 to 1024, found 1025");
  WRONG(call.options.schedules = -1, TILE_STATUS_OUT_OF_RANGE,
        "expected 'schedules' from 0 to 1000000, found -1");
  WRONG(call.options.schedules = 1000001, TILE_STATUS_OUT_OF_RANGE,
        "expected 'schedules' from 0 to 1000000, found 1000001");
  WRONG(call.options.tolerance = -0.5, TILE_STATUS_OUT_OF_RANGE,
        "expected 'tolerance' from 0 to 1, found -0.500000");
  WRONG(call.options.tolerance = NAN, TILE_STATUS_OUT_OF_RANGE,
        "expected 'tolerance' from 0 to 1, found nan");
  static const char kForEmulator[] =
      "expected an entry point, schedules, a tolerance, a profile, progress "
      "and "
      "outputs for the emulator, found them for the CPU";
  WRONG(call.options.entry = "scale", TILE_STATUS_INVALID_ARGUMENT,
        kForEmulator);
  WRONG(call.options.seed = 1, TILE_STATUS_INVALID_ARGUMENT, kForEmulator);
  WRONG(call.options.schedules = 2, TILE_STATUS_INVALID_ARGUMENT, kForEmulator);
  WRONG(call.options.tolerance = 0.5, TILE_STATUS_INVALID_ARGUMENT,
        kForEmulator);
  WRONG(call.options.profile = 1, TILE_STATUS_INVALID_ARGUMENT, kForEmulator);
  WRONG(call.options.num_outputs = 1, TILE_STATUS_INVALID_ARGUMENT,
        kForEmulator);
  WRONG((call.program = on_emulator, call.options.entry = "scales"),
        TILE_STATUS_INVALID_ARGUMENT,
        "kernel 'scale': expected one of the entry points 'scale', "
        "'scale__general', found 'scales'");

  /* The grid. */
  static const int64_t kEmpty[3] = {3, 0, 1}, kNegative[3] = {-1, 1, 1},
                       kLarge[3] = {1, 1, 65536};
  WRONG(call.options.grid = NULL, TILE_STATUS_INVALID_ARGUMENT,
        "kernel 'scale': expected a grid, as the kernel's metadata states "
        "none");
  WRONG(call.options.grid = kEmpty, TILE_STATUS_INVALID_ARGUMENT,
        "kernel 'scale': expected a grid of 1 to 65535 blocks along y, found "
        "0");
  WRONG(call.options.grid = kNegative, TILE_STATUS_INVALID_ARGUMENT,
        "kernel 'scale': expected a grid of 1 to 2147483647 blocks along x, "
        "found -1");
  WRONG(call.options.grid = kLarge, TILE_STATUS_INVALID_ARGUMENT,
        "kernel 'scale': expected a grid of 1 to 65535 blocks along z, found "
        "65536");

  /* The arguments. */
  WRONG(call.given = NULL, TILE_STATUS_NULL_POINTER,
        "expected a pointer for 'arguments', found null");
  WRONG(call.count = 2, TILE_STATUS_INVALID_ARGUMENT,
        "kernel 'scale': expected 3 arguments, found 2");
  WRONG(call.count = (size_t)-1, TILE_STATUS_INVALID_ARGUMENT,
        "kernel 'scale': expected 3 arguments, found 18446744073709551615");
  WRONG(call.arguments[1].struct_size = 0, TILE_STATUS_WRONG_SIZE,
        "expected the struct_size of 'tile_argument' to be 48, found 0");
  WRONG(call.arguments[0].rank = -2, TILE_STATUS_OUT_OF_RANGE,
        ARGUMENT(0, "alpha") "expected a rank of at least 0, or TILE_SCALAR, "
                             "found -2");
  WRONG(call.arguments[1].rank = INT32_MIN, TILE_STATUS_OUT_OF_RANGE,
        ARGUMENT(1, "x") "expected a rank of at least 0, or TILE_SCALAR, found "
                         "-2147483648");
  WRONG(call.arguments[1].rank = TILE_SCALAR, TILE_STATUS_INVALID_ARGUMENT,
        ARGUMENT(1, "x") "expected an array of rank 2, found a scalar");
  WRONG(call.arguments[1].rank = 3, TILE_STATUS_INVALID_ARGUMENT,
        ARGUMENT(1, "x") "expected an array of rank 2, found an array of rank "
                         "3");
  WRONG(call.arguments[1].rank = INT32_MAX, TILE_STATUS_INVALID_ARGUMENT,
        ARGUMENT(1, "x") "expected an array of rank 2, found an array of rank "
                         "2147483647");
  WRONG(call.arguments[0].rank = 0, TILE_STATUS_INVALID_ARGUMENT,
        ARGUMENT(0, "alpha") "expected a scalar, found an array of rank 0");
  WRONG(call.arguments[0].data = NULL, TILE_STATUS_NULL_POINTER,
        ARGUMENT(0, "alpha") "expected a pointer to a value, found null");
  WRONG(call.arguments[1].data = NULL, TILE_STATUS_INVALID_ARGUMENT,
        ARGUMENT(1, "x") "expected a pointer, found null");
  WRONG(call.arguments[1].data = (char *)x + 2, TILE_STATUS_INVALID_ARGUMENT,
        ARGUMENT(1, "x") "expected a pointer aligned to 4 bytes, found one "
                         "that is 2 bytes beyond");
  WRONG(call.arguments[2].sizes = NULL, TILE_STATUS_NULL_POINTER,
        ARGUMENT(2, "y") "expected sizes, found null");
  WRONG(call.arguments[1].type = "f31", TILE_STATUS_INVALID_ARGUMENT,
        ARGUMENT(1, "x") "expected an element type, found 'f31'");
  WRONG(call.arguments[1].type = "f16", TILE_STATUS_INVALID_ARGUMENT,
        ARGUMENT(1, "x") "expected an array of f32, found an array of f16");
  WRONG(call.arguments[0].type = "f64", TILE_STATUS_INVALID_ARGUMENT,
        ARGUMENT(0, "alpha") "expected a scalar of f32, found a scalar of f64");
  static const int64_t kMinus[2] = {-3, 4}, kWide[2] = {3, 5},
                       kHuge[2] = {INT64_MAX, 4}, kSteps[2] = {4, 2};
  WRONG(call.arguments[1].sizes = kMinus, TILE_STATUS_INVALID_ARGUMENT,
        ARGUMENT(1, "x") "expected sizes of at least 0, found -3 along "
                         "dimension 0");
  WRONG(call.arguments[2].sizes = kWide, TILE_STATUS_INVALID_ARGUMENT,
        ARGUMENT(2, "y") "expected size 4 along dimension 1, found 5 (shape "
                         "3x5)");
  WRONG(call.arguments[1].sizes = kHuge, TILE_STATUS_INVALID_ARGUMENT,
        ARGUMENT(1, "x") "expected an array of fewer than 2^63 bytes, found "
                         "shape 9223372036854775807x4 with strides [4, 1]");
  WRONG(call.arguments[1].strides = kSteps, TILE_STATUS_INVALID_ARGUMENT,
        ARGUMENT(1, "x") "expected stride 1 along dimension 1, found 2 "
                         "(strides [4, 2])");

  /* What is right is still done. */
  for (int i = 0; i < 12; ++i)
    x[i / 4][i % 4] = (float)i;
  reset(&call);
  expect_ok("a right run", tile_run(call.program, call.kernel, call.given,
                                    call.count, &call.options, NULL));
  for (int i = 0; i < 12; ++i)
    if (y[i / 4][i % 4] != 2 * (float)i)
      expect_ok("its result", TILE_STATUS_INTERNAL_ERROR);
}

/*===----------------------------------------------------------------------===*\
|* Layouts and operations
\*===----------------------------------------------------------------------===*/

static void try_layouts(void) {
  char text[8];
  size_t size;
  const tile_operation *const *operations;
  expect("no expression", tile_layout_evaluate(NULL, NULL, text, 8, &size),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'expression', found null");
  expect("no buffer", tile_layout_evaluate("4:1", NULL, NULL, 8, &size),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'buffer', found null");
  expect("nonsense", tile_layout_evaluate("4:1 o", NULL, text, 8, &size),
         TILE_STATUS_INVALID_ARGUMENT,
         "column 6: expected a layout, got the end");
  expect("coordinate", tile_layout_evaluate("4:1", "(1", text, 8, &size),
         TILE_STATUS_INVALID_ARGUMENT,
         "coordinate: expected ',' or ')' at character 2");
  expect("outside", tile_layout_evaluate("4:1", "-4", text, 8, &size),
         TILE_STATUS_INVALID_ARGUMENT,
         "coordinate: expected a coordinate from 0 to 3, got -4");
  expect("no list", tile_list_operations(NULL, &size), TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'operations', found null");
  expect("no count", tile_list_operations(&operations, NULL),
         TILE_STATUS_NULL_POINTER,
         "expected a pointer for 'count', found null");

#define SIZE_OF_DRAWING .struct_size = sizeof(tile_drawing_options)
  static const struct {
    const char *expression;
    tile_drawing_options options;
    tile_status status;
    const char *text;
  } kDrawings[] = {
      {"4:1",
       {.struct_size = 1},
       TILE_STATUS_WRONG_SIZE,
       "expected the struct_size of 'tile_drawing_options' to be 32, found 1"},
      {"4:1",
       {SIZE_OF_DRAWING, .format = 3},
       TILE_STATUS_OUT_OF_RANGE,
       "expected 'format' from 0 to 2, found 3"},
      {"4:1",
       {SIZE_OF_DRAWING, .element_bytes = 3},
       TILE_STATUS_OUT_OF_RANGE,
       "expected 'element_bytes' of 0, 1, 2, 4, 8 or 16, found 3"},
      {"4:1",
       {SIZE_OF_DRAWING, .element_bytes = -4},
       TILE_STATUS_OUT_OF_RANGE,
       "expected 'element_bytes' of 0, 1, 2, 4, 8 or 16, found -4"},
      {"4:1",
       {SIZE_OF_DRAWING, .element_bytes = 4, .access_bytes = 32},
       TILE_STATUS_OUT_OF_RANGE,
       "expected 'access_bytes' of 0, 1, 2, 4, 8 or 16, found 32"},
      {"4:1",
       {SIZE_OF_DRAWING, .access_bytes = 16},
       TILE_STATUS_INVALID_ARGUMENT,
       "expected 'element_bytes' with 'access_bytes', found none"},
      {"4:1",
       {SIZE_OF_DRAWING, .tile = "(4,"},
       TILE_STATUS_INVALID_ARGUMENT,
       "tile: expected an integer or '(' at character 3"},
      {"(1024,1024):(1,1024)",
       {SIZE_OF_DRAWING},
       TILE_STATUS_INVALID_ARGUMENT,
       "expected at most 16384 cells to draw, got 1048576"},
      {"4:1 + 2",
       {SIZE_OF_DRAWING},
       TILE_STATUS_INVALID_ARGUMENT,
       "column 5: expected 'o' or the end, got '+'"},
  };
  for (size_t i = 0; i < sizeof kDrawings / sizeof *kDrawings; ++i)
    expect(kDrawings[i].expression,
           tile_layout_draw(kDrawings[i].expression, &kDrawings[i].options,
                            text, 8, &size),
           kDrawings[i].status, kDrawings[i].text);
}

/* What the library says of itself. */
static void check_words(void) {
  if (tile_api_version() != TILE_API_VERSION ||
      strncmp(tile_version_string(), "0.", 2) != 0 ||
      !strstr(tile_version_string(), "(LLVM "))
    expect_ok("versions", TILE_STATUS_INTERNAL_ERROR);
  const char *unknown = tile_status_string(-1);
  if (strcmp(unknown, "a status that is not known") != 0)
    expect_ok("an unknown status", TILE_STATUS_INTERNAL_ERROR);
  for (tile_status i = TILE_STATUS_OK; i <= TILE_STATUS_OUT_OF_MEMORY; ++i)
    for (tile_status j = TILE_STATUS_OK; j <= i; ++j)
      if (strcmp(tile_status_string(i),
                 j < i ? tile_status_string(j) : unknown) == 0)
        expect_ok("words of two statuses", TILE_STATUS_INTERNAL_ERROR);
}

int main(void) {
  check_words();
  tile_compile_options options = {.struct_size = sizeof options};
  size_t size = sizeof kProgram - 1;
  if (*tile_compiler_last_error())
    expect_ok("no error before the first", TILE_STATUS_INTERNAL_ERROR);
  expect_ok("create", tile_compiler_create(TILE_API_VERSION, NULL, &compiler));
  options.machine = TILE_MACHINE_CPU;
  expect_ok("cpu", tile_compile(compiler, kProgram, size, &options, &on_cpu));
  options.machine = TILE_MACHINE_EMULATOR;
  expect_ok("emulator",
            tile_compile(compiler, kProgram, size, &options, &on_emulator));
  options.machine = TILE_MACHINE_CUDA;
  options.outputs = TILE_OUTPUT_PTX;
  expect_ok("ptx", tile_compile(compiler, kProgram, size, &options, &as_ptx));
  struct call call;
  reset(&call);
  call.program = on_emulator;
  expect_ok("run", tile_run(call.program, call.kernel, call.given, call.count,
                            &call.options, &outcome));

  try_handles();
  try_create();
  try_getters();
  try_compile();
  try_read();
  try_lint();
  try_estimate();
  try_differentiate();
  try_run();
  try_layouts();

  expect_ok("null", tile_compiler_destroy(NULL));
  expect_ok("null", tile_result_destroy(NULL));
  expect_ok("null", tile_outcome_destroy(NULL));
  expect_ok("outcome", tile_outcome_destroy(outcome));
  expect_ok("result", tile_result_destroy(on_cpu));
  expect_ok("result", tile_result_destroy(on_emulator));
  expect_ok("result", tile_result_destroy(as_ptx));
  expect_ok("compiler", tile_compiler_destroy(compiler));
  printf("%d wrong calls, %d surprises\n", wrong_calls, surprises);
  return surprises != 0;
}
