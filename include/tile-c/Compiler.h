/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- Compiler.h - the compiler for any program ------------------*- C -*-===*\
|*                                                                            *|
|* libTileCompiler.so.0 contains the compiler. The symbols of its LLVM and    *|
|* MLIR are hidden, so that the process may use others. The input is the text *|
|* or the bytecode of a tile program. The output is PTX, a cubin, metadata    *|
|* and reports, or a program that runs on the host.                           *|
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
|* its thread with TILE_STATUS_INTERNAL_ERROR; no program is known that       *|
|* causes one. The objects that LLVM was using are not destroyed: their       *|
|* memory is lost, and the handles of the call can only be destroyed (other   *|
|* calls return TILE_STATUS_POISONED_HANDLE).                                 *|
|*                                                                            *|
|* In a process with several threads, bytecode must come from a trusted       *|
|* source: MLIR's reader crashes on damaged bytecode (docs/Embedding.md).     *|
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

/* Returns the TILE_API_VERSION with which the library was built. */
uint32_t tile_api_version(void);

/* Returns the version as text, such as "0.2.0 (LLVM 22.1.8)". */
const char *tile_version_string(void);

/* Returns the error text of the calling thread's last failed call of this
   library, or "" if no call has failed. The text remains until the thread's
   next failed call. */
const char *tile_compiler_last_error(void);

/*===----------------------------------------------------------------------===*\
|* A compiler
\*===----------------------------------------------------------------------===*/

/* A compiler: the paths of programs of the CUDA toolkit, and threads. */
typedef struct tile_compiler tile_compiler;

typedef struct tile_compiler_options {
  size_t struct_size;
  /* The paths of the program ptxas, needed for cubins, and of libdevice.10.bc,
     needed for kernels that call its functions. Null if there is none. The
     files are not accessed before they are needed. */
  const char *ptxas;
  const char *libdevice;
  /* Advice that the error for a missing file includes. Null for "install the
     CUDA toolkit, and give the path". */
  const char *ptxas_advice;
  const char *libdevice_advice;
  /* Number of threads that compile kernels in parallel, for all calls together:
     0 for as many as the host has, 1 for only the caller's thread. At most
     1024. */
  int32_t threads;
} tile_compiler_options;

/* Creates a compiler. `api_version` is TILE_API_VERSION. If `options` is null,
   all options are zero. The texts are copied. */
tile_status tile_compiler_create(uint32_t api_version,
                                 const tile_compiler_options *options,
                                 tile_compiler **compiler);

/* Destroys a compiler, which may be null. Its results remain valid. */
tile_status tile_compiler_destroy(tile_compiler *compiler);

/*===----------------------------------------------------------------------===*\
|* Compiling
\*===----------------------------------------------------------------------===*/

/* The machine for which a program is compiled. */
typedef int32_t tile_machine;
enum {
  /* A GPU. */
  TILE_MACHINE_CUDA = 0,
  /* The emulator of a GPU on the host, which checks the accesses of a
     kernel. */
  TILE_MACHINE_EMULATOR = 1,
  /* The processor of the host. */
  TILE_MACHINE_CPU = 2,
  /* The processor of the host, with every composite operation replaced by its
     decomposition. A program without composite operations is an error. */
  TILE_MACHINE_CPU_DECOMPOSED = 3
};

/* The outputs of a compilation. */
typedef uint32_t tile_output;
enum {
  /* The metadata that a launcher needs, as JSON
     (tile/Runtime/KernelMetadata.h). Available for every machine, even if not
     requested. */
  TILE_OUTPUT_METADATA = 1u << 0,
  /* PTX. This and the following outputs exist only for TILE_MACHINE_CUDA. */
  TILE_OUTPUT_PTX = 1u << 1,
  /* A cubin, made by ptxas. The metadata and the report then include the counts
     of registers and spills. */
  TILE_OUTPUT_CUBIN = 1u << 2,
  /* Optimised LLVM IR, as text. */
  TILE_OUTPUT_LLVM_IR = 1u << 3,
  /* A report of the compiler's decisions, as text and as JSON. */
  TILE_OUTPUT_REPORT = 1u << 4,
  TILE_OUTPUT_REPORT_JSON = 1u << 5,
  /* The module as text: in the LLVM dialect, or as the pass `stop_after` leaves
     it. There are no other outputs then. */
  TILE_OUTPUT_IR = 1u << 6,
  /* The result of tile_estimate, as JSON. tile_compile does not provide it. */
  TILE_OUTPUT_ESTIMATE = 1u << 7
};

