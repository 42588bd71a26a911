/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- Types.h - what the compiler and the runtime have in common -*- C -*-===*\
|*                                                                            *|
|* For C11 and C++17. Rules of both libraries:                                *|
|*                                                                            *|
|* - A function returns a status. If it is not TILE_STATUS_OK, the call has   *|
|*   had no effect except those that the function documents, and the library  *|
|*   keeps an error text for the calling thread ("expected X, got Y"), which  *|
|*   tile_compiler_last_error or tile_runtime_last_error returns.             *|
|* - A handle is an id, not an address: it is never dereferenced, and never   *|
|*   given out again. A handle that is null, was destroyed, or is of another  *|
|*   kind is an error, whenever and from whichever thread it is used. A       *|
|*   handle may be destroyed while another thread uses it; its object is      *|
|*   freed when that call returns.                                            *|
|* - A struct that the caller fills starts with its size: set `struct_size`   *|
|*   to sizeof, and members that are not used to zero. A library accepts a    *|
|*   struct of an older header, whose missing members it takes as zero. A     *|
|*   struct that is larger than the library's own is an error.                *|
|* - A struct that a library returns also starts with its size: members       *|
|*   beyond that size do not exist.                                           *|
|* - All functions may be called from any thread, and from several at once,   *|
|*   even with the same handle.                                               *|
|* - No function reads the environment, writes to a standard stream (except   *|
|*   for the output of a program that is run), installs a signal handler,     *|
|*   throws, or ends the process.                                             *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TILE_C_TYPES_H
#define TILE_C_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers, which a program passes to the libraries. A
   library accepts programs of its own major version whose minor version is at
   most its own. */
#define TILE_API_VERSION_MAJOR 0
#define TILE_API_VERSION_MINOR 2
#define TILE_API_VERSION                                                       \
  ((uint32_t)(TILE_API_VERSION_MAJOR << 16 | TILE_API_VERSION_MINOR))

/* The result of a call. The values keep their meaning; later versions may add
   more. */
typedef int32_t tile_status;
enum {
  TILE_STATUS_OK = 0,
  /* A null pointer for a parameter that must not be null. */
  TILE_STATUS_NULL_POINTER = 1,
  /* A handle that the library has not returned. */
  TILE_STATUS_UNKNOWN_HANDLE = 2,
  /* A handle that was destroyed. */
  TILE_STATUS_DESTROYED_HANDLE = 3,
  /* A handle of an object of another kind. */
  TILE_STATUS_WRONG_KIND = 4,
  /* The program was written for a version that the library does not support. */
  TILE_STATUS_WRONG_VERSION = 5,
  /* A `struct_size` that is not the size of any version of the struct. */
  TILE_STATUS_WRONG_SIZE = 6,
  /* A value outside its range, such as a negative rank or an unknown
     machine. */
  TILE_STATUS_OUT_OF_RANGE = 7,
  /* A text or a combination of values that is not valid: an unknown
     architecture, kernel or element type, or arguments that the kernel does not
     accept. */
  TILE_STATUS_INVALID_ARGUMENT = 8,
  /* An output that was not requested when the program was compiled. */
  TILE_STATUS_NOT_AVAILABLE = 9,
  /* The program has errors. */
  TILE_STATUS_INVALID_PROGRAM = 10,
  /* The kernel failed: an assertion, or an error that the emulator found. */
  TILE_STATUS_KERNEL_FAILED = 11,
  /* A fatal error of LLVM. The handles of the call can no longer be used. */
  TILE_STATUS_INTERNAL_ERROR = 12,
  /* A handle of a call in which LLVM had a fatal error. */
  TILE_STATUS_POISONED_HANDLE = 13,
  /* A file that cannot be read, or that is not valid metadata. */
  TILE_STATUS_INVALID_FILE = 14,
  /* No driver, no such device, or an error of the driver. */
  TILE_STATUS_DEVICE_ERROR = 15,
  /* The call would allocate memory or wait, during the capture of a graph. */
  TILE_STATUS_CAPTURE = 16,
  /* The system has no more memory. */
  TILE_STATUS_OUT_OF_MEMORY = 17
};

/* Returns a short description of a status; never null, and not to be freed. */
const char *tile_status_string(tile_status status);

/* One argument of a kernel, in the order of the metadata.

   Array: `data` is the address of element (0, ..., 0), in host memory for
   tile_run and in device memory for a launch. `rank`, at least 0, is the rank
   of the kernel's argument. `sizes` and `strides` have `rank` values each.
   Strides are in elements and may be zero or negative. If `strides` is null,
   the array is dense and row-major.

   Scalar: `data` is the address of its value in host memory, `rank` is
   TILE_SCALAR, and `sizes` and `strides` are null.

   `type` is the element type as in the metadata, such as "f16". If it is null,
   the type is not checked. All structs of an array of arguments have the same
   `struct_size`. */
typedef struct tile_argument {
  size_t struct_size;
  const void *data;
  int32_t rank;
  const int64_t *sizes;
  const int64_t *strides;
  const char *type;
} tile_argument;

#define TILE_SCALAR (-1)

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_TYPES_H */
