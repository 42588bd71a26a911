// Program.h - one compiled file behind the plugin's C functions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEPLUGIN_PROGRAM_H
#define TILE_TOOLS_TILEPLUGIN_PROGRAM_H

#include "tile/Target/CpuJit.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace tile::plugin {

/// What `tile_plugin_compile` hands out.
struct Program {
  /// The kernels as JSON (KernelMetadata.h).
  std::string metadata;
  /// The code for a GPU; empty for the cpu.
  std::string binary;
  /// The code for the cpu; null for a GPU.
  std::unique_ptr<CpuProgram> cpu;
};

/// Compiles the file `path` for `target`. Null where that fails; `error` then
/// has the diagnostics, one a line.
///
/// `kernel`: compiled alone if the file has it; all kernels otherwise.
std::unique_ptr<Program> compileFile(llvm::StringRef path, llvm::StringRef kernel,
                                     llvm::StringRef target, std::string &error);

/// Compiles the kernels of `module` for the GPU `target` into `program`.
/// What is wrong is reported to the module's context.
llvm::LogicalResult compileForGpu(mlir::ModuleOp module, llvm::StringRef target,
                                  Program &program);

} // namespace tile::plugin

#endif // TILE_TOOLS_TILEPLUGIN_PROGRAM_H
