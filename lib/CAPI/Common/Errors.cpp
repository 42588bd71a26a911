// Errors.cpp - failures of calls of the C libraries
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Errors.h"

using namespace tile;
using runtime::concat;

static thread_local std::string lastError;

tile_status capi::fail(tile_status status, std::string message) {
  while (!message.empty() && message.back() == '\n')
    message.pop_back();
  lastError = std::move(message);
  return status;
}

const char *capi::getLastError() { return lastError.c_str(); }

tile_status capi::expectRange(const char *name, int64_t value, int64_t first,
                              int64_t last) {
  if (value >= first && value <= last)
    return TILE_STATUS_OK;
  return fail(TILE_STATUS_OUT_OF_RANGE,
              concat("expected '", name, "' from ", first, " to ", last,
                     ", found ", value));
}

tile_status capi::expectIndex(const char *name, size_t index, size_t count) {
  if (index < count)
    return TILE_STATUS_OK;
  return fail(TILE_STATUS_OUT_OF_RANGE,
              concat("expected the number of one of ", count, " ", name,
                     "s, found ", index));
}

static std::string printVersion(uint32_t version) {
  return concat(version >> 16, ".", version & 0xffff);
}

tile_status capi::expectVersion(uint32_t version) {
  if (version >> 16 == TILE_API_VERSION_MAJOR &&
      (version & 0xffff) <= TILE_API_VERSION_MINOR &&
      (version & 0xffff) >= kFirstMinorVersion)
    return TILE_STATUS_OK;
  return fail(TILE_STATUS_WRONG_VERSION,
              concat("expected a program for version ",
                     printVersion(TILE_API_VERSION), " of the library, found ",
                     printVersion(version)));
}

TILE_C_EXPORT const char *tile_status_string(tile_status status) {
  switch (status) {
  case TILE_STATUS_OK:
    return "all is well";
  case TILE_STATUS_NULL_POINTER:
    return "null where a pointer is expected";
  case TILE_STATUS_UNKNOWN_HANDLE:
    return "a handle that was never given out";
  case TILE_STATUS_DESTROYED_HANDLE:
    return "a handle that was destroyed";
  case TILE_STATUS_WRONG_KIND:
    return "a handle of another kind";
  case TILE_STATUS_WRONG_VERSION:
    return "a version that the library is not of";
  case TILE_STATUS_WRONG_SIZE:
    return "a struct of a wrong size";
  case TILE_STATUS_OUT_OF_RANGE:
    return "a number outside its range";
  case TILE_STATUS_INVALID_ARGUMENT:
    return "an argument without a meaning";
  case TILE_STATUS_NOT_AVAILABLE:
    return "not asked for";
  case TILE_STATUS_INVALID_PROGRAM:
    return "a program with errors";
  case TILE_STATUS_KERNEL_FAILED:
    return "the kernel failed";
  case TILE_STATUS_INTERNAL_ERROR:
    return "an internal error of LLVM";
  case TILE_STATUS_POISONED_HANDLE:
    return "a handle of a call that ended with an internal error";
  case TILE_STATUS_INVALID_FILE:
    return "a file that cannot be read";
  case TILE_STATUS_DEVICE_ERROR:
    return "an error of the device or its driver";
  case TILE_STATUS_CAPTURE:
    return "not possible in the capture of a graph";
  case TILE_STATUS_OUT_OF_MEMORY:
    return "out of memory";
  }
  return "a status that is not known";
}
