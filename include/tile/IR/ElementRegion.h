// ElementRegion.h - regions that compute elements of tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_ELEMENTREGION_H
#define TILE_IR_ELEMENTREGION_H

#include "mlir/IR/Builders.h"

namespace tile {

/// Clones the operations of a region on elements at the builder's insertion
/// point. `arguments` replace the arguments of the region. Returns the yielded
/// values.
llvm::SmallVector<mlir::Value> inlineElementRegion(mlir::OpBuilder &builder,
                                                   mlir::Region &region,
                                                   mlir::ValueRange arguments);

/// Returns the element types of tiles.
llvm::SmallVector<mlir::Type> getElementTypes(mlir::ValueRange tiles);

/// Verifies that a region on elements has arguments and yielded values of these
/// types, no operations on tiles and no side effects. Errors are reported at
/// the operation in the region that is not allowed. A call is accepted here: it
/// is inlined later, and the result is verified.
llvm::LogicalResult verifyElementRegion(mlir::Operation *op,
                                        mlir::Region &region,
                                        mlir::TypeRange arguments,
                                        mlir::TypeRange yielded);

} // namespace tile

#endif // TILE_IR_ELEMENTREGION_H
