// HostFunction.h - calls of functions that launch kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of a HostFunction (KernelMetadata.h), on any machine, allocates its
// temporaries and then launches kernels one after another, each as Arguments.h
// describes:
//
//   sizes = getTemporaryBytes(function, arguments)
//   launches = bindLaunches(module, function, arguments, addresses)

#ifndef TILE_RUNTIME_HOSTFUNCTION_H
#define TILE_RUNTIME_HOSTFUNCTION_H

#include "tile/Runtime/Arguments.h"

namespace tile::runtime {

/// Launch that has been checked.
struct BoundLaunch {
  const KernelMetadata *kernel = nullptr;
  std::vector<KernelArgument> arguments;
  /// The grid that the function specifies; nothing for the kernel's own grid.
  std::optional<Grid> grid;
  LaunchPlan plan;
};

/// Checks the arguments (see checkArguments) and the requirements of the
/// function, and returns the size of each temporary in bytes.
Result<std::vector<int64_t>>
getTemporaryBytes(const HostFunction &function,
                  const std::vector<KernelArgument> &arguments);

/// Computes all launches of a call. `temporaries` has an address, aligned to
/// 256 bytes, for each temporary. The kernels are found in `module`.
/// @pre the arguments have passed getTemporaryBytes; `function` belongs to
/// `module`, which has passed verify.
Result<std::vector<BoundLaunch>>
bindLaunches(const ModuleMetadata &module, const HostFunction &function,
             const std::vector<KernelArgument> &arguments,
             const std::vector<uint64_t> &temporaries);

} // namespace tile::runtime

#endif // TILE_RUNTIME_HOSTFUNCTION_H
