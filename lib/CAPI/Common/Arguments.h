// Arguments.h - arguments of kernels as a C program passes them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CAPI_COMMON_ARGUMENTS_H
#define TILE_LIB_CAPI_COMMON_ARGUMENTS_H

#include "Errors.h"

#include "tile/Runtime/Arguments.h"

#include <optional>
#include <vector>

namespace tile::capi {

/// Reads the arguments of a kernel or function that declares `declared`. In
/// messages `callee` is its description, such as "kernel 'gemm'". Errors in the
/// structs, kinds, types and ranks are reported here, all others by
/// checkArguments.
tile_status readArguments(const std::string &callee,
                          const std::vector<runtime::Argument> &declared,
                          const tile_argument *arguments, size_t count,
                          std::vector<runtime::KernelArgument> &result);

/// Reads the arguments of a launch of `kernel`.
inline tile_status readArguments(const runtime::KernelMetadata &kernel,
                                 const tile_argument *arguments, size_t count,
                                 std::vector<runtime::KernelArgument> &result) {
  return readArguments("kernel '" + kernel.name + "'", kernel.arguments,
                       arguments, count, result);
}

/// Reads the arguments of a call of `function`.
inline tile_status readArguments(const runtime::HostFunction &function,
                                 const tile_argument *arguments, size_t count,
                                 std::vector<runtime::KernelArgument> &result) {
  return readArguments("function '" + function.name + "'", function.arguments,
                       arguments, count, result);
}

/// Reads three extents, or nothing if `grid` is null. planLaunch checks the
/// limits.
std::optional<runtime::Grid> readGrid(const int64_t *grid);

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMMON_ARGUMENTS_H
