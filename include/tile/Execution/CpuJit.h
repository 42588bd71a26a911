// CpuJit.h - tile programs compiled in memory and run on the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_EXECUTION_CPUJIT_H
#define TILE_EXECUTION_CPUJIT_H

#include "tile/Execution/HostJit.h"
#include "tile/Runtime/KernelMetadata.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tile {

/// The kernels of a tile program as functions of this process. Immutable: may
/// be used by several threads at once.
class CpuProgram {
public:
  ~CpuProgram();

  /// Lowers `module`, a tile program at level source or decomposed, by
  /// `-tile-to-cpu`, and compiles it for the processor of the host, with every
  /// instruction set that it has; with full effort at O3. Results do not depend
  /// on the effort. Floating-point operations are fused only if the IR requests
  /// it (math.fma).
  ///
  /// Errors of the program are reported to the module's context; the result is
  /// then an error without text of its own. `module` is changed in any case.
  static llvm::Expected<std::unique_ptr<CpuProgram>>
  compile(mlir::ModuleOp module, HostEffort effort = HostEffort::kFull);

  /// Returns the metadata of the kernels, with their arguments and hidden
  /// arguments. The kernels have no entry points.
  const runtime::ModuleMetadata &getMetadata() const { return metadata; }

  /// Runs all blocks of the grid of `kernel`, and returns when they are done.
  /// Returns an error if an assertion of the program has failed: blocks that
  /// had not started are then left out. `mustStop`, if there is one, is called
  /// now and then on the calling thread and decides whether the run must end
  /// with an error.
  ///
  /// `parameters` are pointers to the flat parameters in the order of the
  /// kernel ABI, without those of the grid; null if there are none. `threads`
  /// is the number of host threads; 0 means one for each processor. Each thread
  /// takes one block at a time.
  llvm::Error run(llvm::StringRef kernel, void *const *parameters,
                  const std::array<int64_t, 3> &grid, int threads,
                  std::function<bool()> mustStop = {}) const;

private:
  CpuProgram();

  /// The function `void entry(void **parameters)` of a kernel, and how many of
  /// its parameters precede those of the grid.
  struct Entry {
    std::string kernel;
    void (*function)(void **);
    size_t numParameters;
  };

  const Entry *find(llvm::StringRef kernel) const;

  std::unique_ptr<HostJit> jit;
  runtime::ModuleMetadata metadata;
  std::vector<Entry> entries;
};

/// Takes a program at level source to level decomposed. Returns false if it has
/// no composite operation, so that only calls are inlined. Errors are reported
/// to the module's context.
mlir::FailureOr<bool> decomposeProgram(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_EXECUTION_CPUJIT_H
