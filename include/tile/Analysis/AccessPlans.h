// AccessPlans.h - how each operation accesses memory, decided once
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -tile-plan-accesses writes the result of planAccess into the IR as
// `#tile.access` (TileAttrs.td). The report and phase 9 read it there, and
// derive from types which thread has which elements (SharedAccess.h).

#ifndef TILE_ANALYSIS_ACCESSPLANS_H
#define TILE_ANALYSIS_ACCESSPLANS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Returns the plans of the accesses of `op`, as the attributes that hold them.
/// The accesses are as wide as possible, and have bounds tests only where they
/// are necessary. The list is empty for an operation without accesses, and for
/// one that is not in the form that phases 1 to 7 leave.
llvm::SmallVector<mlir::NamedAttribute> planAccess(mlir::Operation *op);

/// Verifies that an operation has plans for its accesses and for nothing else,
/// and that the plans can be carried out: no access is wider than the one that
/// planAccess returns, or has fewer bounds tests.
llvm::LogicalResult verifyAccess(mlir::Operation *op);

/// Return the plan of an operation, and of operand 0 (lhs) or 1 (rhs) of a
/// matmul.
/// @pre the plan exists
AccessAttr getAccess(mlir::Operation *op);
AccessAttr getOperandAccess(MatmulOp op, int operand);

} // namespace tile

#endif // TILE_ANALYSIS_ACCESSPLANS_H