typedef struct tile_compile_options {
  size_t struct_size;
  /* The name of the program in diagnostics; null for "program". */
  const char *name;
  tile_machine machine;
  /* The architecture for TILE_MACHINE_CUDA and TILE_MACHINE_EMULATOR, such as
     "sm_80" or "sm_90a". Null for the one that the program names or, if it
     names none, sm_80. */
  const char *arch;
  /* The only kernel to compile, or a function of the host, with the kernels
     that it may launch. Null to compile all. */
  const char *kernel;
  /* Options of -tile-warp-tiling, such as "warps=2,4 stages=3", for choices
     that the program leaves open; null for none. Only for TILE_MACHINE_CUDA. */
  const char *tiling;
  /* The sum of the requested outputs of TILE_MACHINE_CUDA; 0 for PTX, cubin and
     metadata. For the other machines 0 or TILE_OUTPUT_METADATA. */
  tile_output outputs;
  /* The pass of -tile-to-nvvm after which to stop, such as
     "tile-assign-layouts"; null to lower to the LLVM dialect. Only valid if
     `outputs` is TILE_OUTPUT_IR. If the pass runs several times, the
     compilation stops after its first run. */
  const char *stop_after;
  /* The PTX version times ten, such as 83; 0 for the least that suffices. */
  int32_t ptx_version;
  /* If not 0, the code has no line tables of the program. */
  int32_t no_line_tables;
  /* If not 0, the code asserts that coordinates of elements are inside their
     tiles. The emulator always does. */
  union {
    int32_t check_bounds;
    int32_t check_places; /* the old name, until version 0.4 */
  };
  /* If not 0, a requested cubin is left out with a warning if there is no
     ptxas. */
  int32_t cubin_is_optional;
} tile_compile_options;

/* The result of a compilation. Immutable. */
typedef struct tile_result tile_result;

/* Compiles `size` bytes of text (which need not end in NUL) or bytecode. If
   `options` is null, all options are zero.

   If the status is TILE_STATUS_OK, `result` is set to a result with the
   outputs. If it is TILE_STATUS_INVALID_PROGRAM, `result` is set to a result
   with only the diagnostics, and the error text has a line "FILE:LINE:COLUMN:
   error: ..." for each of them. Otherwise `result` is set to null. */
tile_status tile_compile(tile_compiler *compiler, const void *program,
                         size_t size, const tile_compile_options *options,
                         tile_result **result);

/* Destroys a result, which may be null. Texts and records obtained from the
   result are freed with it. */
tile_status tile_result_destroy(tile_result *result);

/* Gets the bytes of one output, after which there is a NUL that `size` does not
   count. `size` may be null. TILE_STATUS_NOT_AVAILABLE if the output was not
   requested. */
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

/* A diagnostic of the compiler. No text is null. */
typedef struct tile_diagnostic {
  size_t struct_size;
  tile_severity severity;
  /* The location; "", 0 and 0 if there is none. Lines and columns are counted
     from 1; they are 0 if the diagnostic is about a whole file. */
  const char *file;
  uint32_t line;
  uint32_t column;
  const char *text;
  /* Pointers to `num_notes` diagnostics that belong to this one. */
  const struct tile_diagnostic *const *notes;
  size_t num_notes;
} tile_diagnostic;

/* Gets pointers to the diagnostics of the compilation, in their order,
   including the remarks and warnings of a successful one. */
tile_status
tile_result_get_diagnostics(const tile_result *result,
                            const tile_diagnostic *const **diagnostics,
                            size_t *count);

/* Searches a program for likely mistakes in a launch of `kernel` with arguments
   of these sizes: reductions that include the zeros that a load reads beyond
   the end of an array. Of an array argument only `sizes` and `rank` are read;
   the `rank` of a scalar is TILE_SCALAR. `name` is the name of the program in
   diagnostics; null for "program".

   If the status is TILE_STATUS_OK, `result` is set to a result whose
   diagnostics are a warning for each mistake. If it is
   TILE_STATUS_INVALID_PROGRAM, `result` is set to a result with the errors. The
   result has no outputs. Otherwise `result` is set to null. */
tile_status tile_lint(tile_compiler *compiler, const void *program, size_t size,
                      const char *name, const char *kernel,
                      const tile_argument *arguments, size_t count,
                      tile_result **result);

