/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- Compiler.h - the compiler for any program ------------------*- C -*-===*\
|*                                                                            *|
|* libTileCompiler.so.0 has the compiler, with its LLVM and MLIR hidden: the  *|
|* process may have others. Text or bytecode of a tile program goes in; PTX,  *|
|* a cubin, metadata and reports come out, or a program that runs on the      *|
|* host.                                                                      *|
|*                                                                            *|
|*   tile_compiler *compiler;                                                 *|
|*   tile_compiler_create(TILE_API_VERSION, NULL, &compiler);                 *|
|*   tile_compile_options options = {sizeof options};                         *|
|*   options.arch = "sm_90a";                                                 *|
|*   options.outputs = TILE_OUTPUT_PTX;                                       *|
|*   tile_result *result;                                                     *|
|*   if (tile_compile(compiler, text, size, &options, &result) !=             *|
|*       TILE_STATUS_OK)                                                      *|
|*     fputs(tile_compiler_last_error(), stderr);                             *|
|*                                                                            *|
|* The rules of Types.h hold. An error that LLVM calls fatal ends the call on *|
|* its thread with TILE_STATUS_INTERNAL_ERROR. None is known. What LLVM left  *|
|* half done is not taken apart: its memory is lost, and the handles of the   *|
|* call serve for nothing but to be destroyed (TILE_STATUS_POISONED_HANDLE).  *|
|*                                                                            *|
|* In a process of several threads bytecode must be from a source that is     *|
|* trusted: MLIR's reader crashes on damaged ones (docs/Embedding.md).        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TILE_C_COMPILER_H
#define TILE_C_COMPILER_H

#include "tile-c/Types.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*\
|* The library
\*===----------------------------------------------------------------------===*/

/* TILE_API_VERSION as the library was built with. */
uint32_t tile_api_version(void);

/* "0.2.0 (LLVM 22.1.8)". */
const char *tile_version_string(void);

/* The text of the calling thread's last call of this library that failed, "" if
   none has. It stays until the thread's next call that fails. */
const char *tile_compiler_last_error(void);

/*===----------------------------------------------------------------------===*\
|* A compiler
\*===----------------------------------------------------------------------===*/

/* Where programs of CUDA's toolkit are, and the threads to use. */
typedef struct tile_compiler tile_compiler;

typedef struct tile_compiler_options {
  size_t struct_size;
  /* The path of the program ptxas, for cubins, and that of libdevice.10.bc, for
     kernels that call its functions. Null: there is none. Neither is looked for
     before it is needed. */
  const char *ptxas;
  const char *libdevice;
  /* What the error where one is missing says is to be done. Null: "install the
     CUDA toolkit, and give the path". */
  const char *ptxas_advice;
  const char *libdevice_advice;
  /* Threads that compile kernels side by side, for all calls together; 0: as
     many as the host has, 1: none but the caller's. At most 1024. */
  int32_t threads;
} tile_compiler_options;

/* Makes a compiler. `api_version` is TILE_API_VERSION; `options` null: all of
   them zero. The texts are copied. */
tile_status tile_compiler_create(uint32_t api_version,
                                 const tile_compiler_options *options,
                                 tile_compiler **compiler);

/* Null is legal. Results stay. */
tile_status tile_compiler_destroy(tile_compiler *compiler);

/*===----------------------------------------------------------------------===*\
|* Compiling
\*===----------------------------------------------------------------------===*/

/* What a program is compiled for. */
typedef int32_t tile_machine;
enum {
  /* A GPU. */
  TILE_MACHINE_CUDA = 0,
  /* The emulator of a GPU on the host, which checks what a kernel does. */
  TILE_MACHINE_EMULATOR = 1,
  /* The processor of the host. */
  TILE_MACHINE_CPU = 2,
  /* As CPU, with composite operations by their decompositions: a program
     without any is an error. */
  TILE_MACHINE_CPU_DECOMPOSED = 3
};

