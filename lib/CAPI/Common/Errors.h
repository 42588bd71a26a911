// Errors.h - failures of calls of the C libraries
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CAPI_COMMON_ERRORS_H
#define TILE_LIB_CAPI_COMMON_ERRORS_H

#include "tile-c/Types.h"
#include "tile/Runtime/Result.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string>

/// Prefix of the definition of a function that a C library exports.
#define TILE_C_EXPORT extern "C" __attribute__((visibility("default")))

namespace tile::capi {

/// Keeps `message` as the calling thread's last error, and returns `status`.
tile_status fail(tile_status status, std::string message);

/// Returns the calling thread's last error, which stays until its next error.
const char *getLastError();

/// Returns an error if `pointer` is null; `name` is the parameter's name.
inline tile_status expectPointer(const void *pointer, const char *name) {
  if (pointer)
    return TILE_STATUS_OK;
  return fail(
      TILE_STATUS_NULL_POINTER,
      runtime::concat("expected a pointer for '", name, "', found null"));
}

/// Sets `*output` to zero or null. Returns an error if `output` is null; `name`
/// is the parameter's name.
template <typename Value>
tile_status resetOutput(Value *output, const char *name) {
  if (tile_status status = expectPointer(output, name))
    return status;
  *output = {};
  return TILE_STATUS_OK;
}

/// Returns an error unless `first` <= `value` <= `last`; `name` is the
/// parameter's name.
tile_status expectRange(const char *name, int64_t value, int64_t first,
                        int64_t last);

/// Returns an error unless `index` < `count`; `name` names the counted objects.
tile_status expectIndex(const char *name, size_t index, size_t count);

/// First minor version of the API: the API exists since version 0.2.
inline constexpr uint32_t kFirstMinorVersion = 2;

/// Returns an error unless this library supports programs that were written for
/// version `version` of the API.
tile_status expectVersion(uint32_t version);

/// Copies the struct `given`, which may be of an earlier version, to `members`.
/// If `given` is null, all members are zero. Returns an error if no version of
/// the struct has the size that `given` states; `name` is the struct's name.
template <typename Struct>
tile_status readStruct(const char *name, const Struct *given, Struct &members,
                       std::initializer_list<size_t> earlierSizes = {}) {
  members = {};
  if (!given)
    return TILE_STATUS_OK;
  if (given->struct_size != sizeof(Struct) &&
      std::find(earlierSizes.begin(), earlierSizes.end(), given->struct_size) ==
          earlierSizes.end())
    return fail(TILE_STATUS_WRONG_SIZE,
                runtime::concat("expected the struct_size of '", name,
                                "' to be ", sizeof(Struct), ", found ",
                                given->struct_size));
  std::memcpy(&members, given, given->struct_size);
  return TILE_STATUS_OK;
}

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMMON_ERRORS_H