/* Estimates the time of a launch of a kernel on a GPU, without code generation:
   the program is lowered until the plan of the kernel is known, the block, the
   instructions and warps of its matmuls, layouts and stages. The estimate is
   for the comparison of programs that compute the same, with other tiles.

   Of `options`, `name`, `arch`, `kernel` and `tiling` are used; `kernel` may be
   null if the program has one kernel. `arguments` are the arguments of the
   launch; nothing is read from their arrays, whose addresses and strides decide
   which variant of the kernel is launched. `grid` has the number of blocks
   along x, y and z; null for the kernel's own grid.

   If the status is TILE_STATUS_OK, `result` is set to a result with
   TILE_OUTPUT_ESTIMATE, a JSON object with these members:

     part                the GPU that the rates of the estimate belong to
     entry               the variant of the kernel that is launched
     microseconds        the time of a launch, if launches are queued
     blocks              blocks of the grid
     blocksPerProcessor  blocks that a multiprocessor runs at a time
     memoryBytes         bytes that the launch moves from and to memory at least
     threads, registers, sharedBytes
                         threads of a block, the estimated registers of a
                         thread, and bytes of shared memory of a block
     sections            a list: the kernel without its loops, and the body of
                         each loop. Each has the number of `executions` by a
                         block, and the resources of one execution
                         (tile/Analysis/LaunchTime.h)

   If it is TILE_STATUS_INVALID_PROGRAM, because the kernel does not compile,
   `result` is set to a result with only the diagnostics. Otherwise `result` is
   set to null. */
tile_status tile_estimate(tile_compiler *compiler, const void *program,
                          size_t size, const tile_compile_options *options,
                          const tile_argument *arguments, size_t count,
                          const int64_t *grid, tile_result **result);

/* Reads a program in one of the forms that tile_compile takes: text, MLIR's
   bytecode, or bytecode of CUDA Tile (docs/CudaTile.md). `name` is the name of
   the program in diagnostics; null for "program".

   If the status is TILE_STATUS_OK, `result` is set to a result with two
   outputs: TILE_OUTPUT_IR, the program as text, with the location of each
   operation, so that diagnostics of a compilation of the text are at the lines
   of the original; and TILE_OUTPUT_METADATA, the arguments of its kernels and
   functions, with no architecture and no entry points. If it is
   TILE_STATUS_INVALID_PROGRAM, `result` is set to a result with only the
   diagnostics. Otherwise `result` is set to null. */
tile_status tile_read_program(tile_compiler *compiler, const void *program,
                              size_t size, const char *name,
                              tile_result **result);

/*===----------------------------------------------------------------------===*\
|* Derivatives
\*===----------------------------------------------------------------------===*/

/* The direction in which derivatives are computed (docs/Differentiation.md). */
typedef int32_t tile_derivative_mode;
enum {
  /* From cotangents of outputs to gradients of inputs: NAME__adjoint. */
  TILE_MODE_REVERSE = 0,
  /* From tangents of inputs to tangents of outputs: NAME__tangent. */
  TILE_MODE_FORWARD = 1
};

typedef struct tile_gradient_options {
  size_t struct_size;
  /* The name of the program in diagnostics; null for "program". */
  const char *name;
  /* The only kernel to differentiate; null for all. */
  const char *kernel;
  tile_derivative_mode mode;
  /* The `num_wrt` arrays to differentiate by, each by its name or its index as
     text. If `num_wrt` is 0, all arrays of floating-point or complex elements
     that the kernel only reads and that an output depends on. */
  const char *const *wrt;
  size_t num_wrt;
  /* The `num_outputs` arrays to differentiate. If `num_outputs` is 0, all such
     arrays that the kernel only writes. */
  const char *const *outputs;
  size_t num_outputs;
  /* If not 0, gradients may be added by atomic operations, so that their last
     bits differ from run to run. */
  int32_t atomics;
  /* If not 0, the program has only the derivatives and the kernels that they
     launch. */
  int32_t derivatives_only;
  /* If not 0, the text has the location of each operation, so that diagnostics
     of a compilation of the text are at the lines of `program`. */
  int32_t locations;
  /* If not 0, loops whose derivative needs the values that they carry keep
     about sqrt(N) of those of N iterations, and compute the others again. */
  int32_t segments;
  /* If not 0, gradients are added to the elements that their arrays have,
     instead of overwriting these; only with TILE_MODE_REVERSE. */
  int32_t accumulate;
  /* The `num_saved` outputs whose arrays have what the kernel has stored, which
     the derivative loads instead of computing it again; only with
     TILE_MODE_REVERSE. */
  const char *const *saved;
  size_t num_saved;
  /* If not 0, the derivative also stores the outputs of the kernel, which then
     need not run; only if `num_saved` is 0. */
  int32_t values;
} tile_gradient_options;

