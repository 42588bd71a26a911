// VerifyTarget.h - refuse operations that the architecture lacks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_VERIFYTARGET_VERIFYTARGET_H
#define TILE_VERIFYTARGET_VERIFYTARGET_H

#include "tile/Analysis/Architecture.h"

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// The newest PTX version that can be written, times ten: that of ptxas 13.0.
constexpr int kNewestPTXVersion = 90;

/// Requirements of the operations of a module on the PTX that is made of them.
struct TargetNeeds {
  /// The PTX version to write, times ten: the requested one, else the least
  /// that has all instructions.
  int ptxVersion = 0;
  /// Whether there are nvvm operations without an LLVM intrinsic.
  bool inlinePTX = false;
};

/// Checks every nvvm operation and intrinsic of a module against the
/// architecture and the PTX version (times ten; 0 for none given). Each
/// operation that is refused is an error at its location.
mlir::FailureOr<TargetNeeds> verifyTarget(mlir::ModuleOp module,
                                          const Architecture &architecture,
                                          int ptxVersion = 0);

} // namespace tile

#endif // TILE_VERIFYTARGET_VERIFYTARGET_H
