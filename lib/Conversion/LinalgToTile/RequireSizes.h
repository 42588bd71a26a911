// RequireSizes.h - requirements of operations on sizes known only at run time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels take the extent of a loop from one of the arrays that it indexes.
// Upstream leaves the behaviour undefined if another array has another size.
// The host function therefore asserts that the sizes are equal. The metadata
// lists these assertions, and each launcher checks them.

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_REQUIRESIZES_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_REQUIRESIZES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::fromlinalg {

/// Asserts before each operation of a function its requirements on the sizes of
/// its operands, in terms of the sizes of the function's arguments. Fails, with
/// an error at the operation, if sizes are known and do not fit.
llvm::LogicalResult requireSizes(mlir::func::FuncOp function);

/// Replaces each size that a function queries by the sizes of its arguments
/// from which it is computed, in time proportional to the function's length.
/// Upstream's patterns would take quadratic time: for each operation of a chain
/// they would follow the rest of the chain.
void shortenSizes(mlir::func::FuncOp function);

/// Asserts that two sizes are equal, which the operation at `loc` requires.
void requireEqual(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs,
                  mlir::Value rhs);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_REQUIRESIZES_H
