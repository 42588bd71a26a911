// HostJit.h - modules in the LLVM dialect compiled in memory for the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common part of the CPU path and the emulator: ORC compiles modules in the
// LLVM dialect to functions of this process.

#ifndef TILE_EXECUTION_HOSTJIT_H
#define TILE_EXECUTION_HOSTJIT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}
namespace llvm::orc {
class LLJIT;
}

namespace tile {

/// The kind of code that is compiled, which selects the optimizations.
enum class HostCode {
  kLoops,   ///< loops over arrays: LLVM's O3, vectorised
  kStraight ///< straight code of one GPU thread: a short pipeline
};

/// How much time code generation takes.
enum class HostEffort {
  kFull,
  kLittle ///< for code that runs rarely: a third of the time, slower code
};

/// A function of this process that compiled code may call.
struct HostFunction {
  llvm::StringRef name;
  void *address;
};

/// Compiled code, which lives as long as the object; the object itself is used
/// by one thread at a time.
///
/// Floating-point operations are fused only if the IR requests it, and rounded
/// as IEEE 754 requires: an instruction of the processor that is less exact
/// (bf16 with denormals flushed) is not used.
class HostJit {
public:
  ~HostJit();

  static llvm::Expected<std::unique_ptr<HostJit>> create(HostCode code);

  /// Defines names that compiled code may use in addition to the names of this
  /// process.
  llvm::Error define(llvm::ArrayRef<HostFunction> functions);

  /// Adds a module in the LLVM dialect. It is translated now, and optimised and
  /// compiled when one of its functions is first looked up. Errors of the
  /// module are reported to its context; the result is then an error without
  /// text of its own.
  /// @pre the context has the translations of registerAllDialects
  /// (Registration.h).
  llvm::Error add(mlir::ModuleOp module);

  /// Returns the address of a function of the modules that were added. The
  /// function is compiled with `effort` if this is its first lookup.
  llvm::Expected<void *> lookup(llvm::StringRef name,
                                HostEffort effort = HostEffort::kFull);

private:
  HostJit();

  /// The code generator, and its optimization level with full effort.
  std::unique_ptr<llvm::TargetMachine> machine;
  llvm::CodeGenOptLevel fullLevel;
  /// Effort of the lookup in progress.
  HostEffort effort = HostEffort::kFull;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  /// Errors of a lookup, whose own error does not contain them.
  std::shared_ptr<std::string> problems;
};

/// Returns an error without text: the text was reported to the module's
/// context.
llvm::Error reportedError();

} // namespace tile

#endif // TILE_EXECUTION_HOSTJIT_H
