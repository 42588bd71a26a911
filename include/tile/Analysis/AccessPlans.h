// AccessPlans.h - how each operation accesses memory, decided once
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -tile-plan-accesses writes the result of planAccess into the IR as
// `#tile.access` (TileAttrs.td). The report and phase 9 read it there, and
// derive from types which thread has which elements (SharedAccess.h).

#ifndef TILE_ANALYSIS_ACCESSPLANS_H
#define TILE_ANALYSIS_ACCESSPLANS_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

namespace tile {

/// Returns the plans of an operation's accesses as the attributes that hold
/// them: the widest accesses with no more tests than needed. The list is empty
/// for an operation without accesses, and for one that is not in the form that
/// phases 1 to 7 leave.
llvm::SmallVector<mlir::NamedAttribute>
planAccess(mlir::Operation *op, const Architecture &architecture);

/// Verifies that an operation has plans for its accesses and for nothing else,
/// and that the plans can be carried out: their accesses are no wider than
/// those of planAccess and have no fewer tests.
llvm::LogicalResult verifyAccess(mlir::Operation *op,
                                 const Architecture &architecture);

/// Returns the plan of an operation, or of operand 0 (lhs) or 1 (rhs) of a
/// matmul.
/// @pre it has one
AccessAttr getAccess(mlir::Operation *op);
AccessAttr getOperandAccess(MatmulOp op, int operand);

} // namespace tile

#endif // TILE_ANALYSIS_ACCESSPLANS_H
