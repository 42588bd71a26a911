// Libdevice.h - NVIDIA's mathematical functions as LLVM bitcode
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_LIBDEVICE_H
#define TILE_TARGET_LIBDEVICE_H

#include "tile/Target/ToolkitFile.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <optional>
#include <string>

namespace llvm {
class Module;
}

namespace tile {

/// Returns the path of `libdevice` if a call in a module of the LLVM dialect
/// needs it, else an empty path. If it is needed but missing, this is an error
/// at the call's location.
mlir::FailureOr<std::string> findNeededLibdevice(mlir::ModuleOp module,
                                                 const ToolkitFile &libdevice);

/// Links the called functions of the library at `path` into the module, as
/// internal functions with IEEE rounding and denormals. The error is LLVM's.
mlir::LogicalResult linkLibdevice(llvm::Module &module, llvm::StringRef path,
                                  std::string &error);

} // namespace tile

#endif // TILE_TARGET_LIBDEVICE_H
