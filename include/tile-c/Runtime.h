/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- Runtime.h - load and launch kernels from C -----------------*- C -*-===*\
|*                                                                            *|
|* libTileRuntime.so.0 launches compiled kernels through the CUDA driver,     *|
|* which is found at run time (libcuda.so.1): a program that is linked with   *|
|* it starts where there is no GPU, too. For programs that hold their arrays  *|
|* on the GPU already.                                                        *|
|*                                                                            *|
|*   tile_device_open(TILE_API_VERSION, 0, &device);                          *|
|*   tile_module_load_file(device, "gemm.cubin", NULL, &module);              *|
|*   tile_module_get_kernel(module, "gemm", &kernel);                         *|
|*   tile_launch(kernel, arguments, 3, NULL);                                 *|
|*                                                                            *|
|* The rules of Types.h hold. All of it works on the primary context of the   *|
|* device, as the CUDA runtime does, and leaves the caller's current context  *|
|* as it was. What is made of a handle may outlive it.                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TILE_C_RUNTIME_H
#define TILE_C_RUNTIME_H

#include "tile-c/Types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* TILE_API_VERSION as the library was built with. */
uint32_t tile_runtime_api_version(void);

/* The text of the calling thread's last call of this library that failed, "" if
   none has. It stays until the thread's next call that fails. */
const char *tile_runtime_last_error(void);

/*===----------------------------------------------------------------------===*\
|* Devices
\*===----------------------------------------------------------------------===*/

/* A GPU. */
typedef struct tile_device tile_device;

/* The number of GPUs that the driver offers. No driver, and none of them, are
   TILE_STATUS_DEVICE_ERROR. */
tile_status tile_device_count(int32_t *count);

/* Opens GPU number `ordinal`, from 0 on; `api_version` is TILE_API_VERSION. */
tile_status tile_device_open(uint32_t api_version, int32_t ordinal,
                             tile_device **device);

/* Null is legal, as for all functions of this name below. */
tile_status tile_device_destroy(tile_device *device);

typedef struct tile_device_info {
  size_t struct_size;
  /* What the driver calls it, "NVIDIA H200", and the architecture to compile
     for, "sm_90a". Both live as long as the handle. */
  const char *name;
  const char *arch;
  /* Most dynamic shared memory of a block, in bytes. */
  int64_t max_shared_bytes;
  int32_t multiprocessors;
} tile_device_info;

/* Fills in `info`, whose struct_size the caller sets. */
tile_status tile_device_get_info(const tile_device *device,
                                 tile_device_info *info);

/* Waits for all work on the device; what went wrong in it is
   TILE_STATUS_DEVICE_ERROR. */
tile_status tile_device_synchronize(const tile_device *device);

/*===----------------------------------------------------------------------===*\
|* Modules and kernels
\*===----------------------------------------------------------------------===*/

/* A binary with its kernels, loaded once. */
typedef struct tile_module tile_module;

/* Loads a cubin of `size` bytes (or what else cuModuleLoadData takes); the text
   of its metadata ends in NUL. */
tile_status tile_module_load(const tile_device *device, const void *binary,
                             size_t size, const char *metadata,
                             tile_module **module);

/* The same from files. `metadata` null: beside the binary, with the extension
   .json. */
tile_status tile_module_load_file(const tile_device *device, const char *path,
                                  const char *metadata, tile_module **module);

tile_status tile_module_destroy(tile_module *module);

/* How many kernels the metadata has, and the name of one of them, from 0 on,
   which lives as long as the handle. */
tile_status tile_module_count_kernels(const tile_module *module, size_t *count);
tile_status tile_module_get_kernel_name(const tile_module *module, size_t index,
                                        const char **name);

/* A kernel that can be launched. */
typedef struct tile_kernel tile_kernel;

/* Checks the kernel's architecture, shared memory, threads and, where the
   driver can tell, parameters against the device and the binary. */
tile_status tile_module_get_kernel(const tile_module *module, const char *name,
                                   tile_kernel **kernel);

tile_status tile_kernel_destroy(tile_kernel *kernel);

/* What is known at run time only, in a shape or strides. */
#define TILE_DYNAMIC INT64_MIN

/* What is not known, as a count of ptxas where it did not run. */
#define TILE_UNKNOWN (-1)

/* Texts and lists that are got from a kernel live as long as its handle. */
typedef struct tile_kernel_info {
  size_t struct_size;
  const char *name;
  /* "sm_90a". */
  const char *arch;
  /* Threads of a block and blocks of a cluster, along x, y, z. */
  int64_t block[3];
  int64_t cluster[3];
  /* Dynamic shared memory of a block, in bytes. */
  int64_t shared_bytes;
  size_t num_arguments;
  /* Bodies: a launch takes the first whose assumptions hold. */
  size_t num_entries;
  /* Hidden arguments that a launch provides. */
  size_t num_workspaces;
  /* Not 0: the metadata computes the grid; 0: each launch must give one. */
  int32_t has_grid;
} tile_kernel_info;

