// Translate.h - the module of the tile dialect of a CUDA Tile program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IMPORT_CUDATILE_TRANSLATE_H
#define TILE_LIB_IMPORT_CUDATILE_TRANSLATE_H

#include "Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tile::cudatile {

/// Returns a module with a kernel for each entry of the program; null after an
/// error at the line of an operation. `file` is the location of the module.
mlir::OwningOpRef<mlir::ModuleOp> translate(const Program &program,
                                            mlir::Location file);

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_TRANSLATE_H
