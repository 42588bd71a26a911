/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- Plugin.h - how tile-run reaches the compiler ---------------*- C -*-===*\
|*                                                                            *|
|* The runtime contains no compiler. Where one is installed, it comes as the  *|
|* shared library `libTileCompilerPlugin.so`, which exports the C functions   *|
|* below; `tile-run` opens it with dlopen for a FILE that is a tile program   *|
|* (.mlir text or .mlirbc bytecode). It is searched                           *|
|*                                                                            *|
|*   1. in each folder of $TILE_PLUGIN_PATH (separated by ':'),               *|
|*   2. in ../lib beside the folder of the executable, and in that folder,    *|
|*   3. by the dynamic loader (its usual folders, LD_LIBRARY_PATH).           *|
|*                                                                            *|
|* The first file found is the one used; if it cannot be loaded, or its       *|
|* version is not TILE_PLUGIN_VERSION, that is an error and the search ends.  *|
|*                                                                            *|
|* All functions may be called from several threads at once, also with one    *|
|* handle, except that a result is freed when nothing uses it any more. None  *|
|* exits the process, throws across the interface, or writes to stdout or     *|
|* stderr (what a running program prints by itself apart).                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TILE_RUNTIME_PLUGIN_H
#define TILE_RUNTIME_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It changes with any change of this header. */
#define TILE_PLUGIN_VERSION 5

/* What tile_plugin_compile fills in. The caller zeroes it first. All pointers
   belong to the plugin and are valid until tile_plugin_free_result. */
struct tile_plugin_result {
  /* The compiled program, for the functions that run one. Not null after a
     successful compilation but for "cuda", where it may be null. */
  void *handle;
  /* The metadata, a NUL-terminated JSON text as KernelMetadata.h describes it:
     of the kernels compiled; "arch" is "cpu" or the architecture. Never null
     after success. */
  const char *metadata;
  /* The cubin (or what else cuModuleLoadData takes) for "cuda"; null and 0 for
     the others. */
  const void *binary;
  size_t binary_size;
  /* After a failure: what is wrong, NUL-terminated, with the places in it
     ("matmul.mlir:12:5: error: ..."), one or more lines, with or without a
     final newline. Null after success. */
  char *error;
};

/* Returns TILE_PLUGIN_VERSION as the plugin was compiled with. */
int tile_plugin_version(void);

/* Compiles the tile program in the file `path`.

   `kernel`  the name of the kernel that will be launched; the plugin may
   compile it alone. Null: all kernels of the file. If there is no such kernel,
   the plugin compiles all and succeeds: the caller looks the name up in the
   metadata and reports it. `machine`  "cpu", "cuda", or "emulator";
   "cpu-decomposed" is "cpu" with composite operations by their decompositions,
   and a program without any is an error. `arch`  for "cuda" and "emulator" an
   architecture as in `tile-compile --arch` ("sm_80", "sm_90a"), null for the
   one that the program names; null for the others.

   Returns 0 and fills `handle`, `metadata`, `binary` and `binary_size`; or
   returns non-zero and fills `error` alone. `*out` may be given to
   tile_plugin_free_result in both cases. */
int tile_plugin_compile(const char *path, const char *kernel,
                        const char *machine, const char *arch,
                        struct tile_plugin_result *out);

/* Runs `kernel` of a program compiled for "cpu" or "cpu-decomposed", all blocks
   of the grid, and returns when all are done.

   `params`  what cuLaunchKernel would get as kernelParams: one pointer to each
             flat parameter value, in the ABI order that KernelMetadata.h
             states (for each array: pointer, run-time sizes, run-time strides;
             for each scalar: its value; then hidden arguments). Array and
             workspace pointers are host pointers, aligned to 64 bytes unless
             the array is a view into another; a pointer to an array without
             elements is not null and is not to be accessed. The plugin reads
             the values before it returns and keeps no pointer.
   `grid`    blocks along x, y, z, each at least 1.
   `threads` how many host threads to use; 0: the plugin's choice. The result
             does not depend on it.

   The caller has checked the arguments against the metadata. The plugin
   chooses the entry point by itself.

   Returns 0; or returns non-zero (an assertion of the program failed, say) and
   sets `*error` to a text to be freed with tile_plugin_free_error. Outputs may
   then be half written. */
int tile_plugin_run_cpu(void *handle, const char *kernel, void **params,
                        const int64_t grid[3], int threads, char **error);

/* One array: what a kernel may access through a pointer. */
struct tile_plugin_array {
  /* From the first byte of any element to the last, in host memory. */
  void *first;
  size_t size;
  /* The elements in it, where not all bytes are the array's: `rank` extents,
     and strides in bytes of at least 0. `rank` 0: all bytes. */
  int rank;
  const int64_t *extents;
  const int64_t *strides;
  size_t element_size;
};

/* How the emulator runs. */
struct tile_plugin_emulation {
  /* The entry point, by its symbol in the metadata. */
  const char *entry;
  /* One array for each pointer among the parameters, in their order: arrays,
     then workspaces. */
  const struct tile_plugin_array *arrays;
  size_t num_arrays;
  int64_t grid[3];
  /* The first schedule, and how many to try: `seed`, `seed` + 1, ... */
  uint64_t seed;
  int num_schedules;
  /* Numbers of floating point, a and b under two schedules, may differ by this
     times max(|a|, |b|, 1). */
  double tolerance;
  /* Host threads; 0: the plugin's choice. Results do not depend on it. */
  int threads;
  /* Not 0: count what the kernel does. */
  int is_profiled;
  /* Null, or told, one call at a time and from any thread, how many blocks of
     all schedules have ended; `progress_context` is its first argument. */
  void (*progress)(void *context, int64_t ended, int64_t all);
  void *progress_context;
};

/* What the emulator says. All texts are NUL-terminated, belong to the plugin
   until tile_plugin_free_emulation, and are null where there is nothing to
   say. */
struct tile_plugin_emulation_result {
  /* What is wrong with the kernel, with the places in the tile program, or why
     it could not be run. */
  char *error;
  /* The counters, for people and as JSON. */
  char *profile;
  char *profile_json;
};

/* Runs `kernel` of a program compiled for "emulator" under each schedule, and
   returns when all are done. `params` is that of tile_plugin_run_cpu. Each
   schedule starts from the arrays as they were given; afterwards they hold the
   results of the last one.

   Returns 0; or returns non-zero and sets `error` in `out`: the kernel did what
   no kernel may do, or two schedules gave different results. Outputs may then
   be half written. The caller zeroes `out` first, and gives it to
   tile_plugin_free_emulation in both cases. */
int tile_plugin_run_emulator(void *handle, const char *kernel, void **params,
                             const struct tile_plugin_emulation *how,
                             struct tile_plugin_emulation_result *out);

/* Frees the texts of a run, and sets `result` to zero. */
void tile_plugin_free_emulation(struct tile_plugin_emulation_result *result);

/* Frees all that `result` points to, and sets it to zero. A zeroed result is
   legal. */
void tile_plugin_free_result(struct tile_plugin_result *result);

/* Frees an error text of tile_plugin_run_cpu. Null is legal. */
void tile_plugin_free_error(char *error);

#ifdef __cplusplus
}
#endif

#endif /* TILE_RUNTIME_PLUGIN_H */
