/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- Runtime.h - load and launch kernels from C -----------------*- C -*-===*\
|*                                                                            *|
|* libTileRuntime.so.0 launches compiled kernels through the CUDA driver,     *|
|* which is found at run time (libcuda.so.1): a program that is linked with   *|
|* the library also starts on a machine without a GPU. The library is for     *|
|* programs whose arrays are already on the GPU.                              *|
|*                                                                            *|
|*   tile_device_open(TILE_API_VERSION, 0, &device);                          *|
|*   tile_module_load_file(device, "gemm.cubin", NULL, &module);              *|
|*   tile_module_get_kernel(module, "gemm", &kernel);                         *|
|*   tile_launch(kernel, arguments, 3, NULL);                                 *|
|*                                                                            *|
|* The rules of Types.h hold. All functions work on the primary context of    *|
|* the device, as the CUDA runtime does, and leave the caller's current       *|
|* context as it was. An object that is made from a handle may outlive that   *|
|* handle.                                                                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TILE_C_RUNTIME_H
#define TILE_C_RUNTIME_H

#include "tile-c/Types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the TILE_API_VERSION with which the library was built. */
uint32_t tile_runtime_api_version(void);

/* Returns the error text of the calling thread's last failed call of this
   library, or "" if no call has failed. The text remains until the thread's
   next failed call. */
const char *tile_runtime_last_error(void);

/*===----------------------------------------------------------------------===*\
|* Devices
\*===----------------------------------------------------------------------===*/

/* A GPU. */
typedef struct tile_device tile_device;

/* Gets the number of GPUs that the driver offers. TILE_STATUS_DEVICE_ERROR if
   there is no driver or no GPU. */
tile_status tile_device_count(int32_t *count);

/* Opens the GPU with index `ordinal`, from 0. `api_version` is
   TILE_API_VERSION. */
tile_status tile_device_open(uint32_t api_version, int32_t ordinal,
                             tile_device **device);

/* Destroys a device, which may be null. All functions below whose names end in
   _destroy accept null. */
tile_status tile_device_destroy(tile_device *device);

typedef struct tile_device_info {
  size_t struct_size;
  /* The name of the GPU, such as "NVIDIA H200", and the architecture to compile
     for, such as "sm_90a". Both texts live as long as the handle. */
  const char *name;
  const char *arch;
  /* Maximum dynamic shared memory of a block, in bytes. */
  int64_t max_shared_bytes;
  int32_t multiprocessors;
} tile_device_info;

/* Fills in `info`, whose struct_size the caller sets. */
tile_status tile_device_get_info(const tile_device *device,
                                 tile_device_info *info);

/* Waits for all work on the device. TILE_STATUS_DEVICE_ERROR if the work
   failed. */
tile_status tile_device_synchronize(const tile_device *device);

/*===----------------------------------------------------------------------===*\
|* Modules and kernels
\*===----------------------------------------------------------------------===*/

/* A binary with its kernels, loaded once. */
typedef struct tile_module tile_module;

/* Loads a cubin of `size` bytes, or another format that cuModuleLoadData
   accepts. `metadata` is the text of its metadata and ends in NUL. */
tile_status tile_module_load(const tile_device *device, const void *binary,
                             size_t size, const char *metadata,
                             tile_module **module);

/* Loads a binary from the file `path`. If `metadata` is null, the metadata is
   in the file next to it with the extension .json. */
tile_status tile_module_load_file(const tile_device *device, const char *path,
                                  const char *metadata, tile_module **module);

tile_status tile_module_destroy(tile_module *module);

/* Get the number of kernels in the metadata, and the name of the kernel at
   `index`, which is from 0. The name lives as long as the handle. */
tile_status tile_module_count_kernels(const tile_module *module, size_t *count);
tile_status tile_module_get_kernel_name(const tile_module *module, size_t index,
                                        const char **name);

/* A kernel that can be launched. */
typedef struct tile_kernel tile_kernel;

/* Gets a kernel of a module. Checks its architecture, shared memory and threads
   against the device and, if the driver can report them, its parameters against
   the binary. */
tile_status tile_module_get_kernel(const tile_module *module, const char *name,
                                   tile_kernel **kernel);

tile_status tile_kernel_destroy(tile_kernel *kernel);

/* A size or a stride that is known only at run time. */
#define TILE_DYNAMIC INT64_MIN

/* An unknown value, such as a count of ptxas if ptxas was not run. */
#define TILE_UNKNOWN (-1)

/* Facts about a kernel. Texts and lists live as long as the kernel's handle. */
typedef struct tile_kernel_info {
  size_t struct_size;
  const char *name;
  /* The architecture, such as "sm_90a". */
  const char *arch;
  /* Threads of a block and blocks of a cluster, along x, y, z. */
  int64_t block[3];
  int64_t cluster[3];
  /* Dynamic shared memory of a block, in bytes. */
  int64_t shared_bytes;
  size_t num_arguments;
  /* Number of entry points: a launch uses the first whose assumptions hold. */
  size_t num_entries;
  /* Number of hidden arguments, workspaces that a launch provides. */
  size_t num_workspaces;
  /* Not 0 if the metadata computes the grid; if 0, each launch must give
     one. */
  int32_t has_grid;
} tile_kernel_info;

/* Fills in `info`, whose struct_size the caller sets, as the next two functions
   do. */
tile_status tile_kernel_get_info(const tile_kernel *kernel,
                                 tile_kernel_info *info);

