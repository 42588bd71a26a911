/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- CRuntime.h - load and launch kernels from C ----------------*- C -*-===*\
|*                                                                            *|
|* For programs that hold their arrays on the GPU already. Functions return   *|
|* 0 (or a pointer) if all went well; otherwise they set `*error`, if `error` *|
|* is not null, to a text that tile_free_error frees. They may be called from *|
|* several threads.                                                           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TILE_RUNTIME_CRUNTIME_H
#define TILE_RUNTIME_CRUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel loaded on a device. */
typedef struct tile_kernel tile_kernel;

/* One argument of a launch, in the order of the metadata. For an array `data`
   is the device address of its first element, `rank` its rank, `sizes` and
   `strides` its sizes and strides in elements (`strides` null: dense in
   row-major order). For a scalar `data` is a host pointer to its value, `rank`
   is -1, and `sizes` and `strides` are null. `type` is the element type as in
   the metadata ("f16"); null means that the caller vouches for it. */
struct tile_argument {
  const void *data;
  int rank;
  const int64_t *sizes;
  const int64_t *strides;
  const char *type;
};

/* Loads `kernel` from the cubin `path` on the GPU number `device`. The metadata
   is in the file `metadata`, or beside the cubin if that is null. */
tile_kernel *tile_kernel_load(int device, const char *path,
                              const char *metadata, const char *kernel,
                              char **error);

/* The same from memory: a cubin of `size` bytes, and the text of its
   metadata. */
tile_kernel *tile_kernel_load_data(int device, const void *binary, size_t size,
                                   const char *metadata, const char *kernel,
                                   char **error);

/* Launches on `stream` (a CUstream or cudaStream_t; null: the default stream)
   and does not wait, unless the kernel has hidden workspaces and `workspaces`
   is null: then they are allocated, and freed after waiting. `grid` is null
   for the grid of the metadata. */
int tile_kernel_launch(const tile_kernel *kernel,
                       const struct tile_argument *arguments, size_t count,
                       const int64_t grid[3], void *stream,
                       void *const *workspaces, char **error);

/* The bytes that the hidden workspaces need for these arguments: fills up to
   `capacity` entries of `bytes` and returns how many workspaces there are, or
   -1. */
int tile_kernel_workspaces(const tile_kernel *kernel,
                           const struct tile_argument *arguments, size_t count,
                           int64_t *bytes, size_t capacity, char **error);

/* Unloads a kernel that no launch uses any more. Null is legal. */
void tile_kernel_free(tile_kernel *kernel);

/* Frees an error text. Null is legal. */
void tile_free_error(char *error);

#ifdef __cplusplus
}
#endif

#endif /* TILE_RUNTIME_CRUNTIME_H */