/* Adds to a program the kernels, or the functions of the host, that compute the
   derivatives of its kernels. If `options` is null, all options are zero.

   If the status is TILE_STATUS_OK, `result` is set to a result with two
   outputs: TILE_OUTPUT_IR, the new program as text, for tile_compile; and
   TILE_OUTPUT_METADATA, the arguments of its kernels and functions, with no
   architecture and no entry points. These include which arguments of a kernel
   its derivative needs, by their names (docs/ABI.md). If the status is
   TILE_STATUS_INVALID_PROGRAM, for example since an operation has no
   derivative, `result` is set to a result with only the diagnostics. Otherwise
   `result` is set to null. */
tile_status tile_differentiate(tile_compiler *compiler, const void *program,
                               size_t size,
                               const tile_gradient_options *options,
                               tile_result **result);

/*===----------------------------------------------------------------------===*\
|* Running on the host
\*===----------------------------------------------------------------------===*/

/* Receives how many blocks of all schedules have ended, and how many there are.
   May be called on any thread, but only one call runs at a time. */
typedef void (*tile_progress)(void *context, int64_t ended, int64_t all);

/* Returns whether a run must end: not 0 to end it. Called on the thread that
   called tile_run, every 20 ms or less often, at the end of a block or in a
   loop of the program. */
typedef int32_t (*tile_must_stop)(void *context);

typedef struct tile_run_options {
  size_t struct_size;
  /* The number of blocks along x, y, z, each at least 1; null for the grid of
     the metadata. */
  const int64_t *grid;
  /* Number of host threads; 0 for as many as the host has. Results do not
     depend on it. */
  int32_t threads;

  /* The options from here to `progress_context` are only for the emulator. */

  /* The symbol of the entry point in the metadata; null for the first that the
     arguments allow. */
  const char *entry;
  /* The first schedule, and how many schedules to run: `seed`, `seed` + 1, ...
     A schedule is the order of warps and blocks, and the times at which
     asynchronous copies land. 0 schedules mean 1; at most a million. */
  uint64_t seed;
  int32_t schedules;
  /* Maximum difference of floating-point values a and b of two schedules,
     relative to max(|a|, |b|, 1). From 0 to 1. */
  double tolerance;
  /* If not 0, the instructions of the kernel are counted. */
  int32_t profile;
  /* Receives the progress of the run; may be null. */
  tile_progress progress;
  void *progress_context;

  /* Decides whether the run must end, for the emulator and the CPU. If null,
     the run goes on until the kernel ends. A run that is ended fails with
     TILE_STATUS_KERNEL_FAILED, and the error names the loop in which it was. */
  tile_must_stop must_stop;
  void *must_stop_context;

  /* The indices of array arguments whose elements the kernel must write before
     it reads them; only for kernels on the emulator. If `num_outputs` is 0,
     this is null, and the arrays are those that the kernel never reads. */
  const int32_t *outputs;
  size_t num_outputs;
} tile_run_options;

/* The results of a run on the emulator. Immutable. */
typedef struct tile_outcome tile_outcome;

/* Runs all blocks of `kernel`, a kernel of a program that was compiled for the
   host, or the launches of the function with that name, one after another, and
   returns when they are done. The arrays are in host memory, each aligned to
   its element. If `options` is null, all options are zero. If the metadata
   computes an empty grid, nothing is run.

   On the emulator each schedule starts from the arrays as they were given;
   afterwards they hold the results of the last one.

   `outcome` may be null. It is set if the status is TILE_STATUS_OK or
   TILE_STATUS_KERNEL_FAILED. In the latter case the error text states which
   rule the kernel broke, or which two schedules differ, and arrays may be
   partly written. Otherwise `outcome` is set to null. */
tile_status tile_run(const tile_result *program, const char *kernel,
                     const tile_argument *arguments, size_t count,
                     const tile_run_options *options, tile_outcome **outcome);

/* Destroys an outcome, which may be null. Texts and records obtained from the
   outcome are freed with it. */