/* Fills in `info`, whose struct_size the caller sets; so do the next two. */
tile_status tile_kernel_get_info(const tile_kernel *kernel,
                                 tile_kernel_info *info);

typedef struct tile_argument_info {
  size_t struct_size;
  const char *name;
  /* The element type, "f16". */
  const char *type;
  /* TILE_SCALAR, or the rank of an array. */
  int32_t rank;
  /* Not 0: the kernel reads, or writes, elements. */
  int32_t reads;
  int32_t writes;
  /* Of an array: `rank` sizes, and strides in elements; TILE_DYNAMIC among
     them. */
  const int64_t *shape;
  const int64_t *strides;
} tile_argument_info;

tile_status tile_kernel_get_argument(const tile_kernel *kernel, size_t index,
                                     tile_argument_info *info);

typedef struct tile_entry_info {
  size_t struct_size;
  /* The function in the binary. */
  const char *symbol;
  /* Of a thread; TILE_UNKNOWN among them. */
  int64_t registers;
  int64_t spill_store_bytes;
  int64_t spill_load_bytes;
  int64_t stack_bytes;
  /* Blocks that a multiprocessor has room for at once, by the driver. */
  int32_t blocks_per_multiprocessor;
  /* Threads of a block along x, y, z, and bytes of dynamic shared memory. */
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
  /* Blocks along x, y, z; null: the grid of the metadata. */
  const int64_t *grid;
  /* A CUstream or cudaStream_t; null: the default stream. */
  void *stream;
  /* Device addresses of `num_workspaces` workspaces, aligned to 256 bytes and
     of as many bytes as tile_kernel_get_workspaces says; none: a launch of a
     kernel that has some allocates them, and waits for its end to free them. In
     the capture of a graph that is TILE_STATUS_CAPTURE. Where they must be zero
     each launch makes them so, in the order of the stream. */
  void *const *workspaces;
  size_t num_workspaces;
} tile_launch_options;

/* The bytes of each workspace for these arguments. Fills in up to `capacity`
   numbers, and how many there are. */
tile_status tile_kernel_get_workspaces(const tile_kernel *kernel,
                                       const tile_argument *arguments,
                                       size_t num_arguments, int64_t *bytes,
                                       size_t capacity, size_t *count);

/* Checks the arguments, chooses the entry point, and launches. Does not wait
   for the end, but see tile_launch_options. A grid that the metadata computes
   to be empty launches nothing. `options` null: all of them zero. */
tile_status tile_launch(const tile_kernel *kernel,
                        const tile_argument *arguments, size_t count,
                        const tile_launch_options *options);

/* A launch whose arguments are checked and packed. */
typedef struct tile_plan tile_plan;

/* Prepares a launch. The kernel's workspaces, if it has any, are given with
   `options`, whose stream does not count. */
tile_status tile_plan_create(const tile_kernel *kernel,
                             const tile_argument *arguments, size_t count,
                             const tile_launch_options *options,
                             tile_plan **plan);

tile_status tile_plan_destroy(tile_plan *plan);

/* Another array of the same type, sizes and strides for an argument, by its
   device address. What is decided by the address is decided anew. */
tile_status tile_plan_set_array(tile_plan *plan, size_t argument,
                                const void *data);

/* Launches at the cost of the driver's call: nothing is checked, allocated or
   waited for, so that a graph may be captured. */
tile_status tile_plan_launch(const tile_plan *plan, void *stream);

/*===----------------------------------------------------------------------===*\
|* Functions of the host
\*===----------------------------------------------------------------------===*/

/* A function of the program that launches kernels, with those loaded. */
typedef struct tile_function tile_function;

tile_status tile_module_get_function(const tile_module *module,
                                     const char *name,
                                     tile_function **function);

tile_status tile_function_destroy(tile_function *function);

/* A call of a function with given arguments, and the device memory that it
   needs beside them. */
typedef struct tile_call tile_call;

/* Checks the arguments, which are as those of a launch, and allocates the
   function's temporaries and the workspaces of its kernels. */
tile_status tile_call_create(const tile_function *function,
                             const tile_argument *arguments, size_t count,
                             tile_call **call);

/* No launch of the call may be under way. */
tile_status tile_call_destroy(tile_call *call);

/* Launches all kernels on `stream`, and does not wait for them. Allocates
   nothing, so that a graph may be captured. One call runs at a time: its memory
   is that of the launches before, too. */
tile_status tile_call_launch(const tile_call *call, void *stream);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_RUNTIME_H */
