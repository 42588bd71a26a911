// LineTables.h - lines of the tile program for instructions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A profiler and a debugger show the lines of the tile program if the PTX has a
// `.loc` before each instruction. LLVM writes these for operations whose
// function has a scope. The emission kind is DebugDirectivesOnly: line
// directives in fully optimised code; with LineTablesOnly the PTX would also
// request a debug section of ptxas.

#ifndef TILE_TARGET_LINETABLES_H
#define TILE_TARGET_LINETABLES_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tile {

/// Gives each function of a module in the LLVM dialect a scope, and each
/// operation exactly one position: its own, else its function's. Functions
/// without a position are not changed. The position of a changed location can
/// be read as before.
void attachLineTables(mlir::ModuleOp module);

/// Removes the directives of line 0, with which LLVM marks instructions made
/// from several lines. Such instructions then belong to the line before them.
void removeUnknownLines(std::string &ptx);

} // namespace tile

#endif // TILE_TARGET_LINETABLES_H
