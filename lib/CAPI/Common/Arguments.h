// Arguments.h - arguments of kernels as a program in C gives them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CAPI_COMMON_ARGUMENTS_H
#define TILE_LIB_CAPI_COMMON_ARGUMENTS_H

#include "Errors.h"

#include "tile/Runtime/Arguments.h"

#include <optional>
#include <vector>

namespace tile::capi {

/// Reads the arguments of a launch of `kernel`. What is wrong with the structs
/// is an error; whether they are the kernel's is checkArguments' to say.
tile_status readArguments(const runtime::KernelMetadata &kernel,
                          const tile_argument *arguments, size_t count,
                          std::vector<runtime::KernelArgument> &result);

/// Reads three numbers, or nothing where `grid` is null. planLaunch has the
/// limits.
std::optional<runtime::Grid> readGrid(const int64_t *grid);

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMMON_ARGUMENTS_H
