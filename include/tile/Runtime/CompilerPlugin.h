// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- CompilerPlugin.h - the compiler, if it is installed ------*- C++ -*-===//
//
// The loading side of Plugin.h: finds the shared library, and compiles and runs
// tile programs with it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_COMPILERPLUGIN_H
#define TILE_RUNTIME_COMPILERPLUGIN_H

#include "tile/Runtime/Arguments.h"
#include "tile/Runtime/KernelMetadata.h"
#include "tile/Runtime/Result.h"

#include <memory>
#include <string>
#include <string_view>

namespace tile::runtime {

struct PluginFunctions;
struct PluginResult;

/// A tile program compiled for one target.
class CompiledProgram {
public:
  const ModuleMetadata &getMetadata() const;
  /// The code for a GPU; empty for the CPU.
  std::string_view getBinary() const;

  /// Runs all blocks of `kernel` on the CPU and returns when they are done, or
  /// at once if `plan` has an empty grid. The arrays are in host memory.
  /// @pre compiled for "cpu"; `plan` is planLaunch's of these arguments;
  /// `kernel` is of getMetadata().
  Status runOnCpu(const KernelMetadata &kernel,
                  const std::vector<KernelArgument> &arguments,
                  const LaunchPlan &plan, int threads) const;

private:
  friend class CompilerPlugin;

  std::shared_ptr<const PluginResult> result;
};

/// The compiler.
class CompilerPlugin {
public:
  /// Opens the library, searched as Plugin.h says. `executableFolder` is the
  /// folder of the running program; empty: found by /proc/self/exe.
  static Result<CompilerPlugin> find(const std::string &executableFolder = "");

  /// The file that was opened.
  const std::string &getPath() const;

  /// Compiles `kernel` of the file `path` (empty: all kernels) for `target`.
  Result<CompiledProgram> compile(const std::string &path,
                                  const std::string &kernel,
                                  const std::string &target) const;

private:
  std::shared_ptr<const PluginFunctions> functions;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_COMPILERPLUGIN_H