/* What a compilation gives. */
typedef uint32_t tile_output;
enum {
  /* What a launcher must know, as JSON (tile/Runtime/KernelMetadata.h). There
     for every machine, asked for or not. */
  TILE_OUTPUT_METADATA = 1u << 0,
  /* Of TILE_MACHINE_CUDA: */
  TILE_OUTPUT_PTX = 1u << 1,
  /* A cubin, by ptxas; adds the counts of registers and spills to metadata and
     report. */
  TILE_OUTPUT_CUBIN = 1u << 2,
  /* Optimised LLVM IR, as text. */
  TILE_OUTPUT_LLVM_IR = 1u << 3,
  /* What was decided, for people, and the same numbers as JSON. */
  TILE_OUTPUT_REPORT = 1u << 4,
  TILE_OUTPUT_REPORT_JSON = 1u << 5,
  /* The module in the LLVM dialect, or as the pass `stop_after` leaves it, as
     text. No other output is there then. */
  TILE_OUTPUT_IR = 1u << 6
};

typedef struct tile_compile_options {
  size_t struct_size;
  /* What diagnostics call the program; null: "program". */
  const char *name;
  tile_machine machine;
  /* The architecture of TILE_MACHINE_CUDA and TILE_MACHINE_EMULATOR, "sm_80",
     "sm_90a"; null: the one that the program names, else sm_80. */
  const char *arch;
  /* Compile this kernel alone, or what this function of the host may launch;
     null: all. */
  const char *kernel;
  /* The options of -tile-warp-tiling, "warps=2,4 stages=3", for what the
     program leaves open; null: none. For TILE_MACHINE_CUDA. */
  const char *tiling;
  /* The sum of what TILE_MACHINE_CUDA shall give; 0: PTX, cubin and metadata.
     For the other machines 0 or TILE_OUTPUT_METADATA. */
  tile_output outputs;
  /* With TILE_OUTPUT_IR alone: the pass of -tile-to-nvvm after which to stop,
     "tile-assign-layouts"; null: go down to the LLVM dialect. Of a pass that
     runs several times it is the first run. */
  const char *stop_after;
  /* The version of PTX times ten, as 83; 0: the least that suffices. */
  int32_t ptx_version;
  /* Not 0: leave the lines of the program out of the code. */
  int32_t no_line_tables;
  /* Not 0: assert that places inside tiles are inside. The emulator always
     does. */
  int32_t check_places;
  /* Not 0: where a cubin is asked for and there is no ptxas, warn and go on
     without. */
  int32_t cubin_is_optional;
} tile_compile_options;

/* What came of a compilation. Never changes. */
typedef struct tile_result tile_result;

/* Compiles `size` bytes of text (that need not end in NUL) or bytecode;
   `options` null: all of them zero.

   `result` is set where the status is TILE_STATUS_OK, with the outputs, or
   TILE_STATUS_INVALID_PROGRAM, with diagnostics alone: the text of the error
   has them a line each, then, "FILE:LINE:COLUMN: error: ...". Else it is set to
   null. */
tile_status tile_compile(tile_compiler *compiler, const void *program,
                         size_t size, const tile_compile_options *options,
                         tile_result **result);

/* Null is legal. What was got from the result is gone with it. */
tile_status tile_result_destroy(tile_result *result);

/* The bytes of one output, behind which is a NUL that `size` does not count.
   `size` may be null. An output that was not asked for is
   TILE_STATUS_NOT_AVAILABLE. */
tile_status tile_result_get_output(const tile_result *result,
                                   tile_output output, const char **data,
                                   size_t *size);

typedef int32_t tile_severity;
enum {
  TILE_SEVERITY_NOTE = 0,
  TILE_SEVERITY_REMARK = 1,
  TILE_SEVERITY_WARNING = 2,
  TILE_SEVERITY_ERROR = 3
};

/* What the compiler says, and where. No text is null. */
typedef struct tile_diagnostic {
  size_t struct_size;
  tile_severity severity;
  /* "" with 0, 0 for what has no place. Both count from 1; 0 in a file stands
     for the whole of it. */
  const char *file;
  uint32_t line;
  uint32_t column;
  const char *text;
  /* Pointers to `num_notes` diagnostics that belong to this one. */
  const struct tile_diagnostic *const *notes;
  size_t num_notes;
} tile_diagnostic;

