// SortOps.h - the assembly of operations that move tiles of any types
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IR_SORTOPS_H
#define TILE_LIB_IR_SORTOPS_H

#include "tile/IR/Tile.h"

namespace tile {

/// The assembly `sources`; the results have the types of the sources.
mlir::ParseResult parseMoved(mlir::OpAsmParser &parser,
                             llvm::SmallVectorImpl<mlir::Type> &sources,
                             llvm::SmallVectorImpl<mlir::Type> &results);
void printMoved(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                mlir::TypeRange sources, mlir::TypeRange results);

} // namespace tile

#endif // TILE_LIB_IR_SORTOPS_H
