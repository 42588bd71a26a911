// CombineByKind.h - operations that the kinds of reductions and updates name
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_COMBINEBYKIND_H
#define TILE_CONVERSION_COMBINEBYKIND_H

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tile {

/// Combines two elements of one type: an integer, index, floating-point or
/// complex type.
/// @pre `kind` is defined for the type: complex elements are added or
/// multiplied.
mlir::Value combineByKind(mlir::OpBuilder &builder, mlir::Location loc,
                          ReduceKind kind, mlir::Value a, mlir::Value b);

/// Creates the identity of `kind` for `type`: combined with another element, it
/// gives that element.
mlir::Value createIdentity(mlir::OpBuilder &builder, mlir::Location loc,
                           ReduceKind kind, mlir::Type type);

} // namespace tile

#endif // TILE_CONVERSION_COMBINEBYKIND_H
