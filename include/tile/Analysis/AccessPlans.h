// AccessPlans.h - how each operation accesses memory, decided once
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -tile-plan-accesses writes what planAccess says into the IR as `#tile.access`
// (TileAttrs.td). The report and phase 9 read it there, and derive from types
// which thread has which elements (SharedAccess.h).

#ifndef TILE_ANALYSIS_ACCESSPLANS_H
#define TILE_ANALYSIS_ACCESSPLANS_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

namespace tile {

/// The plans of an operation's accesses: the widest ones, with no more tests
/// than are needed, by the attributes that hold them. None for an operation
/// without accesses, or without what phases 1 to 7 leave of it.
llvm::SmallVector<mlir::NamedAttribute>
planAccess(mlir::Operation *op, const Architecture &architecture);

/// Verifies that an operation has plans for its accesses and for nothing else,
/// and that it can be made so: by accesses that are no wider than planAccess
/// says, with no fewer tests.
llvm::LogicalResult verifyAccess(mlir::Operation *op,
                                 const Architecture &architecture);

/// The plan of an operation, or of operand 0 (lhs) or 1 (rhs) of a product.
/// @pre it has one
AccessAttr getAccess(mlir::Operation *op);
AccessAttr getOperandAccess(MatmulOp op, int operand);

} // namespace tile

#endif // TILE_ANALYSIS_ACCESSPLANS_H
