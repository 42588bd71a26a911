/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- Types.h - what the compiler and the runtime have in common -*- C -*-===*\
|*                                                                            *|
|* C11 and C++17. Rules of both libraries:                                    *|
|*                                                                            *|
|* - A function returns a status. Where it is not TILE_STATUS_OK, nothing     *|
|*   else has happened but what the function says, and the library keeps a    *|
|*   text for the calling thread ("expected X, got Y"), which                 *|
|*   tile_compiler_last_error or tile_runtime_last_error returns.             *|
|* - A handle is a name, not an address: it is never dereferenced and never   *|
|*   given out again. A handle that is null, was destroyed, or is of another  *|
|*   kind is an error, whenever and from whichever thread it is used.         *|
|*   Destroying a handle that another thread is using is legal; what it names *|
|*   goes when that call returns.                                             *|
|* - A struct that the caller fills begins with its size: set `struct_size`   *|
|*   to sizeof, and all that is not of interest to zero. A library reads a    *|
|*   struct of an older header, whose further members are zero then; one that *|
|*   is larger than its own is an error.                                      *|
|* - A struct that a library gives out begins with its size too: members      *|
|*   beyond it are not there.                                                 *|
|* - All functions may be called from any thread, and from several at once,   *|
|*   also on one handle.                                                      *|
|* - None reads the environment, writes to a standard stream (what a running  *|
|*   program prints by itself apart), installs a signal handler, throws, or   *|
|*   ends the process.                                                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TILE_C_TYPES_H
#define TILE_C_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers, of which a program tells the libraries. A
   library serves programs of its own major version and of a minor version that
   is at most its own. */
#define TILE_API_VERSION_MAJOR 0
#define TILE_API_VERSION_MINOR 2
#define TILE_API_VERSION                                                       \
  ((uint32_t)(TILE_API_VERSION_MAJOR << 16 | TILE_API_VERSION_MINOR))

/* How a call ended. Numbers keep their meaning; there may be more. */
typedef int32_t tile_status;
enum {
  TILE_STATUS_OK = 0,
  /* A pointer that must not be null is null. */
  TILE_STATUS_NULL_POINTER = 1,
  /* A handle that the library has not given out. */
  TILE_STATUS_UNKNOWN_HANDLE = 2,
  /* A handle that was destroyed. */
  TILE_STATUS_DESTROYED_HANDLE = 3,
  /* A handle of something else. */
  TILE_STATUS_WRONG_KIND = 4,
  /* The program was written for a version that the library is not of. */
  TILE_STATUS_WRONG_VERSION = 5,
  /* A `struct_size` that the struct has in no version. */
  TILE_STATUS_WRONG_SIZE = 6,
  /* A number outside its range: a negative rank, a machine there is not. */
  TILE_STATUS_OUT_OF_RANGE = 7,
  /* A text or a combination that means nothing: an architecture, a kernel, or
     an element type that is not known, arguments that a kernel does not
     take. */
  TILE_STATUS_INVALID_ARGUMENT = 8,
  /* What was not asked for when the program was compiled. */
  TILE_STATUS_NOT_AVAILABLE = 9,
  /* The program has errors. */
  TILE_STATUS_INVALID_PROGRAM = 10,
  /* The kernel failed: an assertion, or what the emulator found. */
  TILE_STATUS_KERNEL_FAILED = 11,
  /* LLVM gave up. The handles of the call serve no more. */
  TILE_STATUS_INTERNAL_ERROR = 12,
  /* A handle of a call in which LLVM gave up. */
  TILE_STATUS_POISONED_HANDLE = 13,
  /* A file that cannot be read, or metadata that are none. */
  TILE_STATUS_INVALID_FILE = 14,
  /* No driver, no such device, or what the driver refused. */
  TILE_STATUS_DEVICE_ERROR = 15,
  /* Memory would be allocated, or waited, in the capture of a graph. */
  TILE_STATUS_CAPTURE = 16,
  /* The system has no more memory. */
  TILE_STATUS_OUT_OF_MEMORY = 17
};

/* What a status means, in a few words; never null, and never to be freed. */
const char *tile_status_string(tile_status status);

/* One argument of a kernel, in the order of the metadata.

   Of an array: `data` is the address of element (0, ..., 0), of the host for
   tile_run, of the device for a launch; `rank` from 0 on is that of the
   kernel's argument; `sizes` and `strides` are `rank` numbers each, strides in
   elements, zero and negative ones among them. `strides` null: dense, rows in a
   row.

   Of a scalar: `data` is the host's address of its value, `rank` is
   TILE_SCALAR; `sizes` and `strides` are null.

   `type` is the element type, as in the metadata ("f16"); null: the caller
   vouches for it. The sizes of an array of arguments are all the same. */
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