typedef struct tile_argument_info {
  size_t struct_size;
  const char *name;
  /* The element type, such as "f16". */
  const char *type;
  /* TILE_SCALAR, or the rank of an array. */
  int32_t rank;
  /* Not 0 if the kernel reads, or writes, elements. */
  int32_t reads;
  int32_t writes;
  /* For an array: `rank` sizes, and `rank` strides in elements. TILE_DYNAMIC
     for those that are known only at run time. */
  const int64_t *shape;
  const int64_t *strides;
} tile_argument_info;

tile_status tile_kernel_get_argument(const tile_kernel *kernel, size_t index,
                                     tile_argument_info *info);

typedef struct tile_entry_info {
  size_t struct_size;
  /* The name of the function in the binary. */
  const char *symbol;
  /* Counts for one thread; TILE_UNKNOWN if not known. */
  int64_t registers;
  int64_t spill_store_bytes;
  int64_t spill_load_bytes;
  int64_t stack_bytes;
  /* Number of blocks that can run on a multiprocessor at once, from the
     driver. */
  int32_t blocks_per_multiprocessor;
  /* Number of threads of a block along x, y, z, and of bytes of dynamic shared
     memory. */
  int64_t block[3];
  int64_t shared_bytes;
} tile_entry_info;

tile_status tile_kernel_get_entry(const tile_kernel *kernel, size_t index,
                                  tile_entry_info *info);

/*===----------------------------------------------------------------------===*\
|* Launches
\*===----------------------------------------------------------------------===*/

typedef struct tile_launch_options {
  size_t struct_size;
  /* Number of blocks along x, y, z; null for the grid of the metadata. */
  const int64_t *grid;
  /* A CUstream or cudaStream_t; null for the default stream. */
  void *stream;
  /* Device addresses of `num_workspaces` workspaces, aligned to 256 bytes, with
     the sizes that tile_kernel_get_workspaces returns. If there are none, a
     launch of a kernel that needs workspaces allocates them and waits for its
     end to free them; in the capture of a graph this is the error
     TILE_STATUS_CAPTURE. If workspaces must be zero, each launch zeroes them in
     stream order. */
  void *const *workspaces;
  size_t num_workspaces;
} tile_launch_options;

/* Gets the size in bytes of each workspace for these arguments. Fills in up to
   `capacity` sizes, and sets `count` to the number of workspaces. */
tile_status tile_kernel_get_workspaces(const tile_kernel *kernel,
                                       const tile_argument *arguments,
                                       size_t num_arguments, int64_t *bytes,
                                       size_t capacity, size_t *count);

/* Checks the arguments, chooses the entry point, and launches. Does not wait
   for the end, except as described at tile_launch_options. If the metadata
   computes an empty grid, nothing is launched. If `options` is null, all
   options are zero. */
tile_status tile_launch(const tile_kernel *kernel,
                        const tile_argument *arguments, size_t count,
                        const tile_launch_options *options);

/* A launch whose arguments are checked and packed. */
typedef struct tile_plan tile_plan;

/* Prepares a launch. `options` must give the kernel's workspaces, if it has
   any; the stream of `options` is ignored. */
tile_status tile_plan_create(const tile_kernel *kernel,
                             const tile_argument *arguments, size_t count,
                             const tile_launch_options *options,
                             tile_plan **plan);

tile_status tile_plan_destroy(tile_plan *plan);

/* Replaces the array of an argument by one of the same type, sizes and strides
   at the device address `data`. Decisions that depend on the address are made
   again. If it fails, nothing is changed. */
tile_status tile_plan_set_array(tile_plan *plan, size_t argument,
                                const void *data);

/* Launches a plan at the cost of the driver's call. It checks nothing,
   allocates nothing and does not wait, so that a graph may capture it. */
tile_status tile_plan_launch(const tile_plan *plan, void *stream);

/*===----------------------------------------------------------------------===*\
|* Functions of the host
\*===----------------------------------------------------------------------===*/

/* A function of the program that launches kernels, with these kernels
   loaded. */
typedef struct tile_function tile_function;

tile_status tile_module_get_function(const tile_module *module,
                                     const char *name,
                                     tile_function **function);

tile_status tile_function_destroy(tile_function *function);

/* A call of a function with given arguments, and the device memory that it
   needs in addition to them. */
typedef struct tile_call tile_call;

/* Prepares a call. Checks the arguments, which have the same form as those of a
   launch, and allocates the function's temporaries and the workspaces of its
   kernels. */
tile_status tile_call_create(const tile_function *function,
                             const tile_argument *arguments, size_t count,
                             tile_call **call);

/* Destroys a call. No launch of the call may still be running. */
tile_status tile_call_destroy(tile_call *call);

/* Launches all kernels on `stream`, and does not wait for them. Allocates
   nothing, so that a graph may capture it. Successive launches of a call use
   the same memory, so only one may run at a time. */
tile_status tile_call_launch(const tile_call *call, void *stream);

/* Gets the bytes of the memory that a call with these arguments needs in
   addition to them: the function's temporaries and the workspaces of its
   kernels. */
tile_status tile_function_get_memory(const tile_function *function,
                                     const tile_argument *arguments,
                                     size_t count, int64_t *bytes);

/* Prepares a call as a plan, whose launch launches all kernels. `memory` is
   device memory of the size that tile_function_get_memory returns, aligned to
   256 bytes; it must not be null, even if that size is 0. For
   tile_plan_set_array it is the argument after the last one. Launches that use
   the same memory must not overlap in time. The plan may outlive the
   function. */
tile_status tile_function_create_plan(const tile_function *function,
                                      const tile_argument *arguments,
                                      size_t count, void *memory,
                                      tile_plan **plan);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_RUNTIME_H */
