// NVVMToEmulator.h - compiled kernels as code of the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is `-convert-nvvm-to-emulator` as a function. Passes.td describes the
// result.

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

/// The properties of a converted module that the emulator needs in addition to
/// its code.
struct EmulatorModule {
  /// The instructions of all kernels; calls name them by their position.
  std::vector<emulator::Site> sites;
  std::vector<EmulatorGlobal> globals;
};

/// Converts `module`, which is in the LLVM and NVVM dialects. Instructions that
/// the emulator does not have and functions without a body are errors at their
/// line; the module is then partially converted.
mlir::FailureOr<EmulatorModule> convertToEmulator(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_CONVERSION_NVVMTOEMULATOR_H