tile_status tile_outcome_destroy(tile_outcome *outcome);

/* Gets the counters by line of the program, as text and as JSON; each pointer
   may be null. For a function, they are a list with the counters of each of its
   launches. TILE_STATUS_NOT_AVAILABLE if the run did not count. */
tile_status tile_outcome_get_profile(const tile_outcome *outcome,
                                     const char **text, const char **json);

/* A thread of the GPU and its instruction: one side of a finding. */
typedef struct tile_party {
  size_t struct_size;
  /* The block in the grid, as in tile.program_id, and the thread in the block,
     along x, y, z. */
  uint32_t block[3];
  uint32_t thread[3];
  uint32_t warp;
  uint32_t lane;
  /* The operation of the program, such as "tile.store", and its location; ""
     and 0 if unknown. */
  const char *operation;
  const char *file;
  uint32_t line;
  uint32_t column;
  /* The instruction, such as "ld.shared.v4"; "" if the thread has returned. */
  const char *instruction;
  /* Not 0 if the instruction accesses memory in this way. */
  int32_t reads;
  int32_t writes;
  /* Not 0 if the access is that of an asynchronous copy that the thread issued
     at this instruction. */
  int32_t is_async;
} tile_party;

/* An error that the emulator found. */
typedef struct tile_finding {
  size_t struct_size;
  /* "race", "out of bounds", "misaligned", "uninitialized", "deadlock", ... */
  const char *kind;
  /* The error in one sentence, without the location. */
  const char *message;
  /* The whole report, of several lines. */
  const char *text;
  /* The seed of the schedule in which the error happened, and how often it
     happened. */
  uint64_t seed;
  uint64_t count;
  /* For errors about memory: the accessed array, "shared memory" or "argument 0
     ('a')", and the accessed bytes; "" otherwise. */
  const char *array;
  int64_t offset;
  uint32_t bytes;
  /* The two threads of the error. `other` acted first; it is null if the error
     is about one thread. */
  const tile_party *party;
  const tile_party *other;
} tile_finding;

/* Gets pointers to the findings in the first schedule that had any. */
tile_status tile_outcome_get_findings(const tile_outcome *outcome,
                                      const tile_finding *const **findings,
                                      size_t *count);

/*===----------------------------------------------------------------------===*\
|* The dialect and its layouts
\*===----------------------------------------------------------------------===*/

/* An operation of the dialects tile and tile_gpu. */
typedef struct tile_operation {
  size_t struct_size;
  /* The name, such as "tile.matmul". */
  const char *name;
  /* Not 0 if the operation is composite: at least in some of its forms it is
     replaced by simpler operations. */
  int32_t is_composite;
  /* Summary in one line: "Matrix product with accumulator". */
  const char *summary;
} tile_operation;

/* Gets pointers to the operations of the dialects, ordered by name. They remain
   valid until the process ends. */
tile_status tile_list_operations(const tile_operation *const **operations,
                                 size_t *count);

/* Evaluates an expression of layouts, such as "(4,8):(8,1) o 2:1", in the
   language of tile-layout (docs/Layout.md), and gets its value as text. If
   `coordinate` is not null, it is an integer or a tuple, such as "(1,3)", at
   which to evaluate the layout.

   The text is written to `buffer`: as much as `capacity` bytes can hold, with a
   NUL at the end. `buffer` may be null if `capacity` is 0. If `size` is not
   null, it is set to the size of the whole text without the NUL. */
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
  /* If not 0, the values of the layout are offsets of elements of 1, 2, 4, 8 or
     16 bytes in shared memory, and their banks are drawn. */
  int32_t element_bytes;
  /* The number of bytes that a lane reads at once, 1, 2, 4, 8 or 16, if
     `element_bytes` is given; 0 for the size of an element. */
  int32_t access_bytes;
  /* If not null, the layout maps (thread, value) to the elements of a tile of
     this shape, such as "(16,8)", with the leftmost mode fastest. The drawing
     shows which thread holds each element. */
  const char *tile;
} tile_drawing_options;

/* Draws the value of an expression as a table, with mode 0 down and mode 1 to
   the right. If `options` is null, all options are zero. The text is returned
   as by tile_layout_evaluate. */
tile_status tile_layout_draw(const char *expression,
                             const tile_drawing_options *options, char *buffer,
                             size_t capacity, size_t *size);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_COMPILER_H */
