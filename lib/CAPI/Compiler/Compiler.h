// Compiler.h - objects to which handles of the compiler's C library refer
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CAPI_COMPILER_COMPILER_H
#define TILE_LIB_CAPI_COMPILER_COMPILER_H

#include "../Common/Handles.h"
#include "Diagnostics.h"
#include "FatalErrors.h"

#include "tile/Execution/CpuJit.h"
#include "tile/Execution/EmulatorJit.h"
#include "tile/Target/ToolkitFile.h"

#include "mlir/IR/DialectRegistry.h"

#include <atomic>
#include <map>
#include <memory>
#include <string>

namespace tile::capi {

/// Maximum number of threads that may be requested.
inline constexpr int32_t kMaxThreads = 1024;

/// Records whether LLVM had a fatal error in a call on a handle. The handle can
/// no longer be used then.
class Poison {
public:
  /// Returns an error if LLVM had a fatal error; `name` is the name of the kind
  /// of handle in the error.
  tile_status check(const char *name) const;
  /// Runs `body` for a call on the handle. Returns an error if LLVM has a fatal
  /// error.
  tile_status guard(llvm::function_ref<void()> body);

private:
  std::atomic<bool> isPoisoned = false;
};

/// A tile_compiler.
struct Compiler {
  static constexpr HandleKind kKind = HandleKind::Compiler;

  ToolkitFile ptxas, libdevice;
  mlir::DialectRegistry dialects;
  /// Null if only the caller's thread is used.
  std::unique_ptr<GuardedThreadPool> threads;
  Poison poison;
};

/// A tile_result.
struct Result {
  static constexpr HandleKind kKind = HandleKind::Result;

  std::map<tile_output, std::string> outputs;
  DiagnosticRecords diagnostics;
  /// Each of these is null unless the program was compiled for this machine.
  std::unique_ptr<CpuProgram> cpu;
  std::unique_ptr<EmulatorProgram> emulator;
  /// Records whether LLVM had a fatal error in a call that ran the program.
  mutable Poison poison;
};

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMPILER_COMPILER_H
