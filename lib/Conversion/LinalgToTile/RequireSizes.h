// RequireSizes.h - what operations require of sizes known at run time only
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels take the extent of a loop from one array that it indexes. Upstream
// leaves undefined what happens where another one has another size, so that the
// function of the host asserts that none has: the metadata lists its
// assertions, which each launcher checks.

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_REQUIRESIZES_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_REQUIRESIZES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::fromlinalg {

/// Asserts before each operation of a function what it requires of the sizes of
/// its operands, in terms of the sizes of the function's arguments. Fails, with
/// an error at the operation, where sizes are known and do not fit.
llvm::LogicalResult requireSizes(mlir::func::FuncOp function);

/// Makes of each size that a function asks for the sizes of its arguments that
/// it is computed of, in time that grows with the function: patterns follow a
/// chain of operations from each of its operations.
void shortenSizes(mlir::func::FuncOp function);

/// Asserts that two sizes are equal, which the operation at `loc` requires.
void requireEqual(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs,
                  mlir::Value rhs);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_REQUIRESIZES_H
