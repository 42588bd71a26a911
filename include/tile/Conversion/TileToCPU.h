// TileToCPU.h - tile programs as functions on tensors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are the functions of `-convert-tile-to-cpu`. Passes.td describes the
// result.

#ifndef TILE_CONVERSION_TILETOCPU_H
#define TILE_CONVERSION_TILETOCPU_H

#include "tile/IR/Tile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace tile {

/// Returns the name of the function that runs one block of `kernel` and takes
/// an array of pointers to its parameters.
std::string getPackedEntryName(llvm::StringRef kernel);

/// Converts each kernel of `module` to the two functions that Passes.td
/// describes. Fails, with an error at the user's line, if the module has a call
/// or an operation that only the phases for the GPU make.
llvm::LogicalResult convertTileToCPU(mlir::ModuleOp module);

/// Registers the dialects and interfaces that the pipeline `-tile-to-cpu` needs
/// of upstream's dialects: bufferization, deallocation.
void registerTileToCPUDialects(mlir::DialectRegistry &registry);

} // namespace tile

#endif // TILE_CONVERSION_TILETOCPU_H
