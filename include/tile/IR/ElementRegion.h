// ElementRegion.h - regions that compute elements of tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_ELEMENTREGION_H
#define TILE_IR_ELEMENTREGION_H

#include "mlir/IR/Builders.h"

namespace tile {

/// Clones the operations of a region on elements at the builder's insertion
/// point, with `arguments` for the region's, and returns the values that they
/// yield.
llvm::SmallVector<mlir::Value> inlineElementRegion(mlir::OpBuilder &builder,
                                                   mlir::Region &region,
                                                   mlir::ValueRange arguments);

/// The element types of tiles.
llvm::SmallVector<mlir::Type> getElementTypes(mlir::ValueRange tiles);

/// Verifies that a region on elements has these types of arguments and of
/// yielded values, no operations on tiles and no side effects; errors are
/// reported at the line of the offender. A call is accepted: it is inlined
/// later, and the result is verified.
llvm::LogicalResult verifyElementRegion(mlir::Operation *op,
                                        mlir::Region &region,
                                        mlir::TypeRange arguments,
                                        mlir::TypeRange yielded);

} // namespace tile

#endif // TILE_IR_ELEMENTREGION_H
