// ElementRegion.h - regions that compute elements of tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_ELEMENTREGION_H
#define TILE_IR_ELEMENTREGION_H

#include "mlir/IR/Builders.h"

namespace tile {

/// The operations of a region on elements, on other values: clones them at the
/// builder's place and returns what they yield.
llvm::SmallVector<mlir::Value> inlineElementRegion(mlir::OpBuilder &builder,
                                                   mlir::Region &region,
                                                   mlir::ValueRange arguments);

/// The element types of tiles.
llvm::SmallVector<mlir::Type> getElementTypes(mlir::ValueRange tiles);

/// Fails, at its line, at what a region on elements may not have: arguments of
/// other types, other types yielded, operations on tiles, side effects. A call
/// is let pass: it is inlined, and what comes of it verified.
llvm::LogicalResult verifyElementRegion(mlir::Operation *op,
                                        mlir::Region &region,
                                        mlir::TypeRange arguments,
                                        mlir::TypeRange yielded);

} // namespace tile

#endif // TILE_IR_ELEMENTREGION_H
