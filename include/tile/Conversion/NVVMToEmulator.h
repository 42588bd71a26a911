// NVVMToEmulator.h - compiled kernels as code of the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `-convert-nvvm-to-emulator` does, as a function. Passes.td says what the
// result looks like.

#ifndef TILE_CONVERSION_NVVMTOEMULATOR_H
#define TILE_CONVERSION_NVVMTOEMULATOR_H

#include "tile/Emulator/Site.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace tile {

/// A constant of the module that kernels may read.
struct EmulatorGlobal {
  std::string symbol;
  uint64_t bytes;
  bool isWritable;
};

/// What the emulator must know of a converted module beside its code.
struct EmulatorModule {
  /// The instructions of all kernels; calls name them by their position.
  std::vector<emulator::Site> sites;
  std::vector<EmulatorGlobal> globals;
};

/// Converts `module`, which is in the LLVM and NVVM dialects. Instructions that
/// the emulator does not have and functions without a body are errors at their
/// line; the module is then half converted.
mlir::FailureOr<EmulatorModule> convertToEmulator(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_CONVERSION_NVVMTOEMULATOR_H
