// Libdevice.h - NVIDIA's mathematical functions as LLVM bitcode
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_LIBDEVICE_H
#define TILE_TARGET_LIBDEVICE_H

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <optional>
#include <string>

namespace llvm {
class Module;
}

namespace tile {

/// Whether a call in a module of the LLVM dialect needs libdevice, and where
/// that is: an empty path when nothing needs it. A call that needs it when it
/// is not to be found is an error at the call's location. `explicitPath`,
/// unless empty, is the only place looked at.
mlir::FailureOr<std::string> findNeededLibdevice(mlir::ModuleOp module,
                                                 llvm::StringRef explicitPath);

/// Links the called functions of the library at `path` into the module, as
/// internal functions with IEEE rounding and denormals. The error is LLVM's.
mlir::LogicalResult linkLibdevice(llvm::Module &module, llvm::StringRef path,
                                  std::string &error);

} // namespace tile

#endif // TILE_TARGET_LIBDEVICE_H
