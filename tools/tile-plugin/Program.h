// Program.h - one compiled file behind the plugin's C functions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEPLUGIN_PROGRAM_H
#define TILE_TOOLS_TILEPLUGIN_PROGRAM_H

#include "tile/Execution/CpuJit.h"
#include "tile/Execution/EmulatorJit.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace tile::plugin {

/// What `tile_plugin_compile` hands out.
struct Program {
  /// The kernels as JSON (KernelMetadata.h).
  std::string metadata;
  /// The code for a GPU; empty for other machines.
  std::string binary;
  /// The code for the cpu, for the emulator; null for other machines.
  std::unique_ptr<CpuProgram> cpu;
  std::unique_ptr<EmulatorProgram> emulator;
};

/// Where a program is to run, as tile_plugin_compile is told.
struct Target {
  llvm::StringRef machine; ///< "cpu", "cpu-decomposed", "cuda", "emulator"
  llvm::StringRef arch;    ///< empty: the one that the program names
};

/// Compiles the file `path` for `target`. Null where that fails; `error` then
/// has the diagnostics, one a line.
///
/// `kernel`: compiled alone if the file has it; all kernels otherwise.
std::unique_ptr<Program> compileFile(llvm::StringRef path,
                                     llvm::StringRef kernel,
                                     const Target &target, std::string &error);

/// Compile the kernels of `module` for a machine into `program`. What is wrong
/// is reported to the module's context.
llvm::LogicalResult compileForCuda(mlir::ModuleOp module, llvm::StringRef arch,
                                   Program &program);
llvm::LogicalResult compileForEmulator(mlir::ModuleOp module,
                                       llvm::StringRef arch, Program &program);

} // namespace tile::plugin

#endif // TILE_TOOLS_TILEPLUGIN_PROGRAM_H