/* Pointers to the diagnostics of the compilation, in their order, remarks and
   warnings of a good one too. */
tile_status
tile_result_get_diagnostics(const tile_result *result,
                            const tile_diagnostic *const **diagnostics,
                            size_t *count);

/* Looks for what the writer of a program hardly means, in a launch of `kernel`
   with arguments of these sizes (of an array `sizes` and `rank`, which is
   TILE_SCALAR of a scalar, are read, and nothing else): reductions that include
   the zeros which a load reads beyond the end of an array. `name` is what
   diagnostics call the program; null: "program".

   `result` is set where the status is TILE_STATUS_OK, with a warning for each
   as its diagnostics, or TILE_STATUS_INVALID_PROGRAM, with errors; it has no
   outputs. Else it is set to null. */
tile_status tile_lint(tile_compiler *compiler, const void *program, size_t size,
                      const char *name, const char *kernel,
                      const tile_argument *arguments, size_t count,
                      tile_result **result);

/*===----------------------------------------------------------------------===*\
|* Running on the host
\*===----------------------------------------------------------------------===*/

/* Is told how many blocks of all schedules have ended: one call at a time, from
   any thread. */
typedef void (*tile_progress)(void *context, int64_t ended, int64_t all);

/* Whether a run is to end: not 0 if so. Is asked on the thread that called
   tile_run, every 20 ms or less often: at the end of a block, and in a loop of
   the program. */
typedef int32_t (*tile_must_stop)(void *context);

typedef struct tile_run_options {
  size_t struct_size;
  /* Blocks along x, y, z, each at least 1; null: the grid of the metadata. */
  const int64_t *grid;
  /* Host threads; 0: as many as the host has. Results do not depend on it. */
  int32_t threads;

  /* The rest is for the emulator. */

  /* The entry point, by its symbol in the metadata; null: the first that the
     arguments allow. */
  const char *entry;
  /* The first schedule, and how many to try, `seed`, `seed` + 1, ...: the order
     of warps and blocks, and when asynchronous copies land. 0 is 1; at most a
     million. */
  uint64_t seed;
  int32_t schedules;
  /* Numbers of floating point, a and b under two schedules, may differ by this
     times max(|a|, |b|, 1). From 0 to 1. */
  double tolerance;
  /* Not 0: count what the kernel does. */
  int32_t profile;
  /* Null: nobody is told. */
  tile_progress progress;
  void *progress_context;

  /* For both: null: the run goes on until the kernel ends. A run that is to end
     has failed (TILE_STATUS_KERNEL_FAILED), with the loop that it was in. */
  tile_must_stop must_stop;
  void *must_stop_context;

  /* For the emulator, of a kernel: the indices of array arguments whose
     elements the kernel must write before it reads them. Null if num_outputs is
     0: those that it never reads. */
  const int32_t *outputs;
  size_t num_outputs;
} tile_run_options;

/* What a run on the emulator told. Never changes. */
typedef struct tile_outcome tile_outcome;

/* Runs all blocks of `kernel` of a program that was compiled for the host, or
   the launches of the function of that name, one after another, and returns
   when they are done. The arrays are in host memory, each aligned to its
   element. `options` null: all of them zero. A grid that the metadata computes
   to be empty runs nothing.

   On the emulator each schedule starts from the arrays as they were given;
   afterwards they hold the results of the last one.

   `outcome` may be null. It is set where the status is TILE_STATUS_OK, or
   TILE_STATUS_KERNEL_FAILED: the text of the error then says what the kernel
   did that no kernel may do, or which two schedules differ, and outputs may be
   half written. Else it is set to null. */
tile_status tile_run(const tile_result *program, const char *kernel,
                     const tile_argument *arguments, size_t count,
                     const tile_run_options *options, tile_outcome **outcome);

/* Null is legal. What was got from the outcome is gone with it. */
tile_status tile_outcome_destroy(tile_outcome *outcome);

/* The counters by line of the program, for people and as JSON, of a function as
   a list of those of its launches; each may be null. TILE_STATUS_NOT_AVAILABLE
   where they were not counted. */
