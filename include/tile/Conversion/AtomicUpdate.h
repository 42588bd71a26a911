// AtomicUpdate.h - atomic updates that no instruction makes at once
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compare-exchange that is tried until nobody came between makes any update
// atomic. It works on bits: LLVM's takes integers.

#ifndef TILE_CONVERSION_ATOMICUPDATE_H
#define TILE_CONVERSION_ATOMICUPDATE_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tile {

/// What an update makes of an element that was `old`. Both are of one integer
/// or floating-point type. @pre the kind is not compare_exchange.
mlir::Value buildUpdate(mlir::OpBuilder &builder, mlir::Location loc,
                        AtomicKind kind, mlir::Value old, mlir::Value value);

/// What LLVM calls the threads for which an update is one, and what it orders.
struct UpdateOrder {
  llvm::StringRef scope;
  mlir::LLVM::AtomicOrdering ordering;
};

/// Writes `desired` at `pointer` if `expected` is there; returns the bits that
/// were. All are integers of one type.
mlir::Value buildCompareExchange(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value pointer, mlir::Value expected,
                                 mlir::Value desired, UpdateOrder order);

/// Replaces the integer of type `bits` at `pointer` by what `update` makes of
/// it; returns the one that was.
mlir::Value buildUpdateLoop(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
    mlir::Type bits, UpdateOrder order,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value)> update);

} // namespace tile

#endif // TILE_CONVERSION_ATOMICUPDATE_H
