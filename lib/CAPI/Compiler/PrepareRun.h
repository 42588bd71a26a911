// PrepareRun.h - checks a run on the host and allocates its memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CAPI_COMPILER_PREPARERUN_H
#define TILE_LIB_CAPI_COMPILER_PREPARERUN_H

#include "Compiler.h"

#include "tile/Runtime/Arguments.h"
#include "tile/Runtime/Npy.h"

namespace tile::capi {

/// A launch whose arguments have been checked.
struct PreparedLaunch {
  const runtime::KernelMetadata *kernel = nullptr;
  std::vector<runtime::KernelArgument> arguments;
  /// Indices of the arrays that the kernel must write before it reads them.
  std::vector<size_t> outputs;
  runtime::LaunchPlan plan;
  std::vector<runtime::HostBuffer> workspaces;
};

/// The launches and the memory for a call of a kernel or a function.
struct PreparedRun {
  std::vector<runtime::HostBuffer> temporaries;
  std::vector<PreparedLaunch> launches;
  bool isFunction = false;
};

std::vector<uint64_t>
getAddresses(const std::vector<runtime::HostBuffer> &buffers);

/// Checks the arguments of the kernel or function `name`, and allocates the
/// memory that it needs in addition to them.
/// @pre the program is for the CPU or the emulator
tile_status prepareRun(const Result &program, const char *name,
                       const tile_argument *arguments, size_t count,
                       const tile_run_options &options, PreparedRun &run);

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMPILER_PREPARERUN_H
