// Decompositions.h - simpler operations that composite operations become
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_DECOMPOSITIONS_H
#define TILE_LIB_ALGORITHMS_DECOMPOSITIONS_H

#include "tile/IR/Tile.h"

namespace tile {

using Replacements = llvm::FailureOr<llvm::SmallVector<mlir::Value>>;

/// Creates the simpler operations, as DecomposeOpInterface::decompose
/// specifies.
Replacements decompose(AddDiagonalOp op, mlir::OpBuilder &builder);
Replacements decompose(ArgReduceOp op, mlir::OpBuilder &builder);
Replacements decompose(AtomicRMWOp op, mlir::OpBuilder &builder);
Replacements decompose(BroadcastOp op, mlir::OpBuilder &builder);
Replacements decompose(CholeskyDerivativeOp op, mlir::OpBuilder &builder);
Replacements decompose(CholeskyOp op, mlir::OpBuilder &builder);
Replacements decompose(ComplexOp op, mlir::OpBuilder &builder);
Replacements decompose(DeterminantOp op, mlir::OpBuilder &builder);
Replacements decompose(DiagonalOp op, mlir::OpBuilder &builder);
Replacements decompose(EighOp op, mlir::OpBuilder &builder);
Replacements decompose(ExtractOp op, mlir::OpBuilder &builder);
Replacements decompose(GatherOp op, mlir::OpBuilder &builder);
Replacements decompose(HistogramOp op, mlir::OpBuilder &builder);
Replacements decompose(InsertOp op, mlir::OpBuilder &builder);
Replacements decompose(IotaOp op, mlir::OpBuilder &builder);
Replacements decompose(LdltOp op, mlir::OpBuilder &builder);
Replacements decompose(LeastSquaresOp op, mlir::OpBuilder &builder);
Replacements decompose(LoadOp op, mlir::OpBuilder &builder);
Replacements decompose(LogDetOp op, mlir::OpBuilder &builder);
Replacements decompose(MapOp op, mlir::OpBuilder &builder);
Replacements decompose(PopOp op, mlir::OpBuilder &builder);
Replacements decompose(PushOp op, mlir::OpBuilder &builder);
Replacements decompose(QrOp op, mlir::OpBuilder &builder);
Replacements decompose(RandomOp op, mlir::OpBuilder &builder);
Replacements decompose(ScatterOp op, mlir::OpBuilder &builder);
Replacements decompose(SolveOp op, mlir::OpBuilder &builder);
Replacements decompose(StoreOp op, mlir::OpBuilder &builder);
Replacements decompose(SvdOp op, mlir::OpBuilder &builder);
Replacements decompose(TopKOp op, mlir::OpBuilder &builder);
Replacements decompose(TriangularSolveOp op, mlir::OpBuilder &builder);
Replacements decompose(UnpackOp op, mlir::OpBuilder &builder);
Replacements decompose(ViewOp op, mlir::OpBuilder &builder);

/// Whether the operation is composite in its form, for operations that are
/// composite only in some forms.
bool hasCompositeForm(AtomicRMWOp op);
bool hasCompositeForm(BroadcastOp op);
bool hasCompositeForm(CholeskyDerivativeOp op);
bool hasCompositeForm(CholeskyOp op);
bool hasCompositeForm(ExtractOp op);
bool hasCompositeForm(GatherOp op);
bool hasCompositeForm(InsertOp op);
bool hasCompositeForm(IotaOp op);
bool hasCompositeForm(LdltOp op);
bool hasCompositeForm(LoadOp op);
bool hasCompositeForm(MapOp op);
bool hasCompositeForm(ScatterOp op);
bool hasCompositeForm(SolveOp op);
bool hasCompositeForm(StoreOp op);
bool hasCompositeForm(TriangularSolveOp op);
bool hasCompositeForm(ViewOp op);

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_DECOMPOSITIONS_H
