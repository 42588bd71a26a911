// AtomicUpdate.h - atomic accesses to the bits of an element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements are integers, index or floating-point values; LLVM reads, writes,
// compares and exchanges their bits. An update of any kind is made atomic by a
// compare-exchange that is retried if another access has changed the element in
// between.

#ifndef TILE_CONVERSION_ATOMICUPDATE_H
#define TILE_CONVERSION_ATOMICUPDATE_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tile {

/// Returns the new value of an element that was `old` and is updated with
/// `value`. Both values are of one type.
/// @pre the kind is not compare_exchange.
mlir::Value buildUpdate(mlir::OpBuilder &builder, mlir::Location loc,
                        AtomicKind kind, mlir::Value old, mlir::Value value);

/// Scope of an atomic access (LLVM's name for the set of threads), and its
/// ordering.
struct UpdateOrder {
  llvm::StringRef scope;
  mlir::LLVM::AtomicOrdering ordering;
};

/// Loads the element of type `type` at `pointer`.
mlir::Value buildAtomicLoad(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value pointer, mlir::Type type,
                            UpdateOrder order);
/// Writes an element.
void buildAtomicStore(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value, mlir::Value pointer,
                      UpdateOrder order);

/// Writes `desired` at `pointer` if the memory contains the bits of `expected`;
/// returns the previous value. All three are elements of one type.
mlir::Value buildCompareExchange(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value pointer, mlir::Value expected,
                                 mlir::Value desired, UpdateOrder order);

/// Replaces the element of type `type` at `pointer` by the value that `update`
/// returns for it; returns the previous value.
mlir::Value buildUpdateLoop(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
    mlir::Type type, UpdateOrder order,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value)> update);

} // namespace tile

#endif // TILE_CONVERSION_ATOMICUPDATE_H
