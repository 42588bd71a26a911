// Differentiate.h - add derivatives to a program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_DIFFERENTIATE_H
#define TILE_TARGET_DIFFERENTIATE_H

#include "tile/Gradient/Passes.h"
#include "tile/Runtime/KernelMetadata.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace tile {

/// Adds to `module` the kernels of the derivatives that `gradient` creates, a
/// pass -tile-gradient, and brings the module into canonical form, as the pass
/// requires. Fails, after an error at the operation, if a derivative is not
/// known, or if a kernel is not at level source.
/// @pre the context has the dialects of registerAllDialects (Registration.h).
mlir::LogicalResult addDerivatives(mlir::ModuleOp module,
                                   std::unique_ptr<mlir::Pass> gradient);

/// Does as addDerivatives, and then erases the kernels and functions that the
/// module had before and that the derivatives do not launch.
mlir::LogicalResult replaceByDerivatives(mlir::ModuleOp module,
                                         std::unique_ptr<mlir::Pass> gradient);

/// Describes the arguments and grids of the kernels and host functions of a
/// module that is not compiled. The kernels have no architecture and no entry
/// points.
runtime::ModuleMetadata describeInterfaces(mlir::ModuleOp module);

/// Returns the module as text, at the end of each line the location of its
/// operation.
std::string printWithLocations(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_TARGET_DIFFERENTIATE_H