tile_status tile_outcome_get_profile(const tile_outcome *outcome,
                                     const char **text, const char **json);

/* What one thread of the GPU did. */
typedef struct tile_party {
  size_t struct_size;
  /* Its block in the grid, as tile.program_id numbers it, and its place there:
     x, y, z. */
  uint32_t block[3];
  uint32_t thread[3];
  uint32_t warp;
  uint32_t lane;
  /* The operation of the program, "tile.store", and where it stands; "" and 0
     where that is not known. */
  const char *operation;
  const char *file;
  uint32_t line;
  uint32_t column;
  /* The instruction, "ld.shared.v4"; "" where the thread has returned. */
  const char *instruction;
  /* Of an access to memory. */
  int32_t reads;
  int32_t writes;
  /* Not 0: an asynchronous copy that the thread issued there. */
  int32_t is_async;
} tile_party;

/* What the emulator found. */
typedef struct tile_finding {
  size_t struct_size;
  /* "race", "out of bounds", "misaligned", "uninitialized", "deadlock", ... */
  const char *kind;
  /* What is wrong, in a sentence without the place. */
  const char *message;
  /* The whole report, in lines. */
  const char *text;
  /* The schedule under which it happened, and how often. */
  uint64_t seed;
  uint64_t count;
  /* Of memory: what was accessed, "shared memory" or "argument 0 ('a')", and
     the bytes of it; "" otherwise. */
  const char *array;
  int64_t offset;
  uint32_t bytes;
  /* Who did it; the other is null where there is none, and was there first. */
  const tile_party *party;
  const tile_party *other;
} tile_finding;

/* Pointers to what was found, in the first schedule that was not clean. */
tile_status tile_outcome_get_findings(const tile_outcome *outcome,
                                      const tile_finding *const **findings,
                                      size_t *count);

/*===----------------------------------------------------------------------===*\
|* The dialect and its layouts
\*===----------------------------------------------------------------------===*/

/* An operation of the dialect. */
typedef struct tile_operation {
  size_t struct_size;
  /* "tile.matmul". */
  const char *name;
  /* Not 0: an operation that simpler ones are put for, in some of its forms at
     least. */
  int32_t is_composite;
  /* What it does, in a line: "Matrix product with accumulator". */
  const char *summary;
} tile_operation;

/* Pointers to the operations of the dialect, by name. They stay. */
tile_status tile_list_operations(const tile_operation *const **operations,
                                 size_t *count);

/* The value of an expression of layouts, "(4,8):(8,1) o 2:1", in the language
   of tile-layout (docs/Layout.md); `coordinate`, if not null, is a number or a
   tuple, "(1,3)", at which to evaluate the layout.

   The text is written to `buffer`, which may be null where `capacity` is 0: as
   much of it as `capacity` bytes hold, with a NUL at the end. `size` may be
   null; else it is the bytes of the whole, without the NUL. */
tile_status tile_layout_evaluate(const char *expression, const char *coordinate,
                                 char *buffer, size_t capacity, size_t *size);

typedef int32_t tile_drawing;
enum {
  TILE_DRAWING_TEXT = 0,
  /* Text in the colours of a terminal. */
  TILE_DRAWING_COLORS = 1,
  TILE_DRAWING_SVG = 2
};

typedef struct tile_drawing_options {
  size_t struct_size;
  tile_drawing format;
  /* Not 0: the values are offsets of elements of 1, 2, 4, 8 or 16 bytes in
     shared memory, and banks are drawn. */
  int32_t element_bytes;
  /* With them, the bytes that a lane reads at once, of the same numbers; 0:
     those of an element. */
  int32_t access_bytes;
  /* Not null: the layout takes (thread, value) to the elements of a tile of
     this shape, "(16,8)", leftmost mode fastest, and who holds what is drawn.
   */
  const char *tile;
} tile_drawing_options;

/* A table of the value of an expression: mode 0 down, mode 1 to the right.
   `options` null: all of them zero; the text as for tile_layout_evaluate. */
tile_status tile_layout_draw(const char *expression,
                             const tile_drawing_options *options, char *buffer,
                             size_t capacity, size_t *size);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_COMPILER_H */
